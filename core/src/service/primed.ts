import { lastOf } from '../invariant.js'
import { bytesOfBatch } from '../result/batch-buffers.js'
import type { RecordBatch } from '../result/record-batch.js'
import { WholeBatches } from '../result/whole-batches.js'
import { endable } from './endable.js'

/**
 * Waits for the first batch, so that an error of the statement is thrown here and not at the first read, and for those that follow until
 * there are more than `mostBytes`. An answer that has ended by then is a whole.
 */
export async function primed(batches: AsyncIterable<RecordBatch>, mostBytes = 0): Promise<AsyncIterable<RecordBatch>> {
  const iterator = batches[Symbol.asyncIterator]()
  const read: RecordBatch[] = []
  for (let bytes = 0; bytes <= mostBytes; bytes += bytesOfBatch(lastOf(read))) {
    const next = await iterator.next()
    if (next.done) return new WholeBatches({ batches: read })
    read.push(next.value)
  }
  return endable(resumed(read, iterator))
}

async function* resumed(read: readonly RecordBatch[], rest: AsyncIterator<RecordBatch>): AsyncGenerator<RecordBatch> {
  try {
    yield* read
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
