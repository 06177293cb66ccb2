/** The vendor with its real driver on fakesnow: the suite of the core, and tests that need a server. */
import { createRequire } from 'node:module'
import { silentLogger } from '@grainline/core'
import type { ConformanceValue } from '@grainline/core/testing'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { plansOf, type SnowflakeOptions, snowflakeVendor } from '@grainline/vendor-snowflake'
import t from 'tap'
import { noProbe } from '../../../core/src/cli/first-model/database-probe.js'
import { firstModel } from '../../../core/src/cli/first-model/first-model.js'
import { parseModelSync } from '../../../core/src/model/load-model.js'
import { missingClient } from '../missing-client.js'
import { orSkip } from '../or-skip.js'
import { count, isHealthy, NUMBER, nullsOf, value, vendorOn } from '../vendor-suite.js'
import { startServer } from './server.js'

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("'NULL'", STRING, 'NULL'),
  value("''", STRING, ''),
  value('TRUE', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('9223372036854775807::NUMBER(38, 0)', INT, 9223372036854775807n),
  value("'-9223372036854775808'::NUMBER(38, 0)", INT, -9223372036854775808n),
  value('0.1::FLOAT', FLOAT, 0.1),
  value("'-inf'::FLOAT", FLOAT, Number.NEGATIVE_INFINITY),
  value("'NaN'::FLOAT", FLOAT, Number.NaN),
  value('2.5::NUMBER(10, 2)', FLOAT, 2.5),
  value('99999999999999999999999999999999999999', decimal(38, 0), '99999999999999999999999999999999999999'),
  value("'-0.01'::NUMBER(38, 2)", decimal(38, 2), '-0.01'),
  value('5::NUMBER(19, 0)', decimal(19, 0), '5'),
  value("'2024-02-29'::DATE", DATE, '2024-02-29'),
  value("'0001-01-01'::DATE", DATE, '0001-01-01'),
  value("'1969-12-31'::DATE", DATE, '1969-12-31'),
  value("'9999-12-31'::DATE", DATE, '9999-12-31'),
  value("'23:59:58.000001'::TIME", TIME, '23:59:58.000001'),
  value("'2024-02-29 23:59:59.999999'::TIMESTAMP_NTZ", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("'1969-12-31 23:59:59.999999'::TIMESTAMP_NTZ", TIMESTAMP, '1969-12-31T23:59:59.999999'),
  value("'0001-01-01 00:00:00.000001'::TIMESTAMP_NTZ", TIMESTAMP, '0001-01-01T00:00:00.000001'),
  value("TO_TIMESTAMP_TZ('2024-02-29 12:00:00.5 +02:00')", TIMESTAMP_TZ, '2024-02-29T10:00:00.5Z'),
  value(`PARSE_JSON('{"a":[1,"b"]}')`, JSON_TYPE, '{"a":[1,"b"]}'),
  ...nullsOf({
    string: 'VARCHAR',
    boolean: 'BOOLEAN',
    int: 'NUMBER(38, 0)',
    float: 'FLOAT',
    decimal: 'NUMBER(10, 2)',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'TIMESTAMP_NTZ',
    timestamp_tz: 'TIMESTAMP_TZ',
    json: 'VARIANT',
  }),
]

const numbers = (rows: number, n = 'n'): string =>
  `SELECT ${n} AS n FROM (SELECT ROW_NUMBER() OVER (ORDER BY 1) - 1 AS n FROM TABLE(GENERATOR(ROWCOUNT => ${rows}))) ORDER BY 1`
const endless = (mark: number): string =>
  `SELECT COUNT(*) + ${mark} AS n FROM TABLE(GENERATOR(ROWCOUNT => 10000000)) AS a CROSS JOIN TABLE(GENERATOR(ROWCOUNT => 10000000)) AS b
    WHERE RANDOM() > 0`

const require = createRequire(import.meta.url)

t.setTimeout(300_000)
await orSkip(
  t,
  async () => missingClient('snowflake-sdk') ?? (await startServer()),
  async (server) => {
    await server.stop()
    // The driver has a timer of a minute and a half for requests without a response.
    setTimeout(() => process.exit(), 2000).unref()
  },
  (server) => {
    const open = (more: SnowflakeOptions = {}) => {
      const options = {
        account: 'fake',
        user: 'me',
        password: 'x',
        database: 'SHOP',
        schema: 'PUBLIC',
        accessUrl: server.url,
        ...more,
      }
      const load = async () => require('snowflake-sdk')
      return snowflakeVendor(plansOf(options, { SNOWFLAKE_URL: undefined })[0]!, { waitMs: 5000, load }).connect({
        logger: silentLogger,
        poolSize: 2,
      })
    }
    const running = async (mark: number): Promise<number> =>
      (await server.running()).filter((sql) => sql.includes(`+ ${mark} AS`)).length

    vendorOn(t, {
      open,
      numbers,
      endless,
      running,
      failsLate: numbers(30_000, "CASE WHEN n = 20000 THEN TO_NUMBER('x') ELSE n END"),
      values: VALUES,
      // The driver creates several objects per row, for some ten thousand rows at once.
      warm: 100_000,
    })

    t.test('a server that stops within an answer is one clear error, and the pool is usable after the restart', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      await isHealthy(t, connection, 'SELECT 1 AS n')
      let killed: Promise<void> | undefined
      // The driver repeats the request for a portion for a minute and more, unless the query ends before.
      const broken = (async () => {
        for await (const _ of connection.query(numbers(1_000_000), { schema: NUMBER, timeoutMs: 4000 })) killed ??= server.kill()
      })()
      await t.rejects(broken, { code: 'QUERY_TIMEOUT' })
      await killed
      await t.rejects(count(connection, 'SELECT 1 AS n'), { code: 'DATABASE_ERROR', message: /lost or refused/ })
      await server.start()
      await isHealthy(t, connection, 'SELECT 1 AS n')
    })

    t.test('statements have the time limit of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 700 })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT', message: /timeout/ })
      await isHealthy(t, connection, 'SELECT 1 AS n')
    })

    t.test('tables, keys, foreign keys, types and comments are listed', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const tables = [
        `CREATE TABLE customers (id NUMBER(38, 0) PRIMARY KEY, "Full Name" VARCHAR NOT NULL)`,
        `CREATE TABLE orders (a NUMBER(38, 0), b NUMBER(38, 0), customer NUMBER(38, 0) REFERENCES customers (id), total NUMBER(10, 2),
          PRIMARY KEY (b, a)) COMMENT = 'What was bought'`,
      ]
      for (const sql of tables)
        for await (const _ of connection.query(sql, { schema: [{ name: 's', type: STRING, role: 'field' }] }));
      const found = await connection.introspect!()
      t.same(
        found.map(({ name }) => name),
        ['CUSTOMERS', 'ORDERS'],
      )
      t.match(found[1], {
        schema: 'PUBLIC',
        comment: 'What was bought',
        columns: [{ name: 'A' }, { name: 'B' }, { name: 'CUSTOMER' }, { name: 'TOTAL', sqlType: 'NUMBER(10,2)', nullable: true }],
      })
      t.same(found[1]!.primaryKey, ['B', 'A'])
      t.match(found[0]!.columns[1], { name: 'Full Name', nullable: false })
      t.same(parseModelSync({ json: (await firstModel('live', found, noProbe)).document }).errors, [])
    })

    t.test('types that do not match the plan are refused, even without rows', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      await t.rejects(count(connection, "SELECT 'x' AS n"), { code: 'RESULT_TYPE_MISMATCH', path: 'n' })
      await t.rejects(count(connection, "SELECT '2024-01-01'::DATE AS n WHERE FALSE"), { code: 'RESULT_TYPE_MISMATCH' })
    })
  },
)
