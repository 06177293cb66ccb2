/** Aggregates with disjoint filters are computed by the number of the filter. */
import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'

const MODEL = `
version: 1
name: shop
dataObjects:
  Customers:
    code: customers
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Age: { code: age, abstractType: int } }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Status: { code: status, abstractType: string }
      Day: { code: day, abstractType: date }
      Amount: { code: amount, abstractType: int, numClass: additive }
      Weight: { code: weight, abstractType: float, numClass: additive }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer Id], columnsTo: [Id] }]
dimensions:
  Day: { dataObject: Orders, column: Day }
`

interface Leaf {
  readonly field: string
  readonly op: string
  readonly value: unknown
}
type Filter = readonly Leaf[]

const is = (field: string, op: string, value: unknown): Leaf => ({ field: `Orders.${field}`, op, value })
const amount = (op: string, value: unknown): Leaf => is('Amount', op, value)

/** A count and a sum with each filter. */
function sqlFor(filters: readonly Filter[], dimensions: readonly string[] = [], beside: readonly string[] = []): string {
  const measures = filters.flatMap((filter, i) => {
    const text = JSON.stringify(filter)
    return [
      `  Count ${i}: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: ${text} }`,
      `  Sum ${i}: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: ${text} }`,
    ]
  })
  const names = filters.flatMap((_, i) => [`Count ${i}`, `Sum ${i}`])
  const mean = '  Mean Weight: { aggregation: avg, columns: [{ dataObject: Orders, column: Weight }] }'
  const model = loadText(`${MODEL}measures:\n${[...measures, mean].join('\n')}`)
  return compileFor({ select: { dimensions, measures: [...names, ...beside] } }, model).sql
}

const APART: readonly (readonly [title: string, ...filters: readonly Filter[]])[] = [
  ['different texts', [is('Status', 'eq', 'paid')], [is('Status', 'in', ['new', 'void'])]],
  ['ranges that touch where one leaves the value out', [amount('lt', 5)], [amount('gte', 5)]],
  ['ranges with a gap', [amount('between', [1, 4])], [amount('between', [6, 9])]],
  ['a value and a range', [amount('eq', 5)], [amount('gt', 5)]],
  ['halves of a year', [is('Day', 'lt', '2024-07-01')], [is('Day', 'gte', '2024-07-01')]],
  ['doubles', [is('Weight', 'lt', 0.5)], [is('Weight', 'gte', 0.5)]],
  [
    'three ranges, each with a condition of its own',
    [amount('lt', 1), is('Status', 'eq', 'a')],
    [amount('between', [1, 2]), is('Weight', 'gt', 1)],
    [amount('gt', 2)],
  ],
  ['negative numbers', [amount('between', [-9, -5])], [amount('between', [-4, -1])]],
]

for (const [title, ...filters] of APART)
  t.test(`by range: ${title}`, async (t) => {
    t.match(sqlFor(filters), /FROM \(\n {2}SELECT\n {4}CASE WHEN [^\n]* THEN 2[^\n]* END AS "range"/)
    t.match(sqlFor(filters, ['Day']), /AS "range"[\s\S]*GROUP BY 1, 2\n\) AS "orders_ranges"\nGROUP BY 1$/)
  })

const MEETING: readonly (readonly [title: string, ...filters: readonly Filter[]])[] = [
  ['ranges that share a value', [amount('lte', 5)], [amount('gte', 5)]],
  ['ranges of which one lies in another', [amount('gt', 1)], [amount('between', [3, 4])]],
  ['a range and the same value', [amount('between', [1, 5])], [amount('eq', 5)]],
  ['texts that some engines take for equal', [is('Status', 'eq', 'paid')], [is('Status', 'eq', 'Paid ')]],
  ['ranges of texts, of which each engine has an order of its own', [is('Status', 'lt', 'm')], [is('Status', 'gte', 'm')]],
  ['conditions on different columns', [amount('lt', 5)], [is('Weight', 'gte', 5)]],
  ['the third meets the first', [amount('lt', 5)], [amount('between', [5, 6])], [amount('eq', 4)]],
  ['more digits than doubles tell apart', [amount('lt', '9007199254740993.1')], [amount('gte', '9007199254740993.2')]],
]

for (const [title, ...filters] of MEETING)
  t.test(`not by range: ${title}`, async (t) => {
    t.notMatch(sqlFor(filters), /"range"/)
  })

t.test('a count of all rows beside them is the sum of their counts, and of rows in no range', async (t) => {
  const sql = sqlFor([[amount('lt', 5)], [amount('between', [5, 9])]], [], ['Orders Count'])
  t.match(sql, 'COALESCE(CAST(SUM("orders_ranges"."value_1") AS BIGINT), 0) AS "Orders Count"')
  t.notMatch(sql, 'WHERE')
})

t.test('not by range: with an aggregate of all rows that is not made of parts', async (t) => {
  t.notMatch(sqlFor([[amount('lt', 5)], [amount('gte', 5)]], [], ['Mean Weight']), /"range"/)
})

t.test('rows outside every range are filtered out, by IN if all ranges are values', async (t) => {
  const sql = sqlFor([[is('Status', 'eq', 'paid')], [is('Status', 'eq', 'new')]])
  t.match(sql, /\n {2}WHERE "orders"."status" IN \('paid', 'new'\)\n {2}GROUP BY 1/)
  t.match(sqlFor([[amount('lt', 5)], [amount('gte', 5)]]), /\n {2}WHERE CASE WHEN [^\n]* IS NOT NULL\n {2}GROUP BY 1/)
})

t.test('joins that every filter requires stay inner joins', async (t) => {
  const age = (op: string) => ({ field: 'Customers.Age', op, value: 1 })
  t.match(
    sqlFor([
      [is('Status', 'eq', 'a'), age('gt')],
      [is('Status', 'eq', 'b'), age('lt')],
    ]),
    /AS "range"[\s\S]*\n {2}JOIN "customers"/,
  )
})

t.test('not by range: more intermediate values than shown ones', async (t) => {
  const [light, heavy] = [JSON.stringify([amount('lt', 5)]), JSON.stringify([amount('gte', 5)])]
  const measure = (name: string, aggregation: string, column: string, filters: string): string =>
    `  ${name}: { aggregation: ${aggregation}, columns: [{ dataObject: Orders, column: ${column} }], filters: ${filters} }`
  const named = [
    measure('A', 'sum', 'Amount', light),
    measure('B', 'max', 'Amount', light),
    measure('C', 'count_distinct', 'Customer Id', heavy),
    measure('D', 'min', 'Amount', heavy),
  ]
  const model = loadText(`${MODEL}measures:\n${named.join('\n')}`)
  t.notMatch(compileFor({ select: { measures: ['A', 'B', 'C', 'D'] } }, model).sql, /"range"/)
})
