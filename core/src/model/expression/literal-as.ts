import { BOOLEAN, DATE, type DataType, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '../data-type.js'
import type { Cast, Literal } from './ast.js'
import { isoDate, isoTimestamp, signedNumber } from './written-literal.js'

/** A text that is written where a value of another type belongs, as a literal of that type; `undefined` if it is none. */
export function literalAs(text: string, kind: DataType['kind']): Literal | Cast<never> | undefined {
  const written = text.trim()
  switch (kind) {
    case 'string':
      return literal(text, STRING)
    case 'int':
    case 'float':
    case 'decimal':
      return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(written) ? signedNumber(written) : undefined
    case 'boolean':
      return literal(TRUTHS.get(written.toLowerCase()), BOOLEAN)
    case 'date':
      return literal(isoTimestamp(padded(written))?.slice(0, 10), DATE)
    case 'timestamp':
      return literal(isoTimestamp(padded(written)), TIMESTAMP)
    case 'timestamp_tz':
      return literal(isoTimestamp(padded(written)), TIMESTAMP) ?? instantOf(written)
    case 'time':
      return literal(
        written.includes(':') ? isoTimestamp(/^\d{4}-/.test(written) ? written : `2000-01-01 ${written}`)?.slice(11) : undefined,
        TIME,
      )
    case 'json':
      return isJson(text) ? literal(text, JSON_TYPE) : undefined
  }
}

/** A text in a place that takes points in time: a date if it has no time. */
export const momentOf = (text: string): Literal | Cast<never> | undefined =>
  isoDate(text.trim()) === undefined ? literalAs(text, 'timestamp_tz') : literalAs(text, 'date')

export const wholeOf = (text: string): Literal | Cast<never> | undefined => {
  const number = literalAs(text, 'int')
  return number?.type.kind === INT.kind ? number : undefined
}

const literal = (value: string | boolean | undefined, type: DataType): Literal | undefined =>
  value === undefined ? undefined : { kind: 'literal', value, type }

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0'].map((word) => [word, false] as const),
])

/** `2024-3-5` as `2024-03-05`: engines read both. */
const padded = (text: string): string =>
  text.replace(/^(\d{4})-(\d{1,2})-(\d{1,2})(?=$|[T ])/, (_, year: string, month: string, day: string) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  )

/** A text with an offset names an instant, which every engine reads from a text. */
function instantOf(text: string): Cast<never> | undefined {
  const utc = instant(text)
  return utc === undefined
    ? undefined
    : { kind: 'cast', operand: { kind: 'literal', value: `${utc}+00:00`, type: STRING }, type: TIMESTAMP_TZ }
}

/** `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC of a text with an offset. */
function instant(text: string): string | undefined {
  const [, local = '', fraction = '', offset = ''] =
    /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?)(\.\d{1,6})?(Z|[+-]\d{2}(?::?\d{2})?)$/i.exec(text) ?? []
  if (isoTimestamp(local) === undefined) return undefined
  const zone = /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.replace(':', '').slice(3) || '00'}`
  const date = new Date(`${local.replace(' ', 'T')}${zone}`)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 19).replace('T', ' ')}${fraction}`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
