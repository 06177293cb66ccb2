/** ASCII digits written straight into a buffer. */

/** `00` to `99`, two bytes each. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, i) => 48 + (i % 2 === 0 ? Math.floor(i / 20) : Math.floor(i / 2) % 10))

const TEN = Array.from({ length: 17 }, (_, exponent) => 10 ** exponent)

/** Two digits of 0 … 99; the position after them. */
export function writePair(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = PAIRS[2 * value]!
  bytes[at + 1] = PAIRS[2 * value + 1]!
  return at + 2
}

/** The digits of a whole number from 0 below 2^53; the position after them. */
export function writeDigits(bytes: Uint8Array, at: number, value: number): number {
  const end = at + digitCount(value)
  writeBackwards(bytes, end, value)
  return end
}

/** Exactly `count` digits, with zeros in front. */
export function writePadded(bytes: Uint8Array, at: number, value: number, count: number): number {
  if (count === 2) return writePair(bytes, at, value)
  const end = at + count
  const first = end - digitCount(value)
  for (let zero = at; zero < first; zero++) bytes[zero] = 48
  writeBackwards(bytes, end, value)
  return end
}

function digitCount(value: number): number {
  let count = 1
  while (count < 16 && value >= TEN[count]!) count++
  return count
}

function writeBackwards(bytes: Uint8Array, end: number, value: number): void {
  let at = end
  let left = value
  // Divisions are exact on doubles, and fast on integers of 32 bits.
  while (left >= 4_294_967_296) {
    const rest = Math.floor(left / 100)
    at -= 2
    writePair(bytes, at, left - rest * 100)
    left = rest
  }
  let small = left >>> 0
  while (small >= 100) {
    const rest = (small / 100) >>> 0
    at -= 2
    writePair(bytes, at, small - rest * 100)
    small = rest
  }
  if (small >= 10) writePair(bytes, at - 2, small)
  else bytes[at - 1] = 48 + small
}
