import type { DataType } from '../model/data-type.js'
import type { Value } from '../result/value-at.js'

export type Expected = string | number | boolean | null

/** The tolerance for floats, relative to the greater of the two. */
const TOLERANCE = 1e-9

/** Integers and decimals must be equal in every digit, floats nearly; times are compared as instants, texts exactly. */
export function sameValue(expected: Expected, found: Value, type: DataType): boolean {
  if (expected === null || found === null) return expected === found
  switch (type.kind) {
    case 'int':
    case 'decimal':
      return compareExact(expected, found) === 0
    case 'float':
      return typeof expected !== 'boolean' && nearly(Number(expected), Number(found))
    case 'timestamp':
    case 'timestamp_tz':
      return typeof expected === 'string' && sameMoment(expected, String(found), type.kind === 'timestamp_tz')
    default:
      return expected === found
  }
}

/** Negative, zero or positive for less, equal or greater; `undefined` if one of them is not a number. */
export function compareNumbers(expected: number | string, found: Value, type: DataType): number | undefined {
  if (type.kind !== 'float') return compareExact(expected, found)
  const difference = Number(expected) - Number(found)
  if (found === null || Number.isNaN(difference)) return undefined
  return nearly(Number(expected), Number(found)) ? 0 : difference
}

function compareExact(expected: Expected, found: Value): number | undefined {
  const [a, b] = [exact(expected), exact(found)]
  if (!a || !b) return undefined
  const scale = Math.max(a.scale, b.scale)
  const difference = a.digits * 10n ** BigInt(scale - a.scale) - b.digits * 10n ** BigInt(scale - b.scale)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

interface Exact {
  readonly digits: bigint
  readonly scale: number
}

/** The digits of a number as written, `1.5e3` too; `undefined` for other texts. */
function exact(value: Expected | bigint): Exact | undefined {
  if (typeof value === 'boolean' || value === null) return undefined
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

function nearly(a: number, b: number): boolean {
  if (Object.is(a, b) || a === b) return true
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}

function sameMoment(expected: string, found: string, instant: boolean): boolean {
  if (canonical(expected) === canonical(found)) return true
  if (!instant) return false
  const [a, b] = [moment(expected), moment(found)]
  return a !== undefined && a === b
}

/** Without optional parts: trailing zeros of a fraction, the T, midnight. */
const canonical = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00')
    .replace(' ', 'T')
    .replace(/\.\d+(?=$|Z|[+-])/, (fraction) => fraction.replace(/(?<!0)0+$/, ''))
    .replace(/\.(?=$|Z|[+-])/, '')

/** Seconds since 1970 and their fraction, from a text with an offset. */
function moment(text: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.exec(canonical(text))
  if (!match) return undefined
  const at = Date.parse(`${match[1]}${match[3]}`)
  return Number.isNaN(at) ? undefined : `${at / 1000}${match[2] ?? ''}`
}
