import { createHash } from 'node:crypto'

/** Bytes that contain a check of their completeness. */
export function wholeValue(seed: number): Buffer {
  const body = Buffer.alloc(200_000 + (seed % 7) * 1000, seed & 255)
  return Buffer.concat([createHash('sha256').update(body).digest(), body])
}

export function isWhole(value: Uint8Array): boolean {
  const bytes = Buffer.from(value)
  return bytes.length > 32 && createHash('sha256').update(bytes.subarray(32)).digest().equals(bytes.subarray(0, 32))
}
