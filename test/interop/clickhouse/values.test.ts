/** The vendor with its real driver on a current chDB: values for which the server of vendor.test.ts is too old, EXPLAIN, and tables. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type DataType, silentLogger } from '@grainline/core'
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  INT,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type Value,
  valueAt,
} from '@grainline/core/vendor'
import { clickhouseVendor, plansOf } from '@grainline/vendor-clickhouse'
import t from 'tap'
import { noProbe } from '../../../core/src/cli/first-model/database-probe.js'
import { firstModel } from '../../../core/src/cli/first-model/first-model.js'
import { parseModelSync } from '../../../core/src/model/load-model.js'
import { missingChdb, python } from './engine.js'

const VALUES: readonly (readonly [sql: string, type: DataType, wanted: Value])[] = [
  ["toLowCardinality('Zürich 🚀')", STRING, 'Zürich 🚀'],
  ["'tab\\t, line\\n, back\\\\slash, \\\\N'", STRING, 'tab\t, line\n, back\\slash, \\N'],
  ["toUUID('6ecd8c99-4036-403d-bf84-cf8400f67836')", STRING, '6ecd8c99-4036-403d-bf84-cf8400f67836'],
  ['true', BOOLEAN, true],
  ['1 > 2', BOOLEAN, false],
  ['9223372036854775807', INT, 9223372036854775807n],
  ['-9223372036854775808', INT, -9223372036854775808n],
  ["toInt128('-9223372036854775808')", INT, -9223372036854775808n],
  ['inf', FLOAT, Number.POSITIVE_INFINITY],
  ['nan', FLOAT, Number.NaN],
  ['CAST(0.1 AS Nullable(Float64))', FLOAT, 0.1],
  ["'99999999999999999999999999999999999999'::Decimal(38, 0)", decimal(38, 0), '99999999999999999999999999999999999999'],
  ["'-0.01'::Decimal(38, 2)", decimal(38, 2), '-0.01'],
  ["toDate32('1900-01-01')", DATE, '1900-01-01'],
  ["toDate32('2299-12-31')", DATE, '2299-12-31'],
  ["CAST('23:59:58.000001' AS Time64(6))", TIME, '23:59:58.000001'],
  ["toDateTime64('2024-02-29 23:59:59.999999', 6)", TIMESTAMP, '2024-02-29T23:59:59.999999'],
  ["toDateTime64('1969-12-31 23:59:59.5', 9)", TIMESTAMP, '1969-12-31T23:59:59.5'],
  ["toDateTime64('2024-02-29 12:00:00.5', 6, 'Asia/Kolkata')", TIMESTAMP_TZ, '2024-02-29T06:30:00.5Z'],
  ["toDateTime('2024-07-01 12:00:00', 'Europe/Paris')", TIMESTAMP_TZ, '2024-07-01T10:00:00Z'],
  ['NULL', DATE, null],
  ['CAST(NULL AS Nullable(DateTime64(6)))', TIMESTAMP, null],
]

t.setTimeout(120_000)
if (missingChdb) t.plan(0, missingChdb)
else {
  const tables = [
    "CREATE TABLE default.orders (id Int64, at DateTime64(6, 'UTC'), total Nullable(Decimal(10, 2)) COMMENT 'With tax', status LowCardinality(Nullable(String)), seen DateTime('Europe/Paris')) ENGINE = MergeTree ORDER BY id COMMENT 'What was bought'",
    'CREATE VIEW default.big AS SELECT id FROM default.orders WHERE total > 100',
  ]
  const child = spawn(python, [new URL('chdb_http.py', import.meta.url).pathname, ...tables], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill())
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const [plan] = plansOf({ url: `http://127.0.0.1:${String(port).trim()}` }, { CLICKHOUSE_URL: undefined })
  const connection = await clickhouseVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
  t.teardown(() => connection.close())

  t.test('values arrive with their planned types', async (t) => {
    for (const [sql, type, wanted] of VALUES) {
      const found: Value[] = []
      for await (const { columns } of connection.query(`SELECT ${sql} AS v`, { schema: [{ name: 'v', type, role: 'field' }] }))
        found.push(valueAt(columns[0]!, 0, type))
      t.same(found, [wanted], sql)
    }
  })

  t.test('a plan is shown, and a statement is checked without being run', async (t) => {
    t.match(await connection.explain('SELECT sum(total) FROM orders'), { format: 'text', output: /Aggregating/ })
    t.same(await connection.check('SELECT total FROM orders'), { valid: true })
    t.match(await connection.check('SELECT nothing FROM orders'), { valid: false, message: /nothing/ })
    t.equal(await connection.timezone(), 'UTC')
  })

  t.test(
    'tables, types and comments are listed, but no keys, because ClickHouse has no unique keys; a first model of them validates',
    async (t) => {
      const found = await connection.introspect!()
      t.same(
        found.map(({ name }) => name),
        ['big', 'orders'],
      )
      t.match(found[1], { comment: 'What was bought', primaryKey: [], foreignKeys: [] })
      t.same(found[1]!.columns, [
        { name: 'id', sqlType: 'Int64', nullable: false },
        { name: 'at', sqlType: 'DateTime64(6)', nullable: false },
        { name: 'total', sqlType: 'Decimal(10, 2)', nullable: true, comment: 'With tax' },
        { name: 'status', sqlType: 'String', nullable: true },
        { name: 'seen', sqlType: "DateTime('Europe/Paris')", nullable: false },
      ])
      t.same(parseModelSync({ json: (await firstModel('live', found, noProbe)).document }).errors, [])
    },
  )
}
