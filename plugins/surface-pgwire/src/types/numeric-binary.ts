import { powerOfTen } from '@grainline/core'
import type { MessageWriter } from '../wire/message-writer.js'

const NEGATIVE = 0x4000
const groups = new Int32Array(24)

/**
 * A numeric in binary (PostgreSQL, `numeric_send`): number of base-10000 digits, weight of the first, sign, scale, the digits. `small`
 * is the unscaled value when it is a safe integer, which spares the big one.
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
  out.int16(written)
  out.int16(written === 0 ? 0 : count - fraction - 1)
  out.int16(negative && written > 0 ? NEGATIVE : 0)
  out.int16(scale)
  for (let i = count - 1; i >= low; i--) out.int16(groups[i]!)
}

/** Base-10000 digits, lowest first, without zeros at the high end; how many. */
function groupSmall(value: number, padding: number): number {
  const shifted = value * 10 ** padding
  if (shifted > Number.MAX_SAFE_INTEGER) return groupBig(BigInt(value), padding)
  let count = 0
  for (let left = shifted; left > 0; count++) {
    const rest = Math.floor(left / 10_000)
    groups[count] = left - rest * 10_000
    left = rest
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
