/** For each code a question that a rollup table does not answer, with the field, and one beside it that it does. */
import t from 'tap'
import type { CompileContext } from '../../core/src/compile/compile-context.js'
import { compileRollup } from '../../core/src/compile/compile-rollup.js'
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { TableSource } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { loadText, NOW } from '../support/compile.js'
import { SHOP } from '../support/models.js'

const ROLLUPS = `
parameters:
  Least: { type: int, default: 10 }
segments:
  Large: { filters: [{ expression: '{[Amount]} >= {@Least}' }] }
rollups:
  Daily:
    dataObject: Orders
    dimensions: [{ field: Day, grain: day }, Customer Key, Status]
    measures: [Sales, Order Count, Paid Sales, Buyers, Average Sale, Largest]
  Weekly:
    dataObject: Orders
    dimensions: [{ field: Day, grain: week }, Status]
    measures: [Sales]
  By Region:
    dataObject: Orders
    dimensions: [Region]
    measures: [Sales]
  Paid This Decade:
    dataObject: Orders
    dimensions: [Customer Key, Status, Amount, Day]
    measures: [Sales]
    where: [{ field: Day, op: between, value: ['2020-01-01', '2029-12-31'] }, { field: Status, op: in, value: [paid, sent] }]
`
const FIELDS = `
  Customer Key: { dataObject: Orders, column: Customer Id }
  Amount: { dataObject: Orders, column: Amount }
`
const MORE = `
  Average Sale: { aggregation: avg, columns: [{ dataObject: Orders, column: Amount }] }
  Largest: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }
  Median Sale: { aggregation: median, columns: [{ dataObject: Orders, column: Amount }] }
  Products: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Payer Id }] }
  Open Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Status, op: equals, value: open }] }
  Large Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Payer Id, op: gt, value: 3 }] }
`
const shop = loadText(SHOP.replace('dimensions:\n', `dimensions:${FIELDS}`).replace('measures:\n', `measures:${MORE}`) + ROLLUPS)
const context: CompileContext = {
  ...{ dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW },
  ...{ storedTypes: 'declared', checksRules: true },
}

const asked = (measures: readonly string[], dimensions: readonly unknown[] = [], more: object = {}) => ({
  select: { dimensions, measures },
  ...more,
})
const where = (...filters: readonly object[]) => ({ where: filters })
const orMissing = (filter: ReturnType<typeof on>) => ({ logic: 'or', filters: [filter, on(filter.field, 'is_null')] })
const BY_PAYER = { use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'payer' }] }
const on = (field: string, op: string, value?: unknown) => ({ field, op, value })

function verdict(query: object, rollup = 'Daily'): string {
  const found = compile(parseQuery(query), shop, context)
    .explain()
    .rollups.find((one) => one.rollup === rollup)
  return found?.reason === null ? 'read' : `${found?.reason} ${found?.field}`
}

const VERDICTS: readonly (readonly [title: string, query: object, says: string, rollup?: string])[] = [
  ['a measure by what the table has', asked(['Sales', 'Order Count'], ['Status', 'Day:month']), 'read'],
  ['attributes of what a key leads to', asked(['Sales'], ['Region', 'Customer']), 'read'],
  [
    'a join that the question pins reads another key',
    asked(['Sales'], ['Customer'], { use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'payer' }] }),
    'DIMENSION_MISSING Customer',
  ],
  ['a measure at another grain', asked(['Sales', 'Sales of All'], ['Status']), 'read'],
  ['subtotals', asked(['Sales'], ['Status', 'Region'], { grouping: 'rollup' }), 'read'],
  [
    'a period before',
    asked(['Sales', 'Sales Last Month'], ['Day:month'], where(on('Day', 'between', ['2024-01-01', '2024-12-31']))),
    'read',
  ],
  ['an average of whole numbers', asked(['Average Sale', 'Largest'], ['Status']), 'read'],
  ['things that are a dimension', asked(['Buyers'], ['Status']), 'read'],
  ['things that are none', asked(['Products'], ['Status']), 'NOT_ADDITIVE Products'],
  ['a filter that the dimensions answer', asked(['Open Sales'], ['Region']), 'read'],
  ['a filter that they do not', asked(['Large Sales'], ['Region']), 'DIMENSION_MISSING Orders.Payer Id'],
  ['no parts', asked(['Median Sale']), 'NOT_ADDITIVE Median Sale'],
  ['a measure of other rows', asked(['Returned'], ['Region']), 'OTHER_BASE Returned'],
  ['a dimension of rows behind', asked(['Sales'], ['Product']), 'NEEDS_ROWS Sales'],
  ['dimensions alone', asked([], ['Status']), 'NEEDS_ROWS null'],
  ['raw rows', { select: { fields: ['Orders.Id'] } }, 'NEEDS_ROWS null'],
  ['a dimension that is missing', asked(['Sales'], ['Amount']), 'DIMENSION_MISSING Amount'],
  ['a condition on one', asked(['Sales'], [], where(on('Amount', 'gt', 3))), 'DIMENSION_MISSING Amount'],
  ['single days of a table by weeks', asked(['Sales'], ['Day:day']), 'GRAIN_TOO_COARSE Day:day', 'Weekly'],
  ['months of a table by weeks', asked(['Sales'], ['Day:month']), 'GRAIN_TOO_COARSE Day:month', 'Weekly'],
  ['its own weeks', asked(['Sales'], ['Day:week']), 'read', 'Weekly'],
  ['whole weeks', asked(['Sales'], [], where(on('Day', 'gte', '2024-01-01'))), 'read', 'Weekly'],
  ['a part of a week', asked(['Sales'], [], where(on('Day', 'gte', '2024-01-03'))), 'RANGE_NOT_ALIGNED Day', 'Weekly'],
  ['rows without a day', asked(['Sales'], [], where(on('Day', 'is_null'))), 'read', 'Weekly'],
  [
    'an expression over the day',
    asked(['Sales'], [], where({ expression: "extract('month', {[Day]}) = 3" })),
    'GRAIN_TOO_COARSE Day',
    'Weekly',
  ],
  ['rows that it lacks', asked(['Sales'], ['Status']), 'ROWS_MISSING Day', 'Paid This Decade'],
  [
    'a range within its own',
    asked(['Sales'], [], where(on('Day', 'between', ['2021-01-01', '2021-03-31']), on('Status', 'eq', 'paid'))),
    'read',
    'Paid This Decade',
  ],
  [
    'a range that ends after it',
    asked(['Sales'], [], where(on('Day', 'gte', '2021-01-01'), on('Status', 'eq', 'paid'))),
    'ROWS_MISSING Day',
    'Paid This Decade',
  ],
  [
    'two conditions that are within it together',
    asked(['Sales'], [], where(on('Day', 'gte', '2021-01-01'), on('Day', 'lt', '2022-01-01'), on('Status', 'in', ['sent']))),
    'read',
    'Paid This Decade',
  ],
  [
    'a value that it lacks',
    asked(['Sales'], [], where(on('Day', 'eq', '2021-01-01'), on('Status', 'in', ['paid', 'open']))),
    'ROWS_MISSING Status',
    'Paid This Decade',
  ],
  [
    'rows without a value',
    asked(['Sales'], [], where(on('Day', 'eq', '2021-01-01'), on('Status', 'in', ['paid', null]))),
    'ROWS_MISSING Status',
    'Paid This Decade',
  ],
  [
    'rows without a day beside a range within its own',
    asked(['Sales'], [], where(orMissing(on('Day', 'between', ['2021-01-01', '2021-03-31'])), on('Status', 'eq', 'paid'))),
    'ROWS_MISSING Day',
    'Paid This Decade',
  ],
  ['a value that is held', asked(['Sales'], ['Region']), 'read', 'By Region'],
  [
    'a value that is held of another row, which the question pins',
    asked(['Sales'], ['Region'], BY_PAYER),
    'DIMENSION_MISSING Region',
    'By Region',
  ],
  [
    'another condition on a value',
    asked(['Sales'], [], where(on('Day', 'eq', '2021-01-01'), on('Status', 'starts_with', 'paid'))),
    'ROWS_MISSING Status',
    'Paid This Decade',
  ],
  [
    'existence of rows of a row that is joined by a key',
    asked(['Sales'], [], where({ field: 'Customer', op: 'exists', subquery: { dataObject: 'Returns' } })),
    'read',
  ],
  [
    'existence of rows of a row of which only a value is held',
    asked(['Sales'], [], where({ field: 'Region', op: 'exists', subquery: { dataObject: 'Returns' } })),
    'DIMENSION_MISSING Region',
    'By Region',
  ],
  [
    'existence of rows of the table itself',
    asked(['Sales'], [], where({ field: 'Customer', op: 'exists', subquery: { dataObject: 'Items' } })),
    'NEEDS_ROWS Items',
  ],
  [
    'a condition with a parameter',
    asked(['Sales'], [], where({ segment: 'Large' }, on('Day', 'eq', '2021-01-01'), on('Status', 'eq', 'paid'))),
    'read',
    'Paid This Decade',
  ],
]

for (const [title, query, says, rollup] of VERDICTS)
  t.test(title, (t) => {
    t.equal(verdict(query, rollup), says)
    t.end()
  })

t.test('a join that the question pins leads static filters to other rows', (t) => {
  const filters = 'filters:\n  - { dataObject: Customers, column: Name, operator: notequals, value: test }\n'
  const filtered = loadText(
    SHOP.replace('dimensions:\n', `dimensions:${FIELDS}`).replace('measures:\n', `measures:${MORE}`) + ROLLUPS + filters,
  )
  const reasonOf = (query: object) =>
    compile(parseQuery(query), filtered, context)
      .explain()
      .rollups.find(({ rollup }) => rollup === 'Daily')?.reason
  t.equal(reasonOf(asked(['Sales'], ['Status'])), null)
  t.equal(reasonOf(asked(['Sales'], ['Status'], BY_PAYER)), 'OTHER_BASE')
  t.end()
})

t.test('a question that is answered from a table reads no table of the facts, and one that is not is unchanged', (t) => {
  const sources = new Map(
    [...shop.rollups.values()].map((one): [string, TableSource] => [
      one.name,
      { kind: 'table', database: undefined, schema: undefined, name: one.table.name },
    ]),
  )
  for (const [title, query, says, rollup = 'Daily'] of VERDICTS) {
    const only = new Map([...sources].filter(([name]) => name === rollup))
    const facts = compile(parseQuery(query), shop, context)
    const read = compile(parseQuery(query), shop, { ...context, rollupTables: only })
    const isRead = says === 'read'
    t.equal(read.physical_tables.includes('orders'), !isRead && facts.physical_tables.includes('orders'), title)
    t.equal(read.explain().rules.includes('rollup-tables'), isRead, title)
    if (!isRead) t.equal(read.sql, facts.sql, title)
  }
  t.end()
})

t.test('the statement of a table has its dimensions, the numbers of rows, and parts', (t) => {
  const { columns } = compileRollup(shop.rollups.get('Daily')!, shop, context)
  t.same(
    columns.map(({ name }) => name),
    ['day_day', 'customer_key', 'status', 'row_count', 'row_count_2', 'sales', 'paid_sales', 'average_sale_count', 'largest'],
  )
  t.end()
})

t.test('a measure with filters creates only groups in which rows meet them', (t) => {
  const source: TableSource = { kind: 'table', database: undefined, schema: undefined, name: 'daily' }
  const { sql } = compile(parseQuery(asked(['Paid Sales'], ['Region'])), shop, {
    ...context,
    rollupTables: new Map([['Daily', source]]),
  })
  t.match(sql, /WHERE "orders"."row_count_2" <> 0/)
  t.end()
})
