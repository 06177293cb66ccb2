/** Numbers and dates as people write them. */
import { decimal, FLOAT, INT, MAX_PRECISION } from '../data-type.js'
import { isLiteral, type Literal } from './ast.js'

/** Integers remain exact, decimals remain as written, and only an exponent makes a double. */
export function numberLiteral(text: string): Literal {
  if (/[eE]/.test(text)) return { kind: 'literal', value: Number(text), type: FLOAT }
  if (/^\d+$/.test(text)) return wholeLiteral(text)
  const [whole = '', fraction = ''] = text.split('.')
  const digits = whole.replace(/^0+/, '')
  const precision = Math.max(1, digits.length + fraction.length)
  if (precision > MAX_PRECISION) return { kind: 'literal', value: Number(text), type: FLOAT }
  return { kind: 'literal', value: `${digits || '0'}${fraction && `.${fraction}`}`, type: decimal(precision, fraction.length) }
}

/** The same with or without a sign; `1.` is an integer. */
export function signedNumber(text: string): Literal {
  const literal = numberLiteral(text.replace(/^[+-]|\.$/g, ''))
  return text.startsWith('-') ? negate(literal) : literal
}

function wholeLiteral(text: string): Literal {
  const digits = text.replace(/^0+(?=\d)/, '')
  if (digits.length > MAX_PRECISION) return { kind: 'literal', value: Number(text), type: FLOAT }
  const value = BigInt(digits)
  if (value > 9223372036854775807n) return { kind: 'literal', value: digits, type: decimal(digits.length, 0) }
  return { kind: 'literal', value: value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value, type: INT }
}

export function isNumber(expr: { readonly kind: string }): expr is Literal {
  return isLiteral(expr) && (expr.type.kind === 'int' || expr.type.kind === 'decimal' || expr.type.kind === 'float')
}

/** The negated number. */
export function negate(literal: Literal): Literal {
  const { value } = literal
  if (typeof value === 'string') return { ...literal, value: value.startsWith('-') ? value.slice(1) : `-${value}` }
  return { ...literal, value: typeof value === 'bigint' ? -value : value === 0 ? 0 : -(value as number) }
}

/** The text if it is a calendar date. */
export function isoDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

/** A timestamp without zone as `YYYY-MM-DD HH:MM:SS[.ffffff]`; a bare date is its midnight. */
export function isoTimestamp(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,6})?)?)?$/.exec(text)
  if (!match || isoDate(match[1]!) === undefined) return undefined
  return `${match[1]} ${match[2] ?? '00'}:${match[3] ?? '00'}:${match[4] ?? '00'}${match[5] ?? ''}`
}
