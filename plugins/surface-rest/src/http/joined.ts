/** Many small answers share one allocation, because V8 has to track and free each allocation of a buffer. */
const SLAB_BYTES = 64 * 1024
/** Larger answers have their own allocation. */
const MOST_BYTES = SLAB_BYTES / 4

let slab = Buffer.alloc(0)
let used = 0

/** The pieces of an answer as one buffer. */
export function joined(head: Buffer, rows: Buffer, tail: string): Buffer {
  const before = head.length + rows.length
  const answer = memoryOf(before + Buffer.byteLength(tail))
  answer.set(head)
  answer.set(rows, head.length)
  answer.write(tail, before)
  return answer
}

function memoryOf(bytes: number): Buffer {
  if (bytes > MOST_BYTES) return Buffer.allocUnsafe(bytes)
  if (used + bytes > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    used = 0
  }
  used += bytes
  return slab.subarray(used - bytes, used)
}
