/** Numbers of two ranges of one table are read in one pass where the engine reads tables row by row. */
import t from 'tap'
import { canonicalPlan, loadText } from '../../../../test/support/compile.js'
import { INT } from '../../model/data-type.js'
import { inputsOf } from '../inputs.js'
import type { Aggregate, LogicalPlan } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { onePass } from './one-pass.js'

const pop = (measure: string, more = ''): string =>
  `{ type: period_over_period, measure: ${measure}, periodOverPeriod: { timeDimension: Day, offsetGrain: year${more} } }`
const model = loadText(`
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      Shipped: { code: shipped, abstractType: date }
      Status: { code: status, abstractType: string }
      Amount: { code: amount, abstractType: int }
  Returns:
    code: returns
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Amount: { code: amount, abstractType: int }
dimensions:
  Day: { dataObject: Orders, column: Day }
  Status: { dataObject: Orders, column: Status }
measures:
  Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Orders: { aggregation: count, anchor: Orders }
  Middle: { aggregation: median, columns: [{ dataObject: Orders, column: Amount }] }
  Returned: { aggregation: sum, columns: [{ dataObject: Returns, column: Amount }] }
  Late: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Shipped, op: gt, value: '2024-02-01' }] }
metrics:
  Sales before: ${pop('Sales')}
  Orders before: ${pop('Orders')}
  Middle before: ${pop('Middle')}
  Late before: ${pop('Late')}
  Sales now: ${pop('Sales', ', rows: current')}
`)
const where = [{ field: 'Day', op: 'between', value: ['2024-03-01', '2024-03-31'] }]
const planOf = (measures: readonly string[], dimensions: readonly string[] = []): LogicalPlan =>
  canonicalPlan({ select: { dimensions, measures }, where }, model)
const facts = { hints: NO_HINTS, typeOf: () => INT }
const nodesOf = (plan: LogicalPlan): readonly LogicalPlan[] => [plan, ...inputsOf(plan).flatMap(nodesOf)]
const rewritten = (plan: LogicalPlan): LogicalPlan | undefined =>
  nodesOf(plan)
    .map((node) => onePass.rewrite(node, facts))
    .find((node) => node !== undefined)
const filtersOf = ({ aggregates }: Aggregate): readonly boolean[] => aggregates.map(({ filter }) => filter !== undefined)

t.test('numbers side by side, and groups, are one aggregation with a filter for each range', async (t) => {
  for (const [dimensions, measures] of [
    [[], ['Sales', 'Orders', 'Sales before', 'Orders before']],
    [['Status'], ['Sales', 'Orders', 'Sales before']],
  ] as const) {
    const found = rewritten(planOf(measures, dimensions))
    t.equal(found?.kind, 'aggregate')
    if (found?.kind !== 'aggregate') continue
    t.notOk(filtersOf(found).includes(false))
    t.match(found.input, { kind: 'filter', condition: { kind: 'binary', operator: 'or' } })
    t.equal(found.keys.length, dimensions.length)
  }
})

t.test('another fact stands beside it, and another filter stays', async (t) => {
  const found = rewritten(planOf(['Sales', 'Returned', 'Sales before']))
  t.match(found, { kind: 'join', type: 'cross', left: { aggregates: [{ name: 'Sales' }, {}] }, right: { kind: 'aggregate' } })
  const late = rewritten(planOf(['Late', 'Late before']))
  t.equal(late?.kind, 'aggregate', 'the condition of both is asked of each row')
})

t.test('what it does not know stays as it is', async (t) => {
  t.equal(rewritten(planOf(['Middle', 'Middle before'])), undefined, 'an aggregate that a filter may change')
  t.equal(rewritten(planOf(['Sales', 'Returned'])), undefined, 'two tables')
  t.equal(rewritten(planOf(['Sales', 'Sales now'], ['Status'])), undefined, 'a range that adds no rows')
  t.equal(rewritten(planOf(['Sales', 'Orders'])), undefined, 'one range')
  t.equal(
    rewritten(planOf(['Sales', 'Orders before'], ['Status'])),
    undefined,
    'a count that is NULL in groups without rows of its range',
  )
})
