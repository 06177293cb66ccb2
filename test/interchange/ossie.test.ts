/** Semantic models of Ossie: numbers of the vectors of its compliance suite, a list of what is lost, and no text that breaks the importer. */
import { readFileSync } from 'node:fs'
import type { Imported } from '@grainline/core'
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { databricks } from '../../plugins/importer-databricks/src/index.js'
import { dbt } from '../../plugins/importer-dbt/src/index.js'
import { ossie } from '../../plugins/importer-ossie/src/index.js'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { readsBroken } from './broken.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const shop = readFileSync(new URL('./test/interchange/ossie/shop.yaml', `file://${process.cwd()}/`), 'utf8')

const imported = async (text: string): Promise<Imported> => {
  const read = await ossie.read({ text })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  return read
}

importerConformance(t, {
  importer: ossie,
  model: shop,
  invalid: 'version: 0.2.0.dev0\nsemantic_model:\n  - name: a\n    datasets: []\n',
})

const ROWS = `
  CREATE TABLE segments (id INTEGER, label VARCHAR); INSERT INTO segments VALUES (1, 'retail'), (2, 'wholesale');
  CREATE TABLE customers (id INTEGER, region VARCHAR, segment INTEGER);
  INSERT INTO customers VALUES (1, 'EAST', 1), (2, 'EAST', 1), (3, 'WEST', 2), (4, 'NORTH', 1);
  CREATE TABLE orders (id INTEGER, customer_id INTEGER, payer_id INTEGER, "Amount" DECIMAL(10, 2), status VARCHAR);
  INSERT INTO orders VALUES (101, 1, 1, 100, 'completed'), (102, 1, 2, 50, 'completed'), (103, 2, 2, 200, 'pending'), (104, 3, 1, 75, 'completed'),
    (105, 99, 1, 30, 'completed');
  CREATE TABLE returns (id INTEGER, customer_id INTEGER, amount DECIMAL(10, 2)); INSERT INTO returns VALUES (201, 1, 10), (202, 3, 5), (203, 4, 15);
  CREATE TABLE actors (actor_id INTEGER, height INTEGER); INSERT INTO actors VALUES (1, 170), (2, 170), (3, 180);
  CREATE TABLE movies (movie_id INTEGER, gross DECIMAL(10, 2)); INSERT INTO movies VALUES (10, 100), (11, 200), (12, 50);
  CREATE TABLE appearances (actor_id INTEGER, movie_id INTEGER); INSERT INTO appearances VALUES (1, 10), (1, 11), (2, 10), (3, 12);
  CREATE TABLE stock (store INTEGER, sku VARCHAR, reorder INTEGER); INSERT INTO stock VALUES (1, 'a', 5), (1, 'b', 5), (2, 'a', 7);
  CREATE TABLE sales (id INTEGER, store INTEGER, sku VARCHAR, qty INTEGER, maker_id INTEGER, seller_id INTEGER);
  INSERT INTO sales VALUES (1, 1, 'a', 2, 1, 2), (2, 1, 'b', 3, 2, 2), (3, 2, 'a', 4, 1, 1), (4, 2, 'b', 1, 1, 1);
  CREATE TABLE users (id INTEGER, city VARCHAR); INSERT INTO users VALUES (1, 'Oslo'), (2, 'Rome')`

const values = (...rows: readonly string[]) => `SELECT * FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')})`

/** The rows that the vectors state. */
const VECTORS: readonly NumberCase[] = [
  { says: 'T-001, T-010', dimensions: ['region'], measures: ['revenue'], sql: values("'EAST', 350", "'WEST', 75", 'NULL, 30') },
  { says: 'T-005b', dimensions: ['region'], measures: ['mean'], sql: values("'EAST', 350 / 3", "'WEST', 75", 'NULL, 30') },
  { says: 'T-005e', dimensions: ['region'], measures: ['statuses'], sql: values("'EAST', 2", "'WEST', 1", 'NULL, 1') },
  {
    says: 'T-006',
    dimensions: ['region'],
    measures: ['order_count'],
    where: [{ field: 'status', op: '=', value: 'completed' }],
    sql: values("'EAST', 2", "'WEST', 1", 'NULL, 1'),
  },
  {
    says: 'T-011',
    dimensions: ['region'],
    measures: ['revenue', 'return_total'],
    sql: values("'EAST', 350, 10", "'WEST', 75, 5", "'NORTH', NULL, 15", 'NULL, 30, NULL'),
  },
  { says: 'T-012', measures: ['revenue', 'return_total'], sql: values('455, 30') },
  { says: 'T-015', dimensions: ['height'], measures: ['gross_total'], sql: values('170, 300', '180, 50') },
  {
    says: 'T-016, as the newer draft has it',
    dimensions: ['height'],
    measures: ['gross_mean'],
    sql: values('170, 150', '180, 50'),
  },
  { says: 'T-019', dimensions: ['city'], measures: ['units'], code: 'NO_JOIN_PATH' },
  {
    says: 'T-021, as the newer draft has it',
    dimensions: ['status'],
    measures: ['unique_customers'],
    sql: values("'completed', 2", "'pending', 1", 'NULL, 1'),
  },
  { says: 'T-040', dimensions: ['city'], measures: ['revenue'], code: 'NO_JOIN_PATH' },
  { says: 'T-043', dimensions: ['label'], measures: ['revenue'], sql: values("'retail', 350", "'wholesale', 75", 'NULL, 30') },
  { says: 'T-044', dimensions: ['reorder'], measures: ['units'], sql: values('5, 5', '7, 4', 'NULL, 1') },
  {
    says: 'T-047, T-053',
    dimensions: ['region'],
    measures: ['revenue', 'order_count', 'mean', 'least', 'most'],
    sql: values("'EAST', 350, 3, 350 / 3, 50, 200", "'WEST', 75, 1, 75, 75, 75", 'NULL, 30, 1, 30, 30, 30'),
  },
  {
    says: 'a metric over metrics, and one over two datasets',
    measures: ['share_returned', 'reserve'],
    sql: 'SELECT 30 / 455, (SELECT sum(qty * reorder) FROM sales JOIN stock USING (store, sku))',
  },
  {
    says: 'a filter that does not reach a metric',
    measures: ['return_total'],
    where: [{ field: 'status', op: '=', value: 'pending' }],
    code: 'FILTER_NOT_APPLICABLE',
  },
]

sameNumbers('vectors', { importer: ossie, text: shop, rows: ROWS, cases: VECTORS })

/** A part of the document by its path; a missing one is undefined. */
const at = ({ document }: Imported, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], document)

t.test('the list says what the model does not say as it is written', async (t) => {
  const { losses } = await imported(shop)
  const inert = losses.filter(({ kind }) => kind === 'inert').map(({ message }) => message)
  t.match(inert.toSorted(), [
    "'examples' of 'shop' is not in the model: it says nothing about numbers here.",
    "'instructions' of 'shop' is not in the model: it says nothing about numbers here.",
    "'label' of 'region' is not in the model: it says nothing about numbers here.",
    "The expression of 'size' in MAQL is not in the model: it has that in ANSI_SQL.",
    "What ACME says of 'shop' is in its customExtensions, on which nothing acts.",
  ])
  t.same(
    losses.filter(({ kind }) => kind === 'refused'),
    [],
  )
  t.ok(losses.every(({ place }) => place !== undefined))
})

t.test('a text is recognized as a model of one product only', async (t) => {
  const textOf = (file: string) => readFileSync(new URL(`./test/interchange/${file}`, `file://${process.cwd()}/`), 'utf8')
  const texts = {
    databricks: textOf('databricks/shop.yaml'),
    dbt: textOf('dbt/new.yml'),
    ossie: shop,
    snowflake: textOf('snowflake/shop.yaml'),
  }
  for (const [name, text] of Object.entries(texts))
    t.same(
      [databricks, dbt, ossie, snowflake].filter((importer) => importer.detect({ text })).map((importer) => importer.name),
      [name],
    )
})

t.test('names, keys and joins are those of the text', async (t) => {
  const read = await imported(shop)
  t.match(at(read, 'settings'), { strictFilters: true })
  t.same(at(read, 'customExtensions'), [{ vendor: 'ACME', data: '{"theme": "dark"}' }])
  t.match(at(read, 'dataObjects', 'orders'), {
    code: 'orders',
    schema: 'main',
    columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, Amount: { code: 'Amount', abstractType: 'float' } },
  })
  t.match(at(read, 'dataObjects', 'sales', 'joins'), [
    { joinTo: 'stock', columnsFrom: ['store', 'sku'] },
    { joinTo: 'users', secondary: true, pathName: 'made_by' },
    { joinTo: 'users', secondary: true, pathName: 'sold_by' },
  ])
  t.match(at(read, 'measures', 'revenue'), { aggregation: 'sum', description: 'In euros', synonyms: ['turnover'] })
})

t.test('a draft without a version and a list, and another version, are read', async (t) => {
  const draft =
    'name: d\ndatasets:\n  - { name: a, source: a, fields: [{ name: x, expression: x, dimension: {} }] }\nmetrics:\n  - { name: n, expression: COUNT(a.x) }\n'
  t.match(at(await imported(draft), 'measures', 'n'), { aggregation: 'count' })
  t.ok(await imported(shop.replace('0.2.0.dev0', '0.1.1')))
})

t.test('what the specification does not allow refuses the text, at its place', async (t) => {
  for (const [from, to, message] of [
    ['version: 0.2.0.dev0', 'version: 7', /version '7' is not known/],
    ['description: Who buys', 'descriptoin: Who buys', /'descriptoin' is no key of a dataset/],
    ['label: geography', 'role: geography', /'role' is no key of a field/],
    ['source: main.orders', 'source: SELECT * FROM orders', /is a query/],
    ['datatype: Decimal', 'datatype: Money', /'Money' is no datatype/],
    ['from_columns: [store, sku]', 'from_columns: [store]', /as many columns on both sides/],
    ['{ is_time: false }', '{ is_tim: false }', /'is_tim' is no key of a dimension/],
    ["data: '{", "dat: '{", /'dat' is no key of an extension|'data' is missing/],
    ['semantic_model:', 'ontology: []\nsemantic_model:', /is an ontology/],
  ] as const) {
    t.ok(shop.includes(from), from)
    t.match(await ossie.read({ text: shop.replace(from, to) }), { faults: [{ message, place: { line: Number } }] }, to)
  }
})

t.test('what has no place in a model refuses its metric, with what reads it', async (t) => {
  for (const [expression, message] of [
    ['AVG(AVG(orders.amount))', /aggregates an aggregate/],
    ['SUM(orders.amount) OVER ()', /window/],
    ['COUNT(*)', /one table/],
    ['SUM(id)', /one table/],
    ['SUM(orders.amount * returns.amount)', /one table/],
    ['SUM((SELECT 1))', /not part of expressions/],
  ] as const) {
    const { losses, document } = await imported(shop.replace('expression: SUM(orders.amount)', `expression: '${expression}'`))
    const refused = losses.filter(({ kind }) => kind === 'refused')
    t.match(refused[0], { message, place: { line: Number } }, expression)
    t.match(refused[1], { message: /'share_returned' is left out: 'revenue' is left out/ }, expression)
    t.notOk(Object.hasOwn(document['measures'] as object, 'revenue'))
  }
  const mdx = await imported(shop.replace('dialect: ANSI_SQL, expression: SUM(returns', 'dialect: MDX, expression: SUM(returns'))
  t.match(
    mdx.losses.filter(({ kind }) => kind === 'refused'),
    [{ message: /'return_total' is left out: the function 'mdx' is not known/ }, {}],
  )
})

readsBroken({ what: 'models of Ossie', importer: ossie, texts: [shop], service: (t) => serviceWith(t, ossie) })
