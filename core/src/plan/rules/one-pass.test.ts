/** Numbers of two ranges of one table are read in one pass where the engine reads tables row by row. */
import t from 'tap'
import { canonicalPlan, loadText } from '../../../../test/support/compile.js'
import { above, aggregate, column, combined, filter, joinTo, leg, limited, scan, sumOf } from '../../../../test/support/plans.js'
import { INT } from '../../model/data-type.js'
import { allOf, integer, TRUE } from '../../resolve/expressions.js'
import { inputsOf } from '../inputs.js'
import type { Aggregate, Join, LogicalPlan } from '../logical-plan.js'
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

/** A sum of the orders of which a column is above a bound. */
const ranged = (
  name: string,
  least: number,
  { day = 'day', call = {}, ...more }: Partial<Aggregate> & { day?: string; call?: object } = {},
) =>
  aggregate(
    filter(scan('Orders'), above(column('Orders', day), least)),
    [],
    [sumOf(name, column('Orders', 'amount'), call)],
    more,
  )
const beside = (left: LogicalPlan, right: LogicalPlan): Join => ({
  ...joinTo(left, 'Orders', integer(1)),
  type: 'cross',
  on: [],
  right,
})

t.test('of the numbers and groups side by side, only those of one pass are joined', async (t) => {
  const others = aggregate(scan('Returns'), [], [sumOf('Returned', column('Returns', 'amount'))])
  const found = onePass.rewrite(
    combined([], [leg(ranged('A', 1), ['A']), leg(ranged('B', 2), ['B']), leg(others, ['Returned'])]),
    facts,
  )
  t.match(found, { kind: 'combine', legs: [{ input: { aggregates: [{ name: 'A' }, { name: 'B' }] } }, { input: others }] })
  t.equal(onePass.rewrite(beside(ranged('A', 1), others), facts), undefined, 'no two of one table')
})

t.test('a filter that a number has stays beside its range', async (t) => {
  const isLarge = above(column('Orders', 'amount'), 10)
  const found = onePass.rewrite(beside(ranged('A', 1, { call: { filter: isLarge, onlyWith: TRUE } }), ranged('B', 2)), facts)
  const inRange = above(column('Orders', 'day'), 1)
  t.match(found, {
    aggregates: [
      { name: 'A', filter: allOf([inRange, isLarge]), onlyWith: inRange },
      { name: 'B', filter: above(column('Orders', 'day'), 2) },
    ],
  })
})

t.test('ranges of two columns, numbers of one name, and other nodes are left alone', async (t) => {
  for (const [why, other] of [
    ['two columns', ranged('B', 2, { day: 'shipped' })],
    ['one name', ranged('A', 2)],
    ['only groups with rows', ranged('B', 2, { onlyWithRows: true })],
    [
      'a bound of rows that are near',
      { ...ranged('B', 2), input: { ...filter(scan('Orders'), above(column('Orders', 'day'), 2)), isNear: true } },
    ],
    ['the same range', ranged('B', 1)],
    ['a node that it does not know', limited(ranged('B', 2))],
  ] as const)
    t.equal(onePass.rewrite(beside(ranged('A', 1), other), facts), undefined, why)
  t.equal(
    onePass.rewrite(combined([], [leg(ranged('A', 1), ['A']), leg(ranged('B', 2), ['B'])], { making: [0] }), facts),
    undefined,
  )
})
