/** Filters that no query can remove, and the ranges with which metrics compare. */
import t from 'tap'
import { alongOf, dimensionOf, metricOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { restrictedRange } from './restricted-ranges.js'
import { parseTime } from './time.js'

const filter = (operator: string, ...values: readonly string[]) => ({
  dataObject: 'Orders',
  column: 'Day',
  operator,
  ...(values.length === 1 ? { value: values[0] } : { values }),
})
function restricted(filters: readonly object[], from = '2025-03-01', to = '2025-04-01') {
  const model = shopWith({ filters })
  const { graph, clocks } = alongOf({ select: { measures: ['Sales'] } }, model)
  const left = [{ from: parseTime(from)!.micros, to: to === '' ? undefined : parseTime(to)!.micros }] as const
  return restrictedRange(metricOf('period_over_period', 'Sales Last Month', model), {
    time: dimensionOf('Day', model),
    isShown: false,
    left: left as never,
    graph,
    clocks,
  })
}

t.test('a filter that leaves a part of the compared range', async (t) => {
  t.same(restricted([filter('gte', '2025-02-10')]), { by: 'a filter of the model', range: '2025-02-01 to 2025-02-28' })
  t.equal(restricted([filter('gte', '2025-01-10')]), undefined, 'it leaves all of it')
  t.equal(restricted([filter('gte', '2025-02-10')], '2025-03-01', ''), undefined, 'a range without an end')
  t.equal(
    restricted([{ dataObject: 'Orders', column: 'Status', operator: 'equals', value: 'paid' }]),
    undefined,
    'a filter on something else',
  )
})
