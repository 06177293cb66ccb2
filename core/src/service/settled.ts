import type { RecordBatch } from '../result/record-batch.js'
import type { Execution } from './asking.js'

/**
 * The answer with its outcome known: read to its end where the default limit may cut it, which bounds what is held. An answer whose
 * limit the question itself sets cannot be cut, and stays a stream.
 */
export async function settled<C>(execution: Execution<C>): Promise<Execution<C>> {
  if (!execution.mayBeCut) return execution
  const held: RecordBatch[] = []
  for await (const batch of execution.batches) held.push(batch)
  return { ...execution, batches: inOrder(held), mayBeCut: false }
}

async function* inOrder(batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch> {
  yield* batches
}
