import { powerOfTen } from '@grainline/core/format'
import type { MessageWriter } from '../wire/message-writer.js'

const NEGATIVE = 0x4000
const groups = new Int32Array(24)
const PADDINGS = [1, 10, 100, 1000]

/**
 * Writes a binary numeric (PostgreSQL, `numeric_send`): the number of base-10000 digits, the weight of the first, sign, scale, digits. `small` is the
 * unscaled value if it is a safe integer; then `unscaled` is not needed.
 */
export function writeNumeric(out: MessageWriter, unscaled: bigint | undefined, small: number, scale: number): void {
  const negative = unscaled === undefined ? small < 0 : unscaled < 0n
  const padding = (4 - (scale % 4)) % 4
  const count = unscaled === undefined ? groupSmall(Math.abs(small), padding) : groupBig(negative ? -unscaled : unscaled, padding)
  const fraction = (scale + padding) / 4
  let low = 0
  while (low < count && groups[low] === 0) low++
  const written = count - low
  out.ensure(8 + 2 * written)
  const { view } = out
  let at = out.pos
  view.setInt16(at, written)
  view.setInt16(at + 2, written === 0 ? 0 : count - fraction - 1)
  view.setInt16(at + 4, negative && written > 0 ? NEGATIVE : 0)
  view.setInt16(at + 6, scale)
  at += 8
  for (let i = count - 1; i >= low; i--, at += 2) view.setInt16(at, groups[i]!)
  out.pos = at
}

/** Stores the base-10000 digits, the lowest first, and returns their number. There are no leading zeros. */
function groupSmall(value: number, padding: number): number {
  const shifted = value * PADDINGS[padding]!
  if (shifted > Number.MAX_SAFE_INTEGER) return groupBig(BigInt(value), padding)
  let count = 0
  let left = shifted
  for (; left >= 4_294_967_296; count++) {
    const rest = Math.floor(left / 10_000)
    groups[count] = left - rest * 10_000
    left = rest
  }
  // The division is faster for 32-bit integers.
  for (let small = left >>> 0; small > 0; count++) {
    const rest = (small / 10_000) >>> 0
    groups[count] = small - rest * 10_000
    small = rest
  }
  return count
}

function groupBig(value: bigint, padding: number): number {
  let count = 0
  for (let left = value * powerOfTen(padding); left > 0n; count++) {
    groups[count] = Number(left % 10_000n)
    left /= 10_000n
  }
  return count
}
