/** What is kept, on the stock server as `grainline serve` starts it, beside a database that changes under it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { type ServedProcess, serve } from '../rest/serve.js'
import { holds } from '../specification/holds.js'

t.setTimeout(600_000)

const TOKEN = 'a heartbeat token of good length'
const folder = t.testdir({ kept: {} })
const database = path.join(folder, 'shop.duckdb')
const object = (code: string, refresh?: object) => ({
  code,
  columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Kind: { code: 'kind', abstractType: 'string' } },
  ...(refresh && { refresh }),
})
const model = {
  version: 1,
  name: 'shop',
  dataObjects: {
    Orders: object('orders', { mode: 'heartbeat' }),
    Returns: object('returns', { mode: 'interval', interval: '10m' }),
    Visits: object('visits'),
  },
  dimensions: { Kind: { dataObject: 'Orders', column: 'Kind' } },
}
writeFileSync(path.join(folder, 'shop.yaml'), JSON.stringify(model))
const made = await DuckDBInstance.create(database)
const connection = await made.connect()
for (const table of ['orders', 'returns', 'visits'])
  await connection.run(`CREATE TABLE ${table} AS SELECT range AS id, 'kind ' || range % 500 AS kind FROM range(1000)`)
connection.closeSync()
made.closeSync()

const BASE = {
  QUERY_EXECUTE: 'true',
  DUCKDB_DATABASE: database,
  MODEL_FILES: path.join(folder, 'shop.yaml'),
  HEARTBEAT_AUTH_TOKEN: TOKEN,
}
const kept = { CACHE_BACKEND: 'file', CACHE_DIR: path.join(folder, 'kept'), CACHE_KEY: 'the key of the operator' }

const counts = (name: string) => ({ select: { measures: [`${name} Count`] } })
const byKind = { select: { dimensions: ['Kind'], measures: ['Orders Count'] }, order_by: [{ field: 'Kind' }] }
const run = async ({ ask }: ServedProcess, query: object) => {
  const { status, body, text } = await ask('POST', '/v1/query/execute', { query })
  if (status !== 200) throw new Error(text)
  return body
}
const beat = ({ ask }: ServedProcess, table: string) =>
  ask('POST', '/v1/heartbeat', { table }, { authorization: `Bearer ${TOKEN}` })

t.test('served processes share what they keep, over restarts and beside each other, and believe no other', async (t) => {
  holds(t, 'cache.shared', 'cache.key', 'setting.CACHE_KEY', 'cache.damaged', 'cache.heartbeat', 'cache.ttl', 'cache.unknown')
  const [one, two] = await Promise.all([serve({ ...BASE, ...kept }, folder), serve({ ...BASE, ...kept }, folder)])
  t.match(await run(one, counts('Orders')), { cached: false })
  t.match(await run(two, counts('Orders')), { cached: true, ttl_source: 'heartbeat' }, 'of the other process')
  t.match(await run(one, counts('Returns')), { cached: false, ttl_seconds: 600, ttl_source: 'interval' })
  t.match(await run(one, counts('Visits')), { cached: false })
  t.match(await run(one, counts('Visits')), { cached: false }, 'nothing says how long')
  t.match(await beat(one, 'orders'), { status: 200, body: { affected_data_objects: ['Orders'] } })
  t.match(await run(two, counts('Orders')), { cached: false }, 'a heartbeat that the other process heard')
  t.match(await run(one, counts('Returns')), { cached: true }, 'is of one table')
  for (const { process } of [one, two]) process.signal('SIGTERM')
  await Promise.all([one.process.ended, two.process.ended])

  const again = await serve({ ...BASE, ...kept }, folder)
  t.match(await run(again, counts('Returns')), { cached: true }, 'after a restart')
  for (const file of filesOf(kept.CACHE_DIR)) spoil(file)
  t.match(await run(again, counts('Returns')), { cached: false, rows: [[1000]] }, 'a damaged entry is a miss')
  const stranger = await serve({ ...BASE, ...kept, CACHE_KEY: 'the key of somebody else' }, folder)
  t.match(await run(stranger, counts('Returns')), { cached: false }, 'nor does another key find it')
})

t.test('a served process keeps in memory what fits, answers many at once, and says what it holds', async (t) => {
  holds(t, 'cache.value-bytes', 'cache.single-flight', 'cache.compile', 'cache.unknown')
  const policy = { CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: '77' }
  const one = await serve({ ...BASE, CACHE_BACKEND: 'memory', CACHE_MAX_VALUE_BYTES: '4000', ...policy }, folder)
  const stats = async () => (await one.ask('GET', '/v1/cache/stats')).body
  const answers = await Promise.all(Array.from({ length: 10 }, () => run(one, counts('Orders'))))
  t.ok(answers.every(({ rows }) => rows[0][0] === 1000))
  t.match(await stats(), { entry_count: 1, compile: { misses: 1 } }, 'one statement, compiled once')
  t.match(await run(one, counts('Visits')), { cached: false, ttl_seconds: 77 })
  t.match(await run(one, counts('Visits')), { cached: true, ttl_seconds: 77 })
  for (let i = 0; i < 2; i++) t.match(await run(one, byKind), { cached: false, row_count: 500 }, 'too large to be kept')
  t.match(await one.ask('POST', '/v1/cache/sweep'), { status: 200, body: { backend: 'memory' } })
  t.match(await one.ask('POST', '/v1/cache/clear'), { body: { entries_cleared: 2 } })
})

t.test('a served process without a cache keeps no result', async (t) => {
  holds(t, 'cache.noop', 'cache.compile')
  const one = await serve({ ...BASE, CACHE_BACKEND: 'noop', COMPILE_CACHE_MAX_ENTRIES: '0' }, folder)
  for (let i = 0; i < 2; i++) t.match(await run(one, counts('Orders')), { cached: false })
  t.match((await one.ask('GET', '/v1/cache/stats')).body, { backend: 'noop', entry_count: 0, compile: { hits: 0 } })
})

t.test('a store that a served process cannot use costs queries and no answer', async (t) => {
  holds(t, 'cache.failing')
  const missing = path.join(folder, 'shop.yaml', 'kept')
  const one = await serve({ ...BASE, ...kept, CACHE_DIR: missing }, folder)
  for (let i = 0; i < 2; i++) t.match(await run(one, counts('Orders')), { cached: false, rows: [[1000]] })
})

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** A bit in the middle is turned. */
function spoil(file: string): void {
  const bytes = readFileSync(file)
  if (bytes.length === 0) return
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
}
