import { fail } from '../errors.js'
import type { Literal } from '../model/expression/ast.js'
import type { Dialect } from './dialect.js'
import { ATOM, atom, data, NEGATE, type Text } from './text.js'

/** A literal in the form of a dialect. */
export function literalText({ value, type }: Literal, dialect: Dialect): Text {
  const { literals, type: spell } = dialect
  if (value === null) return atom('NULL')
  switch (type.kind) {
    case 'boolean':
      return atom(literals.boolean(Boolean(value)))
    case 'int':
    case 'decimal': {
      const digits = String(value)
      const text = type.kind === 'decimal' ? literals.decimal(digits, type) : digits
      return { text, binds: text.startsWith('-') ? NEGATE : ATOM }
    }
    case 'float':
      return atom(`CAST(${stringText(String(value), dialect)} AS ${spell(type)})`)
    case 'date':
      return atom(literals.date(String(value)))
    case 'time':
      return atom(literals.time(String(value)))
    case 'timestamp':
      return atom(literals.timestamp(String(value)))
    case 'timestamp_tz':
      return atom(literals.timestamp_tz(String(value)))
    default:
      return atom(stringText(String(value), dialect))
  }
}

/** With the flag `u`, a pair of surrogates is one character and does not match. */
const HALF = /\p{Surrogate}/u

/** Throws `INVALID_FILTER_VALUE`. */
export function stringText(value: string, { literals }: Dialect): string {
  if (value.includes('\u0000')) fail('INVALID_FILTER_VALUE', 'a text with the character U+0000 has no SQL equivalent')
  if (HALF.test(value))
    fail('INVALID_FILTER_VALUE', 'a text contains half of a character (a lone surrogate), which no database stores')
  return data(literals.string(value))
}
