/** The vendor with the real driver on the Thrift server of Spark: the suite of the core, and tests that need a server. */
import { createRequire } from 'node:module'
import { silentLogger } from '@grainline/core'
import type { ConformanceValue } from '@grainline/core/testing'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { databricksVendor, plansOf } from '@grainline/vendor-databricks'
import t from 'tap'
import { orSkip } from '../or-skip.js'
import { restartsServer } from '../suites.js'
import { count, LOST, NUMBER, nullsOf, outlivesItsServer, until, value, vendorOn } from '../vendor-suite.js'
import { startServer, TOKEN } from './server.js'

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("''", STRING, ''),
  value('TRUE', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('-9223372036854775808L', INT, -9223372036854775808n),
  value('0.1D', FLOAT, 0.1),
  value('1.7976931348623157E308D', FLOAT, 1.7976931348623157e308),
  value("DOUBLE('NaN')", FLOAT, Number.NaN),
  value("DOUBLE('-Infinity')", FLOAT, Number.NEGATIVE_INFINITY),
  value('99999999999999999999999999999999999999', decimal(38, 0), '99999999999999999999999999999999999999'),
  value('-999999999999999999999999999999999999.99', decimal(38, 2), '-999999999999999999999999999999999999.99'),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value("DATE '9999-12-31'", DATE, '9999-12-31'),
  value("TIME '23:59:58.000001'", TIME, '23:59:58.000001'),
  value("TIMESTAMP_NTZ '2024-02-29 23:59:59.999999'", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("TIMESTAMP_NTZ '0001-01-01 00:00:00'", TIMESTAMP, '0001-01-01T00:00:00'),
  value("DATE '2024-02-29'", TIMESTAMP, '2024-02-29T00:00:00'),
  value("TIMESTAMP '1969-12-31 02:00:00.000001+02:00'", TIMESTAMP_TZ, '1969-12-31T00:00:00.000001Z'),
  value(`PARSE_JSON('{"a": "é"}')`, JSON_TYPE, '{"a":"é"}'),
  value("NAMED_STRUCT('a', ARRAY(1, NULL))", JSON_TYPE, '{"a":[1,null]}'),
  value(`'{"a": 1}'`, JSON_TYPE, '{"a": 1}'),
  value('NULL', INT, null),
  ...nullsOf({
    string: 'STRING',
    boolean: 'BOOLEAN',
    int: 'BIGINT',
    float: 'DOUBLE',
    decimal: 'DECIMAL(10, 2)',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'TIMESTAMP_NTZ',
    timestamp_tz: 'TIMESTAMP',
    json: 'VARIANT',
  }),
]

/** Each part is a separate job. */
const numbers = (count: number, value = 'id'): string =>
  `SELECT ${value} AS n FROM RANGE(0, ${count}, 1, ${count > 100_000 ? 8 : 1})`
const endless = (mark: number): string => `SELECT COUNT(*) + ${mark} AS n FROM RANGE(1000000000000) WHERE id % 7 > 8`

const require = createRequire(import.meta.url)

t.setTimeout(600_000)
await orSkip(
  t,
  startServer,
  (server) => server.stop(),
  (server) => {
    const { port, ca } = server
    const address = { host: 'localhost', port, path: '/sql/1.0/warehouses/test', token: TOKEN, tls: { ca } }
    const open = (more: object = {}) => {
      const [plan] = plansOf({ ...address, ...more }, { DATABRICKS_URL: undefined })
      const load = async () => require('@databricks/sql')
      // A query is two statements of at least a tenth of a second each, because the driver polls ten times per second.
      return databricksVendor(plan!, { waitMs: 20_000, load }).connect({ logger: silentLogger, poolSize: 2 })
    }
    const running = async (mark: number): Promise<number> =>
      (await server.running()).filter((statement) => statement.includes(`+ ${mark} AS`)).length

    vendorOn(t, {
      open,
      numbers,
      endless,
      running,
      failsLate: numbers(1_000_000, "CASE WHEN id < 200000 THEN id ELSE BIGINT(RAISE_ERROR('late')) END"),
      values: VALUES,
      warm: 100_000,
    })

    t.test('rows keep the order of the statement', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const found: unknown[] = []
      const sql = 'WITH r AS (SELECT id FROM RANGE(1000))\nSELECT id AS n FROM r ORDER BY id % 10 DESC, id LIMIT 3 -- the end'
      for await (const { columns } of connection.query(sql, { schema: NUMBER }))
        found.push(...(columns[0] as { readonly values: Iterable<bigint> }).values)
      t.same(found, [9n, 19n, 29n])
    })

    t.test('sessions are in UTC and in ANSI mode, with the time limit of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 1000 })
      t.teardown(() => connection.close())
      t.equal(await connection.timezone(), 'UTC')
      await t.rejects(count(connection, 'SELECT BIGINT(9223372036854775807 + id) AS n FROM RANGE(1, 2)'), {
        code: 'NUMERIC_OVERFLOW',
        message: /ARITHMETIC_OVERFLOW/,
      })
      await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT', message: /time/i })
      t.equal(await until(running, 5, 0), 0)
    })

    t.test('an unknown token is one clear error that does not contain the token', async (t) => {
      const connection = await open({ token: 'dapi-wrong' })
      t.teardown(() => connection.close())
      const refused = await count(connection, 'SELECT 1L AS n').catch((error: Error) => error)
      t.match(refused, { code: 'DATABASE_ERROR', message: /403/ })
      t.notMatch(JSON.stringify(refused), /dapi-wrong/)
    })

    t.test('a certificate of an unknown authority is refused', async (t) => {
      const connection = await open({ tls: {} })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, 'SELECT 1L AS n'), { code: 'DATABASE_ERROR', message: /certificate/ })
    })

    if (restartsServer()) outlivesItsServer(t, { open, server, one: 'SELECT 1L AS n', many: numbers(1_000_000), message: LOST })
  },
)
