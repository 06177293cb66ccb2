/** Joins whose end with one row is no key in the data: the list, `verify` and answers after it say so, in every format. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { definePlugin, type Importer } from '@grainline/core'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { cube } from '../../plugins/importer-cube/src/index.js'
import { databricks } from '../../plugins/importer-databricks/src/index.js'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { lookml } from '../../plugins/importer-lookml/src/index.js'
import { ossie } from '../../plugins/importer-ossie/src/index.js'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { tmdl } from '../../plugins/importer-tmdl/src/index.js'
import { executing, startRest } from '../rest/server.js'
import { oneIn } from '../support/amount.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const defaultConfig = path.join(process.cwd(), 'config/default.yaml')

const ansi = (name: string, type: string) =>
  `{ name: ${name}, datatype: ${type}, dimension: {}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`

interface Contradicted {
  readonly importer: Importer
  readonly text: string
  readonly region: string
  readonly revenue: string
  /** The list has a line, because the text declares no key. */
  readonly isSaid: boolean
}

const TEXTS: readonly Contradicted[] = [
  {
    importer: cube,
    isSaid: true,
    region: 'customers.region',
    revenue: 'orders.revenue',
    text: `cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: customers, relationship: many_to_one, sql: "{CUBE}.customer = {customers.id}" }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: revenue, type: sum, sql: amount }]
  - name: customers
    sql_table: customers
    dimensions: [{ name: id, sql: id, type: number }, { name: region, sql: region, type: string }]
`,
  },
  {
    importer: databricks,
    isSaid: true,
    region: 'region',
    revenue: 'revenue',
    text: `version: '1.1'
source: orders
joins: [{ name: customers, source: customers, 'on': source.customer = customers.id }]
dimensions: [{ name: region, expr: customers.region }]
measures: [{ name: revenue, expr: SUM(amount) }, { name: most, expr: MAX(customer + 0) }]
`,
  },
  {
    importer: dbt,
    // Its entity is a key that is declared.
    isSaid: false,
    region: 'cust__region',
    revenue: 'revenue',
    text: `models:
  - { name: orders, columns: [{ name: id, data_type: int }, { name: customer, data_type: int }, { name: amount, data_type: 'decimal(10,2)' }] }
  - { name: customers, columns: [{ name: id, data_type: int }] }
semantic_models:
  - name: orders
    model: ref('orders')
    entities: [{ name: id, type: primary }, { name: cust, type: foreign, expr: customer }]
    measures: [{ name: revenue, agg: sum, expr: amount, create_metric: true }]
  - name: customers
    model: ref('customers')
    entities: [{ name: cust, type: primary, expr: id }]
    dimensions: [{ name: region, type: categorical }]
`,
  },
  {
    importer: lookml,
    isSaid: true,
    region: 'customers.region',
    revenue: 'orders.revenue',
    text: `view: orders {
  sql_table_name: orders ;;
  dimension: id { primary_key: yes type: number sql: \${TABLE}.id ;; }
  dimension: customer { type: number sql: \${TABLE}.customer ;; }
  measure: revenue { type: sum sql: \${TABLE}.amount ;; }
}
view: customers {
  sql_table_name: customers ;;
  dimension: id { type: number sql: \${TABLE}.id ;; }
  dimension: region { sql: \${TABLE}.region ;; }
}
explore: orders { join: customers { sql_on: \${orders.customer} = \${customers.id} ;; } }
`,
  },
  {
    importer: ossie,
    isSaid: true,
    region: 'region',
    revenue: 'revenue',
    text: `version: "0.2.0.dev0"
semantic_model:
  - name: shop
    datasets:
      - { name: orders, source: orders, primary_key: [id], fields: [${ansi('id', 'Integer')}, ${ansi('customer', 'Integer')}, ${ansi('amount', 'Decimal')}] }
      - { name: customers, source: customers, fields: [${ansi('id', 'Integer')}, ${ansi('region', 'String')}] }
    relationships: [{ name: o2c, from: orders, to: customers, from_columns: [customer], to_columns: [id] }]
    metrics: [{ name: revenue, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] } }]
`,
  },
  {
    importer: snowflake,
    isSaid: true,
    region: 'region',
    revenue: 'revenue',
    text: `name: shop
tables:
  - name: orders
    base_table: { table: orders }
    primary_key: { columns: [id] }
    facts: [{ name: amount, expr: amount, data_type: "NUMBER(10,2)" }, { name: customer, expr: customer, data_type: "NUMBER(10,0)" }, { name: id, expr: id, data_type: "NUMBER(10,0)" }]
    metrics: [{ name: revenue, expr: SUM(amount) }]
  - name: customers
    base_table: { table: customers }
    dimensions: [{ name: region, expr: region, data_type: VARCHAR }, { name: id, expr: id, data_type: "NUMBER(10,0)" }]
relationships: [{ name: o2c, left_table: orders, right_table: customers, relationship_columns: [{ left_column: customer, right_column: id }] }]
`,
  },
  {
    importer: tmdl,
    // The end of one is declared by the relationship.
    isSaid: false,
    region: 'Customers.Region',
    revenue: 'Revenue',
    text: `table Orders
\tmeasure Revenue = SUM(Orders[Amount])
\tcolumn Id
\t\tdataType: int64
\t\tisKey
\t\tsourceColumn: id
\tcolumn Customer
\t\tdataType: int64
\t\tsourceColumn: customer
\tcolumn Amount
\t\tdataType: double
\t\tsourceColumn: amount
\tannotation GrainlineTable = orders

table Customers
\tcolumn Id
\t\tdataType: int64
\t\tsourceColumn: id
\tcolumn Region
\t\tdataType: string
\t\tsourceColumn: region
\tannotation GrainlineTable = customers

relationship r
\tfromColumn: Orders.Customer
\ttoColumn: Customers.Id
`,
  },
]

t.setTimeout(300_000)

for (const { importer, text, region, revenue, isSaid } of oneIn(2, TEXTS))
  t.test(`${importer.name}: a key that the data contradict is found`, async (t) => {
    const file = path.join(t.testdir({}), 'shop.duckdb')
    const instance = await DuckDBInstance.create(file)
    const connection = await instance.connect()
    await connection.run(`CREATE TABLE orders AS FROM (VALUES (1, 1, 10.00), (2, 1, 20.00), (3, 2, 5.00)) AS t (id, customer, amount);
      CREATE TABLE customers AS FROM (VALUES (1, 'north'), (1, 'north'), (2, 'south')) AS t (id, region)`)
    connection.closeSync()
    instance.closeSync()
    const plugin = definePlugin({ name: 'importers', host: '*', setup: (host) => host.importers.register(importer) })
    const settings = { ...executing.settings, DUCKDB_DATABASE: file }
    const server = await startRest({ plugins: [...(executing.plugins ?? []), plugin], settings })
    t.teardown(() => server.close())
    const session = (await server.post('/v1/sessions')).body.session_id
    const loaded = await server.post(`/v1/sessions/${session}/models`, { model_yaml: text, format: importer.name })
    t.equal(loaded.status, 201, loaded.text)
    const lines = loaded.body.warnings.filter(({ hint = '' }: { hint?: string }) => hint.includes('grainline verify'))
    t.equal(lines.length > 0, isSaid, 'the list says which keys are assumed')
    const ask = async (): Promise<readonly string[]> => {
      const query = { select: { dimensions: [region], measures: [revenue] } }
      const answer = await server.post(`/v1/sessions/${session}/query/execute`, { model_id: loaded.body.model_id, query })
      t.equal(answer.status, 200, answer.text)
      return answer.body.warnings.map(({ code }: { code: string }) => code)
    }
    t.equal((await ask()).includes('JOIN_NOT_TO_A_KEY'), isSaid, 'an answer over a key that is assumed says so, before verify')
    const verified = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
    t.equal(verified.status, 200, verified.text)
    const codes: readonly string[] = verified.body.findings.map(({ code }: { code: string }) => code)
    t.ok(
      codes.some((code) => code === 'VERIFY_CARDINALITY' || code === 'VERIFY_DUPLICATE_KEY'),
      `verify: ${codes.join(', ')}`,
    )
    t.ok((await ask()).includes('VERIFY_CARDINALITY'), 'an answer over the join says so')
    await server.close()
    const cwd = path.dirname(file)
    writeFileSync(path.join(cwd, `${importer.name}.txt`), text)
    const command = async (...args: string[]) => {
      const { stdout, stderr, written } = streamsThatKeep()
      const env = { DB_VENDOR: 'duckdb', DUCKDB_DATABASE: file }
      return { code: await main(args, { stdout, stderr, cwd, env, defaultConfig }), ...written() }
    }
    const found = await command('verify', `${importer.name}.txt`, '--from', importer.name)
    t.equal(found.code, 1, found.err)
    t.match(
      found.out,
      new RegExp(`${importer.name}\\.txt:\\d+:\\d+: error VERIFY_(CARDINALITY|DUPLICATE_KEY) `),
      'the command names the line',
    )
    const select = JSON.stringify({ select: { dimensions: [region], measures: [revenue] } })
    t.match(await command('execute', `${importer.name}.txt`, '--from', importer.name, '--query', select), {
      code: 0,
      out: /south/,
    })
  })
