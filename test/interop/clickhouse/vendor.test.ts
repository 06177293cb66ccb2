/** The vendor on a real ClickHouse server: the suite of the core, and what only a server shows. */
import {
  BOOLEAN,
  type ConformanceValue,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  silentLogger,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type Value,
  type VendorConnection,
  vendorConformance,
} from '@grainline/core'
import { clickhouseVendor, plansOf } from '@grainline/vendor-clickhouse'
import t from 'tap'
import { startServer } from './server.js'

const value = (sql: string, type: DataType, wanted: Value): ConformanceValue => ({
  sql: `SELECT ${sql} AS v`,
  type,
  value: wanted,
})
const nullOf = (sql: string, type: DataType) => value(`CAST(NULL AS Nullable(${sql}))`, type, null)

/** What the server of 2018 has types for; values.test.ts has the others. */
const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("'tab\\t, line\\n, back\\\\slash, \\\\N'", STRING, 'tab\t, line\n, back\\slash, \\N'),
  value("''", STRING, ''),
  value('1 = 1', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('toInt64(9223372036854775807)', INT, 9223372036854775807n),
  value("toInt64('-9223372036854775808')", INT, -9223372036854775808n),
  value('0.1', FLOAT, 0.1),
  value('-inf', FLOAT, Number.NEGATIVE_INFINITY),
  value('nan', FLOAT, Number.NaN),
  value("toDecimal128('-999999999999999999999999999999999.99', 2)", decimal(38, 2), '-999999999999999999999999999999999.99'),
  value("toUInt64('18446744073709551615')", decimal(38, 0), '18446744073709551615'),
  value("toDate('2024-02-29')", DATE, '2024-02-29'),
  value("'23:59:58.000001'", TIME, '23:59:58.000001'),
  value("toDateTime('2024-02-29 23:59:59', 'UTC')", TIMESTAMP, '2024-02-29T23:59:59'),
  value("toDateTime('2024-02-29 12:00:00', 'UTC')", TIMESTAMP_TZ, '2024-02-29T12:00:00Z'),
  value(`'{"a": 1}'`, JSON_TYPE, '{"a": 1}'),
  nullOf('String', STRING),
  nullOf('UInt8', BOOLEAN),
  nullOf('Int64', INT),
  nullOf('Float64', FLOAT),
  value('NULL', decimal(10, 2), null),
  nullOf('Date', DATE),
  nullOf('String', TIME),
  nullOf('DateTime', TIMESTAMP),
  nullOf('DateTime', TIMESTAMP_TZ),
  nullOf('String', JSON_TYPE),
]

const NUMBER = [{ name: 'n', type: INT, role: 'field' }] as const
const numbers = (count: number): string => `SELECT toInt64(number) AS n FROM system.numbers LIMIT ${count}`
const endless = (mark: number): string => `SELECT count() + ${mark} AS n FROM system.numbers WHERE number % 7 > 8`

async function count(connection: VendorConnection, sql: string, each: (rows: number) => void = () => {}): Promise<number> {
  let rows = 0
  for await (const batch of connection.query(sql, { schema: NUMBER })) {
    rows += batch.rowCount
    each(rows)
  }
  return rows
}

t.setTimeout(300_000)
const server = await startServer()
if (typeof server === 'string') t.plan(0, server)
else {
  t.teardown(() => server.stop())
  const open = (more: object = {}) =>
    clickhouseVendor(plansOf({ host: '127.0.0.1', port: server.port, ...more }, { CLICKHOUSE_URL: undefined })[0]!, {
      waitMs: 1500,
    }).connect({ logger: silentLogger, poolSize: 2 })
  const running = (mark: number): Promise<string> =>
    server.ask(`SELECT count() FROM system.processes WHERE query LIKE '%+ ${mark} AS%' AND query NOT LIKE '%processes%'`)
  const until = async (mark: number, wanted: string): Promise<string> => {
    for (let tries = 0; tries < 100 && (await running(mark)) !== wanted; tries++) await new Promise((r) => setTimeout(r, 50))
    return running(mark)
  }

  vendorConformance(t, {
    connect: () => open(),
    // EXPLAIN is younger than the server; values.test.ts shows it.
    explains: false,
    sql: {
      rows: numbers,
      endless: endless(0),
      failsLate: `SELECT toInt64(number) + throwIf(number > 1000000) AS n FROM system.numbers`,
      values: VALUES,
    },
  })

  t.test('a million rows pass through in constant memory', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    await count(connection, numbers(1_000_000))
    let most = 0
    const before = process.memoryUsage.rss()
    const rows = await count(connection, numbers(1_000_000), () => {
      most = Math.max(most, process.memoryUsage.rss() - before)
    })
    t.equal(rows, 1_000_000)
    t.ok(most < 100 * 2 ** 20, `${Math.round(most / 2 ** 20)} MB more at most`)
  })

  t.test('a cancelled statement is gone from system.processes, not just from here', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    const abort = new AbortController()
    const doomed = connection.query(endless(71), { schema: NUMBER, signal: abort.signal })[Symbol.asyncIterator]().next()
    const other = count(connection, endless(72))
    t.equal(await until(71, '1'), '1')
    t.equal(await until(72, '1'), '1')
    abort.abort(new Error('enough'))
    await t.rejects(doomed, { message: 'enough' })
    t.equal(await until(71, '0'), '0')
    t.equal(await running(72), '1', 'the other one still runs')
    const refused = t.rejects(other, { code: 'QUERY_CANCELLED' })
    await connection.close()
    await refused
    t.equal(await until(72, '0'), '0')
  })

  t.test('an answer that is given up midway is ended in the database', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    const sql = 'SELECT toInt64(number) + 73 AS n FROM system.numbers'
    for await (const _ of connection.query(sql, { schema: NUMBER })) break
    t.equal(await until(73, '0'), '0')
  })

  t.test('a server that dies within an answer is one clear error, and the pool is healthy once it is back', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    t.equal(await count(connection, 'SELECT toInt64(1) AS n'), 1)
    let killed: Promise<void> | undefined
    const broken = count(connection, 'SELECT toInt64(number) AS n FROM system.numbers', () => {
      killed ??= server.kill()
    })
    await t.rejects(broken, { code: 'DATABASE_ERROR' })
    await killed
    await t.rejects(count(connection, 'SELECT toInt64(1) AS n'), { code: 'DATABASE_ERROR', message: /lost or refused/ })
    await server.start()
    for (let i = 0; i < 4; i++) t.equal(await count(connection, 'SELECT toInt64(1) AS n'), 1)
  })

  t.test('sessions read only, within the time of the configuration', async (t) => {
    const connection = await open({ statementTimeoutMs: 1000 })
    t.teardown(() => connection.close())
    await t.rejects(count(connection, 'CREATE TABLE nothing (n Int64) ENGINE = Memory'), {
      code: 'DATABASE_ERROR',
      message: /readonly/i,
    })
    await t.rejects(count(connection, endless(5)), { code: 'DATABASE_ERROR', message: /timeout/i })
    t.equal(await server.ask("SELECT count() FROM system.tables WHERE name = 'nothing'"), '0')
  })
}
