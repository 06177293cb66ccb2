/** Metric views of Databricks: the numbers of SQL written by hand, a list of what is lost, and no text that breaks the importer. */
import type { Imported } from '@grainline/core'
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { databricks } from '../../plugins/importer-databricks/src/index.js'
import { readsBroken } from './broken.js'
import { at, readBy, textOf } from './foreign-texts.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const shop = textOf('databricks/shop.yaml')
const statement = `CREATE OR REPLACE VIEW main.views.\`shop\`\nWITH METRICS\nLANGUAGE YAML\nAS $$\n${shop}$$;\n`

const imported = readBy(databricks)

const messages = ({ losses }: Imported, kind: string) => losses.filter((loss) => loss.kind === kind).map(({ message }) => message)

importerConformance(t, { importer: databricks, model: shop, invalid: 'version: 1.1\nsource: a\nfields: []\nmeasures: []\n' })

const ROWS = `
  ATTACH ':memory:' AS shop; USE shop;
  CREATE TABLE nations (id VARCHAR, world VARCHAR, region VARCHAR); INSERT INTO nations VALUES ('1', 'a', 'north'), ('2', 'a', 'south');
  CREATE TABLE customers (id VARCHAR, name VARCHAR, nation_id VARCHAR, world VARCHAR, credit INTEGER);
  INSERT INTO customers VALUES ('1', 'Ada', '1', 'a', 10), ('2', 'Bob', '2', 'a', 7), ('3', 'Cy', '1', 'b', 5), ('4', 'Di', '2', 'a', 1);
  CREATE TABLE orders (order_id VARCHAR, customer_id VARCHAR, payer_id VARCHAR, status VARCHAR, ordered_on DATE, amount DECIMAL(10, 2), is_test BOOLEAN);
  INSERT INTO orders VALUES ('1', '1', '2', 'open', '2025-12-30', 120, false), ('2', '1', '1', 'paid', '2026-01-01', 30.5, NULL),
    ('3', '2', '1', 'open', '2026-01-02', 99.99, false), ('4', '9', '3', 'paid', '2026-01-05', 250, false), ('5', '3', NULL, 'open', '2026-02-01', 10, false),
    ('6', '2', '4', 'paid', '2026-02-01', NULL, false), ('7', '1', '1', 'open', '2026-02-02', 1000, true), ('8', '1', '2', 'open', '2026-04-01', 60, false);
  CREATE TABLE products (sku VARCHAR, price DECIMAL(10, 2)); INSERT INTO products VALUES ('x', 2.5), ('y', 10);
  CREATE TABLE lines (order_id VARCHAR, sku VARCHAR, quantity INTEGER);
  INSERT INTO lines VALUES ('1', 'x', 3), ('1', 'y', 1), ('2', 'x', 2), ('3', 'z', 4), ('7', 'x', 50), ('99', 'x', 80), ('8', 'y', NULL)`

/** The rows of the view, as Databricks joins them. */
const FLAT = `WITH o AS (SELECT o.*, c.name, c.credit, n.region, upper(m.region) AS payer_region FROM orders o LEFT JOIN customers c ON o.customer_id = c.id
  LEFT JOIN nations n ON c.nation_id = n.id AND c.world = n.world LEFT JOIN customers p ON o.payer_id = p.id LEFT JOIN nations m ON p.nation_id = m.id
  WHERE NOT coalesce(is_test, false)),
  l AS (SELECT o.*, lines.quantity, price FROM o JOIN lines USING (order_id) LEFT JOIN products USING (sku))`

const DAYS = 'SELECT DISTINCT ordered_on AS d FROM o'
const sumOf = (condition: string) => `(SELECT sum(amount) FROM o WHERE ${condition})`

const CASES: readonly NumberCase[] = [
  {
    measures: ['revenue', 'order count', 'buyers'],
    sql: `${FLAT} SELECT sum(amount), count(*), count(DISTINCT customer_id) FROM o`,
  },
  {
    dimensions: ['region'],
    measures: ['revenue', 'credit'],
    sql: `${FLAT} SELECT region, sum(amount), sum(credit) FROM o GROUP BY 1`,
  },
  { dimensions: ['payer region'], measures: ['order count'], sql: `${FLAT} SELECT payer_region, count(*) FROM o GROUP BY 1` },
  {
    dimensions: ['customer name'],
    measures: ['open revenue', 'northern revenue', 'open share'],
    sql: `${FLAT} SELECT name, sum(amount) FILTER (status = 'open'), sum(amount) FILTER (region = 'north'), sum(amount) FILTER (status = 'open') / sum(amount) FROM o GROUP BY 1`,
  },
  {
    dimensions: ['label'],
    measures: ['average order'],
    sql: `${FLAT} SELECT CASE WHEN amount >= 100 THEN 'large' ELSE 'small' END || '/' || status, sum(amount) / count(*) FROM o GROUP BY 1`,
  },
  {
    dimensions: ['status'],
    measures: ['units', 'line value', 'heavy units'],
    sql: `${FLAT} SELECT status, sum(quantity), sum(quantity * price), sum(quantity) FILTER (amount > 100) FROM l GROUP BY 1`,
  },
  {
    says: 'rows of several tables are counted apart',
    dimensions: ['region'],
    measures: ['revenue', 'units', 'units per order'],
    sql: `${FLAT} SELECT region, r, u, u / n FROM (SELECT region, sum(amount) r, count(*) n FROM o GROUP BY 1) a LEFT JOIN (SELECT region AS g, sum(quantity) u FROM l GROUP BY 1) b ON g IS NOT DISTINCT FROM region`,
  },
  {
    measures: ['units'],
    where: [{ field: 'customer name', op: '=', value: 'Ada' }],
    sql: `${FLAT} SELECT sum(quantity) FROM l WHERE name = 'Ada'`,
  },
  {
    dimensions: ['order date'],
    measures: ['running revenue', 'revenue of the year', 'revenue of three days', 'revenue of the days before'],
    sql: `${FLAT} SELECT d, ${sumOf('ordered_on <= d')}, ${sumOf('ordered_on <= d AND year(ordered_on) = year(d)')}, ${sumOf('ordered_on BETWEEN d - 2 AND d')}, ${sumOf('ordered_on BETWEEN d - 3 AND d - 1')} FROM (${DAYS})`,
  },
  {
    says: 'a running total of each customer',
    dimensions: ['order date', 'customer name'],
    measures: ['running revenue'],
    sql: `${FLAT} SELECT ordered_on, name, (SELECT sum(amount) FROM o p WHERE p.name IS NOT DISTINCT FROM o.name AND p.ordered_on <= o.ordered_on) FROM o GROUP BY ordered_on, name`,
  },
  {
    measures: ['running revenue', 'last count'],
    sql: `${FLAT} SELECT sum(amount), count(*) FILTER (ordered_on = (SELECT max(ordered_on) FROM o)) FROM o`,
  },
  {
    dimensions: ['order month'],
    measures: ['revenue', 'revenue of the month before', 'growth'],
    sql: `${FLAT}, m AS (SELECT date_trunc('month', ordered_on) AS m, sum(amount) AS r FROM o GROUP BY 1) SELECT a.m, a.r, b.r, (a.r - b.r) / b.r FROM m a LEFT JOIN m b ON b.m = a.m - INTERVAL 1 MONTH`,
  },
  {
    dimensions: ['region'],
    measures: ['last count'],
    sql: `${FLAT} SELECT region, count(*) FILTER (ordered_on = last) FROM (SELECT region, ordered_on, max(ordered_on) OVER (PARTITION BY region) AS last FROM o) GROUP BY 1`,
  },
  { says: 'the days before, without the day', measures: ['revenue of the days before'], code: 'TIME_RANGE_REQUIRED' },
]

sameNumbers('a metric view', { importer: databricks, text: shop, rows: ROWS, cases: CASES })

t.test('a statement says the same as its YAML, and gives a name', async (t) => {
  const [one, other] = [await imported(statement), await imported(shop)]
  t.same(one.document, { ...other.document, name: 'shop' })
  const lines = ({ losses }: Imported, more: number) => losses.map(({ place }) => (place?.line ?? 0) + more)
  t.same(lines(one, 0), lines(other, 4))
})

t.test('version 0.1 calls fields dimensions', async (t) => {
  const old = shop.replace('version: 1.1', "version: '0.1'").replace('\nfields:', '\ndimensions:')
  t.same((await imported(old)).document, (await imported(shop)).document)
})

t.test('a source that is a query of all columns has a filter', async (t) => {
  const query = shop.replace(
    'source: shop.main.orders',
    "source: SELECT * FROM shop.main.orders WHERE status <> 'x' OR amount > 1",
  )
  const read = await imported(query)
  t.match(at(read, 'dataObjects', 'orders', 'columns', 'filter of the source', 'expression'), /<> 'x'.* OR .*amount/)
  t.match(at(read, 'filters'), [{ column: 'filter of the source' }, { column: 'filter of the view' }])
})

t.test('labels, formats and comments are carried over', async (t) => {
  const read = await imported(shop)
  t.match(at(read, 'measures', 'revenue'), { description: 'In euros', synonyms: ['Turnover'], format: '#,##0.00' })
  t.match(at(read, 'metrics', 'average order'), { format: '#,##0.0%' })
  t.match(at(read, 'dimensions', 'order date'), { column: 'ordered_on', synonyms: ['Date of the order', 'day', 'ordered'] })
  t.match(at(read, 'dataObjects', 'customer', 'uniqueKeys'), [['id']])
  t.match(at(read, 'dataObjects', 'lines', 'joins', 0), { joinTo: 'orders', required: true })
  t.same(messages(read, 'refused'), [])
  t.same(messages(read, 'inert'), [])
  t.ok(read.losses.every(({ place }) => place !== undefined))
})

t.test('what cannot be said of the whole view refuses the text, at its place', async (t) => {
  for (const [from, to, message] of [
    ['version: 1.1', 'version: 2', /version '2' is not known/],
    ['source: shop.main.orders', 'source: SELECT a FROM orders', /source is a query/],
    ['source: shop.main.orders', 'source: "orders; DROP TABLE orders"', /no name of a table/],
    ['filter: NOT', 'filters: NOT', /'filters' is no key/],
    ['filter: NOT coalesce(is_test, false)', 'filter: status RLIKE 1', /filter cannot be said/],
    ['filter: NOT coalesce(is_test, false)', 'filter: lines.quantity > 1', /it reads 'lines', of which there are several rows/],
    ['filter: NOT coalesce(is_test, false)', 'filter: "TRUE), (TRUE"', /filter cannot be said/],
    ['filter: NOT coalesce(is_test, false)', 'filter: is_test = FALSE -- )', undefined],
    ['name: revenue\n', 'title: revenue\n', /'name' is missing/],
  ] as const) {
    t.ok(shop.includes(from), from)
    const read = await databricks.read({ text: shop.replace(from, to) })
    if (message === undefined) t.notOk('faults' in read, to)
    else t.match(read, { faults: [{ message, place: { line: Number } }] }, to)
  }
})

t.test('what has no place in a model refuses its item, with what reads it', async (t) => {
  const refusedWith = async (from: string, to: string) => {
    t.ok(shop.includes(from), from)
    return messages(await imported(shop.replace(from, () => to)), 'refused')
  }
  for (const [expression, message] of [
    ['SUM(amount) OVER (PARTITION BY status)', /window/],
    ['SUM(SUM(amount))', /aggregates an aggregate/],
    ['amount', /is in no aggregate/],
    ['SUM(MEASURE(units))', /'measure' is not known/],
    ['MEASURE(amount)', /'amount' is no metric/],
    ['MEASURE(1 + 1)', /MEASURE has not one name/],
    ['SUM(lines.quantity * absent.x)', /'absent.x' is no column of a table/],
    ['SUM((SELECT 1))', /not part of expressions/],
    ['percentile_approx(amount, 0.5)', /not known here/],
    ["SUM(amount) FILTER (WHERE status = 'a\\\\b')", /backslash/],
    ['main.sum(amount)', /function 'main.sum' is not known/],
    ["SUM(amount) + length('$')", undefined],
    ['SUM(`amount', /has a `/],
    [`SUM(${'a'.repeat(64)})`, /more than 63 bytes/],
    ['COUNT(DISTINCT status, amount)', /has not one value/],
    ['COUNT(1) FILTER (WHERE lines.quantity > 1)', /several rows for each one that it counts/],
    ['SUM(amount) FILTER (WHERE lines.quantity > 1)', /several rows for each one that it counts/],
  ] as const) {
    const refused = await refusedWith(
      'expr: SUM(amount)\n    comment',
      `expr: ${JSON.stringify(expression.replaceAll('\\\\', '\\'))}\n    comment`,
    )
    if (message === undefined) t.same(refused, [], expression)
    else
      t.ok(
        refused.some((each) => each.startsWith("The metric 'revenue'") && message.test(each)),
        `${expression}: ${refused[0]}`,
      )
    t.equal(
      refused.filter((each) => /'(average order|growth|revenue of three days)'/.test(each)).length,
      message ? 3 : 0,
      expression,
    )
  }
  t.match(await refusedWith('expr: customer.name', 'expr: lines.sku'), [/several rows of 'lines'/])
  t.match(await refusedWith('expr: source.status,', 'expr: SUM(amount) OVER (),'), [
    /dimension 'status'.*window/,
    /dimension 'label'/,
    /'open revenue'/,
    /'open share'/,
  ])
  t.match(await refusedWith('expr: source.status,', 'expr: upper(status),'), [
    /'label'.*a column that is another value/,
    /'open revenue'/,
    /'open share'/,
  ])
  t.match(await refusedWith('expr: customer.name', 'expr: customer.name }\n  - { expr: source.*'), [/only the database knows/])
})

t.test('a column with the name of another field is written with source', async (t) => {
  const view = (name: string) =>
    `version: 1.1
source: main.orders
fields:
  - { name: channel, expr: "coalesce(channel, 'none')" }
  - { name: way, expr: source.channel }
measures:
  - { name: web, expr: "COUNT(1) FILTER (WHERE ${name} = 'web')" }
`
  const alone = await imported(view('channel'))
  t.match(messages(alone, 'refused'), [/'web'.*write 'source\.channel' for the column, or rename the field\.$/])
  const ofSource = await imported(view('source.channel'))
  t.same(messages(ofSource, 'refused'), [])
  t.equal(at(ofSource, 'dimensions', 'way', 'column'), 'channel')
  t.equal(at(ofSource, 'dataObjects', 'orders', 'columns', 'channel', 'code'), 'channel')
  t.match(at(ofSource, 'measures', 'web', 'filters'), [{ expression: "({[orders].[channel]} = 'web')" }])
  t.equal(at(ofSource, 'dimensions', 'channel', 'column'), 'channel (expression)')
})

t.test('a join that is no equality is left out, with all that reads it', async (t) => {
  const first = 'on: source.customer_id = customer.id'
  for (const [to, message] of [
    ['on: source.customer_id <=> customer.id', /join 'customer' is left out/],
    ['on: source.customer_id > customer.id', /not that columns are equal/],
    ['on: source.customer_id = customer.id OR TRUE', /not that columns are equal/],
    ['on: payer.id = customer.id', /is of neither of its tables/],
    ['on: customer.name = customer.id', /does not compare columns of its two tables/],
    ['using: []', /not one of 'on' and 'using'/],
    [`${first}\n    cardinality: many_to_many`, /no cardinality/],
  ] as const) {
    const refused = messages(await imported(shop.replace(first, to)), 'refused')
    t.match(refused[0] ?? refused, message, to)
    for (const name of ['customer name', 'region', 'northern revenue', 'credit'])
      t.ok(
        refused.some((each) => each.includes(`'${name}'`)),
        `${to}: ${name}`,
      )
  }
  const deep = shop.replace(
    'on: customer.nation_id = nation.id AND customer.world == nation.world',
    'on: nation.id = customer.nation_id\n        cardinality: one_to_many',
  )
  t.match(messages(await imported(deep), 'refused')[0], /no rows of the source/)
})

t.test('a join whose source is no table is left out', async (t) => {
  const source = 'source: shop.main.products'
  for (const [to, message] of [
    ['source: SELECT sku, price FROM products', /'product' is left out.*the source is a query/],
    ['source: SELECT * FROM products WHERE price > 1', /its source is a query/],
    ['source: "`(SELECT 1)`"', /no name of a table here/],
  ] as const) {
    const refused = messages(await imported(shop.replace(source, to)), 'refused')
    t.match(refused, [message, /'line value'.*'lines.product.price' is no column of a table/], to)
  }
})

t.test('a name in letters of any language is one name', async (t) => {
  const parameter = 'parameters:\n  - { name: größe }\nmeasures:'
  const text = shop.replace('measures:', parameter).replace('expr: SUM(lines.quantity)', 'expr: SUM(lines.menge_größe)')
  t.match(messages(await imported(text), 'refused'), [/parameter 'größe'/])
  t.match(at(await imported(text), 'dataObjects', 'lines', 'columns', 'menge_größe'), { code: 'menge_größe' })
  const read = await imported(text.replace('menge_größe', 'größe'))
  t.match(messages(read, 'refused'), [
    /parameter 'größe'/,
    /'units' is left out: it reads the parameter 'größe'/,
    /'units per order'/,
  ])
})

t.test('long texts are read quickly', async (t) => {
  const long = [
    shop.replace('source: shop.main.orders', `source: "SELECT * FROM a WHERE b${' '.repeat(100_000)}c d"`),
    shop.replace('expr: COUNT(1)', `expr: "${"'".repeat(100_001)}"`),
    shop.replace('expr: COUNT(1)', `expr: SUM(${'a.b + '.repeat(3000)}1)`),
    shop.replace(
      'fields:',
      `fields:\n${Array.from({ length: 3000 }, (_, i) => `  - { name: f${i}, expr: source.f${i} + 1 }`).join('\n')}`,
    ),
  ]
  for (const [at, text] of long.entries()) {
    const begun = process.cpuUsage()
    await databricks.read({ text })
    const { user, system } = process.cpuUsage(begun)
    t.ok(user + system < 15e6, `${at}: ${Math.round((user + system) / 1000)} ms of processor`)
  }
})

t.test('a condition of a join reads columns, whatever fields are called', async (t) => {
  const named = shop.replace('name: customer name, expr: customer.name', 'name: customer_id, expr: upper(customer.name)')
  const read = await imported(named.replace('on: source.payer_id = id', 'on: source.customer_id = payer.id'))
  const joins = at(read, 'dataObjects', 'orders', 'joins') as { readonly columnsFrom: readonly string[] }[]
  t.same(
    joins.map(({ columnsFrom }) => columnsFrom),
    [['customer_id (column)'], ['customer_id (column)']],
  )
  t.match(at(read, 'dataObjects', 'orders', 'columns', 'customer_id (column)'), { code: 'customer_id' })
})

t.test('windows that are nothing here are refused', async (t) => {
  const first = '{ order: order date, range: cumulative, semiadditive: last }]'
  for (const [to, message] of [
    ['{ order: order date, range: leading 3 day, semiadditive: last }]', /'leading 3 day' has no place/],
    ['{ order: order date, range: all, semiadditive: last }]', /'all' has no place/],
    ['{ order: order date, range: trailing 3 month, semiadditive: last }]', /is not known to be a month/],
    ['{ order: order date, range: cumulative, semiadditive: first }]', /'first' of its values/],
    ['{ order: order date, range: cumulative, offset: -1 day, semiadditive: last }]', /with an offset has no place/],
    ['{ order: absent, range: cumulative, semiadditive: last }]', /no field 'absent'/],
    ['{ order: order date, range: current, offset: soon, semiadditive: last }]', /'soon' is no offset/],
    ['{ order: order date, range: cumulative }, { order: status, range: current }]', /not known to be a period/],
  ] as const) {
    t.ok(shop.includes(first))
    t.match(messages(await imported(shop.replace(first, to)), 'refused'), [message], to)
  }
})

t.test('what reads a parameter is left out', async (t) => {
  const parameter = 'parameters:\n  - { name: rate, data_type: double, default: 1 }\nmeasures:'
  for (const use of ['SUM(amount) * rate', 'SUM(amount * :rate)']) {
    const text = shop.replace('measures:', parameter).replace('expr: COUNT(DISTINCT customer_id)', `expr: "${use}"`)
    t.match(
      messages(await imported(text), 'refused'),
      [/parameter 'rate' is left out/, /'buyers' is left out: it reads the parameter 'rate'/],
      use,
    )
  }
})

t.test('keys without a place are listed', async (t) => {
  const text = shop
    .replace('measures:', 'materialization: { schedule: every 6 hours, mode: relaxed }\nmeasures:')
    .replace('type: number, decimal_places: { type: exact, places: 2 }', 'type: currency, currency_code: EUR')
    .replace('comment: How far it is', 'comment: How far it is, mood: good')
  const read = await imported(text)
  t.match(messages(read, 'inert').toSorted(), [/'format' of 'revenue'/, /'materialization' of the metric view/])
  t.match(messages(read, 'refused'), [/'mood' of 'status' is left out/])
})

t.test('a policy refuses the text', async (t) => {
  const { losses } = await imported(`${shop}row_filter: us_only\n`)
  t.match(
    losses.filter(({ isSecurity }) => isSecurity),
    [{ kind: 'refused', message: /'row_filter' is left out/ }],
  )
})

readsBroken({ what: 'metric views', importer: databricks, texts: [shop, statement], service: (t) => serviceWith(t, databricks) })
