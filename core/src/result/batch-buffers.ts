import type { ColumnVector, RecordBatch } from './record-batch.js'

/** The memory of a column: its validity and its values. */
export function buffersOf(column: ColumnVector): (Uint8Array | undefined)[] {
  if (column.kind === 'utf8') return [column.validity, raw(column.offsets), column.bytes]
  return [column.validity, raw(column.values)]
}

/** The memory of a batch. */
export const bytesOfBatch = ({ columns }: RecordBatch): number =>
  columns.flatMap(buffersOf).reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0)

const raw = (values: Uint8Array | Int32Array | Float64Array | BigInt64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
