/**
 * `grainline init` on databases without constraints: joins are found by names and data and marked as guesses, nothing meaningless is
 * summed, and the model answers queries. The expected values are written by hand.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse } from 'yaml'
import { oneIn } from '../support/amount.js'
import { commerce, joinsOf, type Model } from '../support/commerce-case.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync('/tmp/grainline-first-')
t.teardown(() => rmSync(folder, { recursive: true }))

async function database(name: string, statements: readonly string[]): Promise<string> {
  const file = path.join(folder, `${name}.duckdb`)
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
  return file
}

const parquet = (where: string, tables: string): readonly string[] =>
  tables.split(' ').map((table) => `CREATE TABLE ${table} AS SELECT * FROM '${path.join(root, where, table)}.parquet'`)

async function command(file: string, ...args: string[]) {
  const { stdout, stderr, written } = streamsThatKeep()
  const env = { DB_VENDOR: 'duckdb', DUCKDB_DATABASE: file }
  const defaultConfig = path.join(root, 'config/demo.yaml')
  return { code: await main(args, { stdout, stderr, cwd: folder, env, defaultConfig }), ...written() }
}

const SENSELESS = /price|percent|discount|\btax\b|year|\bid\b|key|number|rate|temp|speed|lat\b|lon\b|hour/i

const CASES = [
  {
    name: 'tpch',
    statements: parquet('test/tpch/data', 'customer lineitem nation orders part partsupp region supplier'),
    joins: [
      'customer.c_nationkey → nation',
      'lineitem.l_orderkey → orders',
      'lineitem.l_partkey → part',
      'lineitem.l_partkey+l_suppkey → partsupp',
      'lineitem.l_suppkey → supplier',
      'nation.n_regionkey → region',
      'orders.o_custkey → customer',
      'partsupp.ps_partkey → part',
      'partsupp.ps_suppkey → supplier',
      'supplier.s_nationkey → nation',
    ],
    // Sums are made of prices of whole lines and orders.
    sums: ['Extended Price', 'Total Price'],
    questions: [
      { dimensions: ['Customer Nation'], measures: ['Total Price'] },
      { dimensions: ['Customer Region', 'Order Month'], measures: ['Orders Count'] },
      { dimensions: ['Supplier Nation'], measures: ['Lineitem Quantity', 'Avail Qty'] },
      { dimensions: ['Supplier Region'], measures: ['Extended Price'] },
      { dimensions: ['Ship Mode'], measures: ['Average Discount'] },
      { dimensions: ['Order Priority'], measures: ['Lineitem Count'] },
      { dimensions: ['Mktsegment'], measures: ['Customer Count', 'Average Customer Acct Bal'] },
      { dimensions: ['Brand'], measures: ['Extended Price'] },
      { dimensions: ['Ship Month'], measures: ['Extended Price'] },
      { dimensions: ['Order Date:year'], measures: ['Orders Count'] },
    ],
  },
  {
    name: 'flights',
    statements: parquet('examples/flights/data', 'flights weather airports planes airlines hours'),
    joins: [
      'flights.carrier → airlines',
      'flights.dest → airports',
      'flights.origin → airports',
      'flights.origin+time_hour → weather',
      'flights.tailnum → planes',
      'flights.time_hour → hours',
      'weather.origin → airports',
      'weather.time_hour → hours',
    ],
    sums: [],
    questions: [
      { dimensions: ['Origin Airport'], measures: ['Average Dep Delay'] },
      { dimensions: ['Dest Airport'], measures: ['Flights Count'] },
      { dimensions: ['Airline'], measures: ['Distance', 'Flights Count'] },
      { dimensions: ['Manufacturer'], measures: ['Flights Count'] },
      { dimensions: ['Time Hour Month'], measures: ['Flights Count', 'Average Temp'] },
      { dimensions: ['Hour Date'], measures: ['Precip'] },
      { dimensions: ['Plane Year'], measures: ['Seats'] },
      { dimensions: ['Origin Airport'], measures: ['Weather Count'] },
      { dimensions: ['Flight Hour'], measures: ['Average Arr Delay'] },
      { measures: ['Flights Count', 'Planes Count', 'Airlines Count'] },
    ],
  },
  { ...commerce, statements: [commerce.sql] },
]

for (const { name, statements, joins, sums, questions } of oneIn(2, CASES)) {
  t.test(`${name}: the joins of a database without constraints are found and marked as guesses`, async (t) => {
    const file = await database(name, statements)
    const began = [performance.now(), process.cpuUsage()] as const
    const made = await command(file, 'init', '--name', name, '--output', `${name}.yaml`)
    t.equal(made.code, 0, made.err)
    const text = readFileSync(path.join(folder, `${name}.yaml`), 'utf8')
    const [, schema] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
    t.match(JSON.parse(readFileSync(path.join(folder, schema!), 'utf8')), { properties: { dataObjects: {} } }, 'beside the model')
    const model = parse(text) as Model
    const found = joinsOf(model)
    const right = found.filter((join) => joins.includes(join))
    t.same(
      found.filter((join) => !joins.includes(join)),
      [],
      'no join is wrong',
    )
    t.equal(right.length, joins.length, 'every true join is proposed')
    t.same(
      joins.filter((join) => !found.includes(join)),
      [],
      'none is missing',
    )
    const [ofObjects = ''] = text.split('\ndimensions:')
    const written = ofObjects
      .split('\n')
      .flatMap((line, i, lines) => (/- \{ ?(joinType|$)/.test(line) || /^ +- \{$/.test(line) ? [lines[i - 1]!] : []))
    t.ok(written.length >= joins.length)
    for (const before of written) t.match(before, /# guessed by (name|its values); .*\d/)

    const senseless = Object.entries(model.measures).filter(
      ([measure, { aggregation }]) => aggregation === 'sum' && SENSELESS.test(measure) && !sums.includes(measure as never),
    )
    t.same(senseless, [], 'nothing senseless is summed')
    for (const field of [...Object.keys(model.dimensions), ...Object.keys(model.measures)]) {
      const words = field.toLowerCase().split(' ')
      t.equal(new Set(words).size, words.length, `'${field}' says nothing twice`)
    }
    t.ok(Object.values(model.dimensions).some(({ timeGrain }) => timeGrain === 'month'))

    const validated = await command(file, 'validate', `${name}.yaml`)
    t.same([validated.code, validated.out, validated.err], [0, `${name}.yaml is valid\n`, ''], 'without a warning')
    for (const select of questions) {
      const { code, out, err } = await command(
        file,
        'execute',
        `${name}.yaml`,
        '--query',
        JSON.stringify({ select }),
        '--format',
        'json',
      )
      t.equal(code, 0, `${JSON.stringify(select)} ${err}`)
      if (code === 0) t.ok(JSON.parse(out).row_count > 0)
    }
    const { user, system } = process.cpuUsage(began[1])
    const seconds = [(performance.now() - began[0]) / 1000, (user + system) / 1e6].map((each) => each.toFixed(1))
    t.comment(`${name}: a first model and ten questions in ${seconds[0]} s, ${seconds[1]} s of them of the processor`)
  })
}

t.test('without probing, only names decide, and each guess is marked', async (t) => {
  const file = await database('named', [
    'CREATE TABLE customers (id BIGINT, name VARCHAR)',
    'CREATE TABLE orders (id BIGINT, customer_id BIGINT, amount DECIMAL(10,2))',
  ])
  const { out } = await command(file, 'init', '--no-probe')
  t.match(out, /# guessed by name; not compared with the data\n +- \{ joinType: many-to-one, joinTo: Customers/)
  t.match(out, /# guessed key: by its name; not compared with the data\n +Id:/)
})

t.test('a self-reference becomes a join to a separate object', async (t) => {
  const file = await database('itself', [
    'CREATE TABLE employees (id BIGINT PRIMARY KEY, name VARCHAR, manager_id BIGINT REFERENCES employees, employee_id BIGINT REFERENCES employees)',
    "INSERT INTO employees VALUES (1, 'Ann', NULL, NULL)",
    "INSERT INTO employees VALUES (2, 'Bob', 1, 1), (3, 'Cid', 1, 1)",
  ])
  t.equal((await command(file, 'init', '--output', 'itself.yaml')).code, 0)
  const { dataObjects } = parse(readFileSync(path.join(folder, 'itself.yaml'), 'utf8')) as Model
  t.strictSame(
    Object.entries(dataObjects).map(([label, { joins = [] }]) => [label, joins.map(({ joinTo }) => joinTo)]),
    [
      ['Employees', ['Manager Employees', 'Parent Employees']],
      ['Manager Employees', []],
      ['Parent Employees', []],
    ],
  )
  const select = { dimensions: ['Manager Employee'], measures: ['Employees Count'] }
  const asked = ['--query', JSON.stringify({ select, order_by: [{ field: 'Employees Count' }] }), '--format', 'json']
  const { code, out, err } = await command(file, 'execute', 'itself.yaml', ...asked)
  t.equal(code, 0, err)
  t.equal(code === 0 && JSON.parse(out).row_count, 2, out)
})

t.test('unusual types and names: what is in the model can be queried, and the rest is listed', async (t) => {
  const file = await database('odd', [
    'CREATE SCHEMA "Sales Dept"',
    `CREATE TABLE "Sales Dept"."Order" ("OrderId" INTEGER PRIMARY KEY, "select" VARCHAR, weight UTINYINT, total HUGEINT, made TIMESTAMP_S, seen TIMESTAMPTZ,
      uid UUID, mood ENUM ('sad', 'ok'), opened TIME, meta JSON, "größe %" REAL, "ReportsTo" INTEGER, photo BLOB, span INTERVAL, tags VARCHAR[])`,
    `INSERT INTO "Sales Dept"."Order" VALUES (1, 's', 2, 3, '2024-01-01', '2024-01-01 10:00:00+00', uuid(), 'ok', '08:00', '{"a":1}', 1.5, 1, NULL, NULL, NULL)`,
    'CREATE VIEW "order totals" AS SELECT "OrderId", total FROM "Sales Dept"."Order"',
  ])
  t.equal((await command(file, 'init', '--output', 'odd.yaml')).code, 0)
  const written = readFileSync(path.join(folder, 'odd.yaml'), 'utf8')
  t.match(written, '# skipped, because a model cannot read their types: photo (BLOB), span (INTERVAL), tags (VARCHAR[])')
  const { dataObjects, measures } = parse(written) as Model & { measures: Record<string, object> }
  t.notMatch(Object.keys(measures).join(), /Reports To|Total Total/)
  const fields = Object.keys((dataObjects['Order'] as unknown as { columns: object }).columns).map((name) => `Order.${name}`)
  t.equal(fields.length, 12)
  const { code, out, err } = await command(
    file,
    'execute',
    'odd.yaml',
    '--query',
    JSON.stringify({ select: { fields } }),
    '--format',
    'json',
  )
  t.equal(code, 0, err)
  t.match(code === 0 && JSON.parse(out), { row_count: 1, warnings: [] })
})
