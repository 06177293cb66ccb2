/** Answers of a server in a file of Keyv: the same rows from the cache, also after a restart. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import keyv from '@grainline/cache-keyv'
import duckdb from '@grainline/vendor-duckdb'
import t from 'tap'
import { start as startProcess } from '../host/process.js'
import { dialects, startRest } from '../rest/server.js'

const folder = mkdtempSync(path.join(tmpdir(), 'grainline-keyv-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const model = {
  name: 'shop',
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Price: { code: 'price', abstractType: 'float' } },
    },
  },
  measures: { Revenue: { columns: [{ dataObject: 'Orders', column: 'Price' }], aggregation: 'sum' } },
}
const query = { select: { measures: ['Revenue'] } }

const database = path.join(folder, 'shop.duckdb')
const writing = await DuckDBInstance.create(database)
await (await writing.connect()).run('CREATE TABLE orders AS SELECT 1 AS id, 2.5::DOUBLE AS price')
writing.closeSync()
const file = path.join(folder, 'shop.json')
writeFileSync(file, JSON.stringify(model))

const start = (options: Record<string, unknown>, settings: Record<string, unknown> = {}) =>
  startRest({
    plugins: [...dialects, { use: duckdb, with: { database } }, { use: keyv, with: options }],
    settings: { QUERY_EXECUTE: true, CACHE_BACKEND: 'keyv', CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', ...settings },
    preload: [{ session: 'shop', model: file }],
  })

const inFile = { store: 'keyv-file', options: { filename: path.join(folder, 'answers.json'), writeDelay: 1 }, shared: false }

t.test('an answer is kept across a restart, and a cleared cache is empty', async (t) => {
  const ask = async (server: Awaited<ReturnType<typeof start>>) => (await server.post('/v1/query/execute', { query })).body
  const first = await start(inFile, { CACHE_KEY: 'a secret of sixteen' })
  t.match(await ask(first), { rows: [[2.5]], cached: false })
  t.match(await ask(first), { rows: [[2.5]], cached: true })
  await first.close()
  const second = await start(inFile, { CACHE_KEY: 'a secret of sixteen' })
  t.teardown(() => second.close())
  t.match(await ask(second), { rows: [[2.5]], cached: true }, 'the file is read again')
  await second.post('/v1/cache/clear')
  t.match(await ask(second), { rows: [[2.5]], cached: false })
})

t.test('a store that others may write needs a key', async (t) => {
  await t.rejects(start({ ...inFile, shared: true }), { code: 'INVALID_VARIABLE', path: 'CACHE_KEY' })
})

t.test('a store that is not installed is named', async (t) => {
  await t.rejects(start({ store: '@keyv/none' }), /'@keyv\/none' of Keyv cannot be loaded/)
})

t.test('the command finds a store also when it runs code that an earlier start compiled', async (t) => {
  const store = createRequire(import.meta.url).resolve('keyv-file')
  const config = path.join(folder, 'served.yaml')
  const options = { store, options: { filename: path.join(folder, 'served.json') }, shared: false }
  const plugins = ['@grainline/surface-rest', { use: '@grainline/cache-keyv', with: options }]
  writeFileSync(config, JSON.stringify({ plugins, settings: { CACHE_BACKEND: 'keyv' } }))
  for (const start of ['first', 'second', 'third']) {
    const server = startProcess(t, ['serve', '--config', config], { cwd: folder, env: { PORT: '0' } })
    t.ok(await server.shows(/Surface rest listens/), start)
    server.signal('SIGTERM')
    await server.ended
  }
})
