/** Prior periods with hand-computed values: January 100.10, February 500.50, March 458.60. */
import t from 'tap'
import { amountOf, ask, by, modelWith } from './asking.js'
import type { FilterJson, MetricJson, PeriodJson } from './model.js'

const prior = (expression: string, more: Partial<PeriodJson> = {}): MetricJson => ({
  type: 'period_over_period',
  expression,
  periodOverPeriod: { timeDimension: 'ordered', ...more },
})
const model = modelWith(
  {
    orders: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'id' }] },
    zero: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'id' }], defaultValue: 0 },
    all: amountOf({ total: true }),
  },
  {
    before: prior('{[amount]}'),
    'week before': prior('{[amount]}', { offsetGrain: 'week' }),
    'month of week before': prior('{[week before]}', { grain: 'month' }),
    change: prior('{[amount]}', { comparison: 'difference' }),
    'own change': prior('{[amount]}', { comparison: 'difference', rows: 'current' }),
    ratio: prior('{[amount]}', { comparison: 'ratio' }),
    percent: prior('{[amount]}', { comparison: 'percentChange' }),
    'month before': prior('{[amount]}', { offsetGrain: 'month' }),
    'by month': prior('{[amount]}', { grain: 'month' }),
    'by day': prior('{[amount]}', { offsetGrain: 'day' }),
    'orders before': prior('{[orders]}'),
    'zero before': prior('{[zero]}'),
    'per buyer before': prior('{[amount per buyer]}'),
    'share before': prior('{[amount]} / {[all]}'),
    twice: { type: 'window', windowFunction: 'lag', measure: 'before', timeDimension: 'ordered' },
    nested: prior('{[before]}'),
  },
)
const since = (day: string): { readonly where: FilterJson[] } => ({ where: [{ field: 'ordered', op: 'gte', value: day }] })

t.test('the prior value is that of the period before, whatever the time filters of the query', async (t) => {
  t.same(ask(by(['ordered:month'], ['amount', 'before', 'change']), model), [
    '2025-01-01 100.10 NULL NULL',
    '2025-02-01 500.50 100.10 400.40',
    '2025-03-01 458.60 500.50 -41.90',
  ])
  t.same(ask(by(['ordered:month'], ['before'], since('2025-02-10')), model), ['2025-02-01 100.10', '2025-03-01 500.50'])
  t.same(ask(by(['ordered:month'], ['percent'], since('2025-02-01')), model)[0], '2025-02-01 4')
  const ratio = ask(by(['ordered:month'], ['ratio'], { having: [{ field: 'ratio', op: 'gt', value: 1 }] }), model)
  t.same(ratio, ['2025-02-01 5'])
})

t.test('other filters and other dimensions apply to the prior period too', async (t) => {
  t.same(ask(by(['region', 'ordered:month'], ['before']), model), [
    '"EU" 2025-01-01 NULL',
    '"EU" 2025-02-01 100.10',
    '"EU" 2025-03-01 500.50',
    '"US" 2025-03-01 NULL',
    'NULL 2025-03-01 NULL',
  ])
  const where = [{ field: 'status', op: 'eq', value: 'paid' }]
  t.same(ask(by(['ordered:month'], ['before'], { where }), model), ['2025-01-01 NULL', '2025-02-01 100.10', '2025-03-01 200.20'])
})

t.test('members that have rows only in the compared period are rows, unless the metric says not', async (t) => {
  const lost = [
    '"EU" 2025-01-01 100.10 NULL',
    '"EU" 2025-02-01 500.50 400.40',
    '"EU" 2025-03-01 NULL NULL',
    '"US" 2025-03-01 400.40 NULL',
    'NULL 2025-03-01 58.20 NULL',
  ]
  t.same(ask(by(['region', 'ordered:month'], ['amount', 'change']), model), lost)
  const current = lost.filter((row) => !row.startsWith('"EU" 2025-03'))
  t.same(ask(by(['region', 'ordered:month'], ['amount', 'own change']), model), current)
  // The next period of March is none, and that of EU in February is.
  t.same(ask(by(['region', 'ordered:month'], ['orders'], { having: [{ field: 'change', op: 'is_null' }] }), model), [
    '"EU" 2025-01-01 1',
    '"US" 2025-03-01 1',
    'NULL 2025-03-01 2',
  ])
})

t.test('month ends are clamped; a dimension without grain takes that of the metric, or the day', async (t) => {
  t.same(ask(by(['ordered'], ['month before'], since('2025-03-01')), model), [
    '2025-03-01 NULL',
    '2025-03-15 NULL',
    '2025-03-31 300.30',
  ])
  t.same(
    ask(by(['ordered'], ['by month'], since('2025-03-15')), model),
    ['2025-03-15 300.30', '2025-03-31 300.30'],
    '15 to 28 February',
  )
})

t.test('an offset that is finer than the periods moves the range of each', async (t) => {
  // Of March: 28 February to 30 March, 300.30 and all of March but 7.70.
  t.same(ask(by(['ordered:month'], ['by day']), model), ['2025-01-01 100.10', '2025-02-01 200.20', '2025-03-01 751.20'])
  // The question within is of months: of March, 25 January to 21 February.
  t.same(ask(by(['ordered'], ['month of week before'], since('2025-02-28')), model), [
    '2025-02-28 NULL',
    '2025-03-01 200.20',
    '2025-03-15 200.20',
    '2025-03-31 200.20',
  ])
})

t.test('an absent prior value is NULL, for counts too, unless the measure has a default', async (t) => {
  t.same(ask(by(['ordered:month'], ['orders before', 'zero before']), model), [
    '2025-01-01 NULL 0',
    '2025-02-01 1 1',
    '2025-03-01 2 2',
  ])
})

t.test('the prior of a formula is the formula of the priors; a coarser part keeps its grain', async (t) => {
  t.same(ask(by(['ordered:month'], ['per buyer before'], since('2025-02-01')), model), ['2025-02-01 100.1', '2025-03-01 250.25'])
  t.same(
    ask({ ...by(['ordered:month'], ['share before'], since('2025-03-01')) }, model),
    [`2025-03-01 ${500.5 / 959.1}`],
    'of all since February',
  )
})

t.test('a window may read prior values; a prior value may not read a window', async (t) => {
  t.same(ask(by(['ordered:month'], ['twice']), model), ['2025-01-01 NULL', '2025-02-01 NULL', '2025-03-01 100.10'])
  t.same(ask(by(['ordered:month'], ['nested']), model), ['2025-01-01 NULL', '2025-02-01 NULL', '2025-03-01 100.10'])
  t.equal(ask(by(['region'], ['before']), model), 'WINDOW_GRAIN_REQUIRED')
})

t.test('a filter that combines time with another field is refused', async (t) => {
  const mixed: FilterJson = {
    logic: 'or',
    filters: [
      { field: 'Orders.ordered_at', op: 'gte', value: '2025-02-01' },
      { field: 'status', op: 'eq', value: 'paid' },
    ],
  }
  t.equal(ask(by(['ordered:month'], ['before'], { where: [mixed] }), model), 'TIME_FILTER_NOT_SEPARABLE')
  const apart: FilterJson = {
    logic: 'and',
    filters: [
      { field: 'Orders.ordered_at', op: 'gte', value: '2025-02-01' },
      { field: 'status', op: 'eq', value: 'paid' },
    ],
  }
  t.same(ask(by(['ordered:month'], ['before'], { where: [apart] }), model), ['2025-02-01 100.10', '2025-03-01 200.20'])
})
