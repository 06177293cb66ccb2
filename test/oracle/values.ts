/** Values of the oracle: exact numbers, doubles, text, booleans, days and timestamps, and NULL. */

/** An exact number: `unscaled / 10^scale`. Integers have scale 0. */
export class Dec {
  constructor(
    readonly unscaled: bigint,
    readonly scale: number,
    /** The double from which it was rounded, if engines may differ by that much. */
    readonly near?: { readonly double: number; readonly within: number },
  ) {}
}

/** A date: days since 1970-01-01. */
export class Day {
  constructor(readonly days: number) {}
}

/** A timestamp: microseconds since 1970-01-01 00:00:00 in the zone of the query. */
export class Moment {
  constructor(
    readonly micros: number,
    /** The stored value: it is displayed, grouped and ordered by. An instant is stored in UTC. */
    readonly written = micros,
    /** The instant, if it is known: conditions compare it. A period has none. */
    readonly instant?: number,
    /** The zone in which the instant is shown. */
    readonly zone?: string,
  ) {}
}

export type Value = null | string | boolean | number | Dec | Day | Moment

/** True, false, or unknown. */
export type Tri = boolean | null

export const not = (a: Tri): Tri => (a === null ? null : !a)
export const and = (all: readonly Tri[]): Tri => (all.includes(false) ? false : all.includes(null) ? null : true)
export const or = (all: readonly Tri[]): Tri => (all.includes(true) ? true : all.includes(null) ? null : false)

export const int = (n: number | bigint): Dec => new Dec(BigInt(n), 0)

/** Parses `-12.50` exactly; undefined if the text is not a plain decimal number. */
export function parseDec(text: string): Dec | undefined {
  const match = /^\s*([+-]?)(\d+)(?:\.(\d+))?\s*$/.exec(text)
  if (!match) return undefined
  const fraction = match[3] ?? ''
  const magnitude = BigInt(match[2]! + fraction)
  return new Dec(match[1] === '-' ? -magnitude : magnitude, fraction.length)
}

export const power10 = (n: number): bigint => 10n ** BigInt(n)

function aligned(a: Dec, b: Dec): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.unscaled * power10(scale - a.scale), b.unscaled * power10(scale - b.scale), scale]
}

export function decText(d: Dec): string {
  const digits = (d.unscaled < 0n ? -d.unscaled : d.unscaled).toString().padStart(d.scale + 1, '0')
  const sign = d.unscaled < 0n ? '-' : ''
  return d.scale === 0 ? sign + digits : `${sign}${digits.slice(0, -d.scale)}.${digits.slice(-d.scale)}`
}

export const toDouble = (v: Dec | number): number => (typeof v === 'number' ? v : Number(decText(v)))

const isNumber = (v: Value): v is Dec | number => typeof v === 'number' || v instanceof Dec

function numbers(a: Value, b: Value): [Dec | number, Dec | number] {
  if (!isNumber(a) || !isNumber(b)) throw new Error('arithmetic on something that is no number')
  return [a, b]
}

function exactOr(
  a: Value,
  b: Value,
  exact: (x: bigint, y: bigint, s: number) => Dec,
  double: (x: number, y: number) => number,
): Value {
  if (a === null || b === null) return null
  const [x, y] = numbers(a, b)
  if (x instanceof Dec && y instanceof Dec) return exact(...aligned(x, y))
  return double(toDouble(x), toDouble(y))
}

export const add = (a: Value, b: Value): Value =>
  exactOr(
    a,
    b,
    (x, y, s) => new Dec(x + y, s),
    (x, y) => x + y,
  )
export const subtract = (a: Value, b: Value): Value =>
  exactOr(
    a,
    b,
    (x, y, s) => new Dec(x - y, s),
    (x, y) => x - y,
  )
export function multiply(a: Value, b: Value): Value {
  if (a instanceof Dec && b instanceof Dec) return new Dec(a.unscaled * b.unscaled, a.scale + b.scale)
  return exactOr(
    a,
    b,
    (x, y, s) => new Dec(x * y, 2 * s),
    (x, y) => x * y,
  )
}

/** In doubles; a zero divisor gives NULL. */
export function divide(a: Value, b: Value): Value {
  if (a === null || b === null) return null
  const [x, y] = numbers(a, b)
  const divisor = toDouble(y)
  return divisor === 0 ? null : toDouble(x) / divisor
}

/** Rounded half away from zero, to `scale` digits. */
export function roundTo(v: Dec | number, scale: number): Dec {
  const exact = v instanceof Dec ? v : decOfDouble(v)
  const near = typeof v === 'number' ? { double: v, within: 0.5 * 10 ** -scale * (1 + 1e-6) + Math.abs(v) * 1e-12 } : undefined
  if (exact.scale <= scale) return new Dec(exact.unscaled * power10(scale - exact.scale), scale, near)
  const unit = power10(exact.scale - scale)
  const magnitude = exact.unscaled < 0n ? -exact.unscaled : exact.unscaled
  const rounded = (magnitude + unit / 2n) / unit
  return new Dec(exact.unscaled < 0n ? -rounded : rounded, scale, near)
}

/** The shortest decimal text of a double, as an exact number. */
export function decOfDouble(v: number): Dec {
  const [mantissa, exponent] = v.toExponential().split('e') as [string, string]
  const base = parseDec(mantissa)!
  const scale = base.scale - Number(exponent)
  return scale >= 0 ? new Dec(base.unscaled, scale) : new Dec(base.unscaled * power10(-scale), 0)
}

/** By code point, which UTF-16 order is not. */
export function compareText(a: string, b: string): number {
  const [left, right] = [Array.from(a, codePoint), Array.from(b, codePoint)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) if (left[i] !== right[i]) return left[i]! - right[i]!
  return left.length - right.length
}
const codePoint = (character: string): number => character.codePointAt(0)!

/** Negative, zero or positive. Both values must be present and of one family. */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Dec && b instanceof Dec) {
    const [x, y] = aligned(a, b)
    return x < y ? -1 : x > y ? 1 : 0
  }
  if (isNumber(a) && isNumber(b)) return compareDoubles(toDouble(a), toDouble(b))
  if (a instanceof Moment && b instanceof Moment) return a.written - b.written
  if ((a instanceof Day || a instanceof Moment) && (b instanceof Day || b instanceof Moment)) return compareShown(a, b)
  throw new Error(`cannot compare ${show(a)} with ${show(b)}`)
}

/** NaN equals itself and is greater than all others. */
function compareDoubles(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a === b ? 0 : a < b ? -1 : 1
}

/** By the local time in the zone of the query. */
export const compareShown = (a: Day | Moment, b: Day | Moment): number => micros(a) - micros(b)

const micros = (t: Day | Moment): number => (t instanceof Day ? t.days * 86_400_000_000 : t.micros)

/** One text per value: equal values have equal texts. NULL equals itself here (it is a group like any other). */
export function keyOf(v: Value): string {
  if (v === null) return '∅'
  if (typeof v === 'string') return `s${JSON.stringify(v)}`
  if (typeof v === 'boolean') return `b${v}`
  if (v instanceof Day) return `d${v.days}`
  if (v instanceof Moment) return `t${v.written}`
  if (v instanceof Dec) return `n${trimmed(v)}`
  return `f${v === 0 ? 0 : v}`
}

export const keyOfAll = (values: readonly Value[]): string => values.map(keyOf).join('|')

function trimmed(d: Dec): string {
  const text = decText(d)
  return d.scale === 0 ? text : text.replace(/\.?0+$/, '').replace(/^-0$/, '0')
}

/** For people. */
export function show(v: Value): string {
  if (v === null) return 'NULL'
  if (v instanceof Dec) return decText(v)
  if (v instanceof Day) return isoDay(v.days)
  if (v instanceof Moment) return isoMoment(v.written)
  return typeof v === 'string' ? JSON.stringify(v) : String(v)
}

export const isoDay = (days: number): string => new Date(days * 86_400_000).toISOString().replace(/T.*/, '')

export function isoMoment(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000)
  const rest = micros - seconds * 1_000_000
  const text = new Date(seconds * 1000).toISOString().replace('T', ' ').replace(/\..*/, '')
  return rest === 0 ? text : `${text}.${String(rest).padStart(6, '0')}`
}
