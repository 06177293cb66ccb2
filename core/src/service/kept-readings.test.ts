import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { isImmutable } from '../immutable.js'
import { BOOLEAN, DATE, INT, STRING } from '../model/data-type.js'
import type { AskedModel } from './asked-model.js'
import { KeptReadings, type ReadStatement, type StatementKey } from './kept-readings.js'

const LIMITS = { maxEntries: 100, maxBytes: 1_000_000, maxEntryBytes: 100_000 }
const NOW = new Date('2026-01-01T12:00:00Z')

/** A model as far as a reading looks at one. */
const modelOf = (key: string, changes: object = {}) =>
  ({ names: [key], key, handle: { modelId: key }, ...changes }) as unknown as AskedModel
const [shop, other] = [modelOf('shop'), modelOf('other')]
const scope = { models: [shop, other], chosen: shop }
const plain: StatementKey = { language: 'sql', text: 'SELECT revenue', scope, parameters: [], defaultLimit: undefined }

const queryOf = (model: AskedModel, field = 'Revenue') => ({
  model,
  query: { select: { measures: [field] } },
  preview: undefined,
})
const oneQuery = (model: AskedModel): ReadStatement => ({
  kind: 'model_query',
  modelQuery: queryOf(model),
  items: [{ name: 'revenue', column: 'Revenue' }],
})

/** Counts how often a statement is read. */
function counting(
  readings: KeptReadings,
  read: (key: StatementKey, now: () => Date) => ReadStatement = ({ scope }) => oneQuery(scope.models[0]!),
) {
  const seen = { read: 0 }
  const ask = (key: StatementKey) =>
    readings.get(key, NOW, async (now) => {
      seen.read += 1
      return read(key, now)
    })
  return { seen, ask }
}

t.test('the same statement is read once, and its query is the same value that never changes', async (t) => {
  const { seen, ask } = counting(new KeptReadings(LIMITS))
  const [first, again] = [await ask(plain), await ask({ ...plain })]
  t.same(again, first)
  t.equal(seen.read, 1)
  if (first.kind !== 'model_query' || again.kind !== 'model_query') return t.fail('they are queries')
  t.equal(again.modelQuery.query, first.modelQuery.query)
  t.ok(isImmutable(first.modelQuery.query))
})

t.test('a statement that differs in anything is read for itself', async (t) => {
  const { seen, ask } = counting(new KeptReadings(LIMITS))
  const values = (...parameters: StatementKey['parameters']) => ({ ...plain, parameters })
  const others: readonly StatementKey[] = [
    plain,
    { ...plain, language: 'other' },
    { ...plain, text: 'select revenue' },
    { ...plain, defaultLimit: 7 },
    { ...plain, scope: { models: [shop, other], chosen: other } },
    { ...plain, scope: { models: [shop, other], chosen: undefined } },
    { ...plain, scope: { models: [other, shop], chosen: shop } },
    { ...plain, scope: { models: [shop], chosen: shop } },
    values({ value: 1 }),
    values({ value: 1n }),
    values({ value: '1' }),
    values({ value: '1', type: INT }),
    values({ value: '1', type: STRING }),
    values({ value: 'true' }),
    values({ value: true }),
    values({ value: true, type: BOOLEAN }),
    values({ value: 'null' }),
    values({ value: null }),
    values({ value: null, type: DATE }),
    values({ value: 'a' }, { value: 'b' }),
    values({ value: 'a,b' }),
    values({ value: 'b' }, { value: 'a' }),
  ]
  for (const [i, key] of others.entries()) {
    await ask(key)
    t.equal(seen.read, i + 1, JSON.stringify(i))
  }
  for (const key of others) await ask(key)
  t.equal(seen.read, others.length, 'each is kept')
})

t.test('what is found has the models of the request, also as a further fact', async (t) => {
  const further = (model: AskedModel): ReadStatement => ({
    kind: 'outer',
    program: {
      sql: 'SELECT 1',
      ownLimit: false,
      notices: [],
      modelQueries: [
        { name: 'model_query_1', columns: ['Revenue'], ...queryOf(other) },
        { name: 'model_query_2', columns: ['Revenue'], ...queryOf({ ...model, fact: 'Returns', names: ['shop__returns'] }) },
      ],
    },
  })
  const { seen, ask } = counting(new KeptReadings(LIMITS), ({ scope }) => further(scope.models[0]!))
  const first = await ask(plain)
  const handle = { modelId: 'again' }
  const again = await ask({ ...plain, scope: { models: [modelOf('shop', { handle }), other], chosen: shop } })
  t.equal(seen.read, 1)
  if (first.kind !== 'outer' || again.kind !== 'outer') return t.fail('they are programs')
  t.match(again.program, { sql: 'SELECT 1', ownLimit: false, notices: [] })
  const [plainQuery, furtherQuery] = again.program.modelQueries
  t.equal(plainQuery?.model, other)
  t.match(furtherQuery, { name: 'model_query_2', columns: ['Revenue'] })
  t.match(furtherQuery?.model, { fact: 'Returns', names: ['shop__returns'], handle })
  t.equal(furtherQuery?.query, first.program.modelQueries[1]?.query)
})

t.test('a statement that asks the time, an error and a statement that reads no model are not kept', async (t) => {
  const timed = counting(new KeptReadings(LIMITS), (_, now) => {
    t.equal(now(), NOW)
    return oneQuery(shop)
  })
  const session = counting(new KeptReadings(LIMITS), () => ({ kind: 'session' }))
  const faulty = counting(new KeptReadings(LIMITS), () => {
    throw new Error('no such field')
  })
  for (let i = 0; i < 2; i++) {
    await timed.ask(plain)
    await session.ask(plain)
    await t.rejects(faulty.ask(plain), { message: 'no such field' })
  }
  t.same([timed.seen.read, session.seen.read, faulty.seen.read], [2, 2, 2])
})

t.test('entries, bytes and the bytes of an entry are limited', async (t) => {
  const texts = (count: number, length = 10) =>
    Array.from({ length: count }, (_, i) => ({ ...plain, text: `${i}`.padEnd(length) }))
  async function readAgain(limits: Partial<typeof LIMITS>, statements: readonly StatementKey[]): Promise<number> {
    const { seen, ask } = counting(new KeptReadings({ ...LIMITS, ...limits }))
    for (const each of statements) await ask(each)
    for (const each of statements.toReversed()) await ask(each)
    return seen.read - statements.length
  }
  t.equal(await readAgain({}, texts(100)), 0)
  t.equal(await readAgain({ maxEntries: 60 }, texts(100)), 40)
  t.equal(await readAgain({ maxEntries: 0 }, texts(3)), 3)
  t.ok((await readAgain({ maxBytes: 100_000 }, texts(100))) > 40, 'each takes more than a kilobyte')
  t.equal(await readAgain({ maxBytes: 100_000 }, texts(3, 30_000)), 2)
  t.equal(await readAgain({ maxEntryBytes: 20_000 }, texts(3, 30_000)), 3)
})

t.test('a model that is gone leaves memory although its statements are kept', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { seen, ask } = counting(new KeptReadings(LIMITS))
  const gone = await (async () => {
    const model = modelOf('gone')
    await ask({ ...plain, scope: { models: [model], chosen: model } })
    return new WeakRef(model)
  })()
  await new Promise((turn) => setImmediate(turn))
  collect()
  t.equal(gone.deref(), undefined)
  const model = modelOf('gone')
  await ask({ ...plain, scope: { models: [model], chosen: model } })
  t.equal(seen.read, 1)
})
