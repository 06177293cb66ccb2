/** The cache of the stock server as `grainline serve` starts it, with a database that changes meanwhile. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { type ServedProcess, serve as servedProcess } from '../rest/serve.js'
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

/** The served process; what it refuses while its store rests is requested again. */
async function serve(settings: Record<string, string>): Promise<ServedProcess> {
  const served = await servedProcess(settings, folder)
  const ask: ServedProcess['ask'] = async (...request) => {
    for (;;) {
      const answer = await served.ask(...request)
      if (answer.body?.code !== 'CACHE_UNAVAILABLE') return answer
      await aMoment()
    }
  }
  return { ...served, ask }
}
const aMoment = () => new Promise((turn) => setTimeout(turn, 10))

const counts = (name: string) => ({ select: { measures: [`${name} Count`] } })
const byKind = { select: { dimensions: ['Kind'], measures: ['Orders Count'] }, order_by: [{ field: 'Kind' }] }
const run = async ({ ask }: ServedProcess, query: object) => {
  const { status, body, text } = await ask('POST', '/v1/query/execute', { query })
  if (status !== 200) throw new Error(text)
  return body
}
/** An answer is stored after it was sent, and a store that is slow for a moment is not used for two seconds. */
async function untilCached(server: ServedProcess, query: object) {
  for (;;) {
    const answer = await run(server, query)
    if (answer.cached) return answer
    await aMoment()
  }
}
/** Two processes find the same entry. */
async function shares(t: Test, [one, two]: readonly [ServedProcess, ServedProcess], query: object, message: string) {
  await untilCached(one, query)
  const [second, first] = [await untilCached(two, query), await untilCached(one, query)]
  t.equal(second.cached_at, first.cached_at, message)
  return first
}
const beat = ({ ask }: ServedProcess, table: string) =>
  ask('POST', '/v1/heartbeat', { table }, { authorization: `Bearer ${TOKEN}` })

t.test('served processes share a cache, also after restarts, and ignore entries that other parties wrote', async (t) => {
  holds(t, 'cache.shared', 'cache.key', 'setting.CACHE_KEY', 'cache.damaged', 'cache.heartbeat', 'cache.ttl', 'cache.unknown')
  const [one, two] = await Promise.all([serve({ ...BASE, ...kept }), serve({ ...BASE, ...kept })])
  t.match(await run(one, counts('Orders')), { cached: false })
  t.match(await shares(t, [one, two], counts('Orders'), 'of the other process'), { ttl_source: 'heartbeat' })
  t.match(await run(one, counts('Returns')), { cached: false, ttl_seconds: 600, ttl_source: 'interval' })
  t.match(await run(one, counts('Visits')), { cached: false })
  t.match(await run(one, counts('Visits')), { cached: false }, 'nothing says how long')
  const { cached_at } = await untilCached(one, counts('Returns'))
  t.match(await beat(one, 'orders'), { status: 200, body: { affected_data_objects: ['Orders'] } })
  t.match(await run(two, counts('Orders')), { cached: false }, 'a heartbeat that the other process heard')
  t.match(await untilCached(one, counts('Returns')), { cached_at }, 'is of one table')
  for (const { process } of [one, two]) process.signal('SIGTERM')
  await Promise.all([one.process.ended, two.process.ended])

  const again = await serve({ ...BASE, ...kept })
  t.match(await untilCached(again, counts('Returns')), { cached_at }, 'after a restart')
  for (const file of filesOf(kept.CACHE_DIR)) spoil(file)
  t.match(await run(again, counts('Returns')), { cached: false, rows: [[1000]] }, 'a damaged entry is a miss')
  const stranger = await serve({ ...BASE, ...kept, CACHE_KEY: 'the key of somebody else' })
  t.match(await run(stranger, counts('Returns')), { cached: false }, 'nor does another key find it')
})

t.test(
  'a served process keeps answers in CACHE_DIR of its working directory, by default ./cache, and nowhere else',
  async (t) => {
    const places = t.testdir({ unset: {}, set: {} })
    for (const [place, settings, kept] of [
      ['unset', {}, 'cache'],
      ['set', { CACHE_DIR: './answers/of/shop' }, 'answers/of/shop'],
    ] as const) {
      const cwd = path.join(places, place)
      const one = await servedProcess({ ...BASE, CACHE_BACKEND: 'file', ...settings }, cwd)
      t.match(await run(one, counts('Returns')), { cached: false, rows: [[1000]] })
      t.match(await untilCached(one, counts('Returns')), { cached: true, rows: [[1000]] })
      t.same(readdirSync(cwd), [kept.split('/')[0]])
      t.ok(filesOf(path.join(cwd, kept)).length > 0, 'the answer is there')
      one.process.signal('SIGTERM')
      await one.process.ended
    }
  },
)

t.test('a served process whose cache folder is deleted caches answers again, also for other processes', async (t) => {
  holds(t, 'cache.deleted')
  const CACHE_DIR = path.join(folder, 'deleted/cache')
  const one = await serve({ ...BASE, CACHE_BACKEND: 'file', CACHE_DIR })
  t.match(await run(one, counts('Orders')), { cached: false })
  await untilCached(one, counts('Orders'))
  for (const removed of [CACHE_DIR, path.dirname(CACHE_DIR)]) {
    // The server may write into the folder while it is removed.
    rmSync(removed, { recursive: true, maxRetries: 10 })
    t.match(await one.ask('GET', '/v1/cache/stats'), { status: 200, body: { entry_count: 0 } })
    t.match(await one.ask('POST', '/v1/cache/sweep'), { status: 200 })
    t.match(await one.ask('POST', '/v1/cache/clear'), { status: 200 })
    t.match(await run(one, counts('Orders')), { cached: false, rows: [[1000]] }, removed)
    t.same((await untilCached(one, counts('Orders'))).rows, [[1000]])
    // The server may write into the folder while it is removed.
    rmSync(removed, { recursive: true, maxRetries: 10 })
    t.match(await beat(one, 'orders'), { status: 200 }, 'a heartbeat')
    t.match(await run(one, counts('Orders')), { cached: false })
  }
  const other = await serve({ ...BASE, CACHE_BACKEND: 'file', CACHE_DIR })
  await shares(t, [one, other], counts('Orders'), 'signed with the same key')
  t.notMatch(one.process.stdout() + one.process.stderr(), /cache does not work: (?!no answer within)/i)
})

t.test(
  'a served process caches what fits into memory, answers concurrent equal queries once, and reports what it caches',
  async (t) => {
    holds(t, 'cache.value-bytes', 'cache.single-flight', 'cache.compile', 'cache.unknown')
    const policy = { CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: '77' }
    const one = await serve({ ...BASE, CACHE_BACKEND: 'memory', CACHE_MAX_VALUE_BYTES: '4000', ...policy })
    const stats = async () => (await one.ask('GET', '/v1/cache/stats')).body
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(one, counts('Orders'))))
    t.ok(answers.every(({ rows }) => rows[0][0] === 1000))
    t.match(await stats(), { entry_count: 1, compile: { misses: 1 } }, 'one statement, compiled once')
    t.match(await run(one, counts('Visits')), { cached: false, ttl_seconds: 77 })
    t.match(await run(one, counts('Visits')), { cached: true, ttl_seconds: 77 })
    for (let i = 0; i < 2; i++) t.match(await run(one, byKind), { cached: false, row_count: 500 }, 'too large to be kept')
    t.match(await one.ask('POST', '/v1/cache/sweep'), { status: 200, body: { backend: 'memory' } })
    t.match(await one.ask('POST', '/v1/cache/clear'), { body: { entries_cleared: 2 } })
  },
)

t.test('a served process without a cache stores no result', async (t) => {
  holds(t, 'cache.noop', 'cache.compile')
  const one = await serve({ ...BASE, CACHE_BACKEND: 'noop', COMPILE_CACHE_MAX_ENTRIES: '0' })
  for (let i = 0; i < 2; i++) t.match(await run(one, counts('Orders')), { cached: false })
  t.match((await one.ask('GET', '/v1/cache/stats')).body, { backend: 'noop', entry_count: 0, compile: { hits: 0 } })
})

t.test('with a store that a served process cannot use, each query runs in the database, and no answer fails', async (t) => {
  holds(t, 'cache.failing')
  const missing = path.join(folder, 'shop.yaml', 'kept')
  const one = await serve({ ...BASE, ...kept, CACHE_DIR: missing })
  for (let i = 0; i < 2; i++) t.match(await run(one, counts('Orders')), { cached: false, rows: [[1000]] })
})

t.test('a served process counts an interval from its anchor in its zone, and one table has one contract', async (t) => {
  holds(t, 'cache.anchor', 'cache.one-table')
  const daily = { mode: 'interval', interval: '1d', anchor: '06:00', timezone: 'Asia/Kathmandu' }
  const twins = { ...model, dataObjects: { Loads: object('orders', daily), Same: object('ORDERS') } }
  const { ask } = await serve({ ...BASE, MODEL_FILES: '', CACHE_BACKEND: 'memory' })
  const { session_id } = (await ask('POST', '/v1/sessions')).body
  const load = (document: object) =>
    ask('POST', `/v1/sessions/${session_id}/models`, { model_json: { ...document, dimensions: {} } })
  const { model_id } = (await load(twins)).body
  for (const name of ['Loads', 'Same']) {
    const before = secondsToSixInKathmandu()
    const { body } = await ask('POST', '/v1/query/execute', { session_id, model_id, query: counts(name) })
    t.match(body, { rows: [[1000]], ttl_source: 'interval' }, name)
    // Two answers, one before and one after six o'clock, belong to different days.
    const between = (before - body.ttl_seconds + 86_400) % 86_400
    t.ok(between < 60, `${name}: ${body.ttl_seconds} s, ${before} s before it was asked`)
  }
  const contrary = { ...twins, dataObjects: { ...twins.dataObjects, Same: object('ORDERS', { mode: 'static' }) } }
  t.match(await load(contrary), { status: 422, body: { errors: [{ code: 'SHARED_TABLE_CONTRACT_DISAGREEMENT' }] } })
})

/** Kathmandu is 5 hours and 45 minutes ahead of UTC during the whole year. */
const secondsToSixInKathmandu = (): number => {
  const secondOfDay = (Math.floor(Date.now() / 1000) + 5.75 * 3600) % 86_400
  return (6 * 3600 - secondOfDay + 86_400) % 86_400
}

t.test('a served process keeps its disk limit, and sweeps expired entries by itself', async (t) => {
  holds(t, 'cache.disk-bytes', 'cache.sweep')
  const bounded = { ...kept, CACHE_DIR: path.join(folder, 'bounded'), CACHE_MAX_DISK_BYTES: '20000' }
  const one = await serve({ ...BASE, ...bounded })
  const bytes = () => filesOf(bounded.CACHE_DIR).reduce((sum, file) => sum + sizeOf(file), 0)
  for (let limit = 1; limit <= 40; limit++) {
    await untilCached(one, { ...byKind, limit: limit * 10 })
    const most = bytes()
    t.ok(most <= 20_000, `${most} bytes`)
  }
  t.ok(bytes() > 0)
  const brief = { ...kept, CACHE_DIR: path.join(folder, 'brief'), CACHE_SWEEP_INTERVAL_SECONDS: '1', CACHE_MIN_TTL_SECONDS: '1' }
  const policy = { CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: '2' }
  const swept = await serve({ ...BASE, ...brief, ...policy })
  const written = () => entriesIn(brief.CACHE_DIR).length
  while (written() === 0) await run(swept, counts('Visits'))
  // The entry is removed by the sweep alone: no request reads it again.
  while (written() > 0) await new Promise((turn) => setTimeout(turn, 50))
})

t.test('a served process that is killed while it writes leaves whole entries or none', async (t) => {
  holds(t, 'cache.killed')
  const killed = { ...kept, CACHE_DIR: path.join(folder, 'killed') }
  const lists = Array.from({ length: 40 }, (_, i) => ({ ...byKind, limit: 100 + i }))
  for (let i = 0; i < 4 || entriesIn(killed.CACHE_DIR).length === 0; i++) {
    const { ask, process } = await serve({ ...BASE, ...killed })
    const asked = lists.map((query) => ask('POST', '/v1/query/execute', { query }).catch(() => undefined))
    await asked[(i * 8) % asked.length]
    process.signal('SIGKILL')
    await Promise.all([process.ended, ...asked])
  }
  const after = await serve({ ...BASE, ...killed })
  const { entry_count } = (await after.ask('GET', '/v1/cache/stats')).body
  t.equal(entry_count, entriesIn(killed.CACHE_DIR).length, 'each entry is whole')
  const answers = await Promise.all(lists.map((query) => run(after, query)))
  const rows = (await run(after, byKind)).rows
  for (const [i, answer] of answers.entries()) t.same(answer.rows, rows.slice(0, 100 + i), `${i} kept: ${answer.cached}`)
})

/** 0 for a file that no longer exists. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const entriesIn = (folder: string) => (existsSync(folder) ? filesOf(folder).filter((file) => file.endsWith('.entry')) : [])

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** One bit in the middle is flipped. */
function spoil(file: string): void {
  const bytes = readFileSync(file)
  if (bytes.length === 0) return
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(file, bytes)
}
