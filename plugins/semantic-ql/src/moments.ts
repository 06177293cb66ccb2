/** Functions of SQL that return timestamps and texts of timestamps, as far as the catalogue of the model supports them. */

import type { TimeGrain } from '@grainline/core/dialect'
import {
  bucketType,
  callOf as call,
  currentPeriod,
  DATE,
  dateText,
  decimal,
  floorTime as floor,
  INT,
  isNumeric,
  isoTimestamp,
  isTemporal,
  literalOf as literal,
  type Micros,
  microsOf as parseTime,
  STRING,
  shiftTime as shift,
  TIME_GRAINS,
  TIMESTAMP,
  timestampText,
} from '@grainline/core/language'

import { type FormatPart, formatParts, readFormatted } from './grammar/moment-format.js'
import type { Node } from './grammar/node.js'
import { type ExpressionReader, isLiteral, type NameExpr, placeOf, typeOfExpr } from './reader.js'
import { refuse, unsupported } from './refusal.js'

type Written = (args: readonly NameExpr[], reader: ExpressionReader, node: Node) => NameExpr | undefined

const EPOCH = literal('1970-01-01 00:00:00', TIMESTAMP)
const NOW: Written = (args, reader) => (args.length === 0 ? now(reader) : undefined)

/** By their names in SQL; `undefined` for arguments of another form. */
const FUNCTIONS: Readonly<Record<string, Written>> = {
  now: NOW,
  transaction_timestamp: NOW,
  statement_timestamp: NOW,
  clock_timestamp: NOW,
  getdate: NOW,
  date: ([moment], reader, node) => moment && toDay(moment, reader, node),
  to_date: ([text, format], reader, node) => {
    const found = formatted(text, format, reader, node)
    return found === undefined ? undefined : literal(found.slice(0, 10), DATE)
  },
  to_timestamp: ([first, format], reader, node) => {
    if (format === undefined) return first && fromEpoch(first, reader)
    const found = formatted(first, format, reader, node)
    return found === undefined ? undefined : literal(found, TIMESTAMP)
  },
  to_char: ([moment, format], reader, node) => {
    if (!moment || !format || !isLiteral(format) || !isTemporal(typeOfExpr(moment, reader))) return undefined
    const parts = formatParts(String(format.value))
    if (parts === undefined) return unknownFormat(String(format.value), reader, node)
    return call('concat', literal('', STRING), ...parts.map((part) => partText(part, moment)))
  },
}

/** The call as an expression of the model; `undefined` for another function. */
export const momentExpr = (
  name: string,
  args: readonly NameExpr[],
  reader: ExpressionReader,
  node: Node,
): NameExpr | undefined => (Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]?.(args, reader, node) : undefined)

/** The current second in the model's zone. */
export const now = ({ clock }: ExpressionReader): NameExpr => literal(timestampText(currentPeriod(clock(), 'second')), TIMESTAMP)

/** Seconds since 1970 in local time; for an instant only if local time is read back. */
export function epochOf(moment: NameExpr, reader: ExpressionReader, node: Node): NameExpr {
  if (typeOfExpr(moment, reader).kind === 'timestamp_tz' && !reader.readsEpochs)
    unsupported('extract', 'The seconds since 1970 of an instant are not known here', {
      at: placeOf(reader, node),
      rewrite: "date_trunc('hour', …) for its hour, or the field itself",
    })
  return call('date_diff', literal('second', STRING), EPOCH, moment)
}

/** The timestamp so many seconds after the start of 1970. */
function fromEpoch(seconds: NameExpr, reader: ExpressionReader): NameExpr | undefined {
  const type = typeOfExpr(seconds, reader)
  if (!isNumeric(type)) return undefined
  if (isLiteral(seconds)) return literal(timestampText(BigInt(Math.round(Number(seconds.value) * 1e6))), TIMESTAMP)
  return folded('date_add', [literal('second', STRING), whole(seconds, reader), EPOCH])
}

export const whole = (number: NameExpr, reader: ExpressionReader): NameExpr =>
  typeOfExpr(number, reader).kind === 'int' ? number : { kind: 'cast', operand: call('floor', number), type: INT }

/** A part of a timestamp, which is not an integer in SQL, so that its quotients are not truncated. */
export const isPart = (expr: NameExpr): boolean =>
  expr.kind === 'call' && (expr.name === 'extract' || (expr.name === 'date_diff' && expr.args[1] === EPOCH))

export const asExact = (number: NameExpr): NameExpr => ({ kind: 'cast', operand: number, type: decimal(20, 6) })

function toDay(moment: NameExpr, reader: ExpressionReader, node: Node): NameExpr {
  const text = isLiteral(moment) && moment.type.kind === 'string' ? isoTimestamp(String(moment.value)) : undefined
  if (text !== undefined) return literal(text.slice(0, 10), DATE)
  if (!isTemporal(typeOfExpr(moment, reader)))
    unsupported('date', 'date takes a date or timestamp', { at: placeOf(reader, node) })
  return folded('date_trunc', [literal('day', STRING), moment])
}

function formatted(
  text: NameExpr | undefined,
  format: NameExpr | undefined,
  reader: ExpressionReader,
  node: Node,
): string | undefined {
  if (!text || !format || !isLiteral(text) || !isLiteral(format)) return undefined
  const parts = formatParts(String(format.value))
  if (parts === undefined) return unknownFormat(String(format.value), reader, node)
  return (
    readFormatted(String(text.value), parts) ??
    refuse('INVALID_FILTER_VALUE', `'${String(text.value).slice(0, 60)}' is not of the form '${String(format.value)}'`, {
      at: placeOf(reader, node),
    })
  )
}

function unknownFormat(format: string, reader: ExpressionReader, node: Node): never {
  return unsupported('format', `The format '${format.slice(0, 60)}' has parts that are not understood here`, {
    at: placeOf(reader, node),
    rewrite: "YYYY, MM, DD, HH24, MI, SS, MS, US and separators, such as 'YYYY-MM-DD'",
  })
}

function partText(part: FormatPart, moment: NameExpr): NameExpr {
  if ('text' in part) return literal(part.text, STRING)
  if (part.unit === undefined) return literal('0'.repeat(part.digits), STRING)
  const digits: NameExpr = { kind: 'cast', operand: call('extract', literal(part.unit, STRING), moment), type: STRING }
  return part.digits === 1 ? digits : call('lpad', digits, literal(part.digits, INT), literal('0', STRING))
}

/** `date_trunc` and `date_add`, computed at once if the timestamp is a constant, so that a filter can use it. */
export function folded(name: string, args: readonly NameExpr[]): NameExpr {
  const expr = call(name, ...args)
  const [unit, moment] = [args[0], args.at(-1)]
  const grain = unit && isLiteral(unit) ? TIME_GRAINS.find((each) => each === unit.value) : undefined
  // The model determines where a week begins.
  if (!grain || !moment || !isLiteral(moment) || grain === 'week') return expr
  const at = parseTime(String(moment.value))?.micros
  if (at === undefined) return expr
  if (name === 'date_trunc') return momentLiteral(floor(at, grain, 'monday'), bucketType(grain).kind === 'date')
  const count = args[1]
  if (name !== 'date_add' || !count || !isLiteral(count)) return expr
  return added(at, grain, Number(count.value), moment.type.kind === 'date') ?? expr
}

/** Months and years are shifted only within the month: the database determines the end of a shorter one. */
function added(at: Micros, grain: TimeGrain, count: number, isDay: boolean): NameExpr | undefined {
  const isFixed = grain === 'day' || bucketType(grain).kind !== 'date'
  if (isFixed) return momentLiteral(shift(at, grain, count), isDay && grain === 'day')
  const month = floor(at, 'month', 'monday')
  const months = { month: 1, quarter: 3, year: 12 }[grain as 'month' | 'quarter' | 'year'] * count
  const moved = shift(month, 'month', months)
  const result = moved + (at - month)
  return floor(result, 'month', 'monday') === moved ? momentLiteral(result, isDay) : undefined
}

const momentLiteral = (at: Micros, isDay: boolean): NameExpr =>
  isDay ? literal(dateText(at), DATE) : literal(timestampText(at), TIMESTAMP)
