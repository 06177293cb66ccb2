/** Running values with hand-computed values: January 100.10 (buyer 1), February 500.50 (1, 2), March 458.60 (3, 4, no buyer). */
import t from 'tap'
import { ask, by, modelWith } from './asking.js'
import type { FilterJson, MetricJson } from './model.js'

const running = (measure: string, more: Partial<MetricJson> = {}): MetricJson => ({
  type: 'cumulative',
  measure,
  timeDimension: 'ordered',
  ...more,
})
const model = modelWith(
  {},
  {
    'so far': running('amount'),
    'two months': running('amount', { window: 2 }),
    'in quarter': running('amount', { grainToDate: 'quarter' }),
    'in month': running('amount', { grainToDate: 'month' }),
    'buyers so far': running('buyers'),
    'buyers added': running('buyers', { cumulativeType: 'sum' }),
    'buyers average': running('buyers', { cumulativeType: 'avg' }),
    'most so far': running('amount', { cumulativeType: 'max' }),
    'months so far': running('amount', { cumulativeType: 'count' }),
    'per buyer so far': running('amount per buyer'),
    'all so far': running('amount', { partitionBy: [] }),
    'most of all': running('amount', { partitionBy: [], cumulativeType: 'max' }),
    left: { expression: '{[so far]} - {[amount]}' },
    nested: running('so far', { cumulativeType: 'sum' }),
  },
)
const when = (...where: FilterJson[]) => ({ where })

t.test(
  'the window contains all rows up to the period, the last periods, or the rows from the start of a longer period',
  async (t) => {
    t.same(ask(by(['ordered:month'], ['so far', 'two months', 'in quarter', 'in month', 'left']), model), [
      '2025-01-01 100.10 100.10 100.10 100.10 0.00',
      '2025-02-01 600.60 600.60 600.60 500.50 100.10',
      '2025-03-01 1059.20 959.10 1059.20 458.60 600.60',
    ])
  },
)

t.test('without a type the base is evaluated over the rows of the window', async (t) => {
  t.same(ask(by(['ordered:month'], ['buyers so far', 'buyers added', 'buyers average', 'per buyer so far']), model), [
    `2025-01-01 1 1 1 100.1`,
    `2025-02-01 2 3 1.5 300.3`,
    `2025-03-01 4 5 ${5 / 3} 264.8`,
  ])
})

t.test('a type folds the values of the periods', async (t) => {
  t.same(ask(by(['ordered:month'], ['most so far', 'months so far']), model), [
    '2025-01-01 100.10 1',
    '2025-02-01 500.50 2',
    '2025-03-01 500.50 3',
  ])
})

t.test('filters on time keep their upper bounds and lose the rest', async (t) => {
  t.same(ask(by(['ordered:month'], ['so far'], when({ field: 'ordered', op: 'gte', value: '2025-03-01' })), model), [
    '2025-03-01 1059.20',
  ])
  t.same(
    ask(by(['ordered:month'], ['so far'], when({ field: 'ordered', op: 'between', value: ['2025-02-01', '2025-02-15'] })), model),
    ['2025-02-01 300.30'],
  )
  t.same(
    ask(by(['ordered:month'], ['so far'], when({ field: 'ordered', op: 'in', value: ['2025-02-03', '2025-03-01'] })), model),
    ['2025-02-01 600.60', '2025-03-01 1001.00'],
  )
  const not: FilterJson = { logic: 'and', negated: true, filters: [{ field: 'ordered', op: 'gt', value: '2025-02-03' }] }
  t.same(ask(by(['ordered:month'], ['so far'], when(not)), model), ['2025-01-01 100.10', '2025-02-01 300.30'])
  t.same(ask(by(['ordered:month'], ['so far'], when({ field: 'status', op: 'eq', value: 'paid' })), model), [
    '2025-01-01 100.10',
    '2025-02-01 300.30',
    '2025-03-01 708.40',
  ])
})

t.test(
  'other dimensions are the partition unless the metric says otherwise; only tuples of the answer have values',
  async (t) => {
    t.same(ask(by(['region', 'ordered:month'], ['so far', 'all so far', 'most of all']), model), [
      '"EU" 2025-01-01 100.10 100.10 100.10',
      '"EU" 2025-02-01 600.60 600.60 500.50',
      '"US" 2025-03-01 400.40 1059.20 500.50',
      'NULL 2025-03-01 58.20 1059.20 500.50',
    ])
  },
)

t.test('over a bridge each row counts once in a window', async (t) => {
  const query = by(['product', 'ordered:month'], ['so far'])
  t.same(ask(query, model), [
    '"chair" 2025-01-01 100.10',
    '"chair" 2025-02-01 400.40',
    '"chair" 2025-03-01 800.80',
    '"lamp" 2025-01-01 100.10',
    '"lamp" 2025-02-01 300.30',
    '"lamp" 2025-03-01 350.80',
    'NULL 2025-03-01 58.20',
  ])
})

t.test('a running value of a running value folds the values of its periods', async (t) => {
  t.same(ask(by(['ordered:month'], ['so far', 'nested']), model), [
    '2025-01-01 100.10 100.10',
    '2025-02-01 600.60 700.70',
    '2025-03-01 1059.20 1759.90',
  ])
})

t.test('a running value without its time is that of the end of the times', async (t) => {
  t.same(ask(by(['region'], ['so far']), model), ['"EU" 600.60', '"US" 400.40', 'NULL 58.20'])
})
