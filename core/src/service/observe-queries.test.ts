import t from 'tap'
import type { RecordBatch } from '../result/record-batch.js'
import { WholeBatches, wholeOf } from '../result/whole-batches.js'
import type { Execution, QueryEvent } from './asking.js'
import { Observers, observeQueries } from './observe-queries.js'

const batch = { schema: [], rowCount: 2, columns: [] } satisfies RecordBatch

function asking(batches: () => AsyncIterable<RecordBatch>) {
  const events: QueryEvent[] = []
  const observers = new Observers()
  observers.add((event) => events.push(event))
  const execution = () =>
    ({
      compiled: { handle: {}, dialect: 'duckdb' },
      batches: batches(),
      outcome: () => ({ rowCount: 2 }),
    }) as unknown as Execution
  const verbs = { execute: async () => execution() } as unknown as Parameters<typeof observeQueries>[0]
  const { execute } = observeQueries(verbs, observers, () => ({}) as never)
  return { events, ask: () => execute({ asker: undefined, target: {}, query: {} }) }
}

t.test('an answer that is read as a whole is reported with all its rows', async (t) => {
  const { events, ask } = asking(() => new WholeBatches({ batches: [batch] }))
  const { batches } = await ask()
  t.same(events, [], 'not before it is taken')
  const whole = wholeOf(batches)
  t.same(whole?.batches, [batch])
  whole?.take()
  t.match(events, [{ verb: 'execute', outcome: 'ok', rows: 2, dialect: 'duckdb' }])
  t.equal(events.length, 1)
})

t.test('the same answer read as a stream is reported when the stream ends', async (t) => {
  const { events, ask } = asking(() => new WholeBatches({ batches: [batch, batch] }))
  const read: RecordBatch[] = []
  for await (const each of (await ask()).batches) {
    t.equal(events.length, 0)
    read.push(each)
  }
  t.equal(read.length, 2)
  t.match(events, [{ outcome: 'ok', rows: 2 }])
  for await (const _ of (await ask()).batches) break
  t.match(events.slice(1), [{ outcome: 'QUERY_CANCELLED' }])
})

t.test('a stream cannot be read as a whole', async (t) => {
  const { events, ask } = asking(async function* () {
    yield batch
  })
  const { batches } = await ask()
  t.equal(wholeOf(batches), undefined)
  for await (const _ of batches) t.equal(events.length, 0)
  t.match(events, [{ outcome: 'ok' }])
})
