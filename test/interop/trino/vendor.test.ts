/** The vendor on a real Trino: the suite of the core, and tests that need a server. */
import { silentLogger } from '@grainline/core'
import type { ConformanceValue } from '@grainline/core/testing'
import { parseModelSync } from '@grainline/core/unstable'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { plansOf, trinoVendor } from '@grainline/vendor-trino'
import t from 'tap'
import { noProbe } from '../../../core/src/cli/first-model/database-probe.js'
import { firstModel } from '../../../core/src/cli/first-model/first-model.js'
import { orSkip } from '../or-skip.js'
import { restartsServer } from '../suites.js'
import { count, isHealthy, NUMBER, nullsOf, outlivesItsServer, until, value, vendorOn } from '../vendor-suite.js'
import { ask } from './client.js'
import { startServer } from './server.js'

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("''", STRING, ''),
  value('ARRAY[9223372036854775807, NULL]', STRING, '[9223372036854775807,null]'),
  value('TRUE', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('-9223372036854775808', INT, -9223372036854775808n),
  value('9007199254740993', INT, 9007199254740993n),
  value('0.1E0', FLOAT, 0.1),
  value('4.9E-324', FLOAT, 5e-324),
  value('1.7976931348623157E308', FLOAT, Number.MAX_VALUE),
  value('-infinity()', FLOAT, Number.NEGATIVE_INFINITY),
  value('nan()', FLOAT, Number.NaN),
  value("DECIMAL '99999999999999999999999999999999999999'", decimal(38, 0), '99999999999999999999999999999999999999'),
  value('-999999999999999999999999999999999999.99', decimal(38, 2), '-999999999999999999999999999999999999.99'),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value("DATE '9999-12-31'", DATE, '9999-12-31'),
  value("DATE '0001-01-01'", DATE, '0001-01-01'),
  value("TIME '23:59:58.000001'", TIME, '23:59:58.000001'),
  value("TIMESTAMP '2024-02-29 23:59:59.999999'", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("TIMESTAMP '1969-12-31 00:00:00'", TIMESTAMP, '1969-12-31T00:00:00'),
  value("TIMESTAMP '2024-02-29 12:00:00.000001 UTC'", TIMESTAMP_TZ, '2024-02-29T12:00:00.000001Z'),
  value("TIMESTAMP '2024-07-01 12:00:00 Europe/Paris'", TIMESTAMP_TZ, '2024-07-01T10:00:00Z'),
  value("TIMESTAMP '2024-07-01 12:00:00 +05:30'", TIMESTAMP_TZ, '2024-07-01T06:30:00Z'),
  value("TIMESTAMP '2024-10-27 02:30:00 Europe/Paris' AT TIME ZONE 'UTC'", TIMESTAMP_TZ, '2024-10-27T00:30:00Z'),
  value(`JSON '{"a": 1}'`, JSON_TYPE, '{"a":1}'),
  value('NULL', INT, null),
  ...nullsOf({
    string: 'VARCHAR',
    boolean: 'BOOLEAN',
    int: 'BIGINT',
    float: 'DOUBLE',
    decimal: 'DECIMAL(10, 2)',
    date: 'DATE',
    time: 'TIME(6)',
    timestamp: 'TIMESTAMP(6)',
    timestamp_tz: 'TIMESTAMP(6) WITH TIME ZONE',
    json: 'JSON',
  }),
]

/** https://trino.io/docs/current/functions/table.html#sequence-table-function */
const integers = (count: number): string =>
  `(SELECT sequential_number AS n FROM TABLE(SEQUENCE(start => 0, stop => ${Math.max(0, count - 1)})))`
const numbers = (count: number): string => `SELECT n FROM ${integers(count)} WHERE n < ${count}`
const MILLION = integers(1_000_000)
const endless = (mark: number): string =>
  `SELECT COUNT(*) + ${mark} AS n FROM ${MILLION} AS x CROSS JOIN ${MILLION} AS y WHERE x.n % 7 > y.n`
const ONE = 'SELECT 1 AS n'

t.setTimeout(600_000)
await orSkip(
  t,
  () => startServer({ secured: true }),
  (server) => server.stop(),
  (server) => {
    const plan = (more: object = {}) =>
      plansOf(
        { host: '127.0.0.1', port: server.port, catalog: 'memory', schema: 'default', ...more },
        { TRINO_URL: undefined, TRINO_TOKEN: undefined },
      )[0]!
    const open = (more: object = {}) => trinoVendor(plan(more), { waitMs: 5000 }).connect({ logger: silentLogger, poolSize: 2 })
    const running = async (mark: number): Promise<number> => {
      const { rows } = await ask(
        server.port,
        `SELECT query_id FROM system.runtime.queries WHERE query LIKE '%+ ${mark} AS%' AND query NOT LIKE '%system.runtime%' AND state NOT IN ('FINISHED', 'FAILED')`,
      )
      return rows.length
    }

    vendorOn(t, {
      open,
      numbers,
      endless,
      running,
      failsLate: `SELECT n / (CASE WHEN n < 900000 THEN 1 ELSE 0 END) AS n FROM ${MILLION}`,
      values: VALUES,
    })

    t.test('an answer that is abandoned in the middle is stopped in the cluster, and so is its transaction', async (t) => {
      const connection = await open()
      const sql = `SELECT n + 73 AS n FROM ${MILLION}`
      for await (const _ of connection.query(sql, { schema: NUMBER })) break
      t.equal(await until(running, 73, 0), 0)
      await connection.close()
      const { rows } = await ask(
        server.port,
        'SELECT transaction_id FROM system.runtime.transactions WHERE NOT auto_commit_context',
      )
      t.same(rows, [])
    })

    t.test('sessions are read-only, in UTC, with the time limit of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 1000 })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, 'CREATE TABLE nothing AS SELECT 1 AS n'), {
        code: 'DATABASE_ERROR',
        message: /read-only/i,
      })
      await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT', message: /maximum time limit/i })
      t.equal(await connection.timezone(), 'UTC')
      t.same((await ask(server.port, 'SHOW TABLES')).rows, [])
      await isHealthy(t, connection, ONE)
    })

    t.test('clients with a token over TLS are admitted, and no others', async (t) => {
      const { ca, ...door } = server.secured!
      const asked = async (more: object): Promise<number> => {
        const connection = await open({ host: 'localhost', ...door, tls: { ca }, ...more })
        return count(connection, ONE).finally(() => connection.close())
      }
      t.equal(await asked({}), 1)
      await t.rejects(asked({ token: `${door.token}x` }), { code: 'DATABASE_ERROR', message: /401/ })
      await t.rejects(asked({ token: undefined }), { code: 'DATABASE_ERROR', message: /401/ })
      await t.rejects(asked({ user: 'somebody' }), { code: 'DATABASE_ERROR', message: /somebody/ })
      await t.rejects(asked({ tls: true }), { code: 'DATABASE_ERROR', message: /certificate/ })
    })

    t.test('queries are answered without transactions, too, for gateways', async (t) => {
      const connection = await open({ readOnly: false })
      t.teardown(() => connection.close())
      t.equal(await count(connection, numbers(5)), 5)
    })

    t.test('tables, types and comments are listed, and a first model of them validates', async (t) => {
      await ask(
        server.port,
        "CREATE TABLE orders (id BIGINT, total DECIMAL(10, 2) COMMENT 'With tax', at TIMESTAMP(6) WITH TIME ZONE)",
      )
      await ask(server.port, "COMMENT ON TABLE orders IS 'What was bought'")
      const connection = await open()
      t.teardown(() => connection.close())
      const tables = await connection.introspect!()
      t.same(tables, [
        {
          schema: 'default',
          name: 'orders',
          comment: 'What was bought',
          columns: [
            { name: 'id', sqlType: 'bigint', nullable: true },
            { name: 'total', sqlType: 'decimal(10,2)', nullable: true, comment: 'With tax' },
            { name: 'at', sqlType: 'timestamp(6) with time zone', nullable: true },
          ],
          primaryKey: [],
          foreignKeys: [],
        },
      ])
      t.same(parseModelSync({ json: (await firstModel('live', tables, noProbe)).document }).errors, [])
    })

    if (restartsServer()) outlivesItsServer(t, { open, server, one: ONE, many: `SELECT n FROM ${MILLION}` })
  },
)
