/** The vendor's client of Flight SQL with a pyarrow server: the suite of the core, and tests that need a server. */
import { silentLogger } from '@grainline/core'
import type { ConformanceValue } from '@grainline/core/testing'
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  valueAt,
} from '@grainline/core/vendor'
import { type DremioOptions, dremioVendor, plansOf } from '@grainline/vendor-dremio'
import t from 'tap'
import { orSkip } from '../or-skip.js'
import { count, LOST, NUMBER, nullsOf, outlivesItsServer, until, value, vendorOn } from '../vendor-suite.js'
import { startServer, startTlsServer } from './server.js'

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("''", STRING, ''),
  value("CAST('b' AS ENUM('a', 'b'))", STRING, 'b'),
  value("'\\xDE\\xAD'::BLOB", STRING, '\\xdead'),
  value('42', STRING, '42'),
  value('TRUE', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('CAST(-9223372036854775808 AS BIGINT)', INT, -9223372036854775808n),
  value('CAST(-7 AS TINYINT)', INT, -7n),
  value('CAST(4294967295 AS UINTEGER)', INT, 4294967295n),
  value('CAST(0.1 AS DOUBLE)', FLOAT, 0.1),
  value('CAST(1.5 AS FLOAT)', FLOAT, 1.5),
  value("CAST('-inf' AS DOUBLE)", FLOAT, Number.NEGATIVE_INFINITY),
  value("CAST('nan' AS DOUBLE)", FLOAT, Number.NaN),
  value('2.5', FLOAT, 2.5),
  value('99999999999999999999999999999999999999::DECIMAL(38, 0)', decimal(38, 0), '99999999999999999999999999999999999999'),
  value('-99999999999999999999999999999999999999::DECIMAL(38, 0)', decimal(38, 0), '-99999999999999999999999999999999999999'),
  value('-0.01::DECIMAL(38, 2)', decimal(38, 2), '-0.01'),
  value('1.5::DECIMAL(4, 1)', decimal(10, 3), '1.500'),
  value('18446744073709551615::UBIGINT', decimal(38, 0), '18446744073709551615'),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value("DATE '0001-01-01'", DATE, '0001-01-01'),
  value("TIMESTAMP '1969-12-31 00:00:00'", DATE, '1969-12-31'),
  value("TIME '23:59:58.000001'", TIME, '23:59:58.000001'),
  value("TIMESTAMP '2024-02-29 23:59:59.999999'", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("TIMESTAMP_S '1969-12-31 23:59:59'", TIMESTAMP, '1969-12-31T23:59:59'),
  value("TIMESTAMP_MS '1969-12-31 23:59:59.999'", TIMESTAMP, '1969-12-31T23:59:59.999'),
  value("TIMESTAMP_NS '1969-12-31 23:59:59.999999999'", TIMESTAMP, '1969-12-31T23:59:59.999999'),
  value("DATE '2024-02-29'", TIMESTAMP, '2024-02-29T00:00:00'),
  value("TIMESTAMPTZ '2024-02-29 12:00:00.5+02'", TIMESTAMP_TZ, '2024-02-29T10:00:00.5Z'),
  value("TIMESTAMP '2024-02-29 10:00:00'", TIMESTAMP_TZ, '2024-02-29T10:00:00Z'),
  value(`'{"a": 1}'`, JSON_TYPE, '{"a": 1}'),
  value('[1, NULL, 9007199254740993]', JSON_TYPE, '[1,null,9007199254740993]'),
  value(
    "{'a': 1.50::DECIMAL(4,2), 'b': [DATE '2024-01-01'], 'c': NULL::INT, 'd': {'e': 'it''s \"x\"'}}",
    JSON_TYPE,
    '{"a":1.50,"b":["2024-01-01"],"c":null,"d":{"e":"it\'s \\"x\\""}}',
  ),
  value("MAP {'k': [true, false]}", JSON_TYPE, '{"k":[true,false]}'),
  ...nullsOf({
    string: 'VARCHAR',
    boolean: 'BOOLEAN',
    int: 'BIGINT',
    float: 'DOUBLE',
    decimal: 'DECIMAL(10, 2)',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'TIMESTAMP',
    timestamp_tz: 'TIMESTAMPTZ',
    json: 'INTEGER[]',
  }),
  value('NULL', decimal(10, 2), null),
]

const numbers = (rows: number): string => `SELECT range AS n FROM range(${rows})`
const endless = (mark: number): string =>
  `SELECT count(*) + ${mark} AS n FROM range(1000000) AS a(x), range(1000000) AS b(y) WHERE hash(x * y) = 1`

t.setTimeout(300_000)
await orSkip(
  t,
  startServer,
  (server) => server.stop(),
  (server) => {
    const open = (more: DremioOptions = {}) =>
      dremioVendor(
        plansOf({ host: '127.0.0.1', port: server.port, user: 'me', password: 'secret', ...more }, { DREMIO_URL: undefined })[0]!,
        { waitMs: 5000 },
      ).connect({ logger: silentLogger, poolSize: 2 })
    const running = async (mark: number): Promise<number> =>
      (await server.running()).filter((sql) => sql.includes(`+ ${mark} AS`)).length

    vendorOn(t, {
      open,
      numbers,
      endless,
      running,
      failsLate: "SELECT CASE WHEN range < 200000 THEN range ELSE ('x' || range)::BIGINT END AS n FROM range(300000)",
      values: VALUES,
    })

    t.test('the columns of a long answer with NULLs keep every value in its row, with and without a conversion', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const schema = [
        { name: 'i', type: INT, role: 'field' },
        { name: 's', type: STRING, role: 'field' },
        { name: 'd', type: decimal(12, 2), role: 'field' },
        { name: 'b', type: BOOLEAN, role: 'field' },
      ] as const
      const sql = `SELECT i, CASE WHEN i % 5 <> 0 THEN 'text ' || repeat('é', (i % 40)::INTEGER) END,
        CASE WHEN i % 7 <> 0 THEN (i / 100)::DECIMAL(12, 2) END, CASE WHEN i % 3 <> 0 THEN i % 2 = 0 END
        FROM (SELECT range AS i FROM range(50000))`
      let next = 0
      let wrong = 0
      for await (const { columns, rowCount } of connection.query(sql, { schema })) {
        for (let row = 0; row < rowCount; row++, next++) {
          const wanted = [
            BigInt(next),
            next % 5 === 0 ? null : `text ${'é'.repeat(next % 40)}`,
            next % 7 === 0 ? null : (next / 100).toFixed(2),
            next % 3 === 0 ? null : next % 2 === 0,
          ]
          columns.forEach((column, i) => {
            if (valueAt(column, row, schema[i]!.type) !== wanted[i]) wrong++
          })
        }
      }
      t.same([next, wrong], [50_000, 0])
    })

    t.test('an answer that is abandoned in the middle is stopped in the engine', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const sql = 'SELECT range + 73 AS n FROM range(50000000)'
      for await (const _ of connection.query(sql, { schema: NUMBER })) break
      t.equal(await until(running, 73, 0), 0)
    })

    outlivesItsServer(t, { open, server, one: 'SELECT 1 AS n', many: numbers(50_000_000), message: LOST })

    t.test('a statement has the time limit of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 500 })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT', message: /time-out/ })
      t.equal(await until(running, 5, 0), 0)
    })

    t.test('a token authenticates like a password; a wrong token and a missing one are refused', async (t) => {
      const asked = async (more: DremioOptions) => {
        const connection = await open(more)
        t.teardown(() => connection.close())
        return count(connection, 'SELECT 1 AS n')
      }
      const { user: _, ...nobody } = { user: undefined }
      t.equal(await asked({ password: 'secret' }), 1)
      await t.rejects(asked({ password: 'wrong' }), { code: 'VENDOR_UNAVAILABLE', message: /Unable to authenticate/ })
      const token = (shown: string) => ({ ...nobody, host: '127.0.0.1', port: server.port, token: shown })
      const withToken = async (shown: string) => {
        const [plan] = plansOf(token(shown), { DREMIO_URL: undefined })
        const connection = await dremioVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
        t.teardown(() => connection.close())
        return count(connection, 'SELECT 1 AS n')
      }
      t.equal(await withToken('a-personal-access-token'), 1)
      await t.rejects(withToken('another'), { code: 'DATABASE_ERROR', message: /Token is not valid/ })
    })

    t.test('tables, types and nullability are listed', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const found = await connection.introspect!()
      t.same(found, [
        {
          schema: 'shop',
          name: 'orders',
          columns: [
            { name: 'id', sqlType: 'BIGINT', nullable: false },
            { name: 'total', sqlType: 'DECIMAL(10,2)', nullable: true },
            { name: 'Full Name', sqlType: 'VARCHAR', nullable: true },
          ],
          primaryKey: [],
          foreignKeys: [],
        },
      ])
      t.match(await connection.check('SELECT nothing FROM nowhere'), { valid: false, message: /nowhere/ })
    })

    t.test('types that do not match the plan are refused, even without rows', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      await t.rejects(count(connection, "SELECT 'x' AS n"), { code: 'RESULT_TYPE_MISMATCH', path: 'n' })
      await t.rejects(count(connection, "SELECT DATE '2024-01-01' AS n WHERE FALSE"), { code: 'RESULT_TYPE_MISMATCH' })
    })
  },
)

t.test('with TLS, a server is trusted only by its authority', async (t) => {
  await orSkip(
    t,
    startTlsServer,
    (server) => server.stop(),
    async ({ port, ca }) => {
      const asked = async (tls: DremioOptions['tls'] & {}) => {
        const [plan] = plansOf({ host: 'localhost', port, user: 'me', password: 'secret', tls }, { DREMIO_URL: undefined })
        const connection = await dremioVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
        try {
          return await count(connection, 'SELECT 1 AS n')
        } finally {
          await connection.close()
        }
      }
      t.equal(await asked({ ca }), 1)
      await t.rejects(asked(true), { code: 'DATABASE_ERROR', message: /lost or refused/ })
    },
  )
})
