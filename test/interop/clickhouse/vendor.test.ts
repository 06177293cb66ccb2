/** The vendor on a real ClickHouse server: the suite of the core, and tests that need a server. */
import { silentLogger } from '@grainline/core'
import type { ConformanceValue } from '@grainline/core/testing'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { clickhouseVendor, plansOf } from '@grainline/vendor-clickhouse'
import t from 'tap'
import { orSkip } from '../or-skip.js'
import { count, NUMBER, nullsOf, outlivesItsServer, until, value, vendorOn } from '../vendor-suite.js'
import { startServer } from './server.js'

/** The types that the server of 2018 supports; values.test.ts has the others. */
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
  ...nullsOf({
    string: 'Nullable(String)',
    boolean: 'Nullable(UInt8)',
    int: 'Nullable(Int64)',
    float: 'Nullable(Float64)',
    date: 'Nullable(Date)',
    time: 'Nullable(String)',
    timestamp: 'Nullable(DateTime)',
    timestamp_tz: 'Nullable(DateTime)',
    json: 'Nullable(String)',
  }),
  value('NULL', decimal(10, 2), null),
]

const numbers = (count: number): string => `SELECT toInt64(number) AS n FROM system.numbers LIMIT ${count}`
const endless = (mark: number): string => `SELECT count() + ${mark} AS n FROM system.numbers WHERE number % 7 > 8`

t.setTimeout(300_000)
await orSkip(
  t,
  startServer,
  (server) => server.stop(),
  (server) => {
    const open = (more: object = {}) =>
      clickhouseVendor(plansOf({ host: '127.0.0.1', port: server.port, ...more }, { CLICKHOUSE_URL: undefined })[0]!, {
        waitMs: 5000,
      }).connect({ logger: silentLogger, poolSize: 2 })
    const running = async (mark: number): Promise<number> =>
      Number(
        await server.ask(
          `SELECT count() FROM system.processes WHERE query LIKE '%+ ${mark} AS%' AND query NOT LIKE '%processes%'`,
        ),
      )

    vendorOn(t, {
      open,
      numbers,
      endless,
      running,
      failsLate: `SELECT toInt64(number) + throwIf(number > 1000000) AS n FROM system.numbers`,
      values: VALUES,
      traces: [
        {
          what: 'a setting, which a statement has for itself alone',
          leave: 'SELECT 1 AS n SETTINGS max_result_rows = 7',
          seen: "SELECT toInt64(value) AS n FROM system.settings WHERE name = 'max_result_rows'",
        },
      ],
      // EXPLAIN is newer than the server; values.test.ts tests it.
      explains: false,
    })

    t.test('an answer that is abandoned in the middle is stopped in the database', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const sql = 'SELECT toInt64(number) + 73 AS n FROM system.numbers'
      for await (const _ of connection.query(sql, { schema: NUMBER })) break
      t.equal(await until(running, 73, 0), 0)
    })

    t.test('a filter of ten thousand long texts is longer than the default query size of a server', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const texts = Array.from({ length: 10_000 }, (_, i) => `'${String(i).padStart(36, 'é')}'`)
      const sql = `SELECT n FROM (SELECT toInt64(number) AS n FROM system.numbers LIMIT 3) WHERE toString(n) NOT IN (${texts.join(', ')})`
      t.equal(await count(connection, sql), 3)
    })

    outlivesItsServer(t, { open, server, one: 'SELECT toInt64(1) AS n', many: 'SELECT toInt64(number) AS n FROM system.numbers' })

    t.test('sessions are read-only, with the time limit of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 1000 })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, 'CREATE TABLE nothing (n Int64) ENGINE = Memory'), {
        code: 'DATABASE_ERROR',
        message: /readonly/i,
      })
      await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT', message: /timeout/i })
      t.equal(await server.ask("SELECT count() FROM system.tables WHERE name = 'nothing'"), '0')
    })
  },
)
