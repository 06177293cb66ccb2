import { fail } from '../errors.js'
import { bytesOfBatch } from '../result/batch-buffers.js'
import type { RecordBatch } from '../result/record-batch.js'
import type { Settings } from '../settings/core-variables.js'

export type AnswerSizes = Pick<Settings, 'ANSWER_MAX_ROWS' | 'ANSWER_MAX_BYTES'>

/** Passes an answer on while it is within its budget; then ends it and its statement with `ANSWER_TOO_LARGE`. Nothing is truncated. */
export async function* withinSize(
  batches: AsyncIterable<RecordBatch>,
  { ANSWER_MAX_ROWS: mostRows, ANSWER_MAX_BYTES: mostBytes }: AnswerSizes,
): AsyncGenerator<RecordBatch> {
  let rows = 0
  let bytes = 0
  for await (const batch of batches) {
    rows += batch.rowCount
    if (mostRows !== undefined && rows > mostRows) tooLarge(`${mostRows} rows`, 'ANSWER_MAX_ROWS')
    if (mostBytes !== undefined) bytes += bytesOfBatch(batch)
    if (mostBytes !== undefined && bytes > mostBytes) tooLarge(`${mostBytes} bytes`, 'ANSWER_MAX_BYTES')
    yield batch
  }
}

const tooLarge = (most: string, setting: string): never =>
  fail('ANSWER_TOO_LARGE', `The answer has more than ${most}`, {
    hint: `Filter, group or set a limit; the operator may raise ${setting}.`,
  })
