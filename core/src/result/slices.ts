import { setImmediate } from 'node:timers/promises'
import type { RecordBatch } from './record-batch.js'

/** Rows between two turns of the event loop, so that one big answer does not hold up small ones. */
const ROWS_PER_SLICE = 4096

/** Rows `from` (inclusive) to `to` (exclusive) of a batch. */
export interface Slice {
  readonly batch: RecordBatch
  readonly from: number
  readonly to: number
}

/** The batches in parts that are short work each; other work is done between two parts. */
export async function* slices(batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>): AsyncGenerator<Slice> {
  for await (const batch of batches) {
    for (let from = 0; from < batch.rowCount; from += ROWS_PER_SLICE) {
      if (from > 0) await setImmediate()
      yield { batch, from, to: Math.min(from + ROWS_PER_SLICE, batch.rowCount) }
    }
  }
}
