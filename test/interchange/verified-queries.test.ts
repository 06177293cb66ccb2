/** Verified queries of Snowflake: those that are questions of the model have the numbers of their SQL, and others a reason. */
import { readFileSync } from 'node:fs'
import type { Imported } from '@grainline/core'
import t from 'tap'
import { snowflake } from '../../plugins/importer-snowflake/src/index.js'
import { type NumberCase, sameNumbers } from './numbers-by-hand.js'

const shop = readFileSync(new URL('./test/interchange/snowflake/shop.yaml', `file://${process.cwd()}/`), 'utf8')

const imported = async (text: string): Promise<Imported> => {
  const read = await snowflake.read({ text })
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  return read
}

interface Example {
  readonly name: string
  readonly query: {
    readonly select: Pick<NumberCase, 'dimensions' | 'measures'>
    readonly where?: readonly unknown[]
    readonly order_by?: unknown
  }
}

const examplesIn = ({ document }: Imported) => (document['examples'] ?? []) as readonly Example[]

const ROWS = `
  ATTACH ':memory:' AS shop; USE shop;
  CREATE TABLE customers (customer_id VARCHAR, region VARCHAR, customer_name VARCHAR);
  INSERT INTO customers VALUES ('1', 'north', 'Ada'), ('2', 'south', 'Bob'), ('3', NULL, 'Cy');
  CREATE TABLE orders (order_id VARCHAR, customer_id VARCHAR, channel VARCHAR, ordered_on DATE, amount DECIMAL(18, 2), unit_cost DECIMAL(18, 2), quantity INTEGER);
  INSERT INTO orders VALUES ('1', '1', 'web', '2026-01-03', 120, 10, 3), ('2', '1', 'shop', '2026-01-20', 30.5, 5.25, 2), ('3', '2', 'web', '2026-02-01', 99.99, 20, 1),
    ('4', '9', 'shop', '2026-02-11', 250, 100, 2), ('5', '3', NULL, '2026-04-01', 10, 1, 1), ('6', '2', 'web', '2026-04-01', NULL, 4, 4), ('7', '2', 'web', '2026-05-01', 400, 4, 4)`

const SIZE = "CASE WHEN amount >= 100 THEN 'large' ELSE 'small' END"

/** The SQL of each question over the tables of the database. */
const BY_HAND: Readonly<Record<string, string>> = {
  sizes: `SELECT ${SIZE} AS size, sum(amount) AS total, count(*) FROM orders WHERE ordered_on >= '2026-01-10' AND amount > 5 GROUP BY 1 HAVING count(*) > 1 AND total > 50 ORDER BY total DESC LIMIT 10`,
  months:
    "SELECT date_trunc('month', ordered_on)::DATE AS m, region, sum(amount) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1, 2 ORDER BY 1, 2",
  shares:
    "SELECT region, sum(amount), sum(amount) / (SELECT count(*) FROM customers WHERE region = 'north') FROM orders JOIN customers USING (customer_id) WHERE region = 'north' GROUP BY 1",
}

t.test('questions are examples, with the numbers of SQL written by hand', async (t) => {
  const read = await imported(shop)
  const examples = examplesIn(read)
  t.same(
    examples.map(({ name }) => name),
    Object.keys(BY_HAND),
  )
  t.match(read.document['examples'], [{ description: 'How large are orders of the web?' }, {}, {}])
  const cases = examples.map(({ name, query: { select, where, ...more } }): NumberCase => {
    const sql = BY_HAND[name]
    return {
      says: name,
      ...select,
      more,
      isOrdered: more.order_by !== undefined,
      ...(where && { where }),
      ...(sql !== undefined && { sql }),
    }
  })
  await sameNumbers('verified queries', { importer: snowflake, text: shop, rows: ROWS, cases }, t)
  t.match(
    read.losses.filter(({ message }) => message.includes('verified query')),
    [{ kind: 'inert', message: /'by region' is not in the model: 'region' is no dimension/, place: { line: Number } }],
  )
  t.match(
    read.losses.flatMap(({ kind, message }) => (/^'(verified_at|verified_by|use_as)/.test(message) ? [kind] : [])),
    ['inert', 'inert', 'inert'],
  )
})

t.test('the parts of a question', async (t) => {
  const text = (sql: string) =>
    `${shop.slice(0, shop.indexOf('verified_queries:'))}verified_queries:\n  - { name: one, question: one, sql: ${JSON.stringify(sql)} }\n`
  for (const [sql, query] of [
    ['SELECT COUNT(*) FROM orders', { select: { dimensions: [], measures: ['order_count'] } }],
    ['SELECT AGG(revenue) FROM orders', { select: { measures: ['revenue'] } }],
    ['SELECT AGG(revenue_per_customer) FROM shop', { select: { measures: ['revenue_per_customer'] } }],
    ['SELECT size, sum(amount) FROM orders GROUP BY 1 ORDER BY sum(amount)', { order_by: [{ field: 'revenue' }] }],
    [
      "SELECT sum(amount) FROM orders WHERE ordered_on BETWEEN '2026-01-01' AND '2026-02-01'",
      { where: [{ expression: String }] },
    ],
    [
      'SELECT __balances.account, AGG(total_balance) FROM __balances GROUP BY account',
      { select: { dimensions: ['account'], measures: ['total_balance'] } },
    ],
  ] as const)
    t.match(examplesIn(await imported(text(sql))), [{ name: 'one', query }], sql)
  for (const [sql, message] of [
    ['SELECT region, SUM(amount) FROM orders GROUP BY 1', /'region' is no dimension/],
    ['SELECT COUNT(DISTINCT customer_id) FROM orders', /'customer_id' is no field of the view/],
    ['SELECT SUM(quantity) FROM orders', /there is no metric for sum\(orders\.QUANTITY\)/],
    ['SELECT SUM(balance) FROM balances', /there is no metric for/],
    ['SELECT size FROM orders', /it reads rows/],
    ['SELECT DISTINCT size, COUNT(*) FROM orders GROUP BY 1', /DISTINCT/],
    ['SELECT size, COUNT(*) FROM orders', /its groups are not the dimensions/],
    ['SELECT COUNT(*) FROM orders GROUP BY size', /'size' is not selected/],
    ['SELECT COUNT(*) FROM orders JOIN customers USING (customer_id)', /more than one table/],
    ['WITH a AS (SELECT 1) SELECT COUNT(*) FROM orders', /WITH/],
    ['SELECT COUNT(*) FROM orders UNION SELECT COUNT(*) FROM orders', /more than a SELECT|no SELECT/],
    ['SELECT COUNT(*) FROM nowhere', /'nowhere' is no table of the view/],
    ['SELECT SUM(amount) OVER () FROM orders', /window/],
    ['SELECT amount, COUNT(*) FROM orders GROUP BY 1', /'amount' is no dimension/],
    ['SELECT COUNT(*) FROM orders WHERE amount + 1 > 5', /an expression over facts/],
    ['SELECT COUNT(*) FROM orders HAVING SUM(amount) > 5', /HAVING reads what is not selected/],
    ['SELECT size, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1 NULLS FIRST', /where NULLs are/],
    ['SELECT COUNT(*) FROM orders LIMIT 1 + 1', /its limit is no number/],
    ["SELECT DATE_TRUNC('month', size), COUNT(*) FROM orders GROUP BY 1", /no time dimension/],
    ['SELECT * FROM SEMANTIC_VIEW(shop FACTS orders.amount)', /reads facts/],
    ['SELECT COUNT(*) FROM orders QUALIFY 1 = 1', /verified query 'one' is not in the model/],
    ['DROP TABLE orders', /no SELECT/],
    ['', /verified query 'one' is not in the model/],
  ] as const) {
    const read = await imported(text(sql))
    t.same(examplesIn(read), [], sql)
    const lines = read.losses.filter(({ message: said }) => said.includes('verified query'))
    t.match(lines, [{ kind: 'inert', message, place: { line: 78 } }], `${sql}: ${lines[0]?.message}`)
  }
})
