/** The results cache as a client observes it. The database counts its queries, and its rows change whenever the test says so. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { mock } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import file from '@grainline/cache-file'
import memory, { memoryStore } from '@grainline/cache-memory'
import redis from '@grainline/cache-redis'
import { type CacheStore, definePlugin, GrainlineError, type HostPlugin } from '@grainline/core'
import { batchFromRows, type VendorConnection } from '@grainline/core/vendor'
import { tableFromIPC } from 'apache-arrow'
import t, { type Test } from 'tap'
import { dialects, startRest, type TestServer } from '../rest/server.js'
import { deferred } from '../rest/vendor.js'
import { holds } from '../specification/holds.js'

const TOKEN = 'a heartbeat token of good length'
const caches = [memory, file, redis]

const object = (code: string, refresh: unknown) => ({
  code,
  database: 'shop',
  schema: 'sales',
  columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Kind: { code: 'kind', abstractType: 'string' } },
  ...(refresh ? { refresh } : {}),
})
const model = (refresh: object | null = { mode: 'heartbeat' }, other: object | null = { mode: 'static' }) => ({
  version: 1,
  name: 'orders',
  dataObjects: { Orders: object('orders', refresh), Returns: object('returns', other) },
  dimensions: { Kind: { dataObject: 'Orders', column: 'Kind' }, Reason: { dataObject: 'Returns', column: 'Kind' } },
})
const byKind = { select: { dimensions: ['Kind'], measures: ['Orders Count'] }, order_by: [{ field: 'Kind' }] }
const byReason = { select: { dimensions: ['Reason'], measures: ['Returns Count'] } }

/** A database whose answers contain the state in which they were read. */
function counting(identity?: string) {
  const seen = { statements: [] as string[], state: 1, rows: 2, before: async (_signal?: AbortSignal) => {} }
  const query: VendorConnection['query'] = async function* (sql, { schema, signal }) {
    seen.statements.push(sql)
    const { state, rows } = seen
    await seen.before(signal)
    for (let at = 0; at < rows; at += 1000) {
      const count = Math.min(1000, rows - at)
      yield batchFromRows(
        schema,
        Array.from({ length: count }, (_, i) => [`kind ${at + i}`, state]),
      )
    }
  }
  const connect = async () => ({
    query,
    check: async () => ({ valid: true }) as const,
    explain: async () => ({ format: 'text', output: '' }) as const,
    timezone: async () => 'UTC',
    close: async () => {},
  })
  const plugin = definePlugin({
    name: 'test-vendor',
    host: '*',
    setup: (host) => host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect, ...(identity && { identity }) }),
  })
  return { seen, plugin }
}

/** Many turns of the event loop: all work that does not wait for input is done by then. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((done) => setImmediate(done))
}

/** The socket of the next request that a server of this process receives. */
const nextRequest = (): Promise<Socket> =>
  new Promise((resolve) => {
    const onRequest = (message: unknown) => {
      unsubscribe('http.server.request.start', onRequest)
      resolve((message as { readonly request: IncomingMessage }).request.socket)
    }
    subscribe('http.server.request.start', onRequest)
  })

interface Shop extends TestServer {
  readonly seen: ReturnType<typeof counting>['seen']
  run(query?: object): Promise<{ readonly cached: boolean; readonly state: unknown; readonly body: Record<string, unknown> }>
  beat(table: object): Promise<number>
}

async function shop(
  settings: Record<string, unknown> = {},
  { document = model(), identity, plugins = [] }: { document?: object; identity?: string; plugins?: readonly HostPlugin[] } = {},
): Promise<Shop> {
  const { seen, plugin } = counting(identity)
  const all = {
    QUERY_EXECUTE: true,
    CACHE_BACKEND: 'memory',
    HEARTBEAT_AUTH_TOKEN: TOKEN,
    SESSION_TTL_SECONDS: 1e6,
    SESSION_MAX_AGE_SECONDS: 1e6,
  }
  const server = await startRest({ plugins: [...dialects, plugin, ...caches, ...plugins], settings: { ...all, ...settings } })
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: document })
  if (loaded.status !== 201) throw new Error(loaded.text)
  return {
    ...server,
    seen,
    async run(query = byKind) {
      const { body, status, text } = await server.post('/v1/query/execute', { query })
      if (status !== 200) throw new Error(text)
      return { cached: body.cached, state: body.rows[0]?.[1], body }
    },
    async beat(table) {
      const answer = await server.post('/v1/heartbeat', table, { authorization: `Bearer ${TOKEN}` })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.invalidated_cache_entries
    },
  }
}

t.test('the same query runs once in the database, as long as its tables are fresh', async (t) => {
  holds(t, 'cache.ttl')
  const server = await shop({}, { document: model({ mode: 'interval', interval: '10m' }) })
  t.teardown(() => server.close())
  const first = await server.run()
  t.match(first.body, { cached: false, ttl_seconds: 600, ttl_source: 'interval', ttl_limiting_table: 'shop.sales.orders' })
  t.notOk('cached_at' in first.body)
  server.seen.state = 2
  server.pass(599)
  const second = await server.run()
  t.match(second, { cached: true, state: 1 })
  t.match(second.body, {
    cached_at: '2026-01-01T00:00:00.000Z',
    ttl_seconds: 600,
    row_count: 2,
    rows: first.body.rows,
    columns: first.body.columns,
  })
  server.pass(1)
  t.match(await server.run(), { cached: false, state: 2 })
  t.equal(server.seen.statements.length, 2)
})

t.test('answers of tables without a contract are not cached, unless the operator sets a time', async (t) => {
  holds(t, 'cache.unknown')
  const never = await shop({}, { document: model(null) })
  t.teardown(() => never.close())
  t.match((await never.run()).body, { cached: false })
  t.notOk('ttl_seconds' in (await never.run()).body)
  const some = await shop(
    { CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 7 },
    { document: model(null) },
  )
  t.teardown(() => some.close())
  t.match((await some.run()).body, { cached: false, ttl_seconds: 7, ttl_source: 'default' })
  t.match(await some.run(), { cached: true })
  some.pass(7)
  t.match(await some.run(), { cached: false })
})

t.test('a heartbeat removes the answers that read its table, however its name is spelled', async (t) => {
  holds(t, 'cache.heartbeat', 'route.heartbeat')
  const server = await shop()
  t.teardown(() => server.close())
  const fresh = async () => {
    await server.run()
    await server.run(byReason)
    return [(await server.run()).cached, (await server.run(byReason)).cached]
  }
  t.same(await fresh(), [true, true])
  for (const table of [
    { database: 'shop', schema: 'sales', table: 'orders' },
    { schema: 'sales', table: 'orders' },
    { table: 'orders' },
    { database: 'SHOP', schema: 'Sales', table: 'ORDERS' },
  ]) {
    t.equal(await server.beat(table), 1)
    server.seen.state += 1
    t.match(await server.run(), { cached: false, state: server.seen.state })
    t.match(await server.run(byReason), { cached: true })
  }
  for (const table of [
    { schema: 'other', table: 'orders' },
    { database: 'shop', schema: 'sales', table: 'order' },
    { table: 'sales.orders' },
  ]) {
    t.equal(await server.beat(table), 0)
    t.match(await server.run(), { cached: true })
  }
  const { body } = await server.get('/v1/cache/stats')
  t.match(body, { backend: 'memory', entry_count: 2, tracked_physical_tables: 2, heartbeat_invalidations_total: 4 })
  t.ok(body.hit_rate > 0 && body.hit_rate < 1 && body.total_size_bytes > 0)
})

t.test('a heartbeat returns the data objects that read the table', async (t) => {
  const server = await shop()
  t.teardown(() => server.close())
  const answer = await server.post(
    '/v1/heartbeat',
    { database: 'shop', schema: 'sales', table: 'Orders' },
    { authorization: `Bearer ${TOKEN}` },
  )
  t.match(answer.body, {
    table_ref: 'shop.sales.Orders',
    recorded_at: '2026-01-01T00:00:00.000Z',
    affected_data_objects: ['Orders'],
  })
})

t.test('an answer that was running during a heartbeat goes to its own client only, and is not cached', async (t) => {
  const server = await shop()
  t.teardown(() => server.close())
  const [began, go] = [deferred<void>(), deferred<void>()]
  server.seen.before = async () => {
    began.resolve()
    await go.promise
  }
  const asked = server.run()
  await began.promise
  server.seen.state = 2
  t.equal(await server.beat({ table: 'orders' }), 0)
  const later = server.run()
  go.resolve()
  t.match(await asked, { cached: false, state: 1 })
  t.match(await later, { cached: false, state: 2 }, 'who asks after the heartbeat does not join who asked before')
  t.match(await server.run(), { cached: true, state: 2 })
})

t.test('any heartbeat removes the answers of a data object that is defined by a SELECT', async (t) => {
  const document = model()
  Object.assign(document.dataObjects.Orders, {
    code: '(SELECT * FROM a JOIN b USING (id))',
    database: undefined,
    schema: undefined,
  })
  const server = await shop({}, { document: JSON.parse(JSON.stringify(document)) })
  t.teardown(() => server.close())
  await server.run()
  t.match(await server.run(), { cached: true })
  t.equal(await server.beat({ table: 'whatever' }), 1)
  t.match(await server.run(), { cached: false })
})

t.test('concurrent equal queries are answered by one statement', async (t) => {
  holds(t, 'cache.single-flight')
  const server = await shop()
  t.teardown(() => server.close())
  server.seen.before = () => turns()
  const answers = await Promise.all(Array.from({ length: 30 }, () => server.run()))
  t.equal(server.seen.statements.length, 1)
  for (const { body } of answers) t.same(body.rows, answers[0]!.body.rows)
})

t.test(
  'a client that leaves does not affect the others that wait, and when the last one leaves the statement is cancelled',
  async (t) => {
    const server = await shop()
    t.teardown(() => server.close())
    const address = await server.app.listen({ port: 0 })
    const [began, go, cancelled] = [deferred<void>(), deferred<void>(), deferred<unknown>()]
    server.seen.before = async (signal) => {
      began.resolve()
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => {
          cancelled.resolve(signal.reason)
          reject(signal.reason)
        })
      })
      await Promise.race([go.promise, aborted])
    }
    const ask = (signal: AbortSignal) =>
      fetch(`${address}/v1/query/execute`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: byKind }),
        signal,
      })
    const [one, two] = [new AbortController(), new AbortController()]
    const asks = nextRequest()
    const first = t.rejects(ask(one.signal))
    const connected = await asks
    await began.promise
    const arrives = nextRequest()
    const second = ask(two.signal).then((answer) => answer.json())
    await arrives
    await turns()
    const leaves = once(connected, 'close')
    one.abort()
    await Promise.all([first, leaves])
    await turns()
    go.resolve()
    t.match(await second, { row_count: 2 })
    t.equal(server.seen.statements.length, 1)
    await server.beat({ table: 'orders' })
    const forever = deferred<void>()
    server.seen.before = async (signal) => {
      began.resolve()
      await new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => {
          cancelled.resolve(signal.reason)
          reject(signal.reason)
        })
        forever.resolve()
      })
    }
    const three = new AbortController()
    const last = t.rejects(ask(three.signal))
    await forever.promise
    three.abort()
    await last
    t.match(await cancelled.promise, { code: 'QUERY_CANCELLED' })
  },
)

t.test('a failure reaches all waiting clients and is not cached', async (t) => {
  const server = await shop()
  t.teardown(() => server.close())
  server.seen.before = async () => {
    throw new GrainlineError('DATABASE_ERROR', 'no such table')
  }
  const failed = await Promise.all([1, 2, 3].map(() => server.post('/v1/query/execute', { query: byKind })))
  for (const answer of failed) t.match(answer, { status: 502, body: { code: 'DATABASE_ERROR' } })
  server.seen.before = async () => {}
  t.match(await server.run(), { cached: false, state: 1 })
})

t.test('an answer that is too large for the cache is streamed to each client, and is not cached', async (t) => {
  holds(t, 'cache.value-bytes')
  const server = await shop({ CACHE_MAX_VALUE_BYTES: 20_000 })
  t.teardown(() => server.close())
  server.seen.rows = 20_000
  const query = { ...byKind, limit: 100_000 }
  const answers = await Promise.all([server.run(query), server.run(query), server.run(query)])
  for (const { body } of answers) {
    t.equal((body.rows as unknown[]).length, 20_000)
    t.match(body, { row_count: 20_000, cached: false })
  }
  t.match(await server.run(query), { cached: false })
  t.match((await server.get('/v1/cache/stats')).body, { entry_count: 0 })
})

t.test('a cached answer can be sent in every format, and says if it was truncated', async (t) => {
  holds(t, 'cache.hit')
  const server = await shop({ QUERY_DEFAULT_LIMIT: 3 })
  t.teardown(() => server.close())
  server.seen.rows = 10
  const fresh = (await server.run()).body
  t.match(fresh, { cached: false, truncated: true, row_count: 3, warnings: [{ code: 'DEFAULT_LIMIT_APPLIED' }] })
  t.match((await server.run()).body, {
    cached: true,
    cached_at: /^\d{4}-\d\d-\d\dT/,
    ttl_seconds: 86_400,
    ttl_source: 'heartbeat',
    ttl_limiting_table: 'shop.sales.orders',
    truncated: true,
    row_count: 3,
    warnings: [{ code: 'DEFAULT_LIMIT_APPLIED' }],
  })
  const csv = await server.post('/v1/query/execute?format=csv', { query: byKind })
  t.match(csv.headers, { 'x-grainline-cached': 'true', 'x-grainline-truncated': 'true' })
  t.equal(csv.text, 'Kind,Orders Count\r\nkind 0,1\r\nkind 1,1\r\nkind 2,1\r\n')
  const arrow = await server.app.inject({ method: 'POST', url: '/v1/query/execute?format=arrow', payload: { query: byKind } })
  const { schema, numRows } = tableFromIPC(arrow.rawPayload)
  t.same([numRows, schema.metadata.get('cached'), schema.metadata.get('ttl_source')], [3, 'true', 'heartbeat'])
  t.equal(server.seen.statements.length, 1)
})

t.test('each representation of a cached answer is made once, and its size counts', async (t) => {
  const server = await shop()
  t.teardown(server.close)
  const shapes = ['', '?format_values=true', '?format_values=true&locale=de-DE', '?format_values=true&timezone=Asia%2FTokyo']
  const ask = async (shape: string) => {
    const { execution_time_ms: _, cached, cached_at: __, ...told } = (await server.post(`/v1/query/execute${shape}`, byKind)).body
    return { cached, told }
  }
  const sizes = async () => (await server.get('/v1/cache/stats')).body.total_size_bytes as number
  const first = await ask('')
  t.equal(first.cached, false)
  const alone = await sizes()
  for (const shape of shapes) {
    const kept = await ask(shape)
    t.equal(kept.cached, true)
    t.same(await ask(shape), kept, `the same again ${shape}`)
    if (shape === '') t.same(kept.told, first.told)
  }
  const all = await sizes()
  t.ok(all > alone, `${alone} bytes of rows, ${all} with what was written of them`)
  for (const shape of shapes) await ask(shape)
  t.equal(await sizes(), all, 'nothing is counted twice')
  server.seen.state = 2
  await server.beat({ database: 'shop', schema: 'sales', table: 'orders' })
  const after = await server.run()
  t.match(after, { cached: false, state: 2 }, 'nothing of it is left after a heartbeat')
  t.match(await server.run(), { cached: true, state: 2 })
  t.equal(server.seen.statements.length, 2)
})

t.test('representations of an answer are removed before they exceed the memory of the cache', async (t) => {
  const server = await shop({ CACHE_MAX_MEMORY_BYTES: 1200 })
  t.teardown(server.close)
  await server.run()
  for (const locale of ['de', 'fr', 'it', 'es', 'pt', 'nl', 'da', 'sv', 'fi', 'pl']) {
    const { body } = await server.post(`/v1/query/execute?format_values=true&locale=${locale}`, byKind)
    t.equal(body.rows.length, 2)
    const { total_size_bytes: held } = (await server.get('/v1/cache/stats')).body
    t.ok(held <= 1200, `${held} bytes`)
  }
  t.match(await server.run(), { cached: true }, 'the answer itself stays')
})

t.test('queries that differ in anything that affects the answer are cached separately', async (t) => {
  const server = await shop()
  t.teardown(() => server.close())
  for (const query of [
    byKind,
    { ...byKind, limit: 5 },
    { ...byKind, limit: 6 },
    { ...byKind, timezone: 'Europe/Berlin' },
    { ...byKind, order_by: [{ field: 'Kind', direction: 'desc' }] },
    { ...byKind, where: [{ field: 'Kind', op: '=', value: 'a' }] },
    { ...byKind, where: [{ field: 'Kind', op: '=', value: 'A' }] },
  ]) {
    t.match(await server.run(query), { cached: false }, JSON.stringify(query))
    t.match(await server.run(query), { cached: true })
  }
})

for (const [name, identity, warm] of [
  ['a restart finds what was kept, where the database is known to be the same', 'host and database', true],
  ['a restart finds nothing where the database does not say what it is', undefined, false],
] as const) {
  t.test(name, async (t) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-results-'))
    t.teardown(() => rm(folder, { recursive: true }))
    for (const expected of [false, warm]) {
      const server = await shop({ CACHE_BACKEND: 'file', CACHE_DIR: folder }, { ...(identity && { identity }) })
      t.match(await server.run(), { cached: expected })
      await server.run()
      t.equal(server.seen.statements.length, expected ? 0 : 1)
      await server.close()
    }
  })
}

t.test('two databases that share a folder never get answers of each other', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-results-'))
  t.teardown(() => rm(folder, { recursive: true }))
  for (const identity of ['one', 'two']) {
    const server = await shop({ CACHE_BACKEND: 'file', CACHE_DIR: folder }, { identity })
    t.match(await server.run(), { cached: false })
    await server.close()
  }
})

t.test('an entry that another party wrote into the store is a miss', async (t) => {
  holds(t, 'cache.key', 'setting.CACHE_KEY')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-forged-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const asks = async (CACHE_KEY: string | undefined, state: number) => {
    const server = await shop({ CACHE_BACKEND: 'file', CACHE_DIR: folder, CACHE_KEY }, { identity: 'same' })
    server.seen.state = state
    const answer = await server.run()
    await server.close()
    return answer
  }
  t.match(await asks('the key of an attacker', 666), { cached: false, state: 666 })
  t.match(await asks('the key of the operator', 1), { cached: false, state: 1 }, 'the forged answer is not given')
  t.match(await asks('the key of the operator', 2), { cached: true, state: 1 }, 'our own is')
  t.match(await asks(undefined, 3), { cached: false, state: 3 }, 'nor is that of a key that was changed')
  t.match(await asks(undefined, 4), { cached: true, state: 3 }, 'without a key the folder has one')
})

t.test('a store that others can write requires a key', async (t) => {
  await t.rejects(shop({ CACHE_BACKEND: 'redis' }), { code: 'INVALID_VARIABLE', path: 'CACHE_KEY' })
})

t.test('a heartbeat to one process takes effect in all processes that share the store', async (t) => {
  holds(t, 'cache.shared')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-results-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const settings = { CACHE_BACKEND: 'file', CACHE_DIR: folder }
  const [one, two] = [await shop(settings, { identity: 'same' }), await shop(settings, { identity: 'same' })]
  t.teardown(() => Promise.all([one.close(), two.close()]))
  await one.run()
  t.match(await two.run(), { cached: true })
  const [began, go] = [deferred<void>(), deferred<void>()]
  two.seen.before = async () => {
    began.resolve()
    await go.promise
  }
  const overtaken = two.run({ ...byKind, limit: 9 })
  await began.promise
  t.equal(await one.beat({ table: 'orders' }), 1)
  go.resolve()
  await overtaken
  for (const server of [one, two]) {
    server.seen.state = 2
    t.match(await server.run({ ...byKind, limit: 9 }), { state: 2 }, 'not what was read before the heartbeat')
    t.match(await server.run(), { state: 2 })
  }
})

t.test('a heartbeat needs only its own token', async (t) => {
  holds(t, 'route.heartbeat')
  const key = 'a key that is long enough for the rule'
  const guarded = await startRest({
    plugins: dialects,
    settings: { AUTH_MODE: 'api_key', API_KEYS: key, HEARTBEAT_AUTH_TOKEN: TOKEN },
  })
  const silent = await startRest({ plugins: dialects, settings: { AUTH_MODE: 'api_key', API_KEYS: key } })
  t.teardown(() => Promise.all([guarded.close(), silent.close()]))
  const table = { table: 'orders' }
  t.match(await guarded.post('/v1/heartbeat', table), { status: 401, body: { code: 'AUTH_REQUIRED' } })
  t.match(await guarded.post('/v1/heartbeat', table, { 'x-api-key': key }), { status: 401 })
  t.match(await guarded.post('/v1/heartbeat', table, { authorization: `Bearer ${key}` }), {
    status: 401,
    body: { code: 'AUTH_INVALID' },
  })
  t.match(await guarded.post('/v1/heartbeat', table, { authorization: `Bearer ${TOKEN}` }), {
    status: 200,
    body: { invalidated_cache_entries: 0 },
  })
  t.match(await guarded.post('/v1/heartbeat', { tabel: 'x' }, { authorization: `Bearer ${TOKEN}` }), { status: 422 })
  t.match(await silent.post('/v1/heartbeat', table), { status: 404 })
  t.match(await silent.post('/v1/heartbeat', table, { authorization: `Bearer ${key}` }), { status: 404 })
  t.match(await guarded.get('/v1/cache/stats'), { status: 401 })
})

t.test('sweeping and clearing report the removed entries', async (t) => {
  holds(t, 'route.cache', 'cache.sweep')
  const server = await shop()
  t.teardown(() => server.close())
  await server.run()
  await server.run(byReason)
  t.match(await server.post('/v1/cache/sweep'), { status: 200, body: { backend: 'memory', ttl_evicted: 0, capacity_evicted: 0 } })
  t.match(await server.post('/v1/cache/clear'), { status: 200, body: { backend: 'memory', entries_cleared: 2 } })
  t.match(await server.run(), { cached: false })
})

t.test('the cache is swept every CACHE_SWEEP_INTERVAL_SECONDS, until the service closes', async (t) => {
  holds(t, 'cache.sweep')
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  let swept = 0
  const store: CacheStore = { ...memoryStore({ maxBytes: 1e6 }), sweep: async () => ({ expired: ++swept, evicted: 0 }) }
  const counting = definePlugin({
    name: 'test-cache',
    host: '*',
    setup: (host) => host.caches.register({ name: 'counting', open: async () => store }),
  })
  const settings = { QUERY_EXECUTE: true, CACHE_BACKEND: 'counting', CACHE_SWEEP_INTERVAL_SECONDS: 60 }
  const server = await startRest({ plugins: [...dialects, '@grainline/vendor-duckdb', counting], settings })
  const after = async (seconds: number) => {
    mock.timers.tick(seconds * 1000)
    await new Promise((turn) => setImmediate(turn))
    return swept
  }
  t.same([await after(59), await after(1), await after(60), await after(60)], [0, 1, 2, 3])
  await server.close()
  t.equal(await after(600), 3)
})

t.test('the size limit of a backend is reported, and no limit if Grainline does not set it', async (t) => {
  holds(t, 'cache.size')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'grainline-results-'))
  t.teardown(() => rm(folder, { recursive: true }))
  for (const [settings, most] of [
    [{ CACHE_BACKEND: 'memory', CACHE_MAX_MEMORY_BYTES: 5000 }, 5000],
    [{ CACHE_BACKEND: 'file', CACHE_DIR: folder, CACHE_MAX_DISK_BYTES: 7000 }, 7000],
    [{ CACHE_BACKEND: 'noop' }, 0],
  ] as const) {
    const server = await shop(settings)
    t.equal((await server.get('/v1/cache/stats')).body.max_size_bytes, most, settings.CACHE_BACKEND)
    await server.close()
  }
})

t.test('without a backend nothing is cached, and the routes report that', async (t) => {
  holds(t, 'cache.noop', 'route.cache')
  const server = await shop({ CACHE_BACKEND: 'noop' })
  t.teardown(() => server.close())
  await server.run()
  t.match(await server.run(), { cached: false })
  t.match((await server.get('/v1/cache/stats')).body, { backend: 'noop', entry_count: 0, compile: { hits: 1, misses: 1 } })
  t.match((await server.post('/v1/cache/clear')).body, { backend: 'noop', entries_cleared: 0 })
})

/** A format that counts how often it encodes. */
function countingFormat(rowsOnly: boolean) {
  const seen = { encoded: 0 }
  const plugin = definePlugin({
    name: 'test-format',
    host: '*',
    setup: (host) =>
      host.encodings.register({
        name: 'counted',
        mediaType: 'text/x-counted',
        alsoKnownAs: [],
        rowsOnly,
        async *encode({ batches, metadata }) {
          seen.encoded++
          yield Buffer.from(`${metadata.model_id}\n`)
          for await (const { rowCount } of batches) for (let row = 0; row < rowCount; row++) yield Buffer.from(`row ${row}\n`)
        },
      }),
  })
  return { seen, plugin }
}

for (const rows of [2, 6000]) {
  for (const encoding of ['identity', 'gzip', 'br']) {
    t.test(`a cached answer of ${rows} rows is encoded once for all clients, as ${encoding}`, async (t) => {
      const format = countingFormat(true)
      const server = await shop({}, { document: model({ mode: 'heartbeat' }), plugins: [format.plugin] })
      t.teardown(() => server.close())
      server.seen.rows = rows
      const ask = () => askEncoded(t, server, encoding, '?format=counted')
      const first = await ask()
      const later = [await ask(), await ask(), await ask(), await ask()]
      for (const { text, told } of later) {
        t.equal(text, first.text)
        t.match(told, { 'x-grainline-cached': 'true', 'content-type': 'text/x-counted' })
        t.equal(told['content-encoding'], first.told['content-encoding'])
        t.equal(told.vary, first.told.vary)
      }
      t.equal(format.seen.encoded, 2, 'for the first client, and for those who find it in the cache')
      t.equal(server.seen.statements.length, 1)
      t.equal(await server.beat({ table: 'orders' }), 1)
      server.seen.rows = rows + 1
      t.not((await ask()).text, first.text, 'what was encoded goes with the answer')
    })

    t.test(`a cached answer of ${rows} rows in JSON says its own time, as ${encoding}`, async (t) => {
      const server = await shop()
      t.teardown(() => server.close())
      server.seen.rows = rows
      const ask = async (query = '') => JSON.parse((await askEncoded(t, server, encoding, query)).text)
      const first = await ask()
      t.equal(first.rows.length, rows)
      for (let time = 0; time < 4; time++) {
        const again = await ask()
        t.same(again.rows, first.rows)
        t.match(again, { cached: true, row_count: rows, execution_time_ms: Number, sql: first.sql, columns: first.columns })
      }
      const receipts = [await ask('?receipt=true'), await ask('?receipt=true')]
      for (const { rows, receipt } of receipts) {
        t.same(rows, first.rows)
        t.match(receipt, {})
      }
    })
  }
}

/** The text of an answer that is sent in an encoding, and its headers. */
async function askEncoded(t: Test, { app }: Pick<TestServer, 'app'>, encoding: string, query: string) {
  const url = `/v1/query/execute${query}`
  const payload = { ...byKind, limit: 10_000 }
  const { statusCode, rawPayload, headers } = await app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'accept-encoding': encoding },
  })
  t.equal(statusCode, 200)
  return { text: decoded(rawPayload, headers['content-encoding']).toString(), told: headers }
}

function decoded(bytes: Buffer, encoding: unknown): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}

t.test('metadata of a session goes to no other session, though both share the cached rows', async (t) => {
  const format = countingFormat(false)
  const server = await shop({}, { plugins: [format.plugin] })
  t.teardown(() => server.close())
  const open = async () => {
    const session: string = (await server.post('/v1/sessions')).body.session_id
    const held: string = (await server.post(`/v1/sessions/${session}/models`, { model_json: model() })).body.model_id
    const ask = async () => {
      const asked = { model_id: held, query: byKind }
      return (await server.post(`/v1/sessions/${session}/query/execute?format=counted`, asked)).text.split('\n', 1)[0]
    }
    return { held, ask }
  }
  const [one, other] = [await open(), await open()]
  const [first, second] = [one.held, other.held]
  const heard = []
  for (const { ask } of [one, one, one, other, other, one, other]) heard.push(await ask())
  t.same(heard, [first, first, first, second, second, first, second])
  t.not(first, second)
  t.equal(server.seen.statements.length, 1)
  t.equal(format.seen.encoded, 3, 'once from the database, and once for each session')
})
