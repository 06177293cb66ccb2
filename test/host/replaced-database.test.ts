/** A DuckDB file that is replaced or deleted while it is served. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { serve } from '../rest/serve.js'
import { holds } from '../specification/holds.js'

t.setTimeout(300_000)

const folder = t.testdir({})
const served = path.join(folder, 'shop.duckdb')

async function write(file: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

const column = (code: string, abstractType: string) => ({ code, abstractType })
const model = {
  version: 1,
  name: 'shop',
  dataObjects: {
    Orders: { code: 'orders', columns: { Amount: column('amount', 'float') }, refresh: { mode: 'static' } },
  },
  measures: { Total: { columns: [{ dataObject: 'Orders', column: 'Amount' }], aggregation: 'sum' } },
}
const query = { query: { select: { measures: ['Total'] } } }

t.test('a replaced file makes the server not ready until SIGHUP opens it; then no answer is of the old file', async (t) => {
  holds(t, 'duckdb.replaced')
  await write(served, 'CREATE TABLE orders AS SELECT 1 AS amount')
  writeFileSync(path.join(folder, 'shop.yaml'), JSON.stringify(model))
  const settings = {
    QUERY_EXECUTE: 'true',
    DUCKDB_DATABASE: served,
    MODEL_FILES: path.join(folder, 'shop.yaml'),
    CACHE_BACKEND: 'memory',
  }
  const { ask, process } = await serve(settings, folder)
  const total = async () => {
    const { body } = await ask('POST', '/v1/query/execute', query)
    return body.rows ?? body
  }
  const status = async () => (await ask('GET', '/ready')).status
  t.same(await total(), [[1]])
  t.equal(await status(), 200)

  const next = path.join(folder, 'next.duckdb')
  // With another type, so that the known types of the columns do not fit.
  await write(next, 'CREATE TABLE orders AS SELECT 20::DOUBLE AS amount')
  renameSync(next, served)
  t.match(await ask('GET', '/ready'), { status: 503, body: { code: 'NOT_READY', detail: /replaced/, hint: /SIGHUP/ } })
  t.equal((await ask('GET', '/health')).status, 200)
  await process.shows(/The database file shop\.duckdb was replaced or changed after it was opened.*Send SIGHUP/)
  process.signal('SIGHUP')
  await process.shows(/The database of duckdb is open again/)
  while ((await status()) !== 200) await process.shows(/./)
  t.same(await total(), [[20]], 'and not the cached answer')

  rmSync(served)
  t.equal(await status(), 503)
  await process.shows(/shop\.duckdb was deleted after it was opened.*Restore it, and send SIGHUP/)
  process.signal('SIGHUP')
  await process.shows(/The database of duckdb stays as it is/)
  t.same(await total(), [[20]], 'what was open goes on')
  await write(served, 'CREATE TABLE orders AS SELECT 300 AS amount')
  process.signal('SIGHUP')
  while ((await status()) !== 200) await process.shows(/./)
  t.same(await total(), [[300]])
})

t.test('a file that init attaches is compared, too, and a warning names one that is attached for writing', async (t) => {
  holds(t, 'duckdb.attached')
  const [shared, locked] = ['shared', 'locked'].map((name) => path.join(folder, `${name}.duckdb`)) as [string, string]
  for (const file of [shared, locked]) await write(file, 'CREATE TABLE orders AS SELECT 1 AS amount')
  const { Orders } = model.dataObjects
  const attached = { ...model, dataObjects: { Orders: { ...Orders, database: 'shared', schema: 'main' } } }
  writeFileSync(path.join(folder, 'attached.yaml'), JSON.stringify(attached))
  const init = [`ATTACH '${shared}' AS shared (READ_ONLY)`, `ATTACH '${locked}' AS locked`]
  const plugins = [
    ...['dialect-duckdb', 'semantic-ql', 'surface-rest', 'cache-memory'].map((name) => `@grainline/${name}`),
    { use: '@grainline/vendor-duckdb', with: { init } },
  ]
  writeFileSync(path.join(folder, 'attached-config.yaml'), JSON.stringify({ plugins }))
  const settings = { QUERY_EXECUTE: 'true', MODEL_FILES: path.join(folder, 'attached.yaml'), CACHE_BACKEND: 'memory' }
  const { ask, process } = await serve(settings, folder, path.join(folder, 'attached-config.yaml'))
  const total = async () => (await ask('POST', '/v1/query/execute', query)).body.rows
  const status = async () => (await ask('GET', '/ready')).status
  t.same(await total(), [[1]])
  t.equal(await status(), 200)
  await process.shows(/init attaches the database file locked\.duckdb for writing.*Write ATTACH 'locked\.duckdb' … \(READ_ONLY\)/)
  t.notMatch(process.stdout() + process.stderr(), /attaches the database file shared/)

  const next = path.join(folder, 'next.duckdb')
  await write(next, 'CREATE TABLE orders AS SELECT 20 AS amount')
  renameSync(next, shared)
  t.match(await ask('GET', '/ready'), { status: 503, body: { code: 'NOT_READY', detail: /replaced/, hint: /SIGHUP/ } })
  await process.shows(/The database file shared\.duckdb was replaced or changed/)
  process.signal('SIGHUP')
  while ((await status()) !== 200) await process.shows(/./)
  t.same(await total(), [[20]], 'and not the cached answer')

  rmSync(shared)
  t.equal(await status(), 503)
  await process.shows(/shared\.duckdb was deleted after it was opened/)
})
