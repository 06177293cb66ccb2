/** Semantic views of Snowflake as models: the numbers of SQL written by hand, a list of what is lost, and no text that breaks the importer. */
import { importerConformance } from '@grainline/core/testing'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { readsBroken } from './broken.js'
import { at, readBy, refusals, textOf } from './foreign-texts.js'
import { type NumberCase, sameNumbers, serviceWith } from './numbers-by-hand.js'

const shop = textOf('snowflake/shop.yaml')
const statement = textOf('snowflake/shop.sql')

const imported = readBy(snowflake)

importerConformance(t, {
  importer: snowflake,
  model: shop,
  invalid: 'name: shop\ntables:\n  - name: orders\n    base_table: orders\n',
})

importerConformance(t, {
  importer: snowflake,
  model: statement,
  invalid: 'CREATE SEMANTIC VIEW shop TABLES (orders PRIMARY KEY (order_id)) METRICS (returns.count AS COUNT(*))',
})

const serviceFor = (t: Test) => serviceWith(t, snowflake)

/** A query, and the SQL that a person writes for it. */
const CASES: readonly NumberCase[] = [
  {
    dimensions: ['region'],
    measures: ['revenue', 'order_count', 'buyers'],
    sql: 'SELECT region, sum(amount), count(*), count(DISTINCT customer_id) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1',
  },
  {
    dimensions: ['size'],
    measures: ['order_count'],
    sql: "SELECT CASE WHEN amount >= 100 THEN 'large' ELSE 'small' END, count(*) FROM orders GROUP BY 1",
  },
  {
    dimensions: ['orders.name'],
    measures: ['order_count'],
    sql: "SELECT customer_name || ' ' || channel, count(*) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1",
  },
  { measures: ['middle'], sql: 'SELECT quantile_cont(amount, 0.5) FROM orders' },
  { measures: ['margin'], sql: 'SELECT (sum(amount) - sum(unit_cost * quantity)) / sum(amount) FROM orders' },
  { measures: ['average_order'], sql: 'SELECT sum(amount) / count(*) FROM orders' },
  {
    measures: ['north_revenue'],
    sql: "SELECT sum(amount) FROM orders JOIN customers USING (customer_id) WHERE region = 'north'",
  },
  { measures: ['revenue_per_customer'], sql: 'SELECT (SELECT sum(amount) FROM orders) / (SELECT count(*) FROM customers)' },
  { measures: ['revenue'], where: ['web'], sql: "SELECT sum(amount) FROM orders WHERE channel = 'web'" },
  {
    measures: ['total_balance', 'opening_balance'],
    sql: 'SELECT sum(balance) FILTER (WHERE day = (SELECT max(day) FROM balances)), sum(balance) FILTER (WHERE day = (SELECT min(day) FROM balances)) FROM balances',
  },
  {
    dimensions: ['account'],
    measures: ['total_balance'],
    sql: 'SELECT account, arg_max(balance, day) FROM balances GROUP BY 1',
  },
  {
    dimensions: ['city'],
    measures: ['revenue'],
    sql: 'SELECT city, sum(amount) FROM orders o LEFT JOIN addresses a ON a.customer_id = o.customer_id AND since = (SELECT max(since) FROM addresses b WHERE b.customer_id = o.customer_id AND b.since <= o.ordered_on) GROUP BY 1',
  },
]

const SHOP = `
  ATTACH ':memory:' AS shop; USE shop;
  CREATE TABLE customers (customer_id VARCHAR, region VARCHAR, customer_name VARCHAR);
  INSERT INTO customers VALUES ('1', 'north', 'Ada'), ('2', 'south', 'Bob'), ('3', NULL, 'Cy');
  CREATE TABLE orders (order_id VARCHAR, customer_id VARCHAR, channel VARCHAR, ordered_on DATE, amount DECIMAL(18, 2), unit_cost DECIMAL(18, 2), quantity INTEGER);
  INSERT INTO orders VALUES ('1', '1', 'web', '2026-01-03', 120, 10, 3), ('2', '1', 'shop', '2026-01-20', 30.5, 5.25, 2), ('3', '2', 'web', '2026-02-01', 99.99, 20, 1),
    ('4', '9', 'shop', '2026-02-11', 250, 100, 2), ('5', '3', NULL, '2026-04-01', 10, 1, 1), ('6', '2', 'web', '2026-04-01', NULL, 4, 4);
  CREATE TABLE balances (account INTEGER, day DATE, balance DECIMAL(18, 2));
  INSERT INTO balances VALUES (1, '2026-01-01', 10), (1, '2026-02-01', 30), (2, '2026-01-01', 5), (2, '2026-02-01', 7.5), (3, '2026-01-01', 1);
  CREATE TABLE addresses (customer_id VARCHAR, since DATE, city VARCHAR);
  INSERT INTO addresses VALUES ('1', '2026-01-01', 'Oslo'), ('1', '2026-01-10', 'Rome'), ('2', '2026-03-01', 'Bern'), ('3', '2026-04-01', 'Lyon');
  CREATE TABLE prices (channel VARCHAR, valid_from DATE, valid_to DATE, season VARCHAR);
  INSERT INTO prices VALUES ('web', '2026-01-01', '2026-02-01', 'winter'), ('web', '2026-02-01', '2026-04-01', 'spring'), ('shop', '2026-01-20', '2026-02-11', 'sale')`

/** What a statement says and a YAML text does not. */
const BY_PERIOD: NumberCase = {
  dimensions: ['season'],
  measures: ['revenue'],
  sql: 'SELECT season, sum(amount) FROM orders o LEFT JOIN prices p ON p.channel = o.channel AND valid_from <= ordered_on AND ordered_on < valid_to GROUP BY 1',
}

sameNumbers('YAML', { importer: snowflake, text: shop, rows: SHOP, cases: CASES })
sameNumbers('a statement', {
  ...{ importer: snowflake, text: statement, rows: SHOP },
  cases: [...CASES.filter(({ where }) => !where), BY_PERIOD],
})

t.test('a statement says the same as YAML, except for types', async (t) => {
  const [one, other] = [await imported(statement), await imported(shop)]
  for (const kind of ['measures', 'metrics']) t.same(at(one, kind), at(other, kind), kind)
  t.match(at(one, 'dataObjects', 'customers'), {
    code: 'CUSTOMERS',
    schema: 'MAIN',
    database: 'SHOP',
    description: "Who buys, and doesn't",
  })
  t.match(at(one, 'dimensions', 'region'), { description: 'Where they live', synonyms: ['area', 'part'] })
  t.equal(one.document['description'], 'Orders and returns of a shop')
  t.match(
    one.losses.filter(({ kind }) => kind === 'inert'),
    [{ message: /COPY GRANTS/, place: { line: 46, column: 3 } }],
  )
  t.same(refusals(one), [])
})

t.test('a statement with a fault is refused at its place', async (t) => {
  for (const [from, to, message] of [
    ['TABLES (', 'TABLES', /\( is expected/],
    ['REFERENCES customers,', 'REFERENCES customers ON DELETE,', /end of the relationship/],
    ['orders.amount AS', 'amount AS', /name of a field/],
    ["COMMENT = 'In euros'", 'COMMENT = In euros', /text in quotes/],
    ["COMMENT = 'In euros'", 'REMARK', /must be|is expected|left out/],
    ['COPY GRANTS;', 'COPY GRANTS; DROP TABLE orders', /end of the statement/],
    ["'purchases'", "'purchases", /text ends inside/],
    ['METRICS (', 'MEASURES (', /A clause is expected/],
    ['  FACTS (', '  VARIABLES (rate FLOAT) FACTS (', /VARIABLES have no place/],
    ['orders.revenue AS', 'orders.revenue IS', /AS is expected/],
    ['BETWEEN valid_from AND valid_to EXCLUSIVE)', 'BETWEEN valid_from AND valid_to)', /EXCLUSIVE is expected/],
  ] as const) {
    t.ok(statement.includes(from), from)
    const read = await snowflake.read({ text: statement.replace(from, to) })
    if ('faults' in read) t.match(read.faults, [{ message, place: { line: Number, column: Number } }], to)
    else t.match(refusals(read)[0], { message, place: { line: Number } }, to)
  }
})

t.test('a policy in a statement refuses it, unless it is dropped', async (t) => {
  const service = await serviceFor(t)
  const text = statement.replace('region WITH SYNONYMS', 'region WITH MASKING POLICY hide WITH SYNONYMS')
  const { errors } = await service.validate({ asker: undefined, model_yaml: text, format: 'snowflake' })
  t.match(errors, [{ message: /policy/, line: 22 }])
})

t.test('names are folded as the database does, and quoted ones stay', async (t) => {
  const quoted = await imported(
    shop
      .replace('table: customers }', 'table: \'"Customers"\' }')
      .replace('expr: region,', 'expr: \'"region"\',')
      .replace('expr: customer_name', 'expr: Customer_Name'),
  )
  t.equal(at(quoted, 'dataObjects', 'customers', 'code'), 'Customers')
  t.same(Object.keys(at(quoted, 'dataObjects', 'customers', 'columns') as object).slice(0, 2), ['region', 'CUSTOMER_NAME'])
})

t.test('a join is declared as the keys of both ends say', async (t) => {
  const joinOf = async (text: string) => at(await imported(text), 'dataObjects', 'orders', 'joins', 0)
  t.match(await joinOf(shop), { joinType: 'many-to-one', joinTo: 'customers' })
  const single = shop.replace('columns: [order_id] }', 'columns: [customer_id] }')
  t.match(await joinOf(single), { joinType: 'one-to-one', joinTo: 'customers' })
  const stated = shop.replace('right_table: customers', 'right_table: customers\n    relationship_type: many_to_many')
  t.match(await joinOf(stated), { joinType: 'many-to-many' })
  const turned = await imported(
    single.replace(
      '    primary_key: { columns: [customer_id] }\n    dimensions:\n      - { name: region',
      '    dimensions:\n      - { name: region',
    ),
  )
  t.match(at(turned, 'dataObjects', 'customers', 'joins', 0), { joinType: 'many-to-one', joinTo: 'orders' })
  const none = await imported(shop.replace('    primary_key: { columns: [customer_id] }\n', ''))
  t.match(
    none.losses.filter(({ message }) => message.includes('many-to-one')),
    [{ kind: 'rewritten', message: /'customers' declares no key/ }],
  )
})

t.test('what a relationship says and a join cannot say refuses the relationship', async (t) => {
  for (const [from, to] of [
    ['right_column: since, type: asof', 'right_column: since, type: range'],
    ['right_column: since, type: asof', 'right_column: since, until: city'],
    ['right_table: addresses', 'right_table: addresses\n    join_type: full_outer'],
    ['right_table: addresses', 'right_table: addresses\n    expr: a = b'],
    ['right_table: addresses', 'right_table: nowhere'],
  ] as const) {
    t.ok(shop.includes(from))
    const read = await imported(shop.replace(from, to))
    t.equal((at(read, 'dataObjects', 'orders', 'joins') as unknown[]).length, 1, to)
    t.match(refusals(read)[0], { message: /'orders_to_addresses' is left out/, place: { line: Number } }, to)
  }
})

t.test('a second join of two tables is taken by its name, and a metric along it is refused', async (t) => {
  const two = shop.replace(
    'relationships:\n',
    'relationships:\n  - { name: billed, left_table: orders, right_table: customers, relationship_columns: [{ left_column: payer, right_column: customer_id }] }\n',
  )
  const read = await imported(two.replace('expr: COUNT(*) }', 'expr: COUNT(*), using_relationships: [orders_to_customers] }'))
  t.match(at(read, 'dataObjects', 'orders', 'joins'), [
    { columnsFrom: ['PAYER'] },
    { secondary: true, pathName: 'orders_to_customers' },
    {},
  ])
  t.match(refusals(read), [
    { message: /'order_count' is left out: .*'orders_to_customers'/ },
    { message: /'average_order' is left out: 'order_count' is left out/ },
  ])
})

t.test('what has no place in the model is refused by name, with what reads it', async (t) => {
  for (const [expr, message] of [
    ['SUM(amount) OVER (ORDER BY ordered_on)', /window/],
    ['SUM(AVG(amount))', /aggregates an aggregate/],
    ['SUM(revenue)', /is a metric of 'orders'/],
    ['SUM(DATEADD(day, 1, ordered_on))', /dateadd/],
    ['amount', /'amount' is no metric/],
    ['COUNT(DISTINCT amount, cost)', /not one value/],
    ['1', /no aggregate/],
    ['order_count', /reads itself/],
    ['SUM((SELECT 1))', /not part of expressions/],
    ['SUM(amount)) FROM t; DROP TABLE t; --', /left out/],
  ] as const) {
    const read = await imported(shop.replace('expr: COUNT(*)', `expr: ${JSON.stringify(expr)}`))
    t.notOk(Object.hasOwn(at(read, 'measures') as object, 'order_count'), expr)
    t.match(refusals(read)[0], { message, place: { line: 31 } }, expr)
    t.match(refusals(read)[1], { message: /'average_order' is left out/ }, expr)
  }
})

t.test('an expression that YAML ends at a comma is shown as it was read', async (t) => {
  const read = await imported(shop.replace('expr: COUNT(*)', 'expr: SUM(amount) / NULLIF(cost, 0)'))
  t.match(refusals(read)[0], {
    message: /'order_count' is left out: a parenthesis is not closed in what was read of it: SUM\(amount\) \/ NULLIF\(cost\./,
    hint: /In YAML, a text without quotes ends at a comma.*in quotes/,
  })
})

t.test('a filter that is no condition is an error at its place', async (t) => {
  const service = await serviceFor(t)
  const text = shop.replace("channel = 'web'", 'amount + 1')
  const { errors } = await service.validate({ asker: undefined, model_yaml: text, format: 'snowflake' })
  t.match(errors, [{ line: 28 }])
})

t.test('facts that read each other are refused', async (t) => {
  const read = await imported(
    shop
      .replace("expr: 'orders.unit_cost * quantity'", 'expr: orders.unit_cost * 2')
      .replace('name: unit_cost, expr: unit_cost', 'name: unit_cost, expr: cost * 3'),
  )
  t.match(
    refusals(read).map(({ message }) => message),
    [/'cost' of 'orders' is left out: .*reads itself/, /'unit_cost' of 'orders' is left out/, /'margin' is left out/],
  )
})

t.test('a metric of the view aggregates columns of one table', async (t) => {
  const text = shop.replace(
    'orders.revenue / customers.customer_count',
    '"SUM(orders.amount) / NULLIF(COUNT(DISTINCT customers.customer_id), 0)"',
  )
  const read = await imported(text)
  const { expression } = at(read, 'metrics', 'revenue_per_customer') as { readonly expression: string }
  t.match(expression, '{[revenue]} / {[revenue_per_customer: 2]}', 'an aggregate that is a measure is no second one')
  t.match(at(read, 'measures', 'revenue_per_customer: 2'), {
    aggregation: 'count_distinct',
    columns: [{ dataObject: 'customers' }],
  })
  for (const expr of ['SUM(amount)', 'SUM(orders.amount * customers.customer_id)', 'COUNT(*)', 'SUM(nowhere.amount)'])
    t.match(
      refusals(await imported(shop.replace('orders.revenue / customers.customer_count', expr))),
      [{ message: /needs one table/ }],
      expr,
    )
})

t.test('a metric with a filter aggregates its rows', async (t) => {
  const filtered = (filter: string, expr: string) =>
    imported(shop.replace('expr: SUM(amount), synonyms', `expr: ${expr}, filter: { expr: ${JSON.stringify(filter)} }, synonyms`))
  const read = await filtered("channel = 'web' AND customers.region = 'north'", 'SUM(amount)')
  const expression = "(({[orders].[CHANNEL]} = 'web') AND ({[customers].[REGION]} = 'north'))"
  t.match(at(read, 'measures', 'revenue'), { aggregation: 'sum', filters: [{ expression }] })
  t.same(refusals(read), [])
  for (const [filter, expr, message] of [
    ['true', 'order_count * 2', /'revenue' is left out: its filter reaches another metric/],
    ['dateadd(1)', 'SUM(amount)', /'revenue' is left out: the function 'dateadd'/],
  ] as const)
    t.match(refusals(await filtered(filter, expr))[0], { message, place: { line: 30 } }, filter)
})

t.test('a semi-additive metric says what it does with rows without a time', async (t) => {
  const read = await imported(shop.replace('sort_direction: ascending, null_order: first', 'sort_direction: ascending'))
  t.match(
    read.losses.filter(({ message }) => message.includes('rows without a time')),
    [{ kind: 'rewritten', message: /'total_balance' takes the last/ }],
  )
  const two = await imported(
    shop.replace(
      'null_order: first }\n      - name: opening',
      'null_order: first }\n          - { dimension: account }\n      - name: opening',
    ),
  )
  t.match(refusals(two), [{ message: /'total_balance' is left out: it is not additive over two/ }])
})

t.test('measures of older models are columns with their aggregation', async (t) => {
  const text = shop.replace(
    '    facts:\n      - { name: balance, expr: balance,',
    '    measures:\n      - { name: balance, expr: balance, default_aggregation: avg,',
  )
  const read = await imported(text)
  t.match(at(read, 'measures', 'balance'), { aggregation: 'avg', columns: [{ dataObject: 'balances', column: 'BALANCE' }] })
  t.same(refusals(read), [])
})

t.test('a rule about who sees what refuses the text, unless it is dropped', async (t) => {
  const service = await serviceFor(t)
  const text = shop.replace(
    '    description: Who buys\n',
    '    description: Who buys\n    row_access_policy: { name: own_region }\n',
  )
  const asked = { asker: undefined, model_yaml: text, format: 'snowflake' }
  t.match((await service.validate(asked)).errors, [{ message: /row_access_policy/, line: 6 }])
  const { losses } = await imported(text)
  t.match(
    losses.filter(({ isSecurity }) => isSecurity),
    [{ kind: 'refused', message: /'row_access_policy'/ }],
  )
  t.equal(losses.filter(({ message }) => message.includes('row_access_policy')).length, 1)
})

t.test('a key that the importer does not know is in the list, wherever it is', async (t) => {
  const view: unknown = parse(shop)
  const count = withKeyEverywhere(view)
  const { losses } = await imported(stringify(view, { aliasDuplicateObjects: false }))
  const numbers = losses.flatMap(({ message }) => /^'surprise(\d+)'/.exec(message)?.[1] ?? []).map(Number)
  // Two relationships have a line each, as a whole, because a key of their columns is unknown; so has
  // the verified query, and a dimension that reads a table to which one of the relationships leads.
  const whole = losses.filter(({ message }) =>
    /^The (relationship|verified query|dimension) .*(surprise|is not in|no relationship)/.test(message),
  )
  t.equal(whole.length, 4)
  t.same(numbers.length, count - 7)
  t.ok(count > 45, `${count} mappings`)
  t.ok(losses.every(({ place }) => place !== undefined))
})

/** Adds a key with a number to every mapping. Returns how many. */
function withKeyEverywhere(value: unknown, from = 0): number {
  if (typeof value !== 'object' || value === null) return from
  const count = Object.values(value).reduce((sum: number, each) => withKeyEverywhere(each, sum), from)
  if (Array.isArray(value)) return count
  Object.assign(value, { [`surprise${count}`]: true })
  return count + 1
}

readsBroken({ what: 'views', importer: snowflake, texts: [shop, statement], service: async (t) => await serviceFor(t) })
