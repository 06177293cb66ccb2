import { POINT, writePadded } from './digits.js'

/** Exact: 5 to the power of 22 has 52 bits. */
const TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))
/** Only for comparison: each is the smallest double that is not below its power of ten. */
const TENTH = Float64Array.from({ length: 6 }, (_, exponent) => Number(`1e-${exponent}`))

const EXPONENT_BIAS = 1023
/** Half the distance from a double to the next, by the bits of its exponent. */
const HALF_GAP = Float64Array.from({ length: EXPONENT_BIAS + 50 }, (_, bits) => 2 ** (bits - EXPONENT_BIAS - 53))

const double = new Float64Array(1)
const words = new Int32Array(double.buffer)
const ZERO = 48

/** The maximum number of bytes that `writeDouble` modifies. */
export const DOUBLE_BYTES = 32

/**
 * Writes the same text as `String` for a positive double, the shortest digits that give the same double, and returns the position after
 * them. Returns -1 if it cannot decide, so that `String` must be used: below 1e-5, from 1e15 on, for powers of two with more than fifteen
 * digits, and if two numbers are equally near.
 *
 * If fifteen digits give the same double, they are the shortest. Otherwise sixteen or seventeen are, which an exact product with a power of
 * ten decides.
 */
export function writeDouble(bytes: Uint8Array, at: number, value: number): number {
  if (!(value >= 1e-5 && value < 1e15)) return -1
  double[0] = value
  const exponent = decimalExponent(value, words[1]! >>> 20)
  // Space for the point, or for `0.000`.
  const start = at + (exponent < 0 ? 1 - exponent : 1)
  const power = TEN[14 - exponent]!
  const fifteen = Math.round(value * power)
  if (fifteen / power === value) return placePoint(bytes, at, writePadded(bytes, start, fifteen, 15), exponent)
  if (words[0] === 0 && (words[1]! & 0xfffff) === 0) return -1
  const end = writeSeventeen(bytes, start, value, 16 - exponent)
  return end < 0 ? -1 : placePoint(bytes, at, end, exponent)
}

/** The power of ten of the first digit. */
function decimalExponent(value: number, exponentBits: number): number {
  // 1233 / 4096 is the logarithm of two, exact enough for these exponents.
  const least = ((exponentBits - EXPONENT_BIAS) * 1233) >> 12
  return value >= (least < -1 ? TENTH[-1 - least]! : TEN[least + 1]!) ? least + 1 : least
}

/**
 * Sixteen digits and a zero if these give the same double, otherwise seventeen; the position after them, or -1. The bits of the value are
 * in `words`.
 */
function writeSeventeen(bytes: Uint8Array, at: number, value: number, power: number): number {
  const ten = TEN[power]!
  const product = value * ten
  const rest = restOfProduct(value, ten, product)
  const whole = Math.round(rest)
  const fraction = rest - whole
  // The product is an integer of seventeen digits: the first nine, and the last eight with the rounding error.
  const first = Math.floor(product / 1e8)
  const last = (product - first * 1e8 + whole) | 0
  const above = (((last % 10) + 10) % 10) + fraction
  const toTen = above < 5 ? -above : 10 - above
  const distance = Math.abs(toTen)
  const reach = HALF_GAP[words[1]! >>> 20]! * ten
  if (fraction === 0.5 || fraction === -0.5 || above === 5 || distance === reach) return -1
  return writeParts(bytes, at, first, distance < reach ? (last + fraction + toTen) | 0 : last)
}

/** The rounding error of the product of two doubles, exactly (T. J. Dekker, 1971). */
function restOfProduct(a: number, b: number, product: number): number {
  const aHigh = highBits(a)
  const bHigh = highBits(b)
  const aLow = a - aHigh
  const bLow = b - bHigh
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow
}

/** The upper 26 bits of a double. */
function highBits(value: number): number {
  const scaled = value * 134_217_729
  return scaled - (scaled - value)
}

/** Nine digits and eight. The last ones may be slightly below 0 or above eight digits. */
function writeParts(bytes: Uint8Array, at: number, first: number, last: number): number {
  const carry = last < 0 ? -1 : last >= 1e8 ? 1 : 0
  return writePadded(bytes, writePadded(bytes, at, first + carry, 9), last - carry * 1e8, 8)
}

/** Inserts the decimal point into digits that end at `end`, and removes the zeros after it. */
function placePoint(bytes: Uint8Array, at: number, end: number, exponent: number): number {
  const point = at + (exponent < 0 ? 1 : exponent + 1)
  if (exponent < 0) for (let i = at; i <= at - exponent; i++) bytes[i] = ZERO
  else for (let i = at; i < point; i++) bytes[i] = bytes[i + 1]!
  bytes[point] = POINT
  let last = end
  while (bytes[last - 1] === ZERO) last--
  return last - 1 === point ? point : last
}
