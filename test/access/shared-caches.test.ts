/** Stores of answers between principals: each gets its own answer, whoever asked before, also if entries change places, and none is cut because its first reader left. */
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import keyv from '@grainline/cache-keyv'
import memory from '@grainline/cache-memory'
import t, { type Test } from 'tap'
import { watchedStore } from '../support/watched-store.js'
import { QUERIES } from './doors.js'
import { type Served, servedShop } from './served.js'
import { KEYS, TABLES, type Who } from './shop.js'

const KEPT = {
  CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl',
  CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 300,
  CACHE_KEY: 'a key of sixteen characters',
}
const PRINCIPALS = ['north', 'south', 'empty', 'auditor', 'developer', 'none', 'also', 'ops'] as const

const answerOf = async (shop: Served, who: Who, query: object): Promise<string> => {
  const { body } = await shop.post(who, '/v1/query/execute', { query })
  const { rows, code, columns, sql, warnings } = body
  return JSON.stringify({ rows, code, columns, sql, warnings })
}

/** What each principal is answered without a cache, in the order of the queries. */
async function everyAnswer(shop: Served): Promise<readonly string[]> {
  const said: string[] = []
  for (const query of QUERIES) for (const who of PRINCIPALS) said.push(`${who} ${await answerOf(shop, who, query)}`)
  return said
}

const served = (t: Test, settings: object, plugins: NonNullable<Parameters<typeof servedShop>[1]>['plugins'] = []) =>
  servedShop(t, { settings: { ...KEPT, ...settings }, plugins })

t.test(
  'no answer of one principal is given to another, cold and warm, also if the entries of a store change places',
  async (t) => {
    const { plugin, held, written } = watchedStore()
    const wanted = await everyAnswer(await served(t, { CACHE_BACKEND: 'noop' }))
    t.ok(new Set(wanted).size > 60, 'principals have different answers')
    const shop = await served(t, { CACHE_BACKEND: 'watched' }, [plugin])
    t.strictSame(await everyAnswer(shop), wanted, 'cold')
    t.strictSame(await everyAnswer(shop), wanted, 'warm')
    const answers = [...written.keys()].filter((key) => key.startsWith('answer/'))
    t.ok(answers.length > 30, `${answers.length} entries`)
    t.notMatch(answers.join('\n'), /North|South|sales|north/, 'no key of an entry says what a principal may see')
    for (const [i, key] of answers.entries()) await held.set(key, written.get(answers[(i + 1) % answers.length]!)!, 300)
    t.strictSame(await everyAnswer(shop), wanted, 'an entry in the place of another is none')
  },
)

t.test('servers that share a store of Keyv', async (t) => {
  const wanted = await everyAnswer(await served(t, { CACHE_BACKEND: 'noop' }))
  const options = { filename: join(await folder(t), 'answers.json'), writeDelay: 1 }
  const plugins = [{ use: keyv, with: { store: 'keyv-file', shared: true, options } }]
  const first = await served(t, { CACHE_BACKEND: 'keyv' }, plugins)
  t.strictSame(await everyAnswer(first), wanted, 'cold')
  await first.app.close()
  const second = await served(t, { CACHE_BACKEND: 'keyv', DUCKDB_DATABASE: join(first.folder, 'shop.duckdb') }, plugins)
  t.strictSame(await everyAnswer(second), wanted, 'warm')
  const { body } = await second.get('ops', '/v1/cache/stats')
  t.ok(body.hit_count_total > 30, JSON.stringify(body))
})

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'grainline-caches-'))
  t.teardown(() => rm(path, { recursive: true }))
  return path
}

const ROWS = 30_000
/** Orders of one customer, so that the north sees all of them. */
const MANY = TABLES.map((table) =>
  table.startsWith('CREATE TABLE orders')
    ? `CREATE TABLE orders AS SELECT i AS id, 1 AS customer_id, 1 AS referrer_id, i AS amount FROM range(${ROWS}) AS t(i)`
    : table,
)

/** Sends a request and leaves after so many bytes of the answer. */
function leaving(address: string, body: object, { url, after }: { readonly url: string; readonly after: number }): Promise<void> {
  const { hostname, port } = new URL(address)
  const text = JSON.stringify(body)
  const socket = net.connect({ host: hostname, port: Number(port) })
  socket.write(
    `POST ${url} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEYS.north}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  let read = 0
  socket.on('error', () => {})
  socket.on('data', (piece) => {
    read += piece.length
    if (read >= after) socket.destroy()
  })
  if (after === 0) socket.once('connect', () => setImmediate(() => socket.destroy()))
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

t.test('an answer whose first reader leaves is whole for the next', async (t) => {
  const shop = await servedShop(t, { tables: MANY, settings: { ...KEPT, CACHE_BACKEND: 'memory' }, plugins: [memory] })
  const address = await shop.listen()
  let limit = ROWS
  for (const format of ['json', 'csv', 'ndjson', 'arrow'])
    for (const after of [0, 1, 2000, 100_000]) {
      limit -= 1
      const query = { select: { fields: ['Orders.Id', 'Orders.Amount'] }, limit }
      const url = `/v1/query/execute?format=${format}`
      await leaving(address, { query }, { url, after })
      const again = await Promise.all(
        (['north', 'also'] as const).map((who) => shop.post(who, '/v1/query/execute?format=ndjson', { query })),
      )
      for (const { text, status } of again) {
        t.equal(status, 200)
        t.equal(
          text
            .trim()
            .split('\n')
            .filter((line) => /^[[{]/.test(line)).length >= limit,
          true,
          `${format}, after ${after} bytes: ${text.slice(-100)}`,
        )
      }
      t.equal(again[0]?.text.replace(/"execution_time_ms":[\d.]+/, ''), again[1]?.text.replace(/"execution_time_ms":[\d.]+/, ''))
    }
})
