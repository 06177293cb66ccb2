import type { Vector } from '@duckdb/node-bindings'
import type { Driver } from './driver.js'

/** One column of one chunk, still in DuckDB's memory: valid only until the chunk is released. `validity` is absent when nothing is NULL. */
export interface ChunkColumn {
  readonly vector: Vector
  readonly rows: number
  readonly data: Uint8Array
  readonly validity: Uint8Array | undefined
}

export function chunkColumn(vector: Vector, rows: number, bytesPerValue: number, { bindings }: Driver): ChunkColumn {
  // The mask has words of 64 rows.
  const validity = bindings.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null | undefined
  const data = bytesPerValue === 0 ? EMPTY : bindings.vector_get_data(vector, rows * bytesPerValue)
  return { vector, rows, data, validity: validity ?? undefined }
}

const EMPTY = new Uint8Array(0)

export const int32View = ({ data }: ChunkColumn): Int32Array => new Int32Array(data.buffer, data.byteOffset, data.byteLength >> 2)
export const uint32View = ({ data }: ChunkColumn): Uint32Array =>
  new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2)
export const int64View = ({ data }: ChunkColumn): BigInt64Array =>
  new BigInt64Array(data.buffer, data.byteOffset, data.byteLength >> 3)

/** Small integers of any width as numbers. */
export function narrowView({ data }: ChunkColumn, bytes: 1 | 2 | 4, signed: boolean): { readonly [row: number]: number } {
  const [buffer, offset, length] = [data.buffer, data.byteOffset, data.byteLength / bytes]
  if (bytes === 1) return signed ? new Int8Array(buffer, offset, length) : data
  if (bytes === 2) return signed ? new Int16Array(buffer, offset, length) : new Uint16Array(buffer, offset, length)
  return signed ? new Int32Array(buffer, offset, length) : new Uint32Array(buffer, offset, length)
}
