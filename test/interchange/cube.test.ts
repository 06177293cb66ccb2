/** Data models of Cube: the numbers of SQL written by hand, a list of what is lost, and no text that breaks the importer. */
import { importerConformance } from '@grainline/core/testing'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { cube } from '../../plugins/importer-cube/src/index.js'
import { readsBroken } from './broken.js'
import { at, changedIn, readBy, refusals, SHOP_ROWS, textOf } from './foreign-texts.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const shop = textOf('cube/shop.yml')

const imported = readBy(cube)

const changed = changedIn(shop)

importerConformance(t, { importer: cube, model: shop, invalid: 'cubes:\n  - name: orders\n    dimensions: id\n' })

/** A query, and the SQL that a person writes for it. */
const CASES: readonly NumberCase[] = [
  {
    says: 'measures of other periods',
    dimensions: ['orders.ordered_on:month'],
    measures: ['orders.month_before', 'orders.average_after'],
    where: [{ field: 'orders.ordered_on', op: 'between', value: ['2026-02-01', '2026-04-30'] }],
    sql: `SELECT m, (SELECT sum(amount) FROM orders WHERE ordered_on >= m - INTERVAL 1 MONTH AND ordered_on < m),
      (SELECT sum(amount) / count(*) FROM orders WHERE ordered_on >= m + INTERVAL 1 MONTH AND ordered_on < m + INTERVAL 2 MONTH)
      FROM (SELECT DISTINCT date_trunc('month', ordered_on) AS m FROM orders WHERE ordered_on >= '2026-02-01' AND ordered_on < '2026-05-01')`,
  },
  {
    dimensions: ['customers.region'],
    measures: ['orders.revenue', 'orders.count', 'orders.buyers', 'orders.known_amounts'],
    sql: 'SELECT region, sum(amount), count(*), count(DISTINCT customer_id), count(amount) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
  },
  {
    dimensions: ['orders.size', 'orders.is_large'],
    measures: ['orders.count'],
    sql: "SELECT CASE WHEN amount >= 100 THEN 'it''s large' WHEN amount IS NULL THEN 'unknown' ELSE 'small' END, amount >= 100, count(*) FROM orders GROUP BY 1, 2",
  },
  {
    dimensions: ['orders.buyer'],
    measures: ['orders.usual', 'orders.smallest'],
    sql: "SELECT customer_name || '/' || coalesce(channel, '-'), avg(amount), min(amount) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1",
  },
  {
    measures: [
      'orders.web_revenue',
      'orders.average_order',
      'orders.web_share',
      'orders.spread',
      'orders.latest',
      'orders.per_customer',
    ],
    sql: `SELECT w, r / n, w / r * 100, s, l, r / (SELECT count(*) FROM customers) FROM (SELECT sum(amount) AS r, count(*) AS n, max(amount) - min(amount) AS s, max(ordered_on) AS l,
      sum(amount) FILTER (WHERE channel = 'web' AND region = 'north') AS w FROM orders LEFT JOIN customers USING (customer_id))`,
  },
  {
    dimensions: ['orders.month'],
    measures: ['orders.revenue', 'orders.so_far', 'orders.total_so_far', 'orders.two_months', 'orders.quarter_so_far'],
    sql: `WITH m AS (SELECT DISTINCT date_trunc('month', ordered_on) AS m FROM orders)
      SELECT m, (SELECT sum(amount) FROM orders WHERE date_trunc('month', ordered_on) = m),
        (SELECT sum(amount) FROM orders WHERE ordered_on < m + INTERVAL 1 MONTH), (SELECT sum(amount) FROM orders WHERE ordered_on < m + INTERVAL 1 MONTH),
        (SELECT sum(amount) FROM orders WHERE ordered_on >= m - INTERVAL 1 MONTH AND ordered_on < m + INTERVAL 1 MONTH),
        (SELECT sum(amount) FROM orders WHERE ordered_on >= date_trunc('quarter', m) AND ordered_on < m + INTERVAL 1 MONTH) FROM m`,
  },
  {
    says: 'two months to each day',
    dimensions: ['orders.ordered_on:day'],
    measures: ['orders.two_months', 'orders.quarter_so_far'],
    sql: `WITH d AS (SELECT DISTINCT CAST(ordered_on AS DATE) AS d FROM orders)
      SELECT d, (SELECT sum(amount) FROM orders WHERE CAST(ordered_on AS DATE) > d - INTERVAL 2 MONTH AND CAST(ordered_on AS DATE) <= d),
        (SELECT sum(amount) FROM orders WHERE ordered_on >= date_trunc('quarter', d) AND CAST(ordered_on AS DATE) <= d) FROM d`,
  },
  { measures: ['orders.revenue'], where: ['orders.on_web'], sql: "SELECT sum(amount) FROM orders WHERE channel = 'web'" },
  {
    dimensions: ['customers.orders_made'],
    measures: ['customers.count'],
    sql: 'SELECT (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) AS n, count(*) FROM customers c GROUP BY 1',
  },
  {
    says: 'each order once, although it has several lines',
    dimensions: ['customers.city'],
    measures: ['orders.revenue', 'lines.quantity'],
    sql: `SELECT "City", r, q FROM (SELECT "City", sum(amount) AS r FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1)
      LEFT JOIN (SELECT "City" AS c, sum(quantity) AS q FROM lines JOIN orders USING (order_id) LEFT JOIN customers USING (customer_id) GROUP BY 1) ON c IS NOT DISTINCT FROM "City"`,
  },
  {
    says: 'a filter on lines does not reach orders',
    measures: ['customers.count'],
    where: [{ field: 'lines.product', op: 'eq', value: 'pen' }],
    code: 'FILTER_THROUGH_BRIDGE',
  },
]

sameNumbers('YAML', { importer: cube, text: shop, rows: SHOP_ROWS, cases: CASES })

t.test('each item is in the model or in the list', async (t) => {
  const read = await imported(shop)
  t.same(refusals(read), [])
  t.match(
    read.losses.map(({ kind, message }) => `${kind}: ${message}`),
    [
      /rewritten: The query of 'customers' is its table/,
      /rewritten: 'customers.orders_made' is 0, and not NULL/,
      /rewritten: A group in which no row meets the filters/,
      /rewritten: '\/' in 'orders.average_order'/,
      /rewritten: '\/' in 'orders.web_share'/,
      /rewritten: '\/' in 'orders.per_customer'/,
      /rewritten: 'orders.so_far' is over 'orders.ordered_on'/,
      /rewritten: 'orders.two_months'/,
      /rewritten: 'orders.quarter_so_far'/,
      /rewritten: 'orders.total_so_far'/,
      /rewritten: 'orders.month_before' is over 'orders.ordered_on'/,
      /rewritten: '\/' in 'orders.average_after'/,
      /rewritten: 'orders.average_after' is over/,
      /rewritten: The hierarchy 'customers.\w+' has no name here/,
      /rewritten: The segment 'orders.on_web' of the view 'sales' is asked as 'orders.on_web'/,
      /rewritten: Measures of 'customers' in the view 'sales'/,
      /rewritten: Measures of 'lines' in the view 'sales'/,
      /rewritten: No exact type .* 'orders'.*: order_id \(int\), .*amount \(float\)/,
      /rewritten: No exact type .* 'customers'/,
      /rewritten: No exact type .* 'lines'/,
      /inert: 'format' of 'revenue'/,
      /inert: 'drill_members' of 'usual'/,
      /inert: 'meta' of 'region'/,
      /rewritten: A filter that does not reach a measure is an error/,
      /rewritten: Times are grouped as they are stored/,
    ],
  )
  t.ok(read.losses.every(({ place }) => place !== undefined))
  t.match(read.document, {
    settings: { strictFilters: true },
    dataObjects: {
      orders: { code: 'orders', schema: 'main', database: 'shop', description: 'What customers buy', synonyms: ['Purchases'] },
      lines: { joins: [{ joinType: 'many-to-one', joinTo: 'orders', columnsFrom: ['order_id'], columnsTo: ['order_id'] }] },
    },
    dimensions: {
      'orders.id': { hidden: true },
      'orders.amount': { hidden: true },
      'orders.month': { column: 'ordered_on', timeGrain: 'month' },
      'orders.channel': { synonyms: ['Way of sale'] },
      'customers.city': { column: 'City', hierarchy: ['customers.region'] },
      'lines.product': { hidden: true },
    },
    views: {
      sales: {
        description: 'For the people in sales',
        fields: [
          { field: 'orders.count', as: 'count' },
          { field: 'orders.revenue', as: 'revenue' },
          { field: 'orders.channel', as: 'way' },
          { field: 'customers.name', as: 'customers_name' },
          { field: 'customers.region', as: 'customers_region' },
          { field: 'customers.city', as: 'customers_city' },
          { field: 'customers.orders_made', as: 'customers_orders_made' },
          { field: 'customers.count', as: 'customers_count' },
          { field: 'lines.quantity', as: 'quantity' },
        ],
      },
    },
  })
  t.equal((at(read, 'dataObjects', 'orders', 'joins') as unknown[]).length, 1, 'a join that both cubes declare is one')
  t.notOk((at(read, 'dimensions', 'customers.id') as { hidden?: boolean }).hidden)
  t.notOk((at(read, 'measures', 'lines.quantity') as { hidden?: boolean }).hidden, 'a view shows it')
})

t.test('a model that a program makes is refused by its place', async (t) => {
  for (const [text, message, line] of [
    [changed('sql_table: shop.main.orders', 'sql_table: "{{ env_var(\'T\') }}"'), /template of Jinja/, 3],
    [`{% set tables = ['a'] %}\n${shop}`, /template of Jinja/, 1],
    [`${shop}\n---\ncube(\`users\`, { sql_table: \`users\` })\n`, /JavaScript/, shop.split('\n').length + 2],
    [`from cube import TemplateContext\n${shop}`, /Python/, 1],
    [`${shop}\n---\nmodule.exports = { queryRewrite: (query) => query }\n`, /JavaScript/, shop.split('\n').length + 2],
  ] as const)
    t.match(await cube.read({ text }), { faults: [{ message, place: { line }, hint: String }] })
  for (const file of ['cubes/orders.yml', 'views/a.yaml', 'cubes/Orders.js', 'globals.py']) t.ok(cube.files?.(file), file)
  for (const file of ['node_modules/a.yml', '.github/ci.yml', 'README.md', 'docker-compose.yml'])
    t.notOk(cube.files?.(file), file)
})

t.test('a rule about who sees what refuses the text, unless it is dropped', async (t) => {
  const service = await serviceWith(t, cube)
  const policy =
    'access_policy:\n      - role: manager\n        row_level: { filters: [{ member: region, operator: equals, values: [north] }] }\n    '
  for (const [text, message] of [
    [
      changed('sql: SELECT * FROM shop.main.customers\n    ', `sql: SELECT * FROM shop.main.customers\n    ${policy}`),
      /access_policy/,
    ],
    [
      changed(
        'description: For the people in sales\n',
        'description: For the people in sales\n    accessPolicy: [{ role: a }]\n',
      ),
      /accessPolicy/,
    ],
    [changed('{ name: channel, sql: channel,', "{ name: channel, sql: channel, mask: { sql: 'NULL' },"), /mask/],
    [changed('sql: "{CUBE}.ordered_on"', 'sql: "{SECURITY_CONTEXT.zone.unsafeValue()}"'), /SECURITY_CONTEXT/],
  ] as const) {
    const asked = { asker: undefined, model_yaml: text, format: 'cube' }
    t.match((await service.validate(asked)).errors, [{ message, line: Number }], String(message))
    const { losses } = await imported(text)
    t.ok(losses.some((loss) => loss.isSecurity && message.test(loss.message)))
  }
})

t.test('what has no place in the model is refused by name, with what reads it', async (t) => {
  for (const [from, to, message] of [
    [
      'type: sum, sql: amount, format: currency',
      'type: number, multi_stage: true, sql: "{count}", format: currency',
      /several stages/,
    ],
    ['type: sum, sql: amount, format: currency', 'type: rank, sql: amount, format: currency', /type 'rank'/],
    ['type: sum, sql: amount, format: currency', 'type: sum, sql: "{count}", format: currency', /'count' is a measure/],
    ['type: sum, sql: amount, format: currency', 'type: sum, sql: SUM(amount), format: currency', /aggregates rows/],
    [
      'type: sum, sql: amount, format: currency',
      'type: sum, sql: "amount) FROM t; DROP TABLE t; --", format: currency',
      /left out/,
    ],
    ['type: sum, sql: amount, format: currency', 'type: sum, sql: "\'{CUBE}\'", format: currency', /inside of a text in quotes/],
    [
      'type: sum, sql: amount, format: currency',
      'type: sum, sql: "{FILTER_PARAMS.orders.id.filter}", format: currency',
      /FILTER_PARAMS is known only/,
    ],
    ['type: sum, sql: amount, format: currency', 'type: sum, sql: "{nowhere}.amount", format: currency', /no cube 'nowhere'/],
    ['type: sum, sql: amount, format: currency', 'type: sum, sql: grainline_reference_0, format: currency', /may not contain/],
    ['type: sum, sql: amount, format: currency', 'type: sum, sql: "(SELECT 1)", format: currency', /not part of expressions/],
    [
      'type: sum, sql: amount, format: currency',
      'type: number, sql: "{average_order} + 1", format: currency',
      /'orders.average_order' is left out/,
    ],
    ['type: sum, sql: amount, format: currency', 'type: number, sql: amount, format: currency', /is a column, and no measure/],
    [
      'type: sum, sql: amount, format: currency',
      'type: number, sql: SUM(amount) OVER (), format: currency',
      /window or a filter/,
    ],
  ] as const) {
    const read = await imported(changed(from, to))
    const name = 'orders.revenue'
    t.notOk(Object.hasOwn(at(read, 'measures') as object, name) || Object.hasOwn(at(read, 'metrics') as object, name), to)
    t.ok(
      refusals(read).some((loss) => loss.message.startsWith("The measure 'orders.revenue' is left out") && loss.place),
      to,
    )
    t.ok(
      refusals(read).some((loss) => message.test(loss.message)),
      `${to}: ${refusals(read)[0]?.message}`,
    )
    t.ok(
      refusals(read).some((loss) => /'orders.web_share' is left out: 'orders.revenue'/.test(loss.message)),
      to,
    )
  }
})

t.test('dimensions and windows that have no place are refused, and the rest is read', async (t) => {
  for (const [from, to, message] of [
    ['{ name: channel, sql: channel, type: string', '{ name: channel, sql: channel, type: geo', /dimension of the type 'geo'/],
    [
      '{ name: channel, sql: channel, type: string',
      '{ name: channel, sql: ordered_on, type: string',
      /'orders.ordered_on' is left out.* read as string/,
    ],
    [
      'type: number, sub_query: true',
      'type: number, sub_query: true, propagate_filters_to_sub_query: true',
      /do not reach inside of a column/,
    ],
    ['sql: "{orders.count}"', 'sql: "{orders.count} + 1"', /one measure here/],
    ['{ trailing: unbounded }', '{ trailing: 1 day, leading: 1 day }', /'orders.so_far' is left out: a window that ends later/],
    ['{ trailing: unbounded }', '{ trailing: 1 day, offset: start }', /'orders.so_far' is left out: a window before/],
    ['{ trailing: unbounded }', '{ trailing: a day }', /'a day' is no window/],
    ['granularity: quarter }', 'granularity: fiscal_year }', /'fiscal_year'/],
    [
      'type: sum, sql: amount, rolling_window: { trailing: unbounded }',
      'type: number, sql: "{count}", rolling_window: { trailing: unbounded }',
      /window over a formula/,
    ],
    [
      'sql: "{CUBE}.ordered_on", type: time }',
      'sql: "{CUBE}.ordered_on", type: time }\n      - { name: paid_on, sql: paid_on, type: time }',
      /over orders.ordered_on or orders.paid_on/,
    ],
    [
      'sql: SELECT * FROM shop.main.customers',
      'sql: SELECT id FROM shop.main.customers',
      /The cube 'customers' is left out: its sql is a query/,
    ],
    [
      '"{CUBE}.customer_id = {customers.id}"',
      '"{CUBE}.customer_id = {customers.id} AND {CUBE}.amount > 1"',
      /more than equal columns/,
    ],
    ['"{CUBE}.customer_id = {customers.id}"', '"{CUBE}.customer_id = {lines.id}"', /compares 'orders' and 'lines'/],
    ['relationship: many_to_one', 'relationship: one_to_one', /another relationship/],
    ['{ join_path: orders.lines, includes', '{ join_path: customers.lines, includes', /no join of 'customers' and 'lines'/],
    ['levels: [region, city]', 'levels: [region, town]', /no dimension 'town'/],
    [
      'sql: "{CUBE}.channel = \'web\'", description',
      'sql: "{count} > 1", description',
      /The segment 'orders.on_web' is left out/,
    ],
    ['format: currency', 'surprise: 1', /'surprise' of 'revenue' is left out/],
  ] as const) {
    const read = await imported(changed(from, to))
    t.ok(
      refusals(read).some((loss) => message.test(loss.message) && loss.place),
      `${to}: ${refusals(read).map((loss) => loss.message)}`,
    )
    t.ok(Object.hasOwn(at(read, 'measures') as object, 'orders.revenue'), to)
  }
})

t.test('texts that are no model are refused at their place', async (t) => {
  for (const [from, to, message] of [
    ['- name: customers\n    sql', '- name: orders\n    sql', /two items with the name 'orders'/],
    ['{ name: count, type: count }', '{ name: revenue, type: count }', /two items with the name 'revenue'/],
    ['- name: customers\n    sql', '- name: customers\n    extends: nobody\n    sql', /no 'nobody' to extend/],
    ['- name: customers\n    sql', '- name: customers\n    extends: customers\n    sql', /extends itself/],
    ['- name: customers\n    sql', '- name: customers\n    data_source: other\n    sql', /data source 'other'/],
    ['name: channel, sql', 'name: a b, sql', /no name of Cube/],
  ] as const)
    t.match(await cube.read({ text: changed(from, to) }), { faults: [{ message, place: { line: Number } }] }, to)
})

t.test('a cube has the members of the one that it extends', async (t) => {
  const read = await imported(`${shop}
---
cubes:
  - name: archive
    extends: orders
    sqlTable: archive
    measures:
      - { name: count, type: countDistinct, sql: order_id }`)
  t.match(at(read, 'dataObjects', 'archive'), { code: 'archive', joins: [{ joinTo: 'customers' }] })
  t.match(at(read, 'measures', 'archive.revenue'), { columns: [{ dataObject: 'archive', column: 'amount' }] })
  t.match(at(read, 'measures', 'archive.count'), { aggregation: 'count_distinct' })
  t.match(at(read, 'measures', 'orders.count'), { aggregation: 'count' })
})

t.test('a view says which of several paths of joins its fields take', async (t) => {
  const paths = `
cubes:
  - name: sales
    sql_table: sales
    joins:
      - { name: stores, relationship: many_to_one, sql: "{CUBE}.store = {stores.id}" }
      - { name: buyers, relationship: many_to_one, sql: "{CUBE}.buyer = {buyers.id}" }
    measures: [{ name: amount, type: sum, sql: amount }]
  - name: stores
    sql_table: stores
    joins: [{ name: cities, relationship: many_to_one, sql: "{CUBE}.city = {cities.id}" }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
  - name: buyers
    sql_table: buyers
    joins: [{ name: cities, relationship: many_to_one, sql: "{CUBE}.city = {cities.id}" }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
  - name: cities
    sql_table: cities
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: name, sql: name, type: string }]
views:
  - name: by_city
    cubes:
      - { join_path: sales, includes: '*' }
      - { join_path: sales.stores.cities, includes: [{ name: name, alias: store_city }] }
      - { join_path: sales.buyers.cities, includes: [{ name: name, alias: buyer_city }] }`
  const read = await imported(paths)
  t.match(at(read, 'dimensions', 'by_city.store_city'), { dataObject: 'cities', column: 'name', via: 'stores' })
  t.match(at(read, 'views', 'by_city', 'fields'), [
    { field: 'sales.amount' },
    { field: 'by_city.store_city', as: 'store_city' },
    { as: 'buyer_city' },
  ])
  const service = await serviceWith(t, cube)
  t.same((await service.validate({ asker: undefined, model_yaml: paths, format: 'cube' })).errors, [])
})

t.test('tables and columns are those of the text, however they are quoted', async (t) => {
  for (const [table, code] of [
    ['"`my-project.sales.orders`"', ['orders', 'sales', 'my-project']],
    ['"`my-project`.sales.`orders`"', ['orders', 'sales', 'my-project']],
    ['sales."Order List"', ['Order List', 'sales', undefined]],
    ['orders', ['orders', undefined, undefined]],
  ] as const) {
    const read = await imported(
      changed('sql_table: shop.main.orders', `sql_table: ${table.startsWith('"') ? table : `'${table}'`}`),
    )
    t.same(
      [
        at(read, 'dataObjects', 'orders', 'code'),
        at(read, 'dataObjects', 'orders', 'schema'),
        at(read, 'dataObjects', 'orders', 'database'),
      ],
      code,
    )
  }
  const read = await imported(
    changed("\"{customers.name} || '/' || COALESCE({CUBE}.channel, '-')\"", '"\'CITY: \' || {customers}.City || Note"'),
  )
  t.match(at(read, 'dataObjects', 'orders', 'columns', 'buyer'), {
    expression: "concat(concat('CITY: ', {[customers].[City]}), {[orders].[Note]})",
  })
  const slow = await imported(changed('SELECT * FROM shop.main.customers', `SELECT * FROM customers${' '.repeat(100_000)}x`))
  t.ok(refusals(slow).some(({ message }) => /its sql is a query/.test(message)))
})

t.test('a name without quotes is not that of another column between quotes', async (t) => {
  const text = changed(
    "\"{customers.name} || '/' || COALESCE({CUBE}.channel, '-')\"",
    `'"Größe" || größe || GRÖSSE || Note || ''Größe'''`,
  )
  const { expression } = at(await imported(text), 'dataObjects', 'orders', 'columns', 'buyer') as { expression: string }
  t.same(
    [...expression.matchAll(/\.\[(.+?)\]/g)].map(([, column]) => column),
    ['Größe', 'größe', 'GRÖSSE', 'Note'],
  )
})

t.test('a text that contains itself, or has many columns, is read in time', async (t) => {
  const itself = await cube.read({ text: 'cubes: &a\n  - name: x\n    sql_table: t\n    meta: *a\n' })
  t.match(itself, { faults: [{ message: /contains itself/, place: { line: 1 } }] })
  const lines = Array.from({ length: 1000 }, (_, i) => `      - { name: d${i}, sql: "{CUBE}.x${i} || y${i}", type: string }`)
  const read = await imported(`cubes:\n  - name: a\n    sql_table: a\n    dimensions:\n${lines.join('\n')}`)
  t.equal(Object.keys(at(read, 'dimensions') as object).length, 1000)
})

t.test('a key of several columns is one, also as an expression', async (t) => {
  const text = `
cubes:
  - name: stock
    sql_table: stock
    dimensions:
      - { name: key, sql: "{CUBE}.place || '-' || {CUBE}.article", type: string, primary_key: true }
    measures: [{ name: pieces, type: sum, sql: pieces }]
  - name: sold
    sql_table: sold
    joins: [{ name: stock, relationship: many_to_one, sql: "{CUBE}.stock_key = {stock.key}" }]
    measures: [{ name: count, type: count }]`
  const service = await serviceWith(t, cube)
  t.same((await service.validate({ asker: undefined, model_yaml: text, format: 'cube' })).errors, [])
})

t.test('members that read each other, or a long chain, are refused', async (t) => {
  const measures = (count: number, last: string) =>
    Array.from({ length: count }, (_, i) => `      - { name: m${i}, type: number, sql: "{m${i + 1}} + 1" }`).concat(last)
  const text = (lines: readonly string[]) => `cubes:\n  - name: a\n    sql_table: a\n    measures:\n${lines.join('\n')}`
  t.match(refusals(await imported(text(measures(3, '      - { name: m3, type: number, sql: "{m0}" }')))), { length: 4 })
  const long = await imported(text(measures(3000, '      - { name: m3000, type: count }')))
  t.ok(refusals(long).some(({ message }) => /more than 100 members read each other/.test(message)))
})

t.test('a key that the importer does not know is in the list, wherever it is', async (t) => {
  const model: unknown = parse(shop)
  const count = withKeyEverywhere(model)
  const { losses } = await imported(stringify(model, { aliasDuplicateObjects: false }))
  const numbers = losses.flatMap(({ message }) => /^'surprise(\d+)'/.exec(message)?.[1] ?? []).map(Number)
  t.same(numbers.length, count - 1, 'but for that inside of meta, which has a line of its own')
  t.ok(count > 50, `${count} mappings`)
})

/** Adds a key with a number to every mapping. Returns how many. */
function withKeyEverywhere(value: unknown, from = 0): number {
  if (typeof value !== 'object' || value === null) return from
  const count = Object.values(value).reduce((sum: number, each) => withKeyEverywhere(each, sum), from)
  if (Array.isArray(value)) return count
  Object.assign(value, { [`surprise${count}`]: true })
  return count + 1
}

readsBroken({ what: 'models of Cube', importer: cube, texts: [shop], service: (t) => serviceWith(t, cube) })
