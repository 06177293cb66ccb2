/** Percentiles, conditions, and rows that count once per joined row, with hand-computed values. */
import t from 'tap'
import { amountOf, ask, by, modelWith } from './asking.js'
import type { MeasureJson } from './model.js'

const large = (aggregation: string): MeasureJson => ({ aggregation, expression: '{[Orders].[amount]} > 100' })
const model = modelWith({
  quarter: amountOf({ aggregation: 'percentile', percentile: 0.25, dataType: 'decimal(10, 2)' }),
  most: amountOf({ aggregation: 'percentile', percentile: 0.9 }),
  large: large('count_if'),
  'all large': large('bool_and'),
  'any large': large('bool_or'),
  'about buyers': { aggregation: 'approx_count_distinct', columns: [{ dataObject: 'Orders', column: 'customer_id' }] },
  fanned: amountOf({ allowFanOut: true }),
  'fanned lamps': amountOf({ allowFanOut: true, filters: [{ field: 'Products.title', op: 'eq', value: 'lamp' }] }),
})

t.test('a percentile is interpolated between two values by its fraction', async (t) => {
  t.same(ask(by(['region'], ['quarter']), model), ['"EU" 150.15', '"US" 400.40', 'NULL 18.40'])
  t.same(ask(by([], ['most']), model), ['350.35'])
})

t.test('conditions are counted and folded; no rows give NULL, and a count of zero', async (t) => {
  t.same(ask(by(['region'], ['large', 'all large', 'any large']), model), [
    '"EU" 3 true true',
    '"US" 1 true true',
    'NULL 0 false false',
  ])
  const none = { where: [{ field: 'region', op: 'eq', value: 'nowhere' }] }
  t.same(ask(by([], ['large', 'all large', 'any large', 'about buyers', 'quarter'], none), model), ['0 NULL NULL 0 NULL'])
  t.same(ask(by(['status'], ['about buyers']), model), ['"open" 2', '"paid" 2'])
})

t.test('with allowFanOut an order counts once per item, and once if it has none', async (t) => {
  t.same(ask(by(['product'], ['fanned', 'amount']), model), ['"chair" 800.80 800.80', '"lamp" 450.90 350.80', 'NULL 58.20 58.20'])
  t.same(ask(by(['region'], ['fanned', 'fanned lamps']), model), ['"EU" 600.60 400.40', '"US" 400.40 NULL', 'NULL 58.20 50.50'])
  t.same(ask(by(['product'], ['amount'], { allow_fan_out: true }), model), ['"chair" 800.80', '"lamp" 450.90', 'NULL 58.20'])
})
