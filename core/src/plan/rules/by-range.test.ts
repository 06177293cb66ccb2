/** Aggregates with disjoint filters are computed by the number of the filter. */
import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'
import { above, aggregate, column, factsOf, filter, limited, named, nodesIn, scan } from '../../../../test/support/plans.js'
import { said } from '../../../../test/support/said.js'
import { decimal, INT, STRING } from '../../model/data-type.js'
import { anyOf, binary, integer } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import { type LogicalPlan, type NamedAggregate, type NamedExpr, plainAggregate, type RowExpr } from '../logical-plan.js'
import { byRange } from './by-range.js'

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

const kind = column('orders', 'kind')
const kindIs = (value: number): RowExpr => binary('=', kind, integer(value))
const [one, two] = [kindIs(1), kindIs(2)]
const call = (name: string, aggregate: string, filter?: RowExpr, more: Partial<NamedAggregate> = {}): NamedAggregate => ({
  ...plainAggregate(name, aggregate, [column('orders', aggregate === 'count' ? 'id' : 'amount')], INT),
  filter,
  ...more,
})
const FOUR = [call('a', 'count', one), call('b', 'count', two), call('c', 'sum', one), call('d', 'sum', two)]
const whole = filter(scan('orders'), anyOf([one, two]))

function ranges(aggregates: readonly NamedAggregate[], input: LogicalPlan = whole, keys: readonly NamedExpr[] = []) {
  const found = byRange.rewrite(aggregate(input, keys, aggregates), factsOf())
  if (!found) return undefined
  if (found.kind !== 'aggregate' || found.input.kind !== 'aggregate') throw new Error(found.kind)
  return { outer: found, inner: found.input }
}
const shownCalls = (aggregates: readonly NamedAggregate[]) =>
  aggregates.map((own) => `${own.name} = ${own.aggregate}(${own.args.map((arg) => said(arg)).join()})`)

t.test('each value is that of the group with the number of its filter', async (t) => {
  const { outer, inner } = ranges(FOUR)!
  t.same(shownCalls(outer.aggregates), [
    'a = only_count(case (range = 1): value_1)',
    'b = only_count(case (range = 2): value_1)',
    'c = max(case (range = 1): value_2)',
    'd = max(case (range = 2): value_2)',
  ])
  t.same(shownCalls(inner.aggregates), ['value_1 = count(orders.id)', 'value_2 = sum(orders.amount)'])
  t.ok(inner.aggregates.every((own) => own.filter === undefined))
  t.equal(said(inner.keys[0]!.expression), 'case (orders.kind = 1): 1, (orders.kind = 2): 2')
  t.equal(
    ranges([{ ...FOUR[0]!, name: 'range' }, ...FOUR.slice(1)], whole, [named('value_1', column('orders', 'x'))])?.inner.keys
      .length,
    2,
  )
})

t.test('names of the answer stay, and groups have others', async (t) => {
  const { outer, inner } = ranges([{ ...FOUR[0]!, name: 'range' }, ...FOUR.slice(1)], whole, [
    named('value_1', column('orders', 'x')),
  ])!
  t.same(
    inner.keys.map(({ name }) => name),
    ['value_1', 'range_2'],
  )
  t.same(
    inner.aggregates.map(({ name }) => name),
    ['value_1_2', 'value_2'],
  )
  t.same(
    outer.keys.map((key) => `${key.name} = ${said(key.expression)}`),
    ['value_1 = value_1'],
  )
})

t.test('a count that always has its filter is a number where it has no row', async (t) => {
  const always = FOUR.map((own) => ({ ...own, onlyWith: own.filter }))
  t.match(ranges(always)?.outer.aggregates[0], { aggregate: 'max' })
  t.equal(
    ranges(FOUR.map((own, i) => (i === 0 ? { ...own, onlyWith: two } : own))),
    undefined,
    'a row that another condition adds',
  )
})

t.test('a value of all rows is one of all groups', async (t) => {
  const { outer, inner } = ranges(
    [...FOUR, call('n', 'count'), call('s', 'sum', undefined, { type: decimal(18, 2) })],
    scan('orders'),
  )!
  t.same(shownCalls(outer.aggregates.slice(4)), ['n = total_count(value_1)', 's = sum(value_3)'])
  t.equal(inner.input.kind, 'scan', 'no row is left out')
  t.equal(ranges([...FOUR, call('m', 'avg')], scan('orders')), undefined, 'an average is none of averages')
})

t.test('only where it pays', async (t) => {
  t.equal(ranges(FOUR.slice(0, 3)), undefined, 'few aggregates')
  t.equal(ranges([...FOUR.slice(0, 3), call('e', 'count')], scan('orders')), undefined, 'few with a filter')
  const three = [...FOUR.slice(0, 3), call('d', 'max', one), call('n', 'count')]
  t.equal(ranges(three, scan('orders')), undefined, 'nine values in groups for five')
  const six = [call('a', 'count', one), call('b', 'count', two), call('c', 'sum', one), call('d', 'max', one)]
  t.ok(ranges(six), 'six values in groups for four')
  t.equal(
    ranges([call('a', 'count', one), call('b', 'min', two), call('c', 'sum', one), call('d', 'max', one)]),
    undefined,
    'eight',
  )
  t.equal(
    ranges(
      FOUR.map((own) => ({ ...own, filter: one })),
      filter(scan('orders'), one),
    ),
    undefined,
    'one filter',
  )
})

t.test('only numbers that an aggregate returns as they are, without an order', async (t) => {
  t.equal(ranges([...FOUR.slice(0, 3), { ...FOUR[3]!, type: STRING }]), undefined)
  t.equal(ranges([...FOUR.slice(0, 3), { ...FOUR[3]!, aggregate: 'stddev' }]), undefined)
  const orderBy = [{ expression: kind, type: INT, descending: false, nullsFirst: false }]
  t.equal(ranges([...FOUR.slice(0, 3), { ...FOUR[3]!, orderBy }]), undefined)
})

t.test('the condition that requires any of the filters becomes a range, and others stay', async (t) => {
  const conditions = (input: LogicalPlan) =>
    nodesIn(ranges(FOUR, input)?.inner.input ?? scan('none'), 'filter').map(({ condition }) => said(condition))
  t.same(conditions(whole), ['orders.kind in (1, 2)'], 'each of its rows is in a range')
  t.same(conditions(filter(filter(scan('orders'), above(column('orders', 'x'))), anyOf([one, two]))), [
    '(orders.x > 0)',
    'orders.kind in (1, 2)',
  ])
  t.equal(ranges(FOUR, scan('orders')), undefined, 'no condition requires them')
  const below = [binary<RelationColumn>('<', kind, integer(1)), binary<RelationColumn>('>=', kind, integer(1))]
  const halves = FOUR.map((own, i) => ({ ...own, filter: below[i % 2] }))
  const [only, ...more] = nodesIn(ranges(halves, filter(scan('orders'), anyOf(below)))!.inner.input, 'filter')
  t.match(said(only!.condition), /is not null$/, 'rows of no range are left out')
  t.same(more, [])
  const meeting = [binary<RelationColumn>('<=', kind, integer(1)), binary<RelationColumn>('>=', kind, integer(1))]
  t.equal(
    ranges(
      FOUR.map((own, i) => ({ ...own, filter: meeting[i % 2] })),
      filter(scan('orders'), anyOf(meeting)),
    ),
    undefined,
  )
  t.equal(
    ranges([...FOUR.map((own, i) => ({ ...own, filter: meeting[i % 2] })), call('n', 'count')], scan('orders')),
    undefined,
    'nor beside a value of all rows',
  )
})

t.test('not over rows that a rule does not know', async (t) => {
  t.equal(ranges(FOUR, limited(whole)), undefined)
  t.equal(byRange.rewrite(whole, factsOf()), undefined)
})
