/** Metrics over time at levels that do not show the time. */
import t from 'tap'
import { alongOf, dimensionOf, metricOf, resolved } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said, saidWhere } from '../../../test/support/said.js'
import { inWindow, lackOf, movedFurther, noValue, overRange, shownPeriod } from './over-range.js'

const before = (measure: string, more: object = { offsetGrain: 'month' }) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', offset: -1, ...more },
})
const running = (more: object) => ({ type: 'cumulative', measure: 'Sales', timeDimension: 'Day', ...more })
const model = shopWith({
  metrics: {
    Month: before('Sales'),
    Period: before('Sales', {}),
    Start: { type: 'period_over_period', measure: 'Sales', periodOverPeriod: { timeDimension: 'Day', offsetToGrain: 'year' } },
    'Before Rank Sum': { expression: '{[Rank]} + 1' },
    'Rank Sum Before': before('Before Rank Sum'),
    Twice: before('Month'),
    'Rank Before': before('Rank'),
    Rank: { type: 'window', windowFunction: 'rank', measure: 'Sales' },
    Ever: running({}),
    'Two Months': running({ window: 2, windowGrain: 'month' }),
    'Two Periods': running({ window: 2 }),
  },
})
const day = (op: string, value: unknown) => ({ field: 'Day', op, value })
const MARCH = day('between', ['2025-03-01', '2025-03-31'])
const along = (...where: readonly object[]) => alongOf({ select: { dimensions: ['Region'], measures: ['Sales'] }, where }, model)
const metric = (name: string) =>
  model.metrics.get(name)?.type === 'cumulative'
    ? metricOf('cumulative', name, model)
    : metricOf('period_over_period', name, model)

t.test('the range is moved, and ends a window', async (t) => {
  const { where, ...rest } = along(MARCH)
  const said = (modifier: ReturnType<typeof overRange>) =>
    modifier
      .conjuncts(where)
      .map(({ expression }) => saidWhere(expression))
      .join()
  const moved = overRange(metric('Month'), { ...rest, where })
  t.match(said(moved), /2025-02-01.*2025-03-01|2025-02-01.*2025-02-28/)
  t.match(said(movedFurther(metricOf('period_over_period', 'Month', model), moved)), /2025-01-01/)
  const { ranged: _, ...plain } = moved
  t.match(said(movedFurther(metricOf('period_over_period', 'Month', model), plain)), /2025-01-01/, 'of a range alone')
  const window = inWindow(
    metricOf('cumulative', 'Two Months', model),
    overRange(metric('Two Months'), { ...rest, where }),
    rest.dimensions,
  )
  t.match(
    window
      .conjuncts(where)
      .map(({ expression }) => saidWhere(expression))
      .join(),
    /2025-02-01/,
  )
  t.equal(moved.label, 'range -1 month')
  const byMonth = { ...moved, times: { ...moved.times!, level: { grain: 'month', weekStart: 'monday' } } } as const
  t.equal(movedFurther(metricOf('period_over_period', 'Start', model), byMonth).label, 'range -1 month start of year')
})

t.test('the period of a row whose time is shown as it is', async (t) => {
  const { where, ...rest } = along(MARCH)
  const times = overRange(metric('Month'), { ...rest, where }).times!
  const shift = { dimension: dimensionOf('Day', model), period: dimensionOf('Day:month', model) }
  t.equal(said(shownPeriod(shift as never, times)), "date_trunc('month', Day)")
})

t.test('why there is no value', async (t) => {
  const lack = (name: string, ...where: readonly object[]) => lackOf(metric(name), along(...where), () => along(...where).where)
  t.equal(lack('Month', MARCH), undefined)
  t.equal(lack('Twice', MARCH), undefined)
  t.equal(lack('Ever'), undefined)
  t.equal(lack('Month'), 'TIME_RANGE_REQUIRED')
  t.equal(lack('Two Months', day('>=', '2025-03-01')), 'TIME_RANGE_REQUIRED')
  t.equal(lack('Two Months', day('<', '2025-03-01')), undefined, 'an end is enough')
  t.equal(lack('Period', MARCH), 'WINDOW_GRAIN_REQUIRED')
  t.equal(lack('Two Periods', MARCH), 'WINDOW_GRAIN_REQUIRED')
  t.equal(lack('Rank Before', MARCH), 'TIME_DIMENSION_NOT_SELECTED')
  t.equal(lack('Rank Sum Before', MARCH), 'TIME_DIMENSION_NOT_SELECTED')
  t.equal(
    lack('Month', { logic: 'or', filters: [MARCH, day('between', ['2025-05-01', '2025-05-31'])] }),
    'TIME_FILTER_NOT_A_RANGE',
  )
  t.equal(lack('Month', { expression: "date_add('day', 1, {[Day]}) > DATE '2025-01-01'" }), 'unknown times')
})

t.test('it is refused with advice, or said of subtotals', async (t) => {
  t.throws(() => resolved({ select: { measures: ['Month'] } }, model), {
    code: 'TIME_RANGE_REQUIRED',
    details: { hint: /filter 'Day' with between/ },
  })
  t.throws(() => resolved({ select: { measures: ['Two Periods'] } }, model), {
    code: 'WINDOW_GRAIN_REQUIRED',
    details: { hint: /give the metric a windowGrain/ },
  })
  t.match(noValue(metric('Month'), 'TIME_RANGE_REQUIRED', { dimensions: [], isInner: false }), /so it has no value in the total$/)
  t.match(
    noValue(metric('Ever'), 'unknown times', { dimensions: along().dimensions, isInner: true }),
    /in the values by 'Region' that another metric aggregates$/,
  )
})

t.test('at another period, a running value along another time ends where a condition on both times is moved', async (t) => {
  const both = shopWith({
    dataObjects: { Orders: { columns: { 'Shipped On': { code: 'shipped_on', abstractType: 'date' } } } },
    dimensions: { Shipped: { dataObject: 'Orders', column: 'Shipped On' } },
    metrics: {
      Ever: { ...running({}), timeDimension: 'Shipped' },
      'Ever Before': before('Ever', { offsetGrain: 'month', comparison: 'previousValue' }),
    },
  })
  const When = { coalesce: ['Day', 'Shipped'], as: 'When' }
  const where = [
    { field: 'When', op: 'gte', value: '2025-03-01' },
    { field: 'When', op: 'lt', value: '2025-04-01' },
  ]
  const query = { select: { dimensions: ['Day:month', When], measures: ['Ever Before'] }, where, grouping: 'rollup' }
  const found = resolved(query, both)
  const [, byMonth] = found.kind === 'grouped' ? found.levels : []
  const [inner] = byMonth!.nested
  t.same(
    inner!.query.aggregates.find(({ name }) => /running/.test(name))!.conjuncts.map(({ expression }) => saidWhere(expression)),
    ["(When < '2025-03-01')"],
    'and not at the end of March',
  )
})
