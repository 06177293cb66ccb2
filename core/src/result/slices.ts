import { setImmediate } from 'node:timers/promises'
import type { RecordBatch } from './record-batch.js'

/** The most that is written in one turn of the event loop, so that one large answer does not delay small ones. */
const ROWS_PER_SLICE = 4096
const CELLS_PER_SLICE = 65_536
const TEXT_BYTES_PER_SLICE = 2 * 1024 * 1024

/** Rows `from` (inclusive) to `to` (exclusive) of a batch, and the bytes of their texts. */
export interface Slice {
  readonly batch: RecordBatch
  readonly from: number
  readonly to: number
  readonly textBytes: number
}

/**
 * The batches in parts that are short work each, by rows, by cells and by texts; a row is never split. Other work can run between two
 * parts.
 */
export async function* slices(batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>): AsyncGenerator<Slice> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.rowCount; ) {
      if (from > 0) await setImmediate()
      const slice = sliceFrom(batch, from)
      yield slice
      from = slice.to
    }
  }
}

function sliceFrom(batch: RecordBatch, from: number): Slice {
  let rows = Math.min(ROWS_PER_SLICE, Math.ceil(CELLS_PER_SLICE / batch.columns.length), batch.rowCount - from)
  let textBytes = textBytesOf(batch, from, from + rows)
  while (rows > 1 && textBytes > TEXT_BYTES_PER_SLICE) {
    rows = Math.ceil(rows / 2)
    textBytes = textBytesOf(batch, from, from + rows)
  }
  return { batch, from, to: from + rows, textBytes }
}

function textBytesOf({ columns }: RecordBatch, from: number, to: number): number {
  let bytes = 0
  for (const column of columns) if (column.kind === 'utf8') bytes += column.offsets[to]! - column.offsets[from]!
  return bytes
}
