import type { ColumnVector, RecordBatch } from '../result/record-batch.js'

/** What was passed so far; complete when the stream has ended. */
export interface Tally {
  rowCount: number
  /** True if there were rows beyond the limit. */
  truncated: boolean
}

/** Passes the first `limit` rows (all if `undefined`) and counts them; ends the source as soon as more have been seen. */
export async function* limitBatches(
  batches: AsyncIterable<RecordBatch>,
  limit: number | undefined,
  tally: Tally,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    const room = limit === undefined ? batch.rowCount : limit - tally.rowCount
    const passed = batch.rowCount <= room ? batch : firstRows(batch, room)
    tally.rowCount += passed.rowCount
    tally.truncated = passed.rowCount < batch.rowCount
    if (passed.rowCount > 0 || batch.rowCount === 0) yield passed
    if (tally.truncated) return
  }
}

function firstRows(batch: RecordBatch, count: number): RecordBatch {
  return { schema: batch.schema, rowCount: count, columns: batch.columns.map((column) => firstValues(column, count)) }
}

function firstValues(column: ColumnVector, count: number): ColumnVector {
  const bits = Math.ceil(count / 8)
  const shared = { length: count, validity: column.validity?.subarray(0, bits) }
  switch (column.kind) {
    case 'boolean':
      return { ...column, ...shared, values: column.values.subarray(0, bits) }
    case 'int64':
      return { ...column, ...shared, values: column.values.subarray(0, count) }
    case 'float64':
      return { ...column, ...shared, values: column.values.subarray(0, count) }
    case 'decimal128':
      return { ...column, ...shared, values: column.values.subarray(0, count * 2) }
    case 'date32':
      return { ...column, ...shared, values: column.values.subarray(0, count) }
    case 'utf8':
      return {
        ...column,
        ...shared,
        offsets: column.offsets.subarray(0, count + 1),
        bytes: column.bytes.subarray(0, column.offsets[count]),
      }
  }
}
