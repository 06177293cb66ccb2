/** Keys whose types no text says, over whole numbers in a database: each format, as a served process reads it. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { start } from '../host/process.js'
import { serve } from '../rest/serve.js'
import { executing, startRest } from '../rest/server.js'
import { databaseFile } from '../support/database-file.js'
import { ownFolder } from '../support/own-folder.js'

/** A project of each format: how its text is called, what it says, and what its fields are called. */
interface Project {
  readonly file: string
  readonly text: string
  readonly fields: { readonly region: string; readonly key: string; readonly revenue: string }
}

const PROJECTS: Readonly<Record<string, Project>> = {
  cube: {
    file: 'by_cube.yml',
    text: `cubes:
  - name: orders
    sql_table: main.orders
    joins: [{ name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers}.customer_id" }]
    dimensions: [{ name: order_id, sql: order_id, type: number, primary_key: true }]
    measures: [{ name: revenue, type: sum, sql: amount }, { name: buyers, type: count_distinct, sql: "{CUBE}.customer_id" }]
  - name: customers
    sql_table: main.customers
    dimensions: [{ name: region, sql: region, type: string }]
`,
    fields: { region: 'customers.region', key: 'customers.region', revenue: 'orders.revenue' },
  },
  databricks: {
    file: 'by_databricks.yaml',
    text: `version: 1.1
source: main.orders
joins:
  - { name: customer, source: main.customers, on: source.customer_id = customer.customer_id }
fields:
  - { name: buyer, expr: customer_id }
  - { name: region, expr: customer.region }
measures:
  - { name: revenue, expr: SUM(amount) }
`,
    fields: { region: 'region', key: 'buyer', revenue: 'revenue' },
  },
  dbt: {
    file: 'by_dbt.yml',
    text: `semantic_models:
  - name: orders
    model: ref('orders')
    defaults: { agg_time_dimension: ordered_at }
    entities: [{ name: order_id, type: primary }, { name: customer, type: foreign, expr: customer_id }]
    dimensions: [{ name: ordered_at, type: time, type_params: { time_granularity: day } }]
    measures: [{ name: revenue, agg: sum, expr: amount, create_metric: true }]
  - name: customers
    model: ref('customers')
    entities: [{ name: customer, type: primary, expr: customer_id }]
    dimensions: [{ name: region, type: categorical }]
`,
    fields: { region: 'customer__region', key: 'customer', revenue: 'revenue' },
  },
  lookml: {
    file: 'by_lookml.lkml',
    text: `view: orders {
  sql_table_name: main.orders ;;
  dimension: order_id { primary_key: yes }
  dimension: customer_id {}
  measure: revenue { type: sum sql: \${TABLE}.amount ;; }
}
view: customers {
  sql_table_name: main.customers ;;
  dimension: customer_id { primary_key: yes }
  dimension: region {}
}
explore: orders {
  join: customers { relationship: many_to_one sql_on: \${orders.customer_id} = \${customers.customer_id} ;; }
}
`,
    fields: { region: 'customers.region', key: 'orders.customer_id', revenue: 'orders.revenue' },
  },
  ossie: {
    file: 'by_ossie.yaml',
    text: `version: 0.2.0.dev0
semantic_model:
  - name: by_ossie
    datasets:
      - name: customers
        source: main.customers
        primary_key: [customer_id]
        fields:
          - { name: customer_id, expression: { dialects: [{ dialect: ANSI_SQL, expression: customer_id }] }, dimension: {} }
          - { name: region, expression: { dialects: [{ dialect: ANSI_SQL, expression: region }] }, dimension: {} }
      - name: orders
        source: main.orders
        primary_key: [order_id]
        fields:
          - { name: amount, expression: { dialects: [{ dialect: ANSI_SQL, expression: amount }] } }
    relationships:
      - { name: of_customer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id] }
    metrics:
      - { name: revenue, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(orders.amount) }] } }
`,
    fields: { region: 'region', key: 'customer_id', revenue: 'revenue' },
  },
  snowflake: {
    file: 'by_snowflake.sql',
    text: `CREATE SEMANTIC VIEW by_snowflake
  TABLES (customers AS main.customers PRIMARY KEY (customer_id), orders AS main.orders PRIMARY KEY (order_id))
  RELATIONSHIPS (orders_to_customers AS orders (customer_id) REFERENCES customers)
  DIMENSIONS (customers.buyer AS customer_id, customers.region AS region)
  METRICS (orders.revenue AS SUM(amount));
`,
    fields: { region: 'region', key: 'buyer', revenue: 'revenue' },
  },
  tmdl: {
    file: 'by_tmdl.tmdl',
    text: `table Orders

	measure Revenue = SUM(Orders[amount])

	column customer_id
		sourceColumn: customer_id

	column amount
		dataType: decimal
		sourceColumn: amount

	annotation GrainlineTable = main.orders

table Customers

	column customer_id
		isKey
		sourceColumn: customer_id

	column region
		dataType: string
		sourceColumn: region

	annotation GrainlineTable = main.customers

relationship of_customer
	fromColumn: Orders.customer_id
	toColumn: Customers.customer_id
`,
    fields: { region: 'Customers.region', key: 'Customers.customer_id', revenue: 'Revenue' },
  },
}

const shop = (folder: string): Promise<string> =>
  databaseFile(
    path.join(folder, 'shop.duckdb'),
    `
    CREATE TABLE customers (customer_id INTEGER, region VARCHAR);
    INSERT INTO customers VALUES (9, 'north'), (10, 'south');
    CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, ordered_at DATE, amount DECIMAL(18, 2), paid BOOLEAN, channel VARCHAR);
    INSERT INTO orders VALUES (1, 9, '2026-01-03', 120, true, 'web'), (2, 9, '2026-01-20', 30.5, false, 'web'), (3, 10, '2026-02-01', 99.99, true, 'shop')`,
  )

const folder = ownFolder(t, Object.fromEntries(Object.values(PROJECTS).map(({ file, text }) => [file, text])))
const database = await shop(folder)
const settings = { QUERY_EXECUTE: 'true', DUCKDB_DATABASE: database, DB_VENDOR: 'duckdb' }

t.setTimeout(300_000)

const by = (dimension: string, measure: string) => ({
  query: { select: { dimensions: [dimension], measures: [measure] }, order_by: [{ field: dimension }] },
})
const numbers = (rows: readonly (readonly unknown[])[]) => rows.map(([key, value]) => [String(key), Number(value)])

t.test('a key without a type has that of the database, in every format', async (t) => {
  const files = Object.entries(PROJECTS).map(([format, { file }]) => `${format}:${file}`)
  const { ask } = await serve({ ...settings, MODEL_FILES: files.join(',') }, folder)
  for (const [format, { file, fields }] of Object.entries(PROJECTS)) {
    const session = file.replace(/\..*/, '')
    const [{ model_id }] = (await ask('GET', `/v1/sessions/${session}/models`)).body
    const asked = (dimension: string) =>
      ask('POST', `/v1/sessions/${session}/query/execute`, { model_id, ...by(dimension, fields.revenue) }).then(
        ({ body }) => body,
      )
    const byRegion = await asked(fields.region)
    t.same(
      numbers(byRegion.rows ?? [[byRegion.code, byRegion.detail]]),
      [
        ['north', 150.5],
        ['south', 99.99],
      ],
      `${format}: the join`,
    )
    const byKey = fields.key === fields.region ? undefined : await asked(fields.key)
    if (byKey === undefined) continue
    t.equal(byKey.columns?.[0].type, 'int', format)
    t.same(
      numbers(byKey.rows ?? []),
      [
        ['9', 150.5],
        ['10', 99.99],
      ],
      `${format}: whole numbers in their order`,
    )
  }
})

const CUSTOMER = '{ name: customer, source: main.customers, on: source.customer_id = customer.customer_id }'

/** A metric view with these fields, loaded into a session. */
async function view(fields: Readonly<Record<string, string>>, given = settings) {
  const server = await startRest({ plugins: [...(executing.plugins ?? []), '@grainline/importer-databricks'], settings: given })
  t.teardown(() => server.close())
  const written = Object.entries(fields).map(([name, expr]) => `  - { name: ${name}, expr: ${JSON.stringify(expr)} }\n`)
  const text = `version: 1.1\nsource: main.orders\njoins: [${CUSTOMER}]\nfields:\n${written.join('')}measures: [{ name: orders, expr: COUNT(1) }]\n`
  const { session_id } = (await server.post('/v1/sessions')).body
  const { body } = await server.post(`/v1/sessions/${session_id}/models`, { model_yaml: text, format: 'databricks' })
  const ask = (dimensions: readonly string[]) =>
    server.post(`/v1/sessions/${session_id}/query/execute`, {
      model_id: body.model_id,
      query: { select: { dimensions, measures: ['orders'] }, order_by: [{ field: dimensions[0] }] },
    })
  return { body, ask }
}

t.test('every stored type is that of a column without one', async (t) => {
  const names = ['order_id', 'ordered_at', 'amount', 'paid', 'channel']
  const { ask } = await view(Object.fromEntries(names.map((name) => [`${name}_of`, name])))
  const { body } = await ask(names.map((name) => `${name}_of`))
  t.same(
    body.columns.map(({ type }: { type: string }) => type),
    ['int', 'date', 'decimal(18,2)', 'boolean', 'string', 'int'],
  )
})

t.test('without a connection, a column without a type is a text, and the list says so', async (t) => {
  const { body } = await view({ buyer: 'customer_id' }, { ...settings, QUERY_EXECUTE: 'false' })
  t.match(body.warnings[1], { message: /customer_id \(as stored, else string\)/ })
})

t.test('an expression that is wrong for a stored type is refused when it is asked, and joins are not', async (t) => {
  const { body, ask } = await view({ region: 'customer.region', buyer: 'customer_id', initial: 'substring(order_id, 1, 1)' })
  t.ok(body.model_id, JSON.stringify(body))
  t.match(await ask(['initial']), { status: 422, body: { code: 'TYPE_MISMATCH' } })
  t.match(await ask(['region', 'buyer']), {
    body: {
      rows: [
        ['north', 9, 2],
        ['south', 10, 1],
      ],
    },
  })
})

t.test('serve --from answers over keys without types', async (t) => {
  const server = start(t, ['serve', '--from', 'databricks', 'by_databricks.yaml'], {
    cwd: folder,
    env: { PORT: '0', ...settings },
  })
  const [, address] = await server.shows(/READY (\S+)/)
  const answer = await fetch(`${address}/v1/query/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(by('buyer', 'revenue')),
  })
  const body = (await answer.json()) as { rows: unknown[][] }
  t.same(numbers(body.rows), [
    ['9', 150.5],
    ['10', 99.99],
  ])
})

const STRINGS = `cubes:
  - name: orders
    sql_table: main.orders
    joins: [{ name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.customer_id}" }]
    dimensions:
      - { name: order_id, sql: order_id, type: number, primary_key: true }
      - { name: channel, sql: channel, type: string }
    measures: [{ name: revenue, type: sum, sql: amount }]
  - name: customers
    sql_table: main.customers
    dimensions:
      - { name: customer_id, sql: customer_id, type: string, primary_key: true }
      - { name: region, sql: region, type: string }
`

async function cubeServer(given: Readonly<Record<string, string>>) {
  const server = await startRest({ plugins: [...(executing.plugins ?? []), '@grainline/importer-cube'], settings: given })
  t.teardown(() => server.close())
  const { session_id } = (await server.post('/v1/sessions')).body
  const at = `/v1/sessions/${session_id}`
  return { server, at, load: () => server.post(`${at}/models`, { model_yaml: STRINGS, format: 'cube' }) }
}

t.test('a key that the text calls a string is what the database stores, and the list says so', async (t) => {
  const { server, at, load } = await cubeServer(settings)
  const { body } = await load()
  const lines = body.warnings.filter(({ message }: { message: string }) => /because the database stores/.test(message))
  t.match(lines, [
    { message: "'customer_id' of 'orders' is read as int, because the database stores it as INTEGER. The text says string." },
    {
      code: 'IMPORT_LOSS',
      message: "'customer_id' of 'customers' is read as int, because the database stores it as INTEGER. The text says string.",
      line: 9,
      path: 'dataObjects.customers.columns.customer_id',
      context: { kind: 'rewritten', format: 'cube' },
    },
  ])
  t.equal(lines.length, 2, 'and nothing of texts that are texts')
  const query = by('customers.customer_id', 'orders.revenue').query
  const answer = await server.post(`${at}/query/execute`, { model_id: body.model_id, query })
  t.equal(answer.body.columns[0].type, 'int')
  t.same(numbers(answer.body.rows), [
    ['9', 150.5],
    ['10', 99.99],
  ])
})

t.test('without its database, a model with columns of no type is refused; it is loaded when the database is there', async (t) => {
  const file = path.join(folder, 'absent', 'shop.duckdb')
  mkdirSync(path.dirname(file))
  writeFileSync(file, 'no database')
  const absent = { ...settings, DUCKDB_DATABASE: file }
  const started = start(t, ['serve', '--from', 'databricks', 'by_databricks.yaml'], {
    cwd: folder,
    env: { PORT: '0', ...absent },
  })
  t.not(await started.ended, 0)
  t.match(
    started.stdout() + started.stderr(),
    /by_databricks\.yaml.*The types of columns are those of the database, which cannot be read/,
  )

  const server = await startRest({ plugins: [...(executing.plugins ?? []), '@grainline/importer-databricks'], settings: absent })
  t.teardown(() => server.close())
  const { session_id } = (await server.post('/v1/sessions')).body
  const text = PROJECTS['databricks']?.text
  const load = () => server.post(`/v1/sessions/${session_id}/models`, { model_yaml: text, format: 'databricks' })
  const refused = await load()
  t.match(refused.body, { detail: /cannot be read/, hint: /Load the model again when the database can be reached/ })
  t.ok(refused.status >= 500, 'a client may try again')
  rmSync(file)
  await shop(path.dirname(file))
  const { status, body } = await load()
  t.equal(status, 201, JSON.stringify(body))
  const answer = await server.post(`/v1/sessions/${session_id}/query/execute`, {
    model_id: body.model_id,
    ...by('buyer', 'revenue'),
  })
  t.equal(answer.body.columns[0].type, 'int')
})

t.test('SIGHUP reads the types of a database that was replaced', async (t) => {
  const file = path.join(folder, 'replaced.duckdb')
  const made = (type: string) => `
    CREATE TABLE customers AS SELECT '9'::${type} AS customer_id, 'north' AS region;
    CREATE TABLE orders AS SELECT 1 AS order_id, '9'::${type} AS customer_id, 5 AS amount`
  await databaseFile(file, made('INTEGER'))
  const env = { ...settings, DUCKDB_DATABASE: file, MODEL_FILES: 'databricks:by_databricks.yaml' }
  const { ask, process } = await serve(env, folder)
  const typeOfKey = async () => (await ask('POST', '/v1/query/execute', by('buyer', 'revenue'))).body.columns?.[0]?.type
  t.equal(await typeOfKey(), 'int')
  await databaseFile(`${file}.next`, made('VARCHAR'))
  renameSync(`${file}.next`, file)
  process.signal('SIGHUP')
  await process.shows(/model by_databricks replaced from its file/)
  t.equal(await typeOfKey(), 'string')
})

t.test('a column without a type is not said to be declared', async (t) => {
  const server = await startRest({ plugins: executing.plugins ?? [], settings })
  t.teardown(() => server.close())
  const { session_id } = (await server.post('/v1/sessions')).body
  const orders = {
    code: 'orders',
    columns: { Id: { code: 'order_id' }, Customer: { code: 'customer_id', abstractType: 'string' } },
  }
  const dimensions = { Id: { dataObject: 'Orders', column: 'Id' }, Customer: { dataObject: 'Orders', column: 'Customer' } }
  const model_json = { version: 1, dataObjects: { Orders: orders }, dimensions }
  const { model_id } = (await server.post(`/v1/sessions/${session_id}/models`, { model_json })).body
  const ask = (dimension: string) =>
    server.post(`/v1/sessions/${session_id}/query/execute`, { model_id, query: { select: { dimensions: [dimension] } } })
  t.match(await ask('Id'), {
    body: {
      code: 'TYPE_MISMATCH',
      detail: "'Orders.Id' has no type in the model, is read as a string, and the database stores it as INTEGER",
    },
  })
  t.match(await ask('Customer'), {
    body: { detail: "'Orders.Customer' is declared string, and the database stores it as INTEGER" },
  })
})
