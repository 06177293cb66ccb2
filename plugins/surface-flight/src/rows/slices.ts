import type { ColumnVector, RecordBatch } from '@grainline/core/format'

/** The target size of a message. It fits into a processor cache, and is far below the default limit of clients, 4 MB. */
const MOST_BYTES = 512 * 1024
/** Slices begin at whole bytes of the bitmaps. */
const ALIGNED = 8

/** Splits a batch into slices of about the target size. */
export function* slices(batch: RecordBatch): Generator<RecordBatch> {
  if (batch.rowCount <= 1 || bytesOf(batch) <= MOST_BYTES) {
    yield batch
    return
  }
  const middle = batch.rowCount > 2 * ALIGNED ? (batch.rowCount >> 4) * ALIGNED : batch.rowCount >> 1
  yield* slices(sliceOf(batch, 0, middle))
  yield* slices(sliceOf(batch, middle, batch.rowCount))
}

const bytesOf = ({ columns }: RecordBatch): number => columns.reduce((sum, column) => sum + bytesOfColumn(column), 0)

function bytesOfColumn(column: ColumnVector): number {
  if (column.kind !== 'utf8') return column.values.byteLength
  return column.length * 4 + column.offsets[column.length]! - column.offsets[0]!
}

const sliceOf = ({ schema, columns }: RecordBatch, from: number, to: number): RecordBatch => ({
  schema,
  rowCount: to - from,
  columns: columns.map((column) => sliceOfColumn(column, from, to)),
})

function sliceOfColumn(column: ColumnVector, from: number, to: number): ColumnVector {
  const shared = { length: to - from, validity: column.validity && bits(column.validity, from, to) }
  switch (column.kind) {
    case 'boolean':
      return { ...column, ...shared, values: bits(column.values, from, to) }
    case 'decimal128':
      return { ...column, ...shared, values: column.values.subarray(from * 2, to * 2) }
    case 'int64':
      return { ...column, ...shared, values: column.values.subarray(from, to) }
    case 'float64':
      return { ...column, ...shared, values: column.values.subarray(from, to) }
    case 'date32':
      return { ...column, ...shared, values: column.values.subarray(from, to) }
    case 'utf8':
      return { ...column, ...shared, offsets: column.offsets.subarray(from, to + 1) }
  }
}

/** Bits from a whole byte on share the memory of the bitmap. Others are copied, which only slices of a few rows need. */
function bits(bitmap: Uint8Array, from: number, to: number): Uint8Array {
  if (from % ALIGNED === 0) return bitmap.subarray(from >> 3, (to + 7) >> 3)
  const moved = new Uint8Array((to - from + 7) >> 3)
  for (let at = from; at < to; at++) if ((bitmap[at >> 3]! >> (at & 7)) & 1) moved[(at - from) >> 3]! |= 1 << ((at - from) & 7)
  return moved
}
