/** The vendor on a real PostgreSQL: the suite of the core, and tests that need a server. */
import { silentLogger } from '@grainline/core'
import type { ConformanceTrace, ConformanceValue } from '@grainline/core/testing'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t from 'tap'
import { orSkip } from '../or-skip.js'
import { count, isHealthy, nullsOf, value, vendorOn } from '../vendor-suite.js'
import { openPostgres } from './open.js'

const NOTHING = { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined }

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("''", STRING, ''),
  value("CAST('6ecd8c99-4036-403d-bf84-cf8400f67836' AS UUID)", STRING, '6ecd8c99-4036-403d-bf84-cf8400f67836'),
  value('TRUE', BOOLEAN, true),
  value('FALSE', BOOLEAN, false),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('CAST(-9223372036854775808 AS BIGINT)', INT, -9223372036854775808n),
  value('CAST(7 AS SMALLINT)', INT, 7n),
  value('CAST(0.1 AS DOUBLE PRECISION)', FLOAT, 0.1),
  value("CAST('-Infinity' AS DOUBLE PRECISION)", FLOAT, Number.NEGATIVE_INFINITY),
  value("CAST('NaN' AS DOUBLE PRECISION)", FLOAT, Number.NaN),
  value('CAST(2.5 AS NUMERIC)', FLOAT, 2.5),
  value('99999999999999999999999999999999999999', decimal(38, 0), '99999999999999999999999999999999999999'),
  value('-0.01', decimal(38, 2), '-0.01'),
  value('CAST(5 AS BIGINT)', decimal(19, 0), '5'),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value("DATE 'infinity'", DATE, 'infinity'),
  value("DATE '-infinity'", DATE, '-infinity'),
  value("DATE '0044-03-15 BC'", DATE, '-000043-03-15'),
  value("DATE '12345-01-01'", DATE, '+012345-01-01'),
  value("TIME '23:59:58.000001'", TIME, '23:59:58.000001'),
  value("TIMESTAMP '2024-02-29 23:59:59.999999'", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("TIMESTAMP 'infinity'", TIMESTAMP, 'infinity'),
  value("TIMESTAMP WITH TIME ZONE '2024-02-29 12:00:00.5+02'", TIMESTAMP_TZ, '2024-02-29T10:00:00.5Z'),
  value("TIMESTAMP WITH TIME ZONE '-infinity'", TIMESTAMP_TZ, '-infinity'),
  value(`CAST('{"a": [1, "b"]}' AS JSONB)`, JSON_TYPE, '{"a": [1, "b"]}'),
  ...nullsOf({
    string: 'TEXT',
    boolean: 'BOOLEAN',
    int: 'BIGINT',
    float: 'DOUBLE PRECISION',
    decimal: 'NUMERIC',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'TIMESTAMP',
    timestamp_tz: 'TIMESTAMPTZ',
    json: 'JSONB',
  }),
]

const leftBy = (call: string): string => `SELECT 1 AS n FROM (SELECT ${call} AS v) AS x WHERE v IS NOT NULL`
const holding = (condition: string): string => `SELECT CASE WHEN ${condition} THEN 1 ELSE 0 END AS n`
const setting = (name: string, value: string): ConformanceTrace => ({
  what: `the setting ${name}`,
  leave: leftBy(`set_config('${name}', '${value}', false)`),
  seen: holding(`current_setting('${name}') = '${value}'`),
})
/** `leave_behind` is a function of the database that runs any text, as an operator may have installed it. */
const running = (what: string, text: string, seen: string): ConformanceTrace => ({
  what,
  leave: leftBy(`leave_behind($$${text}$$)`),
  seen,
})

const TRACES: readonly ConformanceTrace[] = [
  setting('search_path', 'old'),
  setting('default_transaction_read_only', 'off'),
  setting('TimeZone', 'Asia/Tokyo'),
  setting('statement_timeout', '1ms'),
  setting('role', 'pg_monitor'),
  {
    what: 'an advisory lock',
    leave: leftBy('CAST(pg_advisory_lock(42) AS TEXT)'),
    seen: "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory'",
  },
  {
    what: 'the value of a sequence, after the transaction was told to write',
    leave:
      "SELECT nextval('counter') AS n FROM (SELECT set_config('transaction_read_only', 'off', false) AS v OFFSET 0) AS x WHERE v IS NOT NULL",
    seen: 'SELECT last_value AS n FROM counter',
  },
  {
    what: 'what a connection knows of a sequence',
    leave: "SELECT nextval('counter') AS n",
    seen: 'SELECT knows_a_sequence() AS n',
  },
  {
    what: 'a large object',
    leave: leftBy("lo_from_bytea(0, 'x')"),
    seen: 'SELECT count(*) AS n FROM pg_largeobject_metadata',
  },
  running(
    'a temporary table',
    'CREATE TEMP TABLE left_behind (n INT)',
    "SELECT count(*) AS n FROM pg_class WHERE relname = 'left_behind'",
  ),
  running('a prepared name', 'PREPARE left_behind AS SELECT 1', 'SELECT count(*) AS n FROM pg_prepared_statements'),
  running(
    'a cursor with hold',
    'DECLARE left_behind CURSOR WITH HOLD FOR SELECT 1',
    'SELECT count(*) AS n FROM pg_cursors WHERE is_holdable',
  ),
  running('a transaction', 'COMMIT', holding('pg_current_xact_id_if_assigned() IS NOT NULL')),
]

const numbers = (count: number): string => `SELECT n FROM generate_series(0, ${count - 1}) AS g(n)`
const endless = (mark: number): string =>
  `SELECT count(*) + ${mark} AS n FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b`

t.setTimeout(300_000)
await orSkip(
  t,
  openPostgres,
  ({ close }) => close(),
  async ({ client, socket }) => {
    const options = { host: socket, user: 'postgres', database: 'postgres' }
    const open = (more: object = {}, waitMs = 5000, poolSize = 2) =>
      postgresVendor(plansOf({ ...options, ...more }, NOTHING)[0]!, { waitMs }).connect({ logger: silentLogger, poolSize })
    const one = async (text: string): Promise<string | null | undefined> =>
      (await client.query({ text, rowMode: 'array' })).rows[0]?.[0]

    await client.query(`CREATE SEQUENCE counter; CREATE FUNCTION leave_behind(what TEXT) RETURNS INT LANGUAGE plpgsql AS
      $f$ BEGIN EXECUTE what; RETURN 1; END $f$;
      CREATE FUNCTION knows_a_sequence() RETURNS INT LANGUAGE plpgsql AS
      $f$ BEGIN PERFORM lastval(); RETURN 1; EXCEPTION WHEN OTHERS THEN RETURN 0; END $f$`)
    const asked = async (mark: number): Promise<number> =>
      Number(
        await one(`SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT count(*) + ${mark} AS%'`),
      )

    vendorOn(t, {
      open,
      numbers,
      endless,
      running: asked,
      failsLate: 'SELECT 1 / (20000 - n) AS n FROM generate_series(0, 30000) AS g(n)',
      values: VALUES,
      traces: TRACES,
    })

    t.test('a connection that is killed between two queries is replaced silently', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      t.equal(await count(connection, 'SELECT 1'), 1)
      await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'grainline'")
      await isHealthy(t, connection, 'SELECT 1')
    })

    t.test(
      'a connection that is killed in the middle of an answer is one clear error, and the pool is usable afterwards',
      async (t) => {
        const connection = await open()
        t.teardown(() => connection.close())
        const kill = () =>
          client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'grainline'")
        let killed: Promise<unknown> | undefined
        const broken = count(connection, 'SELECT n FROM generate_series(0, 5000000) AS g(n)', () => {
          killed ??= kill()
        })
        await t.rejects(broken, { code: 'DATABASE_ERROR' })
        await killed
        await isHealthy(t, connection, 'SELECT 1')
      },
    )

    t.test('sessions are read-only, in UTC, with our application name and the time limit of the configuration', async (t) => {
      const connection = await open({ statementTimeoutMs: 300 })
      t.teardown(() => connection.close())
      await t.rejects(count(connection, 'CREATE TABLE nothing (n INT)'), { code: 'DATABASE_ERROR', message: /read-only/ })
      await t.rejects(count(connection, 'SELECT 1 FROM pg_sleep(5)'), { code: 'QUERY_TIMEOUT', message: /statement timeout/ })
      t.equal(await one("SELECT count(*) > 0 FROM pg_stat_activity WHERE application_name = 'grainline'"), 't')
    })

    t.test('an overflow names the column, and an unknown function is refused by name', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      for (const sql of [
        'SELECT 9223372036854775807 * 2::BIGINT AS n',
        'SELECT CAST(1000 AS NUMERIC(4, 2)) AS n',
        'SELECT CAST(1e300 AS BIGINT) AS n',
      ])
        await t.rejects(count(connection, sql), { code: 'NUMERIC_OVERFLOW', status: 422, details: { path: 'n' } }, sql)
      await t.rejects(count(connection, 'SELECT nothing_such(1) AS n'), { code: 'UNSUPPORTED_FUNCTION', message: /nothing_such/ })
    })

    t.test('tables, keys, foreign keys, types and comments are listed', async (t) => {
      await client.query(`CREATE SCHEMA "my shop"; CREATE TABLE "my shop".customers (id BIGINT PRIMARY KEY, "Full Name" VARCHAR(40) NOT NULL);
      CREATE TABLE "my shop".orders (a INT, b INT, customer BIGINT REFERENCES "my shop".customers, total NUMERIC(10,2), PRIMARY KEY (b, a));
      COMMENT ON TABLE "my shop".orders IS 'What was bought'; COMMENT ON COLUMN "my shop".orders.total IS 'With tax';
      CREATE VIEW "my shop".big AS SELECT * FROM "my shop".orders WHERE total > 100`)
      const connection = await open()
      t.teardown(() => connection.close())
      const tables = (await connection.introspect!()).filter(({ schema }) => schema === 'my shop')
      t.same(
        tables.map(({ name }) => name),
        ['big', 'customers', 'orders'],
      )
      t.same(tables[2], {
        schema: 'my shop',
        name: 'orders',
        comment: 'What was bought',
        columns: [
          { name: 'a', sqlType: 'integer', nullable: false },
          { name: 'b', sqlType: 'integer', nullable: false },
          { name: 'customer', sqlType: 'bigint', nullable: true },
          { name: 'total', sqlType: 'numeric(10,2)', nullable: true, comment: 'With tax' },
        ],
        primaryKey: ['b', 'a'],
        foreignKeys: [
          { columns: ['customer'], target: { schema: 'my shop', name: 'customers' }, targetColumns: ['id'], enforced: true },
        ],
      })
    })

    t.test('types that do not match the plan are refused, even without rows', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      await t.rejects(count(connection, "SELECT 'x' AS n"), { code: 'RESULT_TYPE_MISMATCH', path: 'n' })
      await t.rejects(count(connection, "SELECT DATE '2024-01-01' AS n WHERE FALSE"), { code: 'RESULT_TYPE_MISMATCH' })
    })

    t.test('NaN and infinities in a numeric are refused by name, with two ways to read the column', async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      const hint = /CAST\(\{Price\} AS float\).* CASE WHEN/
      for (const value of ['NaN', 'Infinity', '-Infinity'])
        await t.rejects(
          count(connection, `SELECT CAST('${value}' AS NUMERIC) AS n`),
          { code: 'NUMERIC_OVERFLOW', status: 422, path: 'n', details: { hint } },
          value,
        )
    })
  },
)
