/** Rows that bring no value are not looked for where a condition keeps only those of one fact. */
import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'
import {
  above,
  aggregate,
  column,
  combined,
  factsOf,
  filter,
  leg,
  limited,
  named,
  nodesIn,
  own,
  project,
  rowColumn,
  scan,
  shared,
  sumOf,
} from '../../../../test/support/plans.js'
import { shopRows, withRule } from '../../../../test/support/rule-answers.js'
import type { Combine, LogicalPlan } from '../logical-plan.js'
import { leadingRows } from './leading-rows.js'

const keys = [rowColumn('Key')]
const columns = [...keys, rowColumn('A')]
const groups = aggregate(scan('A'), [named('Key', column('A', 'key'))], [sumOf('A', column('A', 'n'))])
const rows = shared(groups, columns)
const ownRows = project(
  rows,
  columns.map(({ name }) => named(name, own(name))),
)
const ofA = leg(ownRows, ['A'])
const partners = leg(project(scan('P'), [named('Key', column('P', 'key'))]), [])
const ofB = leg(aggregate(scan('B'), [named('Key', column('B', 'key'))], [sumOf('B', column('B', 'n'))]), ['B'])
const above0 = (facts: LogicalPlan, name = 'A'): LogicalPlan => filter(facts, above(own(name)))
const rewritten = (plan: LogicalPlan): LogicalPlan | undefined => leadingRows.rewrite(plan, factsOf())
const inputOf = (plan: LogicalPlan | undefined): LogicalPlan | undefined => (plan?.kind === 'filter' ? plan.input : undefined)
const factsIn = (plan: LogicalPlan | undefined): Combine | undefined => plan && nodesIn(plan, 'combine').at(-1)

t.test('rows that a condition on values leaves out are not looked for', async (t) => {
  t.equal(inputOf(rewritten(above0(combined(keys, [ofA, partners])))), rows)
})

t.test('a fact that is no copy of shared groups remains, alone', async (t) => {
  const ofGroups = leg(groups, ['A'])
  t.match(factsIn(rewritten(above0(combined(keys, [ofGroups, partners])))), { legs: [ofGroups], making: [0] })
  const renamed = leg(project(rows, [named('Key', own('A')), named('A', own('Key'))]), ['A'])
  t.match(factsIn(rewritten(above0(combined(keys, [renamed, partners])))), { legs: [renamed], making: [0] })
  const ofOthers = leg(project(shared(limited(groups), columns), ownRows.columns), ['A'])
  t.match(factsIn(rewritten(above0(combined(keys, [ofOthers, partners])))), { legs: [ofOthers], making: [0] })
})

t.test('another fact with values remains', async (t) => {
  const made = factsIn(rewritten(above0(combined(keys, [ofA, partners, ofB]))))
  t.same(made?.legs, [ofA, ofB])
  t.equal(made?.making, undefined)
})

for (const [title, plan] of [
  ['without a condition', limited(combined(keys, [ofA, partners]))],
  ['with a condition that a row without values may meet', above0(combined(keys, [ofA, partners]), 'Key')],
  ['if each fact has values', above0(combined(keys, [ofA, ofB]))],
] as const)
  t.test(`nothing changes ${title}`, async (t) => {
    t.equal(rewritten(plan), undefined)
  })

const model = loadText(`
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Amount: { code: amount, abstractType: int }
      Status: { code: status, abstractType: string }
      Day: { code: day, abstractType: date }
dimensions:
  Day: { dataObject: Orders, column: Day }
  Status: { dataObject: Orders, column: Status }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
metrics:
  Revenue Before: { type: period_over_period, expression: '{[Revenue]}', periodOverPeriod: { timeDimension: Day, comparison: previousValue, offset: -1, offsetGrain: month } }
`)

t.test('the answer is the same', async (t) => {
  const connection = await shopRows()
  const queryOf = (field: string, value: number) => ({
    select: { dimensions: ['Day:month', 'Status'], measures: ['Revenue', 'Orders', 'Revenue Before'] },
    where: [{ field: 'Day', op: 'gte', value: '2024-12-01' }],
    having: [{ field, op: '>', value }],
  })
  for (const [field, value] of [
    ['Revenue', 5],
    ['Orders', 0],
  ] as const) {
    t.equal(await withRule('leading-rows', queryOf(field, value), model, connection), 'the same answer', field)
    t.notMatch(compileFor(queryOf(field, value), model).sql, /partners/)
  }
  t.equal(await withRule('leading-rows', queryOf('Revenue Before', 5), model, connection), 'left alone')
  connection.closeSync()
})
