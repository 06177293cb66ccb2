import { type ChunkColumn, int64View, narrowView } from './chunk-column.js'
import type { ScaledInteger } from './source-type.js'

/** The unscaled whole number of each row. */
export function unscaledAt(column: ChunkColumn, { bytes, signed }: ScaledInteger): (row: number) => bigint {
  if (bytes === 16) return hugeAt(int64View(column), signed)
  if (bytes === 8) return longAt(int64View(column), signed)
  const values = narrowView(column, bytes, signed)
  return (row) => BigInt(values[row]!)
}

function hugeAt(words: BigInt64Array, signed: boolean): (row: number) => bigint {
  return (row) => {
    const high = words[2 * row + 1]!
    return ((signed ? high : BigInt.asUintN(64, high)) << 64n) | BigInt.asUintN(64, words[2 * row]!)
  }
}

function longAt(values: BigInt64Array, signed: boolean): (row: number) => bigint {
  return signed ? (row) => values[row]! : (row) => BigInt.asUintN(64, values[row]!)
}

/**
 * Sign-extends whole numbers of at most 8 bytes into elements of 8 or 16 bytes, as 32-bit words: no BigInt is created.
 * Unsigned numbers of 8 bytes fit 16-byte elements only.
 */
export function widen(
  column: ChunkColumn,
  { bytes, signed }: ScaledInteger,
  target: BigInt64Array,
  at: number,
  wordsPerValue: 2 | 4,
): void {
  const out = new Int32Array(target.buffer, target.byteOffset, target.length * 2)
  let word = at * wordsPerValue
  if (bytes === 8) {
    const words = new Int32Array(column.data.buffer, column.data.byteOffset, column.rows * 2)
    for (let i = 0; i < column.rows; i++, word += wordsPerValue) {
      const high = words[2 * i + 1]!
      out[word] = words[2 * i]!
      out[word + 1] = high
      if (wordsPerValue === 4) out[word + 2] = out[word + 3] = signed ? high >> 31 : 0
    }
    return
  }
  const values = narrowView(column, bytes as 1 | 2 | 4, signed)
  for (let i = 0; i < column.rows; i++, word += wordsPerValue) {
    const value = values[i]!
    const sign = value < 0 ? -1 : 0
    out[word] = value
    out[word + 1] = sign
    if (wordsPerValue === 4) out[word + 2] = out[word + 3] = sign
  }
}
