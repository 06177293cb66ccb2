/**
 * Aggregates of aggregates, with hand-computed values. Amounts of customers: 1 and 2 (EU) 300.30 each, 3 (US) 400.40, 4 (no region) 50.50,
 * no customer 7.70.
 */
import t from 'tap'
import { amountOf, ask, by, modelWith } from './asking.js'
import type { MetricJson } from './model.js'

const per = (aggregation: string, more: Partial<MetricJson> = {}): MetricJson => ({
  type: 'aggregate',
  measure: 'amount',
  aggregation,
  per: ['customer'],
  ...more,
})
const model = modelWith(
  {
    whole: amountOf({ total: true }),
    paid: amountOf({ filters: [{ field: 'Orders.status', op: 'eq', value: 'paid' }], defaultValue: 0 }),
  },
  {
    average: per('avg'),
    customers: per('count'),
    most: per('max'),
    middle: per('median'),
    sum: per('sum'),
    'of ratios': per('sum', { measure: 'amount per buyer' }),
    'of net': per('count', { measure: 'net', per: ['client'] }),
    'of paid': per('avg', { measure: 'paid' }),
    shares: per('avg', { measure: 'share' }),
    share: { expression: '{[amount]} / {[whole]}' },
    'by month': per('avg', { per: ['ordered month'] }),
    'by time': per('avg', { per: ['ordered'] }),
    'average of averages': per('avg', { measure: 'average', per: ['status'] }),
    twice: { expression: '{[average]} * 2' },
    before: { type: 'period_over_period', measure: 'average', periodOverPeriod: { timeDimension: 'ordered' } },
    'so far': { type: 'cumulative', measure: 'average', timeDimension: 'ordered' },
    'added up': { type: 'cumulative', measure: 'average', timeDimension: 'ordered', cumulativeType: 'sum' },
    rank: { type: 'window', windowFunction: 'rank', measure: 'average' },
    running: { type: 'cumulative', measure: 'amount', timeDimension: 'ordered' },
    'of running': per('max', { measure: 'running' }),
  },
  {
    client: { dataObject: 'Customers', column: 'id', resultType: 'int' },
    customer: { dataObject: 'Orders', column: 'customer_id', resultType: 'int' },
    'ordered month': { dataObject: 'Orders', column: 'ordered_at', resultType: 'date', timeGrain: 'month' },
  },
)

t.test('each customer counts once, and NULL is one more customer', async (t) => {
  t.same(ask(by(['region'], ['average', 'customers', 'most', 'middle', 'sum']), model), [
    '"EU" 300.3 2 300.30 300.3 600.60',
    '"US" 400.4 1 400.40 400.4 400.40',
    'NULL 29.1 2 50.50 29.1 58.20',
  ])
  t.same(ask(by([], ['average', 'twice', 'customers']), model), ['211.84 423.68 5'])
})

t.test('the base is computed per group with everything that belongs to it', async (t) => {
  t.same(
    ask(by(['region'], ['of ratios', 'of net', 'of paid']), model),
    ['"EU" 600.6 2 300.3', '"US" 400.4 1 400.4', 'NULL 50.5 0 7.7'],
    'nobody has no buyers; 4 has no refund; 2 and 4 have paid nothing, which makes no group',
  )
})

t.test('a selected dimension does not split the groups further, at the grain of the query', async (t) => {
  t.same(ask(by(['customer'], ['average', 'customers']), model), [
    '1 300.3 1',
    '2 300.3 1',
    '3 400.4 1',
    '4 50.5 1',
    'NULL 7.7 1',
  ])
  t.same(ask(by(['ordered:quarter'], ['by month', 'by time']), model), [`2025-01-01 ${1059.2 / 3} 1059.2`])
})

t.test('aggregates of another grain are computed within the inner dimensions', async (t) => {
  t.same(ask(by([], ['shares']), model), ['0.2'])
})

t.test('filters apply to the inner query, and a missing group is zero or NULL', async (t) => {
  const where = [{ field: 'status', op: 'eq', value: 'open' }]
  t.same(ask({ ...by(['region'], ['average']), where }, model), ['"EU" 300.3', 'NULL 50.5'])
  const none = [{ field: 'status', op: 'eq', value: 'lost' }]
  t.same(ask({ ...by([], ['average', 'customers']), where: none }, model), ['NULL 0'])
})

t.test('aggregates nest', async (t) => {
  const paid = (100.1 + 200.2 + 400.4 + 7.7) / 3
  const open = (300.3 + 50.5) / 2
  t.same(ask(by([], ['average of averages']), model), [String((paid + open) / 2)])
})

t.test('prior periods and running values evaluate the inner query again', async (t) => {
  const march = 458.6 / 3
  t.same(ask(by(['ordered:month'], ['average', 'before', 'so far', 'rank']), model), [
    '2025-01-01 100.1 NULL 100.1 3',
    '2025-02-01 250.25 100.1 300.3 1',
    `2025-03-01 ${march} 250.25 211.84 2`,
  ])
})

t.test('a base that is a running value has it by month, and at the end of all times', async (t) => {
  t.same(ask(by([], ['of running']), model), ['400.40'])
  t.same(ask(by(['ordered:month'], ['of running']), model), ['2025-01-01 100.10', '2025-02-01 300.30', '2025-03-01 400.40'])
})
