import { silentLogger } from '@grainline/core'
import t, { type Test } from 'tap'
import { openDatabase } from './database.js'
import { type Driver, loadDuckdb } from './driver.js'
import { planOf } from './options.js'
import type { Running } from './running.js'
import { openSession } from './session.js'

const MB = 1024 * 1024

/** Each keeps a hash table of 4 MB once it has run. */
const joined = (number: number) =>
  `SELECT a.range, b.range FROM range(1000) a LEFT JOIN range(300000) b ON b.range = a.range * ${number} LIMIT 5000`

/** A session over a database of its own, what statements hold of its memory, and which texts were prepared. */
async function opened(t: Test) {
  const { api, bindings } = await loadDuckdb()
  const texts: string[] = []
  const prepare: typeof bindings.prepare = (connection, sql) => {
    texts.push(sql)
    return bindings.prepare(connection, sql)
  }
  const driver: Driver = { api, bindings: Object.create(bindings, { prepare: { value: prepare } }) }
  const database = await openDatabase(planOf({}, { DUCKDB_DATABASE: undefined }), driver, silentLogger)
  const session = await openSession(database, driver)
  const looking = await database.connect()
  t.teardown(() => {
    session.close()
    bindings.disconnect_sync(looking)
    database.close()
  })
  const held = async () => {
    const sql = 'SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory()'
    const answer = await new api.DuckDBConnection(looking).runAndReadAll(sql)
    return Number(answer.getRows()[0]?.[0])
  }
  const readAll = async ({ result, finish }: Running) => {
    for (let chunk = await bindings.fetch_chunk(result); chunk !== null; chunk = await bindings.fetch_chunk(result))
      if (bindings.data_chunk_get_size(chunk) === 0) break
    await finish()
  }
  const run = async (sql: string) => readAll(await session.start(sql))
  return { session, held, run, bindings, prepared: (sql: string) => texts.filter((text) => text === sql).length }
}

t.test('prepared statements occupy a bounded share of the memory', async (t) => {
  const { run, held } = await opened(t)
  for (let i = 1; i <= 20; i++) {
    await run(joined(i))
    const bytes = await held()
    t.ok(bytes < 33 * MB, `${bytes} bytes after ${i} statements`)
  }
})

t.test('an answer that is abandoned leaves nothing in memory', async (t) => {
  const { session, held, bindings } = await opened(t)
  const many = 'SELECT range, count(*) FROM range(1000000) GROUP BY range'
  const { result } = await session.start(many)
  await bindings.fetch_chunk(result)
  t.ok((await held()) > 10 * MB)
  await session.settle()
  t.ok((await held()) < MB)
})

t.test('a statement that fails while it is read leaves nothing in memory', async (t) => {
  const { run, held } = await opened(t)
  const value = "CASE WHEN a.range < 200000 THEN b.range ELSE ('x' || a.range)::BIGINT END"
  const late = `SELECT ${value} FROM range(300000) a LEFT JOIN range(300000) b ON b.range = a.range`
  await t.rejects(run(late), { message: /Could not convert/ })
  t.ok((await held()) < MB)
})

t.test('a statement that occupies little memory stays prepared', async (t) => {
  const { run, prepared, session } = await opened(t)
  const small = joined(7)
  await session.prepare(small)
  for (let i = 0; i < 3; i++) await run(small)
  t.equal(prepared(small), 1)
})
