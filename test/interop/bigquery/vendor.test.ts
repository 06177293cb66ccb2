/** The vendor with its real driver on the API of BigQuery over googlesqlite: the suite of the core, and tests that need a server. */
import { createRequire } from 'node:module'
import { silentLogger } from '@grainline/core'
import type { ConformanceValue } from '@grainline/core/testing'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { type BigqueryOptions, bigqueryVendor, type Driver, plansOf } from '@grainline/vendor-bigquery'
import t from 'tap'
import { missingClient } from '../missing-client.js'
import { orSkip } from '../or-skip.js'
import { count, isHealthy, LOST, NUMBER, nullsOf, outlivesItsServer, value, vendorOn } from '../vendor-suite.js'
import { startServer } from './rest.js'

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("''", STRING, ''),
  value('TRUE', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('-9223372036854775808', INT, -9223372036854775808n),
  value('0.1', FLOAT, 0.1),
  value("NUMERIC '2.5'", FLOAT, 2.5),
  value("BIGNUMERIC '99999999999999999999999999999999999999'", decimal(38, 0), '99999999999999999999999999999999999999'),
  value("NUMERIC '-0.01'", decimal(38, 2), '-0.01'),
  value('5', decimal(19, 0), '5'),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value("DATE '0001-01-01'", DATE, '0001-01-01'),
  value("TIME '23:59:58.000001'", TIME, '23:59:58.000001'),
  value("DATETIME '2024-02-29 23:59:59.999999'", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("TIMESTAMP '2024-02-29 12:00:00.5+02'", TIMESTAMP_TZ, '2024-02-29T10:00:00.5Z'),
  value("TIMESTAMP '1969-12-31 23:59:59.999999+00'", TIMESTAMP_TZ, '1969-12-31T23:59:59.999999Z'),
  value(`JSON '{"a":[1,"b"]}'`, JSON_TYPE, '{"a":[1,"b"]}'),
  ...nullsOf({
    string: 'STRING',
    boolean: 'BOOL',
    int: 'INT64',
    float: 'FLOAT64',
    decimal: 'NUMERIC',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'DATETIME',
    timestamp_tz: 'TIMESTAMP',
    json: 'JSON',
  }),
]

const numbers = (rows: number): string =>
  rows === 0 ? 'SELECT 1 AS n LIMIT 0' : `SELECT n FROM UNNEST(GENERATE_ARRAY(0, ${rows - 1})) AS n ORDER BY n`
const thousands = 'UNNEST(GENERATE_ARRAY(1, 10000))'
const endless = (mark: number): string =>
  `SELECT COUNT(*) + ${mark} AS n FROM ${thousands} AS a CROSS JOIN ${thousands} AS b CROSS JOIN ${thousands} AS c WHERE a + b > c`

const require = createRequire(import.meta.url)

/** The real driver, without authentication. */
async function load(): Promise<Driver> {
  const { BigQuery } = require('@google-cloud/bigquery')
  const { OAuth2Client } = require('google-auth-library')
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: 'x', expiry_date: Date.now() + 3_600_000 })
  return {
    BigQuery: class extends BigQuery {
      constructor(options: object) {
        super({ ...options, authClient })
      }
    } as unknown as Driver['BigQuery'],
  }
}

t.setTimeout(300_000)
await orSkip(
  t,
  async () => missingClient('@google-cloud/bigquery') ?? (await startServer()),
  (server) => server.stop(),
  (server) => {
    const open = (more: BigqueryOptions = {}) =>
      bigqueryVendor(
        plansOf({ projectId: 'p', dataset: 'shop', apiEndpoint: server.url, ...more }, { BIGQUERY_URL: undefined })[0]!,
        {
          waitMs: 5000,
          load,
        },
      ).connect({ logger: silentLogger, poolSize: 2 })
    const running = async (mark: number): Promise<number> => server.running().filter((sql) => sql.includes(`+ ${mark} AS`)).length

    vendorOn(t, {
      open,
      numbers,
      endless,
      running,
      failsLate: 'SELECT DIV(1, n - 20000) AS n FROM UNNEST(GENERATE_ARRAY(0, 30000)) AS n',
      values: VALUES,
      warm: 100_000,
    })

    outlivesItsServer(t, { open, server, one: 'SELECT 1 AS n', many: numbers(1_000_000), message: LOST })

    t.test('a job runs in UTC, with our label, within the time and the bytes of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 700, maximumBytesBilled: 1_000_000 })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT', message: /timed out/ })
      await isHealthy(t, connection, 'SELECT 1 AS n')
      t.match(server.jobs.at(-1), {
        labels: { application: 'grainline' },
        query: {
          useLegacySql: false,
          maximumBytesBilled: '1000000',
          defaultDataset: { datasetId: 'shop', projectId: 'p' },
          connectionProperties: [{ key: 'time_zone', value: 'UTC' }],
        },
      })
      const frugal = await open({ maximumBytesBilled: 999_999 })
      t.teardown(() => frugal.close())
      await t.rejects(count(frugal, 'SELECT 1 AS n'), { code: 'DATABASE_ERROR', message: /bytes billed: 999999/ })
    })

    t.test('a statement is explained by a dry run, without running it', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      t.same(await connection.explain('SELECT 1 AS n'), { format: 'text', output: 'reads 1000000 bytes of p.shop.orders' })
      t.match(await connection.check('SELECT nothing FROM nowhere'), { valid: false, message: /nowhere/ })
    })

    t.test('types that do not match the plan are refused, even without rows', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      await t.rejects(count(connection, "SELECT 'x' AS n"), { code: 'RESULT_TYPE_MISMATCH', path: 'n' })
      await t.rejects(count(connection, "SELECT DATE '2024-01-01' AS n LIMIT 0"), { code: 'RESULT_TYPE_MISMATCH' })
      const list = connection.query('SELECT [1, 2] AS n', { schema: NUMBER })[Symbol.asyncIterator]()
      await t.rejects(list.next(), { code: 'RESULT_TYPE_MISMATCH' })
    })
  },
)
