/** Comparisons with a whole day, month or year, `'2023-05-06'`, `'2023-05'` or `2023`, as in a JSON query. */
import {
  type BinaryOperator,
  binaryOf as binary,
  callOf,
  DATE,
  dateText,
  type Grain,
  INT,
  isNumeric,
  isTemporal,
  type Literal,
  type Micros,
  microsOf as parseTime,
  STRING,
} from '@grainline/core/language'
import { coerced, literalOf } from './constants.js'
import { type ExpressionReader, isLiteral, type NameExpr, typeOfExpr } from './reader.js'
import type { Place } from './refusal.js'

/** `undefined` unless one side is a time and the other a whole period. Throws `INVALID_FILTER_VALUE` for a number compared with a time. */
export function comparedWithPeriod(
  operator: BinaryOperator,
  [left, right]: readonly [NameExpr, NameExpr],
  reader: ExpressionReader,
  at: Place | undefined,
): NameExpr | undefined {
  if (isLiteral(left) && !isLiteral(right)) return comparedWithPeriod(MIRRORED[operator] ?? operator, [right, left], reader, at)
  const period = periodOf(left, right, reader, at)
  if (period === undefined) return undefined
  const type = typeOfExpr(left, reader)
  // A day is what the clocks showed. Where they are set back over midnight, its moments are not those from the first to the last one.
  return type.kind === 'timestamp_tz'
    ? inPeriod(operator, callOf('date_trunc', literalOf('day', STRING), left), period, dayOf)
    : inPeriod(operator, left, period, (moment) => coerced(literalOf(dateText(moment), STRING), type, at))
}

const dayOf = (moment: Micros): NameExpr => literalOf(dateText(moment), DATE)

/** Whether an item of a list that is compared with a time is a whole period. */
export const isAnyPeriod = (
  operand: NameExpr,
  items: readonly NameExpr[],
  reader: ExpressionReader,
  at: Place | undefined,
): boolean => items.some((item) => periodOf(operand, item, reader, at) !== undefined)

interface Period {
  readonly from: Micros
  readonly until: Micros
}

const MIRRORED: Partial<Record<BinaryOperator, BinaryOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

function periodOf(subject: NameExpr, value: NameExpr, reader: ExpressionReader, at: Place | undefined): Period | undefined {
  if (isLiteral(subject) || !isLiteral(value) || value.value === null) return undefined
  const type = typeOfExpr(subject, reader)
  const grain = grainOf(subject, reader)
  if (!isTemporal(type) || type.kind === 'time' || typeof grain === 'object') return undefined
  const parsed = parseTime(periodText(value, grain))
  // A day is compared with days as it is.
  if (parsed?.isPeriod || (parsed?.dateOnly && type.kind !== 'date')) return { from: parsed.micros, until: parsed.until }
  if (isNumeric(value.type)) coerced(value, type, at)
  return undefined
}

function grainOf(subject: NameExpr, { grains }: ExpressionReader): Grain | undefined {
  if (subject.kind === 'name') return subject.grain
  const [unit] = subject.kind === 'call' && subject.name === 'date_trunc' ? subject.args : []
  return unit && isLiteral(unit) ? grains.get(String(unit.value)) : undefined
}

/** A number is a year if years are compared. */
function periodText({ value, type }: Literal, grain: Grain | undefined): string {
  if (type.kind === STRING.kind || type.kind === 'date') return String(value)
  return type.kind === INT.kind && grain === 'year' ? String(value).padStart(4, '0') : ''
}

function inPeriod(
  operator: BinaryOperator,
  x: NameExpr,
  { from, until }: Period,
  literal: (moment: Micros) => NameExpr,
): NameExpr | undefined {
  const below = (moment: Micros): NameExpr => (moment > LAST ? binary('=', x, x) : binary('<', x, literal(moment)))
  const since = (moment: Micros): NameExpr => (moment > LAST ? binary('<>', x, x) : binary('>=', x, literal(moment)))
  switch (operator) {
    case '=':
      return binary('and', since(from), below(until))
    case '<>':
      return binary('or', below(from), since(until))
    case '<':
      return below(from)
    case '<=':
      return below(until)
    case '>':
      return since(until)
    case '>=':
      return since(from)
    default:
      return undefined
  }
}

/** The last day with literals on every engine. */
const LAST = parseTime('9999-12-31')!.micros
