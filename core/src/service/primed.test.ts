import t from 'tap'
import { INT } from '../model/data-type.js'
import type { RecordBatch } from '../result/record-batch.js'
import { wholeOf } from '../result/whole-batches.js'
import { primed } from './primed.js'

/** One column with so many numbers, of eight bytes each. */
const batch = (length: number): RecordBatch => ({
  schema: [{ name: 'n', type: INT, role: 'measure' }],
  rowCount: length,
  columns: [{ kind: 'int64', length, validity: undefined, values: new BigInt64Array(length) }],
})

/** Counts how many batches were requested and whether the source was ended. */
function source(...lengths: readonly number[]) {
  const seen = { asked: 0, ended: false }
  async function* run() {
    try {
      for (const length of lengths) {
        seen.asked += 1
        yield batch(length)
      }
    } finally {
      seen.ended = true
    }
  }
  return { batches: run(), seen }
}

async function lengths(batches: AsyncIterable<RecordBatch>): Promise<number[]> {
  const read: number[] = []
  for await (const { rowCount } of batches) read.push(rowCount)
  return read
}

t.test('an error before the first row is thrown by priming, not by reading', async (t) => {
  async function* broken(): AsyncGenerator<RecordBatch> {
    yield* []
    throw new Error('no such table')
  }
  await t.rejects(primed(broken()), { message: 'no such table' })
})

t.test('only the first batch is read, and all are passed on', async (t) => {
  const { batches, seen } = source(2, 2)
  const read = await primed(batches)
  t.equal(seen.asked, 1)
  t.same(await lengths(read), [2, 2])
})

t.test('ending early ends the source, also before anything was read', async (t) => {
  const begun = source(2, 2)
  for await (const _ of await primed(begun.batches)) break
  t.same(begun.seen, { asked: 1, ended: true })
  const unread = source(2, 2)
  await (await primed(unread.batches))[Symbol.asyncIterator]().return?.()
  t.same(unread.seen, { asked: 1, ended: true })
})

t.test('an answer within the bytes is a whole, and its source has ended before it is read', async (t) => {
  const { batches, seen } = source(2, 2)
  const whole = wholeOf(await primed(batches, 32))
  t.same(seen, { asked: 2, ended: true })
  t.same(
    whole?.batches.map(({ rowCount }) => rowCount),
    [2, 2],
  )
})

t.test('one with more bytes is read along', async (t) => {
  const { batches, seen } = source(2, 2, 2)
  const read = await primed(batches, 31)
  t.equal(wholeOf(read), undefined)
  t.same(seen, { asked: 2, ended: false })
  t.same(await lengths(read), [2, 2, 2])
})

t.test('an error after the first row of a small answer is thrown by priming', async (t) => {
  async function* broken(): AsyncGenerator<RecordBatch> {
    yield batch(2)
    throw new Error('no longer there')
  }
  await t.rejects(primed(broken(), 32), { message: 'no longer there' })
})
