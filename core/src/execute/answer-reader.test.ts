import t from 'tap'
import type { GrainlineError } from '../errors.js'
import { INT } from '../model/data-type.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import { valueAt } from '../result/value-at.js'
import { type AnswerReader, ReadAnswer } from './answer-reader.js'
import { cancellable } from './cancellable.js'

const schema: ResultSchema = [{ name: 'n', type: INT, role: 'field' }]
const ROWS = 1000
const BYTES = ROWS * 8
const batch = (n: number): RecordBatch =>
  batchFromRows(
    schema,
    Array.from({ length: ROWS }, () => [n]),
  )
const first = ({ value }: IteratorResult<RecordBatch, unknown>): number | undefined => {
  const column = (value as RecordBatch | undefined)?.columns[0]
  return column && Number(valueAt(column, 0, INT))
}

/** An answer of so many batches, and how it ended. */
function answerOf(batches: number, mostOfRest?: number, fault?: Error) {
  const seen = { made: 0, closed: false, reason: undefined as GrainlineError | undefined }
  async function* rows(): AsyncGenerator<RecordBatch, void> {
    try {
      while (seen.made < batches) yield batch(++seen.made)
      if (fault) throw fault
    } finally {
      seen.closed = true
    }
  }
  const end = (reason: GrainlineError) => {
    seen.reason = reason
    void answer.return()
  }
  const answer = new ReadAnswer(() => rows(), end, mostOfRest)
  return { answer, seen }
}

/** Everything that is left. */
async function left(answer: ReadAnswer): Promise<number[]> {
  const found: number[] = []
  for (let next = await answer.next(); next.done !== true; next = await answer.next()) found.push(first(next)!)
  return found
}

t.test('only the time between two batches counts, and what is read makes up for it', async (t) => {
  const { answer } = answerOf(100)
  t.equal(answer.keptWaiting(500), 0, 'it waits for the database')
  await answer.next()
  t.equal(answer.keptWaiting(500), 500)
  t.equal(answer.keptWaiting(500), 1000)
  const asked = answer.next()
  t.equal(answer.keptWaiting(500), 0, 'it waits for the database again')
  await asked
  t.equal(answer.keptWaiting(0), 1000 - (BYTES / (256 * 1024)) * 1000)
  for (let i = 0; i < 40; i++) await answer.next()
  t.equal(answer.keptWaiting(0), 0)
})

t.test('the rest of a small answer is kept for its reader, and its connection is free', async (t) => {
  const { answer, seen } = answerOf(5)
  t.equal(first(await answer.next()), 1)
  answer.giveWay(60_000)
  answer.giveWay(60_000)
  t.equal(answer.keptWaiting(500), 0)
  t.same(await left(answer), [2, 3, 4, 5])
  t.same(seen, { made: 5, closed: true, reason: undefined })
})

t.test('an answer with a larger rest ends with an error that says what to do', async (t) => {
  const { answer, seen } = answerOf(5, 3 * BYTES)
  await answer.next()
  answer.giveWay(60_000)
  await answer.next().catch(() => undefined)
  t.match(seen, { made: 5, closed: true, reason: { code: 'READER_TOO_SLOW', details: { hint: /fewer rows.*DB_POOL_SIZE/ } } })
  t.same(await left(answer), [], 'nothing of it is kept')
})

t.test('the rests of all answers together are limited, and what is read makes room', async (t) => {
  const most = (64 * 1024 * 1024) / BYTES
  const many = (count: number) => answerOf(count, Number.POSITIVE_INFINITY)
  const large = many(Math.floor(most) - 10)
  const other = many(20)
  for (const { answer } of [large, other]) await answer.next()
  large.answer.giveWay(60_000)
  t.equal(first(await large.answer.next()), 2)
  other.answer.giveWay(60_000)
  await other.answer.next().catch(() => undefined)
  t.equal(other.seen.reason?.code, 'READER_TOO_SLOW')
  await large.answer.return()
  const later = many(20)
  await later.answer.next()
  later.answer.giveWay(60_000)
  t.equal((await left(later.answer)).length, 19)
})

t.test('an answer whose rest takes too long ends', async (t) => {
  const stop = new AbortController()
  async function* stuck(): AsyncGenerator<RecordBatch, void> {
    yield batch(1)
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }))
  }
  const answer = new ReadAnswer(
    () => stuck(),
    (reason) => stop.abort(reason),
  )
  await answer.next()
  answer.giveWay(1)
  t.same(await left(answer), [])
  t.match(stop.signal.reason, { code: 'READER_TOO_SLOW' })
})

t.test('a database that fails while the rest is read fails for the reader, after the rows before', async (t) => {
  const { answer } = answerOf(3, undefined, new Error('bad row'))
  await answer.next()
  answer.giveWay(60_000)
  t.equal(first(await answer.next()), 2)
  t.equal(first(await answer.next()), 3)
  await t.rejects(answer.next(), { message: 'bad row' })
})

t.test('a reader of a cancellable stream that is too slow gets the error, and the stream ends before it reads on', async (t) => {
  let reader: AnswerReader | undefined
  let closed = false
  const endless = async function* (): AsyncGenerator<RecordBatch, void> {
    try {
      for (let n = 1; ; n++) yield batch(n)
    } finally {
      closed = true
    }
  }
  const stream = cancellable({ signals: [], timeoutMs: undefined }, (_stop, given) => {
    reader = given
    return endless()
  })
  await stream.next()
  reader!.giveWay(60_000)
  while (!closed) await new Promise((resolve) => setImmediate(resolve))
  await t.rejects(stream.next(), { code: 'READER_TOO_SLOW' })
  t.equal((await stream.next()).done, true)
})
