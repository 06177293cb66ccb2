/** The times that are reported of metrics over time. */
import t from 'tap'
import { alongOf, dimensionOf, metricOf, resolved } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { comparedRange, timeRangesIn } from './time-ranges.js'

const of = (more: object) => ({
  type: 'period_over_period',
  measure: 'Sales',
  periodOverPeriod: { timeDimension: 'Day', offset: -1, ...more },
})
const model = shopWith({
  metrics: {
    Whole: of({ offsetGrain: 'month', compare: 'whole' }),
    Range: of({ offsetGrain: 'range' }),
    Period: of({}),
    Formula: { expression: '{[Sales Last Month]} + 1' },
  },
})
const MARCH = { field: 'Day', op: 'between', value: ['2025-03-05', '2025-03-10'] }
const ranges = (
  measures: readonly string[],
  dimensions: readonly string[] = [],
  where: readonly object[] = [MARCH],
  more: object = {},
) =>
  timeRangesIn(resolved({ select: { dimensions, measures }, where, ...more }, model)).map(
    ({ metric, level, from, to, compared }) => [metric, level.join(), from, to, compared && [compared.from, compared.to]],
  )

t.test('the times of the query, and those with which they are compared', async (t) => {
  t.same(ranges(['Sales Last Month']), [['Sales Last Month', '', '2025-03-05', '2025-03-10', ['2025-02-05', '2025-02-10']]])
  t.same(ranges(['Formula'])[0]?.[4], ['2025-02-05', '2025-02-10'])
  t.same(ranges(['Range'])[0]?.[4], ['2025-02-27', '2025-03-04'])
  const { clocks } = alongOf({ select: { measures: ['Sales'] } }, model)
  const open = { time: dimensionOf('Day', model), isShown: false, left: [{ from: 0n, to: undefined }], model, clocks }
  t.equal(comparedRange(metricOf('period_over_period', 'Range', model), open), undefined, 'a range without an end has no length')
  t.same(ranges(['Whole'], ['Day:month'])[0]?.[4], ['2025-02-01', '2025-02-28'])
  t.same(ranges(['Sales Last Month'], ['Day:month'])[0]?.[4], ['2025-02-05', '2025-02-10'])
  t.same(ranges(['Sales'])[0], undefined)
})

t.test('running values, open ends and times of day', async (t) => {
  t.same(ranges(['Running Sales']), [['Running Sales', '', '2025-03-05', '2025-03-10', undefined]])
  t.same(ranges(['Running Sales'], [], []), [['Running Sales', '', null, null, undefined]])
  const unknown = { expression: "date_trunc('month', {[Day]}) > DATE '2025-01-01'" }
  t.same(ranges(['Running Sales'], ['Day'], [unknown]), [], 'only the database knows')
})

t.test('of each level', async (t) => {
  t.same(
    ranges(['Sales Last Month'], ['Day:month'], [MARCH], { grouping: 'rollup' }).map(([, level]) => level),
    ['Day:month', ''],
  )
})
