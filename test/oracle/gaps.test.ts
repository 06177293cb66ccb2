/** Gaps with hand-computed values: January 100.10, March 458.60; without the orders of February. */
import t from 'tap'
import { amountOf, ask, by, modelWith } from './asking.js'
import { data as base } from './head-to-head.js'
import type { MetricJson, QueryJson, Tables } from './model.js'

const data: Tables = { ...base, Orders: base['Orders']!.filter((o) => !String(o['ordered_at']).startsWith('2025-02')) }
const along = (type: string, measure: string, more: Partial<MetricJson> = {}): MetricJson => ({
  type,
  measure,
  timeDimension: 'ordered',
  ...more,
})
const model = modelWith(
  {
    orders: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'id' }] },
    known: amountOf({ defaultValue: 0 }),
    'of year': amountOf({ grain: { mode: 'FIXED', include: ['year'] } }),
  },
  {
    before: { type: 'period_over_period', measure: 'amount', periodOverPeriod: { timeDimension: 'ordered' } },
    'so far': along('cumulative', 'amount'),
    average: along('cumulative', 'known', { cumulativeType: 'avg' }),
    months: along('cumulative', 'known', { cumulativeType: 'count' }),
    'before that': along('window', 'amount', { windowFunction: 'lag' }),
    'so far before': { type: 'period_over_period', measure: 'added up', periodOverPeriod: { timeDimension: 'ordered' } },
    'added up': along('cumulative', 'amount', { cumulativeType: 'sum' }),
    positive: { expression: 'coalesce({[amount]}, 1)' },
  },
  { year: { dataObject: 'Orders', column: 'ordered_at', resultType: 'date', timeGrain: 'year' } },
)
const told = (dimensions: readonly string[], measures: readonly string[], more: Partial<QueryJson> = {}) =>
  ask(by(dimensions, measures, { fill_gaps: true, ...more }), model, data)

t.test(
  'each period from the first to the last has a row: counts are zero, other values NULL, then the default applies',
  async (t) => {
    t.same(told(['ordered:month'], ['amount', 'orders', 'known', 'positive']), [
      '2025-01-01 100.10 1 100.10 100.10',
      '2025-02-01 NULL 0 0 1',
      '2025-03-01 458.60 3 458.60 458.60',
    ])
  },
)

t.test('each combination of the other dimensions has every period of all', async (t) => {
  t.same(told(['region', 'ordered:month'], ['amount', 'orders']), [
    '"EU" 2025-01-01 100.10 1',
    '"EU" 2025-02-01 NULL 0',
    '"EU" 2025-03-01 NULL 0',
    '"US" 2025-01-01 NULL 0',
    '"US" 2025-02-01 NULL 0',
    '"US" 2025-03-01 400.40 1',
    'NULL 2025-01-01 NULL 0',
    'NULL 2025-02-01 NULL 0',
    'NULL 2025-03-01 58.20 2',
  ])
})

t.test('a query of dimensions alone is filled, too', async (t) => {
  t.same(told(['ordered:month'], []), ['2025-01-01', '2025-02-01', '2025-03-01'])
})

t.test('prior periods, running values and windows treat added rows like other rows', async (t) => {
  t.same(told(['ordered:month'], ['before', 'so far', 'before that']), [
    '2025-01-01 NULL 100.10 NULL',
    '2025-02-01 100.10 100.10 100.10',
    '2025-03-01 NULL 558.70 NULL',
  ])
})

t.test('a running fold counts the missing periods of its partition', async (t) => {
  t.same(told(['ordered:month'], ['average', 'months']), [
    '2025-01-01 100.1 1',
    '2025-02-01 50.05 2',
    `2025-03-01 ${558.7 / 3} 3`,
  ])
  t.same(told(['region', 'ordered:month'], ['average', 'months']).slice(3, 6), [
    '"US" 2025-01-01 NULL 0',
    '"US" 2025-02-01 NULL 0',
    '"US" 2025-03-01 400.4 1',
  ])
})

t.test('the prior of a running value exists in an added period', async (t) => {
  t.same(told(['ordered:month'], ['added up', 'so far before']), [
    '2025-01-01 100.10 NULL',
    '2025-02-01 100.10 100.10',
    '2025-03-01 558.70 100.10',
  ])
})

t.test('coarser dimensions of the same time follow, and coarser values are looked up', async (t) => {
  t.same(told(['year', 'ordered:month'], ['of year']), [
    '2025-01-01 2025-01-01 558.70',
    '2025-01-01 2025-02-01 558.70',
    '2025-01-01 2025-03-01 558.70',
  ])
})

t.test('having applies to added rows too; every level with the time is filled separately', async (t) => {
  t.same(told(['ordered:month'], ['amount'], { having: [{ field: 'orders', op: 'eq', value: 0 }] }), ['2025-02-01 NULL'])
  t.same(told(['ordered:month', 'region'], ['orders'], { grouping: 'rollup', limit: 30 }).length, 9 + 3 + 1)
  t.same(told(['ordered:quarter'], ['orders']), ['2025-01-01 4'])
})

t.test('a missing time adds no period; no time and two times are refused', async (t) => {
  const undated: Tables = { ...data, Orders: data['Orders']!.map((o) => ({ ...o, ordered_at: null })) }
  t.same(ask(by(['ordered:month'], ['orders'], { fill_gaps: true }), model, undated), ['NULL 4'])
  t.equal(told(['region'], ['amount']), 'TIME_DIMENSION_NOT_SELECTED')
  t.equal(told(['ordered'], ['amount']), 'TIME_DIMENSION_NOT_SELECTED')
})

const until = (day: string) => [{ field: 'ordered', op: 'between', value: ['2024-12-15', day] }] as const
const ranged = (dimensions: readonly string[], measures: readonly string[], more: Partial<QueryJson> = {}) =>
  told(dimensions, measures, { fill_gaps: 'range', ...more })

t.test('a range reports each period that the filters leave, also before the first row and after the last', async (t) => {
  t.same(ranged(['ordered:month'], ['orders', 'so far'], { where: until('2025-04-01') }), [
    '2024-12-01 0 NULL',
    '2025-01-01 1 100.10',
    '2025-02-01 0 100.10',
    '2025-03-01 3 558.70',
    '2025-04-01 0 558.70',
  ])
  t.same(ranged(['ordered:quarter'], ['orders'], { where: until('2025-07-01') }), [
    '2024-10-01 0',
    '2025-01-01 4',
    '2025-04-01 0',
    '2025-07-01 0',
  ])
})

t.test('an end that the filters leave open is that of the answer', async (t) => {
  const since = [{ field: 'ordered', op: 'gte', value: '2024-12-01' }]
  t.same(ranged(['ordered:month'], ['orders'], { where: since }), [
    '2024-12-01 0',
    '2025-01-01 1',
    '2025-02-01 0',
    '2025-03-01 3',
  ])
  t.same(ranged(['ordered:month'], ['orders']), told(['ordered:month'], ['orders']))
})

t.test('several parts are one range; without a row there are periods, but no tuples of other dimensions', async (t) => {
  const parts = [{ field: 'ordered', op: 'in', value: ['2025-05-02', '2025-08-30'] }]
  const months = ['2025-05-01', '2025-06-01', '2025-07-01', '2025-08-01']
  t.same(
    ranged(['ordered:month'], ['orders'], { where: parts }),
    months.map((month) => `${month} 0`),
  )
  t.same(ranged(['ordered:month'], [], { where: parts }), months)
  t.same(ranged(['region', 'ordered:month'], ['orders'], { where: parts }), [])
  const none = [{ field: 'ordered', op: 'in', value: [] }]
  t.same(ranged(['ordered:month'], ['orders'], { where: none }), [])
})

t.test('a field that does not see the filter has no ends, and a window sees the periods of its own measure', async (t) => {
  const all = modelWith(
    { ever: amountOf({ filterContext: { mode: 'RELATIVE', exclude: ['ordered'] } }) },
    { place: along('window', 'amount', { windowFunction: 'row_number' }) },
  )
  const where = [{ field: 'ordered', op: 'between', value: ['2025-01-01', '2025-02-01'] }] as const
  const asked = (measures: readonly string[]) => ask(by(['ordered:month'], measures, { fill_gaps: 'range', where }), all, data)
  t.same(asked(['ever']), ['2025-01-01 100.10', '2025-02-01 NULL', '2025-03-01 458.60'])
  t.same(asked(['place']), ['2025-01-01 1', '2025-02-01 2'])
  t.same(asked(['place', 'ever']), ['2025-01-01 1 100.10', '2025-02-01 2 NULL', '2025-03-01 NULL 458.60'])
})
