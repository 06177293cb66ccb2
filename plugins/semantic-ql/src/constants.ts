/** Constants of a statement as literals of the model's types. */
import { type DataType, parseDataType } from '@grainline/core'
import {
  BOOLEAN,
  DATE,
  FLOAT,
  formatDataType,
  INT,
  instantOf,
  isNumeric,
  isoTimestamp,
  isTemporal,
  type Literal,
  numberLiteral,
  microsOf as parseTime,
  type SqlParameter,
  STRING,
  signedNumber,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  timestampText,
  zoneOffset,
} from '@grainline/core/language'
import { type A_Const, bodyOf, type TypeName, wordsOf } from './grammar/node.js'
import { isLiteral, type NameExpr } from './reader.js'
import { type Place, refuse, unsupported } from './refusal.js'

export const literalOf = (value: Literal['value'], type: DataType): Literal => ({ kind: 'literal', value, type })

export function constantOf({ ival, fval, boolval, sval, bsval, isnull }: A_Const, at: Place | undefined): Literal {
  if (isnull) return literalOf(null, STRING)
  if (ival) return literalOf(ival.ival ?? 0, INT)
  if (fval) return numberLiteral(fval.fval ?? '0')
  if (boolval) return literalOf(boolval.boolval ?? false, BOOLEAN)
  if (sval) return literalOf(checked(sval.sval ?? '', at), STRING)
  return unsupported('constant', `${bsval ? 'A bit string' : 'This constant'} has no meaning here`, { at })
}

/** The text itself. Refuses a text that no database accepts. */
function checked(text: string, at: Place | undefined): string {
  if (text.includes('\u0000')) refuse('INVALID_FILTER_VALUE', 'a text with the character U+0000 has no SQL equivalent', { at })
  return text
}

export function parameterLiteral({ value, type }: SqlParameter, at: Place | undefined, zone = 'UTC'): Literal {
  if (value === null) return literalOf(null, type ?? STRING)
  if (typeof value === 'boolean') return literalOf(value, BOOLEAN)
  if (typeof value === 'bigint') return signedNumber(String(value))
  if (typeof value === 'number') return Number.isInteger(value) ? signedNumber(String(value)) : literalOf(value, FLOAT)
  const text = literalOf(checked(value, at), STRING)
  return type === undefined || type.kind === 'string' ? text : coerced(text, type, at, zone)
}

/** As `parameterLiteral`, except that an instant of an hour that clocks show twice stays that instant. */
export function parameterExpr(given: SqlParameter, at: Place | undefined, zone: string): NameExpr {
  const { value, type } = given
  return typeof value === 'string' && type?.kind === 'timestamp_tz'
    ? momentAs(literalOf(checked(value, at), STRING), type, at, zone)
    : parameterLiteral(given, at, zone)
}

const NUMBER = /^\s*-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const TIME_OF_DAY = /^\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/

/** A text constant in the type of the operand next to it, because SQL gives it none. Anything else comes back unchanged. */
export function coercedTo(expr: NameExpr, type: DataType, at: Place | undefined, zone: string): NameExpr {
  return isLiteral(expr) && expr.type.kind === 'string' && expr.value !== null ? momentAs(expr, type, at, zone) : expr
}

/** An instant becomes local time in `zone`, as in every expression; if clocks had shown that time before, it stays a text with its offset. */
export function momentAs(literal: Literal, type: DataType, at: Place | undefined, zone: string): NameExpr {
  const parsed =
    type.kind === 'timestamp_tz' && literal.value !== null ? parseTime(dayInZone(String(literal.value).trim(), type)) : undefined
  const shown = coerced(literal, type, at, zone)
  if (!parsed?.instant || instantOf(parseTime(String(shown.value))?.micros ?? parsed.micros, zone) === parsed.micros) return shown
  return { kind: 'cast', operand: literalOf(`${timestampText(parsed.micros)}+00:00`, STRING), type: TIMESTAMP_TZ }
}

/** An instant becomes local time in `zone`, as in every expression. */
export function coerced(literal: Literal, type: DataType, at: Place | undefined, zone = 'UTC'): Literal {
  if (literal.value === null) return literalOf(null, type)
  const text = dayInZone(String(literal.value).trim(), type)
  const found = typed(text, type, zone)
  if (found) return found
  if (type.kind === 'string' || type.kind === 'json') return literal
  return refuse('INVALID_FILTER_VALUE', `'${text.slice(0, 60)}' is not a ${formatDataType(type)}`, { at })
}

function typed(text: string, type: DataType, zone: string): Literal | undefined {
  if (isNumeric(type)) return NUMBER.test(text) ? signedNumber(text.trim()) : undefined
  if (type.kind === 'boolean') {
    const word = text.toLowerCase()
    if (['t', 'true', 'yes', 'on', '1'].includes(word)) return literalOf(true, BOOLEAN)
    return ['f', 'false', 'no', 'off', '0'].includes(word) ? literalOf(false, BOOLEAN) : undefined
  }
  if (type.kind === 'time') return TIME_OF_DAY.test(text) ? literalOf(text, TIME) : undefined
  if (!isTemporal(type)) return undefined
  const moment = text === 'epoch' ? '1970-01-01 00:00:00' : (isoTimestamp(text) ?? shownIn(zone, text, type))
  if (moment === undefined) return undefined
  const isDay = type.kind === 'date' && moment.endsWith(' 00:00:00')
  return isDay ? literalOf(moment.slice(0, 10), DATE) : literalOf(moment, TIMESTAMP)
}

/** Drivers of Java write a date with the zone of their machine (`2013-06-01 +00`). A zone says nothing about a date or a local time. */
export function dayInZone(text: string, { kind }: DataType): string {
  const [, day, zone] = DAY_IN_ZONE.exec(text) ?? []
  if (day === undefined || kind === 'date') return day ?? text
  if (kind === 'timestamp') return `${day} 00:00:00`
  return kind === 'timestamp_tz' ? `${day} 00:00:00${zone}` : text
}

const DAY_IN_ZONE = /^(\d{4}-\d\d-\d\d) ?([+-]\d\d(?::?\d\d)?|Z)$/

function shownIn(zone: string, text: string, type: DataType): string | undefined {
  const parsed = type.kind === 'timestamp_tz' ? parseTime(text) : undefined
  if (!parsed?.instant) return undefined
  return timestampText(parsed.micros + BigInt(zoneOffset(zone)?.(parsed.micros) ?? 0) * 1_000_000n)
}

/** Type names of the grammar that our spelling of types does not contain. */
const PG_NAMES: Readonly<Record<string, string>> = { timetz: 'time', bpchar: 'string', name: 'string', regclass: 'string' }

/** The type of a cast; `'numeric'` where it is written without a precision. */
export function typeNamed(type: TypeName | undefined, at: Place | undefined): DataType | 'numeric' {
  const word = wordsOf(type?.names).at(-1)?.toLowerCase() ?? ''
  const sizes = (type?.typmods ?? []).map((size) => bodyOf(size, 'A_Const')?.ival?.ival ?? 0)
  if ((type?.arrayBounds ?? []).length > 0) unsupported('CAST', 'There are no arrays here', { at })
  if (word === 'numeric' && sizes.length === 0) return 'numeric'
  const isSized = word === 'numeric'
  const spelled = PG_NAMES[word] ?? word
  return (
    parseDataType(isSized ? `${spelled}(${sizes.join(',')})` : spelled) ??
    unsupported('CAST', `'${word}' is not a type that can be cast to`, { at })
  )
}
