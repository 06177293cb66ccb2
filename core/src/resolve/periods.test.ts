/** Metrics over another period: which period, and which rows of it. */
import t from 'tap'
import { alongOf, dimensionOf, metricOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said, saidWhere } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import { compared, conjunctsOnTime, inPeriods, lackOfFiner, moveOf, priorPeriod } from './periods.js'
import { relationColumn } from './relation-column.js'

const of = (more: object) => ({
  type: 'period_over_period',
  measure: 'Sales',
  periodOverPeriod: { timeDimension: 'Day', ...more },
})
const model = shopWith({
  metrics: {
    Month: of({ offset: -1, offsetGrain: 'month' }),
    Week: of({ offset: -1, offsetGrain: 'week' }),
    Hour: of({ offset: -1, offsetGrain: 'hour' }),
    Start: of({ offsetToGrain: 'year' }),
    Range: of({ offset: -1, offsetGrain: 'range' }),
    Ratio: of({ offset: -1, offsetGrain: 'month', comparison: 'ratio' }),
    Change: of({ offset: -1, offsetGrain: 'month', comparison: 'percentChange' }),
    Difference: of({ offset: -1, offsetGrain: 'month', comparison: 'difference' }),
  },
})
const metric = (name: string) => metricOf('period_over_period', name, model)
const along = (dimensions: readonly string[], where: readonly object[] = []) =>
  alongOf({ select: { dimensions, measures: ['Sales'] }, where }, model)
const key = (name: string, ...dimensions: readonly string[]) => said(priorPeriod(metric(name), along(dimensions)).shift.key)
const between = { field: 'Day', op: 'between', value: ['2025-03-01', '2025-03-10'] }

t.test('the period with which a row is compared', async (t) => {
  t.equal(key('Month', 'Day:month'), "date_trunc('month', date_add('month', -1, Day:month))")
  t.equal(key('Start', 'Day:month'), "date_trunc('month', date_trunc('year', Day:month))")
  t.equal(key('Week', 'Day:month'), "date_trunc('month', Day:month)", 'its own, of which the range is moved')
  t.match(priorPeriod(metric('Week'), along(['Day:month'])).shift.period, {
    name: 'Day:month -1 week',
    movedBy: [{ unit: 'week', count: -1 }],
  })
  t.throws(() => key('Month', 'Region'), { code: 'TIME_DIMENSION_NOT_SELECTED' })
  t.throws(
    () =>
      key('Start', 'Day:year', 'Day:quarter') && priorPeriod({ ...metric('Start'), offsetToGrain: 'week' }, along(['Day:month'])),
    { code: 'INVALID_METRIC' },
  )
})

t.test('by the length of the range', async (t) => {
  const { shift } = priorPeriod(metric('Range'), along(['Day'], [between]))
  t.match(shift.steps, [{ grain: 'day', from: -10, to: -10 }])
  t.throws(() => priorPeriod(metric('Range'), along(['Day'])), { code: 'TIME_RANGE_REQUIRED' })
  const later = { expression: "date_add('day', 1, {[Day]}) > DATE '2025-01-01'" }
  t.throws(() => priorPeriod(metric('Range'), along(['Day'], [later])), { code: 'TIME_RANGE_REQUIRED' }, 'no range is known')
  t.throws(() => priorPeriod(metric('Range'), along(['Day:month'], [between])), { code: 'INVALID_METRIC' })
  const may = { field: 'Day', op: 'between', value: ['2025-05-01', '2025-05-10'] }
  t.throws(() => priorPeriod(metric('Range'), along(['Day'], [{ logic: 'or', filters: [between, may] }])), {
    code: 'TIME_FILTER_NOT_A_RANGE',
  })
})

t.test('by the length of a part of a day', async (t) => {
  const timed = shopWith({
    dataObjects: { Orders: { columns: { Day: { abstractType: 'timestamp' } } } },
    metrics: { Range: of({ offset: -1, offsetGrain: 'range' }) },
  })
  const hours = { field: 'Day', op: 'between', value: ['2025-03-01T10:00:00', '2025-03-01T10:00:09'] }
  const at = (grain: string) => alongOf({ select: { dimensions: [`Day:${grain}`], measures: ['Sales'] }, where: [hours] }, timed)
  const range = metricOf('period_over_period', 'Range', timed)
  t.match(priorPeriod(range, at('second')).shift.steps, [{ grain: 'second' }])
  t.throws(() => priorPeriod(range, at('minute')), { code: 'INVALID_METRIC' })
})

t.test('the conditions there are those that are not on the time', async (t) => {
  const { where, ...rest } = along(['Day'], [between, { field: 'Region', op: 'set' }])
  const { conjuncts } = priorPeriod(metric('Month'), { ...rest, where })
  t.same(
    conjuncts(where).map(({ expression }) => saidWhere(expression)),
    ['Region is not null'],
  )
  t.same(
    conjunctsOnTime(dimensionOf('Day', model), where, rest.graph).map(({ fields }) => fields),
    [['Day']],
  )
  const mixed = along(['Day'], [{ logic: 'or', filters: [between, { field: 'Region', op: 'set' }] }])
  t.throws(() => priorPeriod(metric('Month'), mixed), { code: 'TIME_FILTER_NOT_SEPARABLE' })
})

t.test('moves, and what cannot be moved', async (t) => {
  t.same(moveOf(metric('Month'), undefined), { kind: 'by', unit: 'month', count: -1 })
  t.same(moveOf(metric('Range'), 'day'), { kind: 'lengths', count: -1 })
  t.same(moveOf(metric('Start'), 'day'), { kind: 'to-first', of: 'year' })
  t.equal(moveOf(metric('Start'), undefined), undefined)
  t.equal(lackOfFiner(metric('Week'), along(['Day:month'])), undefined)
  t.throws(() => lackOfFiner(metric('Hour'), along(['Day:month'])), { code: 'INVALID_METRIC' })
})

t.test('a comparison of two values', async (t) => {
  const [now, before] = [relationColumn('', 'now', INT), relationColumn('', 'before', INT)]
  const of = (name: string) => said(compared(metric(name), now, before))
  t.same(['Month', 'Difference', 'Ratio', 'Change'].map(of), [
    'before',
    '(now - before)',
    '(now / before)',
    '((now - before) / abs(before))',
  ])
  t.equal(inPeriods(dimensionOf('Day', model), 'month').grain, 'month')
  t.equal(inPeriods(dimensionOf('Day:week', model), 'month').grain, 'week')
})
