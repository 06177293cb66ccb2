/**
 * Principals of one model whose answers a real Redis holds, for `redis` and for Keyv on it: each gets the answers that it has without a cache, also from another process that
 * finds them warm, and whatever is in its attributes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { MODEL } from '../../access/shop.js'
import { start } from '../../host/process.js'
import { redisBinary, redisServer } from './server.js'

/** The regions of each principal. Joined, quoted or read as a pattern or a command, some would be others. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  both: ['North', 'South'],
  turned: ['South', 'North'],
  joined: ['North,South'],
  quoted: ['North","South'],
  listed: ['["North","South"]'],
  north: ['North'],
  south: ['South'],
  pattern: ['*'],
  command: ['North\r\nFLUSHALL\r\n'],
  key: ['grainline:answer/*'],
  proto: ['__proto__'],
  spaced: ['North '],
  nobody: [],
}
const PRINCIPALS = Object.keys(REGIONS)
t.setTimeout(300_000)
const keyOf = (name: string): string => `svc_pat_${name}_0123456789abcdef0123456789abcdef`

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const NAMES = [...new Set(Object.values(REGIONS).flat())]
/** A region, a customer and an order for each value of an attribute. */
const TABLES = [
  `CREATE TABLE regions AS SELECT * FROM (VALUES ${NAMES.map((name) => `(${text(name)})`).join(', ')}) AS t(name)`,
  `CREATE TABLE customers AS SELECT * FROM (VALUES ${NAMES.map((name, i) => `(${i}, 'c${i}', ${text(name)}, '${i}')`).join(', ')}) AS t(id, name, region, zip)`,
  `CREATE TABLE orders AS SELECT i AS id, i AS customer_id, i AS referrer_id, CAST(2 ** i AS BIGINT) AS amount FROM range(${NAMES.length}) AS t(i)`,
  'CREATE TABLE products AS SELECT 1 AS id',
]
const QUESTIONS: readonly (readonly [path: string, body: object])[] = [
  ['execute', { query: { select: { measures: ['Revenue'] } } }],
  ['execute', { query: { select: { dimensions: ['Customer'], measures: ['Revenue', 'Average'] } } }],
  ['execute', { query: { select: { fields: ['Orders.Id', 'Customers.Name'] } } }],
  ['semantic-ql', { sql: 'SELECT "Revenue" FROM shop' }],
  ['semantic-ql', { sql: 'SELECT sum(r) AS s, count(*) AS n FROM (SELECT "Customer", "Revenue" AS r FROM shop) AS x' }],
]
/** Together they have the sum of their own rows. */
const revenueOf = (name: string): number => REGIONS[name]!.reduce((sum, region) => sum + 2 ** NAMES.indexOf(region), 0)

async function folder(t: Test): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'grainline-redis-'))
  t.teardown(() => rm(cwd, { recursive: true }))
  const instance = await DuckDBInstance.create(join(cwd, 'shop.duckdb'))
  const connection = await instance.connect()
  for (const statement of TABLES) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
  const keys = PRINCIPALS.map((name) => ({ name, key: keyOf(name), roles: ['sales'], attributes: { regions: REGIONS[name] } }))
  await writeFile(join(cwd, 'keys.yaml'), JSON.stringify([...keys, { name: 'ops', key: keyOf('ops'), roles: ['admin'] }]))
  await writeFile(join(cwd, 'shop.yaml'), MODEL)
  return cwd
}

/** The folder of the server has no packages. */
const STORE = createRequire(import.meta.url).resolve('@keyv/redis')

const config = (cache: string, url: string): string => `plugins:
  - '@grainline/dialect-duckdb'
  - { use: '@grainline/vendor-duckdb', with: { database: shop.duckdb, readOnly: true } }
  - '@grainline/evaluator-duckdb'
  - '@grainline/semantic-ql'
  - '@grainline/surface-rest'
  - '@grainline/cache-redis'
  - { use: '@grainline/cache-keyv', with: { store: '${STORE}', options: '${url}', namespace: access } }
settings: { CACHE_BACKEND: ${cache}, CACHE_REDIS_URL: '${url}' }
`

/** A process that serves the shop, until `stop`. */
async function process(t: Test, cwd: string, cache: string, url: string) {
  const file = `${cache}.yaml.config`
  await writeFile(join(cwd, file), config(cache, url))
  const server = start(t, ['serve', '--config', file], {
    cwd,
    env: {
      ...{ PORT: '0', LOG_FORMAT: 'json', AUTH_MODE: 'api_key', API_KEYS_FILE: 'keys.yaml', QUERY_EXECUTE: 'true' },
      ...{ MODEL_DIR: cwd, MODEL_FILES: 'shop.yaml', DUCKDB_MEMORY_LIMIT: '256MB', CACHE_KEY: 'the key of this test' },
      ...{ CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: '300' },
    },
  })
  const [, address = ''] = await server.shows(/Surface rest listens on (http[^,]+), TLS/)
  const ask = async (name: string, path: string, body?: object) => {
    const method = body ? 'POST' : 'GET'
    const headers = { 'content-type': 'application/json', 'x-api-key': keyOf(name) }
    const answer = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it says.
    return { status: answer.status, body: (await answer.json()) as any }
  }
  /** What each principal is answered, one question after another, so that the next asks what was just kept. */
  const everyAnswer = async () => {
    const said: string[] = []
    let cached = 0
    for (const [path, body] of QUESTIONS)
      for (const name of PRINCIPALS) {
        const answer = await ask(name, `/v1/query/${path}`, body)
        if (answer.body.cached === true) cached++
        const { rows, columns, code } = answer.body
        said.push(`${name} ${JSON.stringify({ status: answer.status, rows, columns, code })}`)
      }
    return { said, cached }
  }
  const stop = async () => {
    server.signal('SIGTERM')
    await server.ended
  }
  return { ask, everyAnswer, stop }
}

const binary = redisBinary()
if (binary === undefined) {
  t.pass('no redis-server or valkey-server is installed (apt-get install redis-server), and REDIS_SERVER names none')
} else {
  const redis = await redisServer(binary)
  t.teardown(() => redis.stop())
  for (const cache of ['redis', 'keyv'])
    t.test(`${cache}: nobody is given what was kept for another, cold, warm, and after a restart`, async (t) => {
      const cwd = await folder(t)
      const plain = await process(t, cwd, 'noop', redis.url)
      const { said: wanted, cached: without } = await plain.everyAnswer()
      t.equal(without, 0)
      for (const [i, name] of PRINCIPALS.entries()) {
        const sum = revenueOf(name)
        t.match(wanted[i], sum === 0 ? 'null' : String(sum), `${name} has the sum of its own rows`)
      }
      t.ok(new Set(wanted.slice(0, PRINCIPALS.length).map((one) => one.replace(/^\S+ /, ''))).size >= PRINCIPALS.length - 2)
      await plain.stop()

      const first = await process(t, cwd, cache, redis.url)
      t.strictSame((await first.everyAnswer()).said, wanted, 'cold')
      const warm = await first.everyAnswer()
      t.strictSame(warm.said, wanted, 'warm')
      t.ok(warm.cached > wanted.length / 2, `${warm.cached} of ${wanted.length} were kept`)
      await first.stop()

      const second = await process(t, cwd, cache, redis.url)
      const again = await second.everyAnswer()
      t.strictSame(again.said, wanted, 'after a restart')
      t.ok(again.cached > wanted.length / 2, `${again.cached} of ${wanted.length} were found by another process`)
      t.equal((await second.ask('both', '/v1/cache/stats')).status, 403, 'what is kept is for administrators')
      t.match(await second.ask('ops', '/v1/cache/stats'), { status: 200, body: { backend: cache } })
      await second.stop()
    })
}
