import t from 'tap'
import type { ExplainNode } from '../../core/src/sql/compiled-query.js'
import { defineDialect } from '../../core/src/sql/dialect.js'
import { bigquery } from '../../plugins/dialect-bigquery/src/index.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { mysql } from '../../plugins/dialect-mysql/src/index.js'
import { postgres } from '../../plugins/dialect-postgres/src/index.js'
import { snowflake } from '../../plugins/dialect-snowflake/src/index.js'
import { trino } from '../../plugins/dialect-trino/src/index.js'
import { compileFor, loadText, readModel } from '../support/compile.js'
import { database } from './database.js'

const shop = readModel(new URL('shop.yaml', import.meta.url).pathname)
const db = await database()

const count = (sql: string, what: RegExp): number => sql.match(new RegExp(what, 'g'))?.length ?? 0
const sqlOf = (query: unknown, model = shop) => compileFor(query, model).sql
const leaf = (field: string, op: string, value?: unknown) => ({ field, op, ...(value !== undefined && { value }) })

// Statements of one SELECT.

t.test('a query of one fact is one flat SELECT with all clauses', async (t) => {
  const sql = sqlOf({
    select: { dimensions: ['Country', 'Month'], measures: ['Revenue', 'Per Order'] },
    where: [leaf('Status', 'in', ['a', 'b']), leaf('City', 'neq', 'x')],
    having: [leaf('Per Order', 'gt', 10)],
    order_by: [{ field: 'Revenue', direction: 'desc' }],
    limit: 10,
    offset: 5,
  })
  t.equal(count(sql, /\bSELECT\b/), 1)
  t.notMatch(sql, /\bWITH\b|\bUNION\b|\bDISTINCT\b/)
  t.same(sql.match(/^(SELECT|FROM|LEFT JOIN|JOIN|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|OFFSET)/gm), [
    'SELECT',
    'FROM',
    'JOIN',
    'LEFT JOIN',
    'WHERE',
    'GROUP BY',
    'HAVING',
    'ORDER BY',
    'LIMIT',
    'OFFSET',
  ])
})

t.test('only the tables that are read are joined', async (t) => {
  t.equal(count(sqlOf({ select: { measures: ['Revenue'] } }), /\bJOIN\b/), 0)
  t.equal(count(sqlOf({ select: { dimensions: ['Status'], measures: ['Revenue'] } }), /\bJOIN\b/), 0)
  t.equal(count(sqlOf({ select: { dimensions: ['Country'], measures: ['Quantity'] } }), /\bJOIN\b/), 2)
  t.equal(
    count(
      sqlOf({ select: { dimensions: ['Country', 'City'], measures: ['Quantity'] }, where: [leaf('Since', 'gt', '2020-01-01')] }),
      /\bJOIN\b/,
    ),
    3,
  )
})

t.test('a filter that excludes rows without a match makes the joins on its path inner joins', async (t) => {
  const joins = (...where: unknown[]): string =>
    sqlOf({ select: { dimensions: ['City'], measures: ['Quantity'] }, where })
      .match(/^(LEFT JOIN|JOIN)/gm)!
      .join(' ')
  const country = leaf('Country', 'eq', 'BE')
  t.equal(joins(), 'LEFT JOIN LEFT JOIN')
  t.equal(joins(country), 'JOIN JOIN LEFT JOIN', 'the way to the filtered object, and no other way')
  t.equal(joins(leaf('Country', 'set')), 'JOIN JOIN LEFT JOIN')
  t.equal(joins(leaf('Country', 'in', ['BE', 'NL'])), 'JOIN JOIN LEFT JOIN')
  t.equal(joins({ logic: 'or', filters: [country, leaf('Country', 'starts_with', 'N')] }), 'JOIN JOIN LEFT JOIN')
  for (const rest of [
    leaf('Country', 'notset'),
    leaf('Country', 'in', ['BE', null]),
    { logic: 'or', filters: [country, leaf('Status', 'eq', 'a')] },
    { logic: 'and', filters: [country, leaf('Status', 'eq', 'a')], negated: true },
  ])
    t.notMatch(joins(rest), /JOIN JOIN LEFT JOIN/, JSON.stringify(rest))
})

t.test('subtotals of one fact are one SELECT if the engine has grouping sets', async (t) => {
  const asked = {
    select: { dimensions: ['Country', 'Status'], measures: ['Revenue', 'Per Order'] },
    having: [leaf('Revenue', 'gt', 1)],
  }
  const rollup = sqlOf({ ...asked, grouping: 'rollup' })
  t.equal(count(rollup, /\bSELECT\b/), 1)
  t.match(rollup, /GROUP BY ROLLUP \("customers"."country", "orders"."status"\)\nHAVING /)
  t.match(rollup, /GROUPING\("orders"."status"\) = 1 AS "Status is total"/)
  t.match(sqlOf({ ...asked, grouping: 'cube' }), /GROUP BY GROUPING SETS \(\(.+, .+\), \(.+\), \(.+\), \(\)\)/)
  const coarser = {
    select: { dimensions: ['Country', 'Status'], measures: ['Revenue', 'Revenue By Status'] },
    grouping: 'rollup',
  }
  t.match(sqlOf(coarser), /UNION ALL/, 'a value of a coarser level')
})

t.test('subtotals of several facts, and by keys with equal expressions, aggregate each fact once', async (t) => {
  const facts = sqlOf({ select: { dimensions: ['Country', 'Since'], measures: ['Revenue', 'Pages'] }, grouping: 'rollup' })
  t.equal(count(facts, /GROUP BY ROLLUP/), 2)
  t.match(facts, /FULL JOIN .*"Country \(is total\)" AND .*"Since \(is total\)"$/m)
  const alike = sqlOf({ select: { dimensions: ['Month', 'Day:month'], measures: ['Revenue'] }, grouping: 'rollup' })
  t.match(alike, /GROUP BY ROLLUP \("orders_rows"."Month", "orders_rows"."Day:month"\)/)
  t.notMatch(alike, /UNION ALL/)
})

t.test(
  'subtotals are ordered by the column that they show, and by another one only for a value that they do not show as it is',
  async (t) => {
    const sqlFor = (field: string, more: object = {}): string =>
      compileFor(
        { select: { dimensions: ['Month', 'Country'], measures: ['Revenue'] }, order_by: [{ field }], ...more },
        shop,
        mysql,
      ).sql
    for (const sql of [sqlFor('Month', { grouping: 'rollup' }), sqlFor('Revenue', { grouping: 'cube' })]) {
      t.match(sql, /UNION ALL/)
      t.notMatch(sql, /order 1/)
    }
    t.match(sqlFor('Month', { grouping: 'rollup' }), /ORDER BY .*`Month`$/m)
    t.match(sqlFor('Orders Count', { grouping: 'rollup' }), /AS `order 1`/, 'not selected')
    const rounded = loadText(`
version: 1
dataObjects:
  Orders: { code: orders, columns: { ID: { code: id, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string }, Amount: { code: amount, abstractType: float } } }
dimensions: { Kind: { dataObject: Orders, column: Kind } }
measures: { Total: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], dataType: 'decimal(18, 1)' } }
`)
    const asked = { select: { dimensions: ['Kind'], measures: ['Total'] }, grouping: 'rollup', order_by: [{ field: 'Total' }] }
    t.match(compileFor(asked, rounded, mysql).sql, /AS `order 1`/, 'shown with fewer digits')
  },
)

t.test('a repeated sort key is left out, at every level', async (t) => {
  const asked = { select: { dimensions: ['Country', 'Since'], measures: ['Revenue', 'Pages'] }, grouping: 'rollup', limit: 3 }
  const revenue = { field: 'Revenue' }
  t.equal(sqlOf({ ...asked, order_by: [revenue, revenue] }), sqlOf({ ...asked, order_by: [revenue] }))
})

t.test('a column that orders the rows of a page breaks no ties', async (t) => {
  const order_by = [
    { field: 'Since', direction: 'desc', nulls: 'first' },
    { field: 'Country', nulls: 'first' },
  ]
  const asked = { select: { dimensions: ['Country', 'Since'], measures: ['Revenue'] }, grouping: 'rollup', limit: 3, order_by }
  const [, keys = ''] = /ORDER BY ([^\n]*)\nLIMIT/.exec(sqlOf(asked)) ?? []
  t.same(keys.split(', '), [
    '"Since" DESC NULLS FIRST',
    '"Country" NULLS FIRST',
    '"Country is total" NULLS LAST',
    '"Since is total" NULLS LAST',
  ])
})

t.test('two facts meet in a full join where the engine hashes NULL-safe keys, else their rows are united', async (t) => {
  const asked = { select: { dimensions: ['Country'], measures: ['Revenue', 'Pages'] } }
  t.match(compileFor(asked, shop, duckdb).sql, /FULL JOIN/)
  for (const dialect of [bigquery, mysql, postgres, snowflake, trino]) {
    const { sql } = compileFor(asked, shop, dialect)
    t.match(sql, /UNION ALL/, dialect.name)
    t.notMatch(sql, /FULL/, dialect.name)
  }
})

t.test('raw rows and distinct tuples are one SELECT, too', async (t) => {
  for (const query of [
    { select: { fields: ['Orders.ID', 'Customers.Country'] }, limit: 3 },
    { select: { dimensions: ['Country', 'Status'] } },
  ])
    t.equal(count(sqlOf(query), /\bSELECT\b/), 1, JSON.stringify(query))
})

t.test('two facts are aggregated separately before they are joined', async (t) => {
  const sql = sqlOf({ select: { dimensions: ['Country'], measures: ['Revenue', 'Pages'] } })
  t.equal(count(sql, /FULL JOIN/), 1)
  t.equal(count(sql, /GROUP BY/), 2)
  for (const block of sql.split(/\bFULL JOIN\b|\), "/))
    t.notMatch(block, /(FROM|JOIN) "orders"[\s\S]*(FROM|JOIN) "visits"/, 'no block reads both')
  t.match(sqlOf({ select: { measures: ['Revenue', 'Pages'] } }), /CROSS JOIN "visits_facts"/, 'one row each stand side by side')
})

t.test('the same query compiles to the same text, whatever was compiled before', async (t) => {
  const query = { select: { dimensions: ['Country'], measures: ['Revenue', 'Pages', 'Per Order'] } }
  const first = sqlOf(query)
  sqlOf({
    select: { dimensions: ['City'], measures: ['Revenue'] },
    use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'shipping' }],
  })
  t.equal(sqlOf(query), first)
})

// Names.

const trap = loadText(`
version: 1
dataObjects:
  Orders:
    code: orders_facts
    columns: { ID: { code: id, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string }, Amount: { code: amount, abstractType: int } }
  Visits:
    code: combined
    columns: { ID: { code: id, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string }, Amount: { code: AMOUNT, abstractType: int } }
  Kinds:
    code: answer
    columns: { Kind: { code: kind, abstractType: string, primaryKey: true } }
dimensions:
  Kind: { dataObject: Orders, column: Kind }
  kind: { dataObject: Visits, column: Kind }
measures:
  Total: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  total: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }
  TOTAL: { aggregation: sum, columns: [{ dataObject: Visits, column: Amount }] }
metrics:
  Total twice: { expression: '{[Total]} * 2 + {[total]}' }
`)

t.test('no common table expression has the name of a table, and no two names differ only by case', async (t) => {
  await db.connection.run(
    "CREATE TABLE orders_facts AS SELECT * FROM (VALUES (1, 'a', 10), (2, 'b', 20), (3, 'a', 5)) v(id, kind, amount); CREATE TABLE combined AS SELECT 1 AS id, 'a' AS kind, 7 AS amount",
  )
  const asked = {
    select: { dimensions: [{ coalesce: ['Kind', 'kind'], as: 'K' }], measures: ['Total', 'total', 'TOTAL', 'Total twice'] },
    order_by: [{ field: 'K' }],
  }
  const compiled = compileFor(asked, trap)
  t.same(
    compiled.columns.map((c) => c.name),
    ['K', 'Total', 'total', 'TOTAL', 'Total twice'],
  )
  t.same(await db.rows(compiled.sql), [
    ['a', '15', '10', '7', '40'],
    ['b', '20', '20', null, '60'],
  ])
  const ctes = [...compiled.sql.matchAll(/(?:WITH|\),) "([^"]+)" AS \(/g)].map(([, name]) => name)
  t.equal(ctes.length, 2)
  t.notOk(
    ctes.some((name) => ['orders_facts', 'combined', 'answer'].includes(name!)),
    ctes.join(', '),
  )
})

t.test('an answer is ordered by the column that the query names, also if another name differs only by case', async (t) => {
  await db.connection.run(
    "CREATE TABLE orders_by_kind AS SELECT * FROM (VALUES (1, 'a', 10), (2, 'a', 10), (3, 'b', 15)) v(id, kind, amount)",
  )
  const model = loadText(`
version: 1
dataObjects:
  Orders:
    code: orders_by_kind
    columns: { ID: { code: id, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string }, Amount: { code: amount, abstractType: int } }
dimensions: { Kind: { dataObject: Orders, column: Kind } }
measures:
  Total: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  total: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }
`)
  const ordered = (field: string, more: object = {}) =>
    compileFor({ select: { dimensions: ['Kind'], measures: ['Total', 'total'] }, order_by: [{ field }], ...more }, model)
  const [a, b] = [
    ['a', '20', '10'],
    ['b', '15', '15'],
  ]
  t.same(await db.rows(ordered('Total').sql), [b, a])
  t.same(await db.rows(ordered('total').sql), [a, b])
  t.same(await db.rows(ordered('Total', { limit: 1 }).sql), [b])
  t.same(
    ordered('total').columns.map((c) => c.name),
    ['Kind', 'Total', 'total'],
    'the answer has the names that were asked for',
  )
  const rolled = await db.rows(ordered('Total', { grouping: 'rollup' }).sql)
  t.same(
    rolled.map((row) => row.slice(0, 3)),
    [b, a, [null, '35', '15']],
  )
})

const LONG = 'A measure whose name alone is longer than what some engines keep of a name, number '
const long = loadText(
  JSON.stringify({
    version: 1,
    dataObjects: {
      Orders: {
        code: 'orders_facts',
        columns: {
          ID: { code: 'id', abstractType: 'int', primaryKey: true },
          Kind: { code: 'kind', abstractType: 'string' },
          Amount: { code: 'amount', abstractType: 'int' },
        },
      },
      Visits: {
        code: 'combined',
        columns: { ID: { code: 'id', abstractType: 'int', primaryKey: true }, Amount: { code: 'amount', abstractType: 'int' } },
      },
    },
    dimensions: { [`${LONG}ü`]: { dataObject: 'Orders', column: 'Kind' } },
    measures: {
      [`${LONG}1`]: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] },
      [`${LONG}2`]: { aggregation: 'max', columns: [{ dataObject: 'Orders', column: 'Amount' }] },
      [`${LONG}3`]: { aggregation: 'sum', columns: [{ dataObject: 'Visits', column: 'Amount' }] },
      ['日本語'.repeat(20)]: { aggregation: 'min', columns: [{ dataObject: 'Orders', column: 'Amount' }] },
    },
  }),
)

t.test('an alias is as long as the engine allows, and unique', async (t) => {
  const names = [`${LONG}1`, `${LONG}2`, '日本語'.repeat(20)]
  const asked = {
    select: { dimensions: [`${LONG}ü`], measures: names },
    order_by: [{ field: names[1] }],
    having: [leaf(names[0]!, 'gt', 0)],
  }
  const { sql, columns } = compileFor(asked, long, postgres)
  const written = [...sql.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name]) => name!)
  t.ok(
    written.every((name) => Buffer.byteLength(name) <= 63),
    'nothing is cut off by the engine',
  )
  t.equal(new Set(sql.split('\nFROM')[0]!.match(/AS "[^"]+"/g)).size, 4, 'and nothing meets')
  t.same(
    columns.map((c) => c.name),
    [`${LONG}ü`, ...names],
    'the answer has the names that were asked for',
  )
  const short = defineDialect(duckdb, { name: 'short', maxIdentifierBytes: 63 })
  t.same(await db.rows(compileFor({ select: { measures: [`${LONG}1`, `${LONG}3`, `${LONG}2`] } }, long, short).sql), [
    ['35', '7', '20'],
  ])
  t.same(await db.rows(compileFor(asked, long, short).sql), [
    ['a', '15', '10', '5'],
    ['b', '20', '20', '20'],
  ])
})

// Explanations.

const ops = (node: ExplainNode): string =>
  node.children.length === 0 ? node.op : `${node.op}(${node.children.map(ops).join(' ')})`

t.test('the explanation of one fact names its object, its joins and their reasons', async (t) => {
  const { explain, physical_tables, resolved } = compileFor(
    {
      select: { dimensions: ['Country'], measures: ['Quantity'] },
      where: [leaf('Status', 'eq', 'a'), { logic: 'and', filters: [leaf('City', 'eq', 'b'), leaf('SKU', 'neq', 'c')] }],
      having: [leaf('Quantity', 'gt', 1)],
      order_by: [{ field: 'Quantity' }],
      limit: 3,
    },
    shop,
  )
  t.match(explain(), {
    planner: 'single-fact',
    base_object: 'Items',
    base_object_reason: /rows/,
    where_filter_count: 3,
    having_filter_count: 1,
    has_totals: false,
    cfl_legs: [],
  })
  t.same(
    explain()
      .joins.map((j) => `${j.from_object}.${j.join_columns.join('+')} → ${j.to_object}`)
      .toSorted(),
    ['Items.Order ID → Orders', 'Orders.Bill To → Addresses', 'Orders.Customer ID → Customers'],
  )
  t.match(explain().joins.find((j) => j.to_object === 'Addresses')?.reason, /named 'billing'/)
  t.match(explain().joins.find((j) => j.to_object === 'Orders')?.reason, /path rule/)
  t.equal(
    ops(explain().plan),
    'limit(project(sort(filter(aggregate(filter(filter(filter(join(join(join(scan scan) scan) scan)))))))))',
  )
  t.same(physical_tables, ['addresses', 'items', 'lake.sales.customers', 'sales.orders'])
  t.same(resolved, { fact_tables: ['Items'], dimensions: ['Country'], measures: ['Quantity'] })
})

t.test('the explanation of several facts has a part for each fact', async (t) => {
  const { explain, physical_tables, resolved } = compileFor(
    { select: { dimensions: ['Country'], measures: ['Revenue', 'Pages'] } },
    shop,
  )
  t.match(explain(), { planner: 'multi-fact', base_object: 'Orders' })
  t.same(
    explain().cfl_legs.map(({ measure_source, measures, joins }) => [
      measure_source,
      measures,
      joins.map((j) => `${j.from_object} → ${j.to_object}`),
    ]),
    [
      ['Orders', ['Revenue'], ['Orders → Customers']],
      ['Visits', ['Pages'], ['Visits → Customers']],
    ],
  )
  t.equal(ops(explain().plan), 'project(combine(aggregate(join(scan scan)) aggregate(join(scan scan))))')
  t.same(physical_tables, ['lake.sales.customers', 'sales.orders', 'visits'])
  t.same(resolved.fact_tables, ['Orders', 'Visits'])
})

t.test('a value that only having reads adds no rows, and the explanation says so', async (t) => {
  const { explain } = compileFor(
    { select: { dimensions: ['Country'], measures: ['Revenue'] }, having: [leaf('Pages', 'gt', 1)] },
    shop,
  )
  t.same(
    explain().cfl_legs.map((leg) => [leg.measure_source, /rows that others make/.test(leg.reason)]),
    [
      ['Orders', false],
      ['Visits', true],
    ],
  )
})

t.test('a bridge, a pinned path and an exists filter are explained', async (t) => {
  const reason = (query: unknown) =>
    compileFor(query, shop)
      .explain()
      .joins.map((j) => j.reason)
  t.match(reason({ select: { dimensions: ['SKU'], measures: ['Revenue'] } }), [/bridge/])
  t.match(
    reason({
      select: { dimensions: ['City'], measures: ['Revenue'] },
      use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'shipping' }],
    }),
    [/named 'shipping'/],
  )
  t.match(
    reason({ select: { measures: ['Revenue'] }, where: [{ field: 'Orders', op: 'exists', subquery: { data_object: 'Items' } }] }),
    [/exists/],
  )
})

t.test('the explanation of tuples that never occur names only the joins of the model', async (t) => {
  const { explain } = compileFor({ select: { dimensions: ['Country', 'Status'] }, dimensions_exclude: true }, shop)
  t.equal(explain().planner, 'exclude')
  t.same(
    explain().joins.map((j) => `${j.from_object} → ${j.to_object}`),
    ['Orders → Customers'],
  )
})

t.test('raw rows are explained as raw rows', async (t) => {
  const { explain, resolved } = compileFor({ select: { fields: ['Customers.Country', 'Orders.ID'] } }, shop)
  t.match(explain(), { planner: 'raw', base_object: 'Orders' })
  t.same(resolved.fact_tables, ['Orders'])
})
