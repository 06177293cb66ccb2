/** ASCII digits written straight into a buffer. */

/** `00` to `99`, two bytes each. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, i) => 48 + (i % 2 === 0 ? Math.floor(i / 20) : Math.floor(i / 2) % 10))

const MINUS = 45
export const POINT = 46

/** Above this, eight digits are split off: the rest of a safe integer is then a 32-bit integer, which is divided fast. */
const EIGHT = 100_000_000

/** Two digits of 0 … 99; the position after them. */
export function writePair(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = PAIRS[2 * value]!
  bytes[at + 1] = PAIRS[2 * value + 1]!
  return at + 2
}

/** The digits of an integer from 0 below 2^53; the position after them. */
export function writeDigits(bytes: Uint8Array, at: number, value: number): number {
  if (value >= EIGHT) {
    const head = Math.floor(value / EIGHT)
    return writeEight(bytes, writeDigits(bytes, at, head), value - head * EIGHT)
  }
  const end = at + digitCount(value)
  writeBackwards(bytes, end, value)
  return end
}

/** Exactly `count` digits, with zeros in front; the position after them. */
export function writePadded(bytes: Uint8Array, at: number, value: number, count: number): number {
  if (count === 2) return writePair(bytes, at, value)
  if (count === 8) return writeEight(bytes, at, value)
  if (count > 8) {
    const head = Math.floor(value / EIGHT)
    return writeEight(bytes, writePadded(bytes, at, head, count - 8), value - head * EIGHT)
  }
  const end = at + count
  const first = end - digitCount(value)
  for (let zero = at; zero < first; zero++) bytes[zero] = 48
  writeBackwards(bytes, end, value)
  return end
}

/** A number of at most two decimals from its hundredths, a safe integer, without zeros at the end; the position after it. */
export function writeHundredths(bytes: Uint8Array, at: number, hundredths: number): number {
  let next = at
  if (hundredths < 0) bytes[next++] = MINUS
  const all = Math.abs(hundredths)
  const whole = Math.floor(all / 100)
  const fraction = all - whole * 100
  next = writeDigits(bytes, next, whole)
  if (fraction === 0) return next
  bytes[next++] = POINT
  const end = writePair(bytes, next, fraction)
  return fraction % 10 === 0 ? end - 1 : end
}

function writeEight(bytes: Uint8Array, at: number, value: number): number {
  const small = value | 0
  const head = (small / 10_000) | 0
  return writeFour(bytes, writeFour(bytes, at, head), small - head * 10_000)
}

function writeFour(bytes: Uint8Array, at: number, value: number): number {
  const head = (value / 100) | 0
  return writePair(bytes, writePair(bytes, at, head), value - head * 100)
}

/** Of a number below 10^8. */
function digitCount(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4
  if (value < 1_000_000) return value < 100_000 ? 5 : 6
  return value < 10_000_000 ? 7 : 8
}

/** Of a number below 10^8. */
function writeBackwards(bytes: Uint8Array, end: number, value: number): void {
  let at = end
  let left = value | 0
  while (left >= 100) {
    const rest = (left / 100) | 0
    at -= 2
    writePair(bytes, at, left - rest * 100)
    left = rest
  }
  if (left >= 10) writePair(bytes, at - 2, left)
  else bytes[at - 1] = 48 + left
}
