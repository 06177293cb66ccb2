/** Every kind of cache failure: it causes a query to the database, and never a wrong answer. */

import { memoryStore } from '@grainline/cache-memory'
import { type CacheStore, definePlugin } from '@grainline/core'
import { batchFromRows, type VendorConnection } from '@grainline/core/vendor'
import fc from 'fast-check'
import t from 'tap'
import { killWriters } from '../load/kill-cache-writer.js'
import { dialects, startRest } from '../rest/server.js'
import { holds } from '../specification/holds.js'
import { executionOf } from './flights.js'

const TOKEN = 'token-of-the-heartbeat'
const document = {
  version: 1,
  dataObjects: {
    Orders: {
      code: 'orders',
      refresh: { mode: 'heartbeat' },
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Kind: { code: 'kind', abstractType: 'string' } },
    },
  },
  dimensions: { Kind: { dataObject: 'Orders', column: 'Kind' } },
}
const question = { select: { dimensions: ['Kind'], measures: ['Orders Count'] } }
const unchanged = (store: CacheStore): CacheStore => store

/** A service with a store that the test breaks, and a database that counts its queries. */
async function service(breaking: (store: CacheStore) => CacheStore = unchanged, open?: () => Promise<CacheStore>) {
  const seen = { statements: 0 }
  const query: VendorConnection['query'] = async function* (_sql, { schema }) {
    seen.statements += 1
    yield batchFromRows(schema, [['a', seen.statements]])
  }
  const connection = {
    query,
    check: async () => ({ valid: true }) as const,
    explain: async () => ({ format: 'text', output: '' }) as const,
    timezone: async () => 'UTC',
    close: async () => {},
  }
  const plugin = definePlugin({
    name: 'test-parts',
    host: '*',
    setup(host) {
      host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect: async () => connection })
      const opened = open ?? (async () => memoryStore({ maxBytes: 1e6 }))
      host.caches.register({ name: 'broken', open: async () => breaking(await opened()) })
    },
  })
  const settings = { QUERY_EXECUTE: true, CACHE_BACKEND: 'broken', HEARTBEAT_AUTH_TOKEN: TOKEN }
  const server = await startRest({ plugins: [...dialects, plugin], settings })
  const session = (await server.post('/v1/sessions')).body.session_id
  await server.post(`/v1/sessions/${session}/models`, { model_json: document })
  const run = async () => (await server.post('/v1/query/execute', { query: question })).body
  const beat = () => server.post('/v1/heartbeat', { table: 'orders' }, { authorization: `Bearer ${TOKEN}` })
  return { server, seen, run, beat }
}

const failing = async (): Promise<never> => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}

for (const [name, breaking] of [
  ['cannot write', (store) => ({ ...store, set: failing })],
  ['cannot read', (store) => ({ ...store, get: failing })],
  [
    'gives back half of what it was given',
    (store) => ({ ...store, get: async (key) => (await store.get(key))?.subarray(0, 200) }),
  ],
  [
    'gives back what belongs to another key',
    (store) => ({
      ...store,
      get: async (key) => (key.startsWith('answer/') ? store.get('other') : store.get(key)),
      set: (key, value, ttl) => store.set(key.startsWith('answer/') ? 'other' : key, flipped(value), ttl),
    }),
  ],
] satisfies readonly (readonly [string, (store: CacheStore) => CacheStore])[]) {
  t.test(`with a store that ${name}, each query runs in the database`, async (t) => {
    holds(t, 'cache.damaged', 'cache.failing')
    const { server, run } = await service(breaking)
    t.teardown(() => server.close())
    t.match(await run(), { cached: false, rows: [['a', 1]] })
    t.match(await run(), { cached: false, rows: [['a', 2]] })
  })
}

/** One bit of the key in the header is flipped, and nothing else. */
function flipped(value: Uint8Array): Uint8Array {
  const bytes = Buffer.from(value)
  bytes[60]! ^= 1
  return bytes
}

t.test('with a store that cannot be opened, the server starts and each query runs in the database', async (t) => {
  const { server, run } = await service(unchanged, failing)
  t.teardown(() => server.close())
  t.match(await run(), { cached: false, rows: [['a', 1]] })
  t.match(await run(), { cached: false, rows: [['a', 2]] })
})

t.test('a heartbeat that cannot be stored is refused, so that its sender sends it again', async (t) => {
  let broken = true
  const { server, run, beat } = await service((store) => ({
    ...store,
    set: (...args) => (broken ? failing() : store.set(...args)),
  }))
  t.teardown(() => server.close())
  t.match(await beat(), { status: 503, body: { code: 'CACHE_UNAVAILABLE' } })
  broken = false
  // After a failure the store is not used for a while; then answers are cached again.
  while (!(await run()).cached);
  t.match(await beat(), { status: 200, body: { invalidated_cache_entries: 1 } })
})

t.test('a request for the contents of a store that cannot be listed is answered as unavailable', async (t) => {
  const entries = async function* () {
    yield await failing()
  }
  const { server, run } = await service((store) => ({ ...store, entries }))
  t.teardown(() => server.close())
  const unavailable = { status: 503, body: { code: 'CACHE_UNAVAILABLE' } }
  await run()
  t.match(await server.get('/v1/cache/stats'), unavailable)
  t.match(await server.post('/v1/cache/clear'), unavailable)
  t.match(await run(), { rows: [['a', 2]] })
})

t.test('one call deletes only as many entries of a store as it can in time', async (t) => {
  const asked: number[] = []
  const entries = async function* () {
    for (let i = 0; i < 1200; i++) yield { key: `answer/${i}/*`, bytes: 1, expiresAt: 0 }
  }
  const deleteMany = async ({ length }: readonly string[]) => {
    asked.push(length)
    return length
  }
  const { server } = await service((store) => ({ ...store, entries, deleteMany }))
  t.teardown(() => server.close())
  t.match(await server.post('/v1/cache/clear'), { status: 200, body: { entries_cleared: 1200 } })
  t.same(asked, [500, 500, 200])
})

t.test('the cache does not wait for a store that does not answer', async (t) => {
  holds(t, 'cache.failing')
  const { server, run } = await service((store) => ({ ...store, get: () => new Promise(() => {}) }))
  t.teardown(() => server.close())
  t.match(await run(), { cached: false })
  t.match(await run(), { cached: false })
})

t.test('a process that is killed while it writes leaves complete entries or none', async (t) => {
  holds(t, 'cache.killed')
  const { kills, read, torn } = await killWriters(4)
  t.match({ kills, torn }, { kills: 4, torn: 0 })
  t.ok(read > 0)
})

t.test('a cached answer equals the answer of the database', async (t) => {
  const { ask, close, fields } = await executionOf()
  t.teardown(close)
  const some = (names: readonly string[], least: number) => fc.subarray([...names], { minLength: least, maxLength: 3 })
  const query = fc.record({
    select: fc.record({ dimensions: some(fields.dimensions, 1), measures: some(fields.measures, 1) }),
    limit: fc.integer({ min: 1, max: 50 }),
    grouping: fc.constantFrom(undefined, 'rollup'),
  })
  let hits = 0
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const { dimensions, measures } = given.select
      const order_by = [...dimensions, ...measures].map((field) => ({ field }))
      const asked = { ...given, order_by }
      const [plain, first, second] = [await ask('plain', asked), await ask('keeping', asked), await ask('keeping', asked)]
      if (second.cached) hits += 1
      t.same(first.rows, plain.rows)
      t.same(second.rows, plain.rows)
      t.same(second.columns, plain.columns)
    }),
    { numRuns: 25, seed: 20261121 },
  )
  t.ok(hits >= 20, `${hits} of 25 were kept`)
})
