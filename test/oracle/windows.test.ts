/** Window functions over the rows of an answer, with hand-computed values. */
import t from 'tap'
import { ask, by, modelWith } from './asking.js'
import type { MetricJson } from './model.js'

const over = (windowFunction: string, more: Partial<MetricJson> = {}): MetricJson => ({
  type: 'window',
  windowFunction,
  measure: 'amount',
  ...more,
})
const model = modelWith(
  {},
  {
    rank: over('rank'),
    least: over('rank', { orderDirection: 'asc' }),
    'in status': over('row_number', { partitionBy: ['status', 'product'] }),
    half: over('ntile', { buckets: 2 }),
    before: over('lag', { timeDimension: 'ordered' }),
    'two before': over('lag', { timeDimension: 'ordered', offset: 2, defaultValue: 0 }),
    after: over('lead', { timeDimension: 'ordered', orderDirection: 'desc' }),
    first: over('first_value', { timeDimension: 'ordered' }),
    last: over('last_value', { timeDimension: 'ordered' }),
    'refund rank': over('rank', { measure: 'refund' }),
    'refund dense': over('dense_rank', { measure: 'refund', orderDirection: 'asc' }),
    'refund row': over('row_number', { measure: 'refund' }),
    growth: { expression: '{[amount]} - {[before]}' },
    'rank of growth': over('rank', { measure: 'growth' }),
  },
  { customer: { dataObject: 'Customers', column: 'id' } },
)

t.test('rank orders by the value, descending by default', async (t) => {
  t.same(ask(by(['region'], ['rank', 'least', 'half']), model), ['"EU" 1 3 1', '"US" 2 2 1', 'NULL 3 1 2'])
})

t.test('a partition uses the dimensions of it that are selected', async (t) => {
  t.same(ask(by(['status', 'region'], ['in status']), model), [
    '"open" "EU" 1',
    '"open" NULL 2',
    '"paid" "EU" 2',
    '"paid" "US" 1',
    '"paid" NULL 3',
  ])
})

t.test('NULL keys are last in both directions and tie with each other; row_number breaks ties by dimension', async (t) => {
  t.same(ask(by(['customer'], ['amount', 'refund', 'refund rank', 'refund dense', 'refund row']), model), [
    '1 300.30 30.00 1 3 1',
    '2 300.30 1.00 3 1 3',
    '3 400.40 11.00 2 2 2',
    '4 50.50 NULL NULL NULL NULL',
    'NULL 7.70 NULL NULL NULL NULL',
  ])
})

t.test('lag and lead move along time; a missing row has the default', async (t) => {
  t.same(ask(by(['ordered:month'], ['amount', 'before', 'two before', 'after', 'first', 'last']), model), [
    '2025-01-01 100.10 NULL 0 NULL 100.10 458.60',
    '2025-02-01 500.50 100.10 0 100.10 100.10 458.60',
    '2025-03-01 458.60 500.50 100.10 500.50 100.10 458.60',
  ])
  t.equal(ask(by(['region'], ['before']), model), 'TIME_DIMENSION_NOT_SELECTED')
})

t.test('windows read the rows before having, and can be combined', async (t) => {
  t.same(ask(by(['region'], ['rank'], { having: [{ field: 'amount', op: 'lt', value: 500 }] }), model), ['"US" 2', 'NULL 3'])
  t.same(ask(by(['region'], ['amount'], { having: [{ field: 'rank', op: 'lte', value: 2 }] }), model), [
    '"EU" 600.60',
    '"US" 400.40',
  ])
  t.same(ask(by(['ordered:month'], ['growth', 'rank of growth']), model), [
    '2025-01-01 NULL 3',
    '2025-02-01 400.40 1',
    '2025-03-01 -41.90 2',
  ])
})
