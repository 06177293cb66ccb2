import type { ColumnVector } from '@grainline/core/format'

type Texts = ColumnVector & { readonly kind: 'utf8' }

/**
 * Reads the texts of a column as their bytes. The writer makes a dictionary of equal values; it finds one that is the same object at once, so that
 * short texts, which repeat, are given as the bytes of the first one like them. They are copies: the writer keeps the least and the greatest one
 * of each group until the end, and would keep the batches with them.
 */
export function textReader(): (column: Texts, row: number) => Uint8Array {
  const known = new Map<number, Uint8Array>()
  return ({ bytes, offsets }, row) => {
    const [from, to] = [offsets[row]!, offsets[row + 1]!]
    if (to - from > LONG) return bytes.slice(from, to)
    const hash = hashOf(bytes, from, to)
    const found = known.get(hash)
    if (found !== undefined && isEqual(found, bytes, from, to)) return found
    const text = bytes.slice(from, to)
    known.set(hash, text)
    return text
  }
}

/** A hash of more would cost more than it saves. */
const LONG = 64

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash
}

function isEqual(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[from + i]) return false
  return true
}
