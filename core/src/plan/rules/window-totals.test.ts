import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'
import { INT } from '../../model/data-type.js'
import { relationColumn } from '../../resolve/relation-column.js'
import type { Aggregate, LogicalPlan, Lookup } from '../logical-plan.js'
import { plainAggregate } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { windowTotals } from './window-totals.js'

const model = loadText(`
version: 1
dataObjects:
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Status: { code: status, abstractType: string }
      Day: { code: day, abstractType: date }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
dimensions:
  Customer: { dataObject: Customers, column: Name }
  Status: { dataObject: Orders, column: Status }
  Day: { dataObject: Orders, column: Day }
  Long Status: { dataObject: Orders, expression: "concat({[Orders].[Status]}, '!')", resultType: string }
measures:
  Statuses: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Status }], grain: { keepOnly: [Customer] } }
  Statuses or so: { aggregation: approx_count_distinct, columns: [{ dataObject: Orders, column: Status }], grain: { keepOnly: [Customer] } }
  Different Statuses: { aggregation: count, distinct: true, columns: [{ dataObject: Orders, column: Status }], grain: { keepOnly: [Customer] } }
  Statuses and Days:
    aggregation: count_distinct
    columns: [{ dataObject: Orders, column: Status }, { dataObject: Orders, column: Day }]
    grain: { keepOnly: [Customer] }
`)

/** How often the orders are read. */
const readsOf = (measure: string, dimensions: readonly string[]): number =>
  compileFor({ select: { dimensions: ['Customer', ...dimensions], measures: ['Orders Count', measure] } }, model).sql.split(
    'FROM "orders"',
  ).length - 1

for (const [measure, dimensions] of [
  ['Statuses', ['Status']],
  ['Different Statuses', ['Status']],
  ['Statuses and Days', ['Status']],
  ['Statuses and Days', ['Status', 'Day']],
] as const)
  t.test(`${measure} with ${dimensions.join(' and ')} is the sum of disjoint groups`, (t) => {
    t.equal(readsOf(measure, dimensions), 1)
    t.end()
  })

for (const [title, measure, dimensions] of [
  ['groups of another dimension may share one', 'Statuses', ['Day']],
  ['a month has several days', 'Statuses and Days', ['Day:month']],
  ['an expression may be alike for several', 'Statuses', ['Long Status']],
  ['approximate counts do not add up', 'Statuses or so', ['Status']],
] as const)
  t.test(`${title}: the coarser count reads the rows`, (t) => {
    t.equal(readsOf(measure, dimensions), 2)
    t.end()
  })

t.test('with a further dimension the groups still contain every value', (t) => {
  t.equal(readsOf('Statuses', ['Status', 'Day']), 1)
  t.end()
})

/** Rows of a table, counted by one of its columns. */
function counted(object: string, key: string, ofRows: (rows: LogicalPlan) => LogicalPlan = (rows) => rows): Aggregate {
  const source = { kind: 'table', database: undefined, schema: undefined, name: object } as const
  const scan: LogicalPlan = { kind: 'scan', object, source, alias: object }
  const keys = ['a', 'b']
    .slice(0, key === 'a' ? 1 : 2)
    .map((name) => ({ name, type: INT, expression: relationColumn(object, name, INT) }))
  const aggregates = [plainAggregate(`rows by ${key}`, 'count', [], INT)]
  return { kind: 'aggregate', input: ofRows(scan), alias: key, keys, aggregates, reason: '' }
}

const lookup = (input: LogicalPlan, from: Aggregate): Lookup => ({
  kind: 'lookup',
  alias: 'rows',
  input,
  from,
  keys: from.keys.map(({ name, type }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: true })),
  values: from.aggregates.map(({ name, type }) => ({ name, type, emptyIsZero: true })),
  reason: '',
})

const rewritten = (node: Lookup): string | undefined => windowTotals.rewrite(node, { hints: NO_HINTS, typeOf: () => INT })?.kind

t.test('what is looked up of the same rows is a window', async (t) => {
  t.equal(rewritten(lookup(counted('orders', 'b'), counted('orders', 'a'))), 'window')
})

t.test('rows of another table, or of a kind that it does not know, are looked up', async (t) => {
  const isUnknown = (input: LogicalPlan): LogicalPlan => ({ kind: 'limit', input, limit: 1, offset: undefined })
  t.equal(rewritten(lookup(counted('orders', 'b'), counted('visits', 'a'))), undefined)
  t.equal(rewritten(lookup(counted('orders', 'b', isUnknown), counted('orders', 'a', isUnknown))), undefined)
  t.equal(rewritten(lookup(isUnknown(counted('orders', 'b')), counted('orders', 'a'))), undefined)
})
