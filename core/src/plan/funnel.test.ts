/** The first events from which an entity takes every further step in time, found by windows over the events of all steps. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { nodesIn, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import type { PassedEvents } from '../bind/bound-block.js'
import { planPassed } from './funnel.js'
import type { Project } from './logical-plan.js'

const at = { code: 'at', abstractType: 'timestamp_tz' }
const counted = (dataObject: string) => ({ aggregation: 'count', columns: [{ dataObject, column: 'Id' }] })
const steps = (time: string) => [
  { measure: 'Order Count', timeDimension: `${time} of Order` },
  { measure: 'Return Count', timeDimension: `${time} of Return` },
  { measure: 'Order Count', timeDimension: `${time} of Order` },
]
const funnel = (time: string) => ({ type: 'funnel', steps: steps(time), entity: 'Customer', window: '7d', calculation: 'count' })
const model = shopWith({
  dataObjects: { Orders: { columns: { At: at } }, Returns: { columns: { At: at } } },
  dimensions: {
    'Day of Order': { dataObject: 'Orders', column: 'Day' },
    'Day of Return': { dataObject: 'Returns', column: 'Day' },
    'Time of Order': { dataObject: 'Orders', column: 'At' },
    'Time of Return': { dataObject: 'Returns', column: 'At' },
  },
  measures: { 'Return Count': counted('Returns') },
  metrics: { 'By Day': funnel('Day'), 'By Time': funnel('Time') },
})

function planned(metric: string): { readonly plan: Project; readonly events: PassedEvents } {
  const { legs } = boundAggregate({ select: { measures: [metric] } }, model)
  const joins = legs.flatMap(({ block }) => block.from.base.joins.map(({ right }) => right))
  const events = joins.find((right) => right.kind === 'passed')
  if (!events) throw new Error('no steps')
  return { plan: planPassed(events, ({ alias }) => scan(alias)), events }
}

t.test('the events of every step are one row by entity and time', async (t) => {
  const { plan } = planned('By Day')
  const [rows] = nodesIn(plan, 'combine')
  t.equal(rows?.keys.length, 2)
  t.same(
    rows?.legs.map(({ values }) => values.map(({ name }) => name).join()),
    ['step_1', 'step_2', 'step_3'],
  )
  t.ok(rows?.legs.every(({ contributesRows }) => contributesRows))
  t.same(
    nodesIn(rows!.legs[1]!.input, 'project')[0]
      ?.columns.map(({ expression }) => said(expression))
      .at(-1),
    '1',
    'each marks its own',
  )
})

t.test('from the last step backwards, a window finds when the rest can be finished', async (t) => {
  const { plan } = planned('By Day')
  const calls = nodesIn(plan, 'window').flatMap((node) => node.calls)
  t.match(calls, [
    { name: 'then_3', function: 'min', frame: 'before', orderBy: [{ descending: true }] },
    { name: 'then_2', function: 'min', frame: 'before', orderBy: [{ descending: true }] },
  ])
  const [last, before] = calls.map(({ args }) => args.map((arg) => said(arg)).join())
  t.match(last, /^case \(step_3 = 1\): /)
  t.equal(before, 'case (step_2 = 1): then_3')
  t.ok(
    calls.every(({ partitionBy }) => partitionBy.length === 1),
    'of one entity',
  )
})

t.test('the last step is in time after the first', async (t) => {
  const kept = (metric: string) =>
    nodesIn(planned(metric).plan, 'filter')
      .map(({ condition }) => said(condition))
      .join()
  t.match(kept('By Day'), /^\(\(step_1 = 1\) and \(then_2 <= date_add\('day', 7, [^()]*\)\)\)$/)
  t.match(kept('By Time'), /in_zone\(then_2, 'UTC'\) <= date_add\('day', 7, in_zone\(/, 'a length of time has no clock')
})

t.test('it has the entity, the time, and a mark', async (t) => {
  const { plan, events } = planned('By Day')
  t.equal(plan.alias, events.alias)
  t.same(plan.columns.map(({ name }) => name).at(-1), events.hit)
  t.equal(plan.columns.length, 3)
})
