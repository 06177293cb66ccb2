/** The vendor on a real MySQL or MariaDB: the suite of the core, and tests that need a server. */
import { silentLogger } from '@grainline/core'
import type { ConformanceTrace, ConformanceValue } from '@grainline/core/testing'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { mysqlVendor, plansOf } from '@grainline/vendor-mysql'
import mysql from 'mysql2/promise'
import type t from 'tap'
import { orSkip } from '../or-skip.js'
import { count, isHealthy, NUMBER, nullsOf, value, vendorOn } from '../vendor-suite.js'
import { type Kind, type Server, startServer } from './server.js'

const VALUES: readonly ConformanceValue[] = [
  value("'Zürich 🚀'", STRING, 'Zürich 🚀'),
  value("''", STRING, ''),
  value('TRUE', BOOLEAN, true),
  value('1 > 2', BOOLEAN, false),
  value('9223372036854775807', INT, 9223372036854775807n),
  value('-9223372036854775808', INT, -9223372036854775808n),
  value('CAST(0.1 AS DOUBLE)', FLOAT, 0.1),
  value('2.5', FLOAT, 2.5),
  value('99999999999999999999999999999999999999', decimal(38, 0), '99999999999999999999999999999999999999'),
  value('-0.01', decimal(38, 2), '-0.01'),
  value('18446744073709551615', decimal(38, 0), '18446744073709551615'),
  value("DATE '2024-02-29'", DATE, '2024-02-29'),
  value("DATE '9999-12-31'", DATE, '9999-12-31'),
  value("TIME '23:59:58.000001'", TIME, '23:59:58.000001'),
  value("TIMESTAMP '2024-02-29 23:59:59.999999'", TIMESTAMP, '2024-02-29T23:59:59.999999'),
  value("TIMESTAMP '1969-12-31 00:00:00'", TIMESTAMP_TZ, '1969-12-31T00:00:00Z'),
  value("JSON_OBJECT('a', 1)", JSON_TYPE, '{"a": 1}'),
  ...nullsOf({
    string: 'CHAR',
    int: 'SIGNED',
    float: 'DOUBLE',
    decimal: 'DECIMAL(10, 2)',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'DATETIME(6)',
    timestamp_tz: 'DATETIME(6)',
    json: 'CHAR',
  }),
  value('NULL = 1', BOOLEAN, null),
]

const DIGITS = `(${Array.from({ length: 10 }, (_, d) => `SELECT ${d}${d === 0 ? ' AS d' : ''}`).join(' UNION ALL ')})`
/** The integers below a count, with as many digit tables as necessary. */
function numbers(count: number, value = 'n'): string {
  const places = Math.max(1, String(Math.max(0, count - 1)).length)
  const sum = Array.from({ length: places }, (_, i) => `t${i}.d * ${10 ** i}`).join(' + ')
  const tables = Array.from({ length: places }, (_, i) => `${DIGITS} AS t${i}`).join(', ')
  return `SELECT ${value} AS n FROM (SELECT ${sum} AS n FROM ${tables}) AS g WHERE n < ${count} ORDER BY g.n`
}
const endless = (mark: number): string =>
  `SELECT COUNT(*) + ${mark} AS n FROM ${Array.from({ length: 14 }, (_, i) => `${DIGITS} AS t${i}`).join(', ')} WHERE t0.d + t13.d > t5.d`

const readOnly = (kind: Kind): string => (kind === 'mysql' ? 'transaction_read_only' : 'tx_read_only')

/** `leave_behind` is a function of the database, as an operator may have installed it. */
const tracesOf = (kind: Kind): readonly ConformanceTrace[] => [
  { what: 'a variable', leave: 'SELECT @left := 1 AS n', seen: 'SELECT CAST(COALESCE(@left, 0) AS SIGNED) AS n' },
  { what: 'a lock', leave: "SELECT GET_LOCK('left', 0) AS n", seen: "SELECT IS_FREE_LOCK('left') AS n" },
  { what: 'settings', leave: 'SELECT leave_behind() AS n', seen: 'SELECT @@session.group_concat_max_len AS n' },
  { what: 'the right to write', leave: 'SELECT leave_behind() AS n', seen: `SELECT @@session.${readOnly(kind)} AS n` },
]

export function mysqlVendorOn(t: Test, kind: Kind): Promise<void> {
  t.setTimeout(900_000)
  return orSkip(
    t,
    () => startServer(kind),
    (server) => server.stop(),
    (server) => testsOn(t, kind, server),
  )
}

async function testsOn(t: Test, kind: Kind, server: Server): Promise<void> {
  const admin = await mysql.createConnection({ socketPath: server.socket, user: 'root', multipleStatements: true })
  t.teardown(() => admin.end())
  await admin.query('CREATE DATABASE shop')
  await admin.query(`CREATE FUNCTION shop.leave_behind() RETURNS INT NOT DETERMINISTIC READS SQL DATA
    BEGIN SET SESSION group_concat_max_len = 17; SET SESSION ${readOnly(kind)} = 0; RETURN 1; END`)
  const options = { socketPath: server.socket, user: 'root', database: 'shop' }
  const plan = (more: object = {}) =>
    plansOf(
      { connections: { it: { ...options, dialect: kind, ...more } } },
      { MYSQL_URL: undefined, MARIADB_URL: undefined },
    ).find((p) => p.name === 'it')!
  const open = (more: object = {}) => mysqlVendor(plan(more), { waitMs: 5000 }).connect({ logger: silentLogger, poolSize: 2 })
  const running = async (mark: number): Promise<number> => {
    const [rows] = await admin.query<mysql.RowDataPacket[]>(
      'SELECT info FROM information_schema.processlist WHERE info LIKE ? AND info NOT LIKE ?',
      [`%+ ${mark} AS%`, '%processlist%'],
    )
    return rows.length
  }
  const killAll = async (): Promise<void> => {
    const [rows] = await admin.query<mysql.RowDataPacket[]>("SELECT id FROM information_schema.processlist WHERE db = 'shop'")
    for (const { id, ID } of rows) await admin.query(`KILL ${id ?? ID}`).catch(() => {})
  }

  vendorOn(t, {
    open,
    numbers,
    endless,
    running,
    failsLate: numbers(30_000, 'n + IF(n < 20000, 0, 9223372036854775807)'),
    values: VALUES,
    traces: tracesOf(kind),
  })

  t.test(
    'a connection that is killed between two queries is replaced, and one killed within an answer is one clear error',
    async (t) => {
      const connection = await open()
      t.teardown(() => connection.close())
      t.equal(await count(connection, 'SELECT 1'), 1)
      await killAll()
      await isHealthy(t, connection, 'SELECT 1')
      let killed: Promise<void> | undefined
      const broken = count(connection, numbers(1_000_000), () => {
        killed ??= killAll()
      })
      await t.rejects(broken, { code: 'DATABASE_ERROR' })
      await killed
      await isHealthy(t, connection, 'SELECT 1')
    },
  )

  t.test('sessions are read-only, with the time limit of the configuration, and lists of values are not truncated', async (t) => {
    const connection = await open({ statementTimeoutMs: 500 })
    t.teardown(() => connection.close())
    await t.rejects(count(connection, 'CREATE TABLE nothing (n INT)'), { code: 'DATABASE_ERROR', message: /READ ONLY/i })
    await t.rejects(count(connection, endless(5)), { code: 'QUERY_TIMEOUT' })
    const long = numbers(5000, "LENGTH('x')").replace(/ ORDER BY.*$/, '')
    for await (const { columns } of connection.query(`SELECT LENGTH(GROUP_CONCAT(n)) AS n FROM (${long}) AS x`, {
      schema: NUMBER,
    }))
      t.equal(columns[0]!.kind === 'int64' && columns[0]!.values[0], 9999n)
  })

  t.test(
    'what a subquery gave for a text is not given for another one that the collation of the column takes for equal',
    async (t) => {
      const connection = await open({})
      t.teardown(() => connection.close())
      await admin.query(`CREATE TABLE shop.spelled (name VARCHAR(20) COLLATE utf8mb4_general_ci, size BIGINT);
      INSERT INTO shop.spelled VALUES ('north', 1), ('North', 10), ('nörth', 100), ('north ', 1000);
      CREATE TABLE shop.granted (name VARCHAR(20) COLLATE utf8mb4_general_ci); INSERT INTO shop.granted VALUES ('north')`)
      const exact = (text: string) =>
        `CONVERT(${text} USING utf8mb4) COLLATE ${kind === 'mysql' ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin'}`
      const granted = `SELECT 1 FROM granted WHERE ${exact('granted.name')} = ${exact('spelled.name')}`
      t.equal(await count(connection, `SELECT size AS n FROM spelled WHERE EXISTS (${granted})`), 1)
      await admin.query('DROP TABLE shop.spelled, shop.granted')
    },
  )

  t.test('tables, keys, foreign keys, types and comments are listed', async (t) => {
    await admin.query(`USE shop; CREATE TABLE customers (id BIGINT PRIMARY KEY, \`Full Name\` VARCHAR(40) NOT NULL);
      CREATE TABLE orders (a INT, b INT, customer BIGINT, total DECIMAL(10,2) COMMENT 'With tax', PRIMARY KEY (b, a),
        FOREIGN KEY (customer) REFERENCES customers (id)) COMMENT 'What was bought';
      CREATE VIEW big AS SELECT * FROM orders WHERE total > 100`)
    const connection = await open()
    t.teardown(() => connection.close())
    const tables = await connection.introspect!()
    t.same(
      tables.map(({ name }) => name),
      ['big', 'customers', 'orders'],
    )
    const { columns, ...orders } = tables[2]!
    t.same(orders, {
      schema: 'shop',
      name: 'orders',
      comment: 'What was bought',
      primaryKey: ['b', 'a'],
      foreignKeys: [
        { columns: ['customer'], target: { schema: 'shop', name: 'customers' }, targetColumns: ['id'], enforced: true },
      ],
    })
    await admin.query(`CREATE TABLE shop.Big (place POINT, more INT); CREATE TABLE shop.BIG (a INT, b INT);
      ${kind === 'mariadb' ? 'CREATE SEQUENCE shop.numbers' : ''}`)
    const more = await connection.introspect!()
    t.same(
      Object.fromEntries(more.map(({ name, columns }) => [name, columns.length])),
      { big: 4, customers: 2, orders: 4, Big: 2, BIG: 2 },
      'tables whose names differ by case keep their own columns, and a sequence is none',
    )
    t.same(
      more.find(({ name }) => name === 'Big')?.columns.map(({ isBinary }) => isBinary === true),
      [true, false],
    )
    t.same(columns[3], { name: 'total', sqlType: 'decimal(10,2)', nullable: true, comment: 'With tax' })
  })
}

type Test = typeof t
