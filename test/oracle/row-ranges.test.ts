/** Comparisons and running values over the range of a row, and without the time (time.md §2): answers counted by hand. */
import t from 'tap'
import { evaluate } from './evaluate.js'
import type { MetricJson, ModelJson, QueryJson, Tables } from './model.js'
import { show } from './values.js'

const prior = (more: Partial<NonNullable<MetricJson['periodOverPeriod']>> = {}): MetricJson => ({
  type: 'period_over_period',
  measure: 'Revenue',
  periodOverPeriod: { timeDimension: 'Day', ...more },
})

const model: ModelJson = {
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        day: { code: 'day', abstractType: 'date' },
        shop: { code: 'shop', abstractType: 'string' },
        amount: { code: 'amount', abstractType: 'int' },
      },
    },
  },
  dimensions: { Day: { dataObject: 'Sales', column: 'day' }, Shop: { dataObject: 'Sales', column: 'shop' } },
  measures: {
    Revenue: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'amount' }] },
    Everything: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'amount' }], total: true },
  },
  metrics: {
    'Last month': prior({ offsetGrain: 'month' }),
    'Last year': prior({ offsetGrain: 'year' }),
    'Period before': prior(),
    'Whole month': prior({ offsetGrain: 'month', compare: 'whole' }),
    Share: { expression: '{[Revenue]} / {[Everything]}' },
    'Share before': { ...prior({ offsetGrain: 'month' }), measure: 'Share' },
    'Two before': { ...prior({ offsetGrain: 'month' }), measure: 'Last month' },
    Running: { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day' },
    'Thirty days': { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day', window: 30, windowGrain: 'day' },
    'Two months': { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day', window: 2, windowGrain: 'month' },
    'Three periods': { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day', window: 3 },
    'Year to date': { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day', grainToDate: 'year' },
    'Year to date before': {
      type: 'period_over_period',
      measure: 'Year to date',
      periodOverPeriod: { timeDimension: 'Day', offsetGrain: 'year' },
    },
    Best: {
      type: 'cumulative',
      measure: 'Revenue',
      timeDimension: 'Day',
      window: 2,
      windowGrain: 'month',
      cumulativeType: 'max',
    },
  },
}

/** One sale each: the amount tells which. */
const SALES = [
  ['2025-01-31', 'a', 1],
  ['2025-03-10', 'a', 2],
  ['2025-03-20', 'b', 4],
  ['2025-12-31', 'b', 8],
  ['2026-01-31', 'a', 16],
  ['2026-02-10', 'a', 32],
  ['2026-02-28', 'b', 64],
  ['2026-03-01', 'a', 128],
  ['2026-03-10', 'a', 256],
  ['2026-03-31', 'c', 512],
] as const
const data: Tables = { Sales: SALES.map(([day, shop, amount], i) => ({ id: i, day, shop, amount })) }

const between = (from: string, to: string) => [{ field: 'Day', op: 'between', value: [from, to] }]

function rowsOf(query: QueryJson): readonly string[] | string {
  const outcome = evaluate(model, data, query)
  return 'refused' in outcome ? outcome.refused : outcome.rows.map((row) => row.map(show).join(' ')).toSorted()
}

const one = (measure: string, where: QueryJson['where']): string =>
  String(rowsOf({ select: { measures: [measure] }, ...(where && { where }) }))

t.test('one number against another time', async (t) => {
  const march = between('2026-03-01', '2026-03-15')
  t.equal(one('Last month', march), '32', '1 to 15 February')
  t.equal(one('Last year', march), '2', '1 to 15 March 2025')
  t.equal(one('Last month', between('2026-02-01', '2026-02-28')), '16', 'the whole of January')
  t.equal(one('Last month', between('2026-02-15', '2026-02-28')), 'NULL', '15 to 28 January')
  t.equal(one('Two before', between('2026-03-01', '2026-03-31')), '16', 'January')
})

t.test('refusals without the time', async (t) => {
  t.equal(one('Last month', undefined), 'TIME_RANGE_REQUIRED')
  t.equal(one('Last month', [{ field: 'Day', op: 'gte', value: '2026-01-01' }]), 'TIME_RANGE_REQUIRED')
  t.equal(one('Last month', [{ field: 'Day', op: 'in', value: ['2026-01-01', '2026-02-02'] }]), 'TIME_FILTER_NOT_A_RANGE')
  t.equal(one('Period before', between('2026-03-01', '2026-03-15')), 'WINDOW_GRAIN_REQUIRED')
  t.equal(one('Three periods', between('2026-03-01', '2026-03-15')), 'WINDOW_GRAIN_REQUIRED')
  t.equal(one('Thirty days', undefined), 'TIME_RANGE_REQUIRED')
  t.equal(one('Year to date', [{ field: 'Day', op: 'gte', value: '2026-01-01' }]), 'TIME_RANGE_REQUIRED')
})

t.test('running values as of the end', async (t) => {
  t.equal(one('Running', undefined), '1023', 'all rows')
  t.equal(one('Running', between('2026-02-01', '2026-02-10')), '63')
  t.equal(one('Thirty days', between('2026-03-01', '2026-03-10')), '480', '9 February to 10 March')
  t.equal(one('Two months', between('2026-03-01', '2026-03-31')), '992', 'February and March')
  t.equal(one('Two months', between('2026-03-05', '2026-03-10')), '496', '11 January to 10 March')
  t.equal(one('Year to date', between('2026-02-10', '2026-02-20')), '48')
  t.equal(one('Year to date before', between('2026-03-01', '2026-03-15')), '3')
  t.equal(one('Best', between('2026-03-01', '2026-03-10')), '384', 'February 96, 1 to 10 March 384')
})

t.test('a window in a finer unit ends with the range of each row', async (t) => {
  const by = (grain: string, measure: string, from: string, to: string) =>
    rowsOf({ select: { dimensions: [`Day:${grain}`], measures: [measure] }, where: between(from, to) })
  t.strictSame(
    by('month', 'Thirty days', '2026-02-10', '2026-03-10'),
    ['2026-02-01 112', '2026-03-01 480'],
    '30 January to 28 February, 9 February to 10 March',
  )
  t.strictSame(by('quarter', 'Two months', '2026-01-01', '2026-03-31'), ['2026-01-01 992'], 'February and March')
  t.strictSame(by('quarter', 'Two months', '2026-01-01', '2026-03-10'), ['2026-01-01 496'], '11 January to 10 March')
  t.strictSame(
    by('year', 'Best', '2025-01-01', '2026-03-10'),
    ['2025-01-01 8', '2026-01-01 384'],
    'December; February 96, 1 to 10 March 384',
  )
  t.strictSame(by('year', 'Thirty days', '2025-01-01', '2025-12-31'), ['2025-01-01 8'], '2 to 31 December')
})

t.test('rows, subtotals and totals compare the same days', async (t) => {
  const rows = rowsOf({
    select: { dimensions: ['Day:month'], measures: ['Revenue', 'Last month', 'Whole month'] },
    where: between('2026-02-01', '2026-03-15'),
    grouping: 'rollup',
  })
  t.strictSame(rows, ['2026-02-01 96 16 16 false', '2026-03-01 384 32 96 false', 'NULL 480 48 48 true'])
})

t.test('shops of the compared range are rows, others are not', async (t) => {
  t.strictSame(
    rowsOf({ select: { dimensions: ['Shop'], measures: ['Last month'] }, where: between('2026-03-01', '2026-03-15') }),
    ['"a" 32'],
  )
  t.strictSame(
    rowsOf({
      select: { dimensions: ['Day:month', 'Shop'], measures: ['Last month'] },
      where: between('2026-03-01', '2026-03-15'),
    }),
    ['2026-03-01 "a" 32'],
  )
  t.strictSame(
    rowsOf({ select: { dimensions: ['Shop'], measures: ['Two months'] }, where: between('2026-03-31', '2026-03-31') }),
    ['"a" 416', '"b" 64', '"c" 512'],
  )
})
