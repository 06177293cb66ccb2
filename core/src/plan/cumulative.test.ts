/** Values over the windows of rows: which are folded per period, which are made distinct, and which are read row by row. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { nodesIn, own, scan, shared } from '../../../test/support/plans.js'
import { wordsOf } from '../../../test/support/relations.js'
import { said } from '../../../test/support/said.js'
import { planCumulative, planFold } from './cumulative.js'
import type { LogicalPlan } from './logical-plan.js'

const orders = (aggregation: string, column: string, more: object = {}) => ({
  aggregation,
  columns: [{ dataObject: 'Orders', column }],
  ...more,
})
const measures = {
  Rate: orders('sum', 'Rate'),
  Rates: orders('count_distinct', 'Rate'),
  Notes: orders('count_distinct', 'Note'),
  'Paid Buyers': orders('count_distinct', 'Customer Id', { filters: [{ field: 'Orders.Status', op: 'equals', value: 'paid' }] }),
  Median: orders('median', 'Amount'),
  Largest: orders('max', 'Amount'),
  Any: orders('any_value', 'Status'),
  'Any Rate': orders('any_value', 'Rate'),
  Balance: orders('sum', 'Amount', { semiAdditive: { timeDimension: 'Day', take: 'last', per: ['Customer'] } }),
  'Balance Buyers': orders('count_distinct', 'Customer Id', { semiAdditive: { timeDimension: 'Day', take: 'last' } }),
}
const soFar = (measure: string, more: object = {}) => ({ type: 'cumulative', measure, timeDimension: 'Day', ...more })
const names = ['Sales', 'Buyers', 'Units', ...Object.keys(measures)]
const model = shopWith(PARCELS_AND_LABELS, {
  dataObjects: {
    Orders: { columns: { Rate: { code: 'rate', abstractType: 'float' }, Note: { code: 'note', abstractType: 'json' } } },
  },
  measures,
  metrics: {
    ...Object.fromEntries(names.map((name) => [`${name} So Far`, soFar(name)])),
    'Mean So Far': soFar('Sales', { cumulativeType: 'avg' }),
  },
})
const rows = shared(scan('answer'), [own('Day:month')])

const bind = (of: readonly string[], dimensions: readonly string[]) =>
  boundAggregate({ select: { dimensions, measures: of.map((name) => `${name} So Far`) } }, model)
const planned = (of: readonly string[], dimensions: readonly string[] = ['Day:month']) =>
  bind(of, dimensions).cumulative.flatMap(({ block, over }) => planCumulative(block, over, rows))
const values = (...asked: Parameters<typeof planned>) => planned(...asked).map((one) => one.values.map(({ name }) => name).join())
/** What is joined to the windows. */
function inWindows(plan: LogicalPlan): LogicalPlan {
  const join = nodesIn(plan, 'join').find(({ window }) => window)
  if (!join) throw new Error('no windows')
  return join.right
}
const expressionsOf = (plan: LogicalPlan): readonly string[] =>
  'columns' in plan ? plan.columns.map((one) => ('expression' in one ? said(one.expression) : one.name)) : []
const read = (of: string, dimensions?: readonly string[]): string => {
  const [one] = planned([of], dimensions)
  const right = inWindows(one!.plan)
  return 'alias' in right ? `${right.kind} ${wordsOf(right.alias)}` : right.kind
}
const aggregates = (of: string, dimensions?: readonly string[]) =>
  nodesIn(planned([of], dimensions)[0]!.plan, 'aggregate').map((node) => node.aggregates.map(({ aggregate }) => aggregate).join())

t.test('a sum and an extreme are folded from those of each period', async (t) => {
  t.match(read('Sales'), /^aggregate Orders_periods/)
  t.same(aggregates('Sales'), ['sum', 'sum'])
  t.match(read('Largest'), /^aggregate/)
  t.same(aggregates('Largest'), ['max', 'max'])
})

t.test('a median is aggregated from the rows of the window', async (t) => {
  t.notMatch(read('Median'), /_periods/)
  t.same(aggregates('Median'), ['median'])
})

t.test('different values are counted, each once in a period', async (t) => {
  const [count] = planned(['Buyers'])
  const keys = inWindows(count!.plan)
  t.match(keys, { kind: 'distinct', columns: [{ name: 'Day:month' }, { name: 'value' }] })
  t.match(count?.plan, { aggregates: [{ aggregate: 'count_distinct', distinct: true }] })
  t.same(
    nodesIn(keys, 'filter')
      .map(({ condition }) => said(condition))
      .join(),
    'Orders.customer_id is not null',
  )
})

t.test('of a filtered count, the rows that count', async (t) => {
  const conditions = nodesIn(planned(['Paid Buyers'])[0]!.plan, 'filter')
    .map(({ condition }) => said(condition))
    .join()
  t.match(conditions, "Orders.status = 'paid'")
})

t.test('each count of different values is apart, and the other values are together', async (t) => {
  t.same(values(['Sales', 'Buyers', 'Largest']), ['Sales (running),Largest (running)', 'Buyers (running)'])
  t.same(values(['Buyers', 'Paid Buyers']), ['Buyers (running)', 'Paid Buyers (running)'])
  t.same(values(['Sales']), ['Sales (running)'])
})

t.test('doubles and JSON are no keys', async (t) => {
  for (const name of ['Rates', 'Notes']) {
    const right = inWindows(planned([name])[0]!.plan)
    t.notOk('columns' in right && right.columns.some((one) => one.name === 'value'), name)
  }
})

t.test('nor are the keys of balances', async (t) => {
  const right = inWindows(planned(['Balance Buyers'])[0]!.plan)
  t.notOk('columns' in right && right.columns.some((one) => one.name === 'value'))
})

t.test('of several values, all are folded or none', async (t) => {
  const [both] = planned(['Sales', 'Median'])
  t.notOk(nodesIn(both!.plan, 'aggregate').some(({ alias }) => wordsOf(alias).includes('_periods')))
  const [sets] = planned(['Largest', 'Sales', 'Any Rate'], ['Day:month', 'Product'])
  const right = inWindows(sets!.plan)
  t.match(expressionsOf(right).join(), 'Orders.id')
})

t.test('through a connection, what ignores duplicates is made distinct by its own values', async (t) => {
  const columns = (name: string): readonly string[] => {
    const right = inWindows(planned([name], ['Day:month', 'Product'])[0]!.plan)
    return expressionsOf(right)
  }
  t.notMatch(columns('Largest').join(), 'Orders.id')
  t.notMatch(columns('Any').join(), 'Orders.id')
  t.match(columns('Any Rate').join(), 'Orders.id', 'doubles are not compared')
  t.match(columns('Sales').join(), 'Orders.id', 'a sum needs each row')
})

t.test('a row that connections multiply counts once in a window', async (t) => {
  const [units] = planned(['Sales'], ['Day:month', 'Product'])
  t.ok(nodesIn(units!.plan, 'distinct').some(({ reason }) => reason === 'each base row once in each window'))
  t.notOk(nodesIn(planned(['Sales'])[0]!.plan, 'distinct').some(({ reason }) => reason === 'each base row once in each window'))
})

t.test('the weight of a connection is part of the sum', async (t) => {
  const [shares] = planned(['Sales'], ['Day:month', 'Label'])
  t.notOk(nodesIn(shares!.plan, 'distinct').some(({ reason }) => reason === 'each base row once in each window'))
})

t.test('a balance is grouped by its times in the window, and the last is taken', async (t) => {
  const [balance] = planned(['Balance'])
  t.ok(balance!.plan.kind === 'aggregate' || balance!.plan.kind === 'project')
  t.same(
    nodesIn(balance!.plan, 'aggregate').some(({ keys }) => keys.length === 3),
    true,
    'the window, the time and the entity',
  )
  t.same(
    nodesIn(planned(['Sales'])[0]!.plan, 'aggregate').some(({ keys }) => keys.length === 3),
    false,
  )
  t.equal(planned(['Balance Buyers']).length, 1)
})

t.test('no value over a window is 0 without rows', async (t) => {
  t.same(
    planned(['Sales', 'Buyers']).flatMap((one) => one.values.map(({ emptyIsZero }) => emptyIsZero)),
    [false, false],
  )
})

t.test('values per period are aggregated over the periods of the window', async (t) => {
  const { folds } = boundAggregate({ select: { dimensions: ['Day:month', 'Region'], measures: ['Mean So Far'] } }, model)
  const [fold] = folds
  const made = planFold(fold!, scan('inner'), rows)
  t.match(made.plan, { kind: 'aggregate', aggregates: [{ aggregate: 'avg' }] })
  const right = inWindows(made.plan)
  t.match(right, { kind: 'project', alias: 'per_period', stage: true, input: { object: 'inner' } })
  t.same('columns' in right && right.columns.length, 3, 'the period, the partition and the value')
  t.same(
    made.values.map(({ name }) => name),
    [fold?.name],
  )
})
