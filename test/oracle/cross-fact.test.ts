/**
 * Expressions over orders and returns with hand-computed values: they meet at customers. 1: 300.30 − 30, 2: 300.30 − 1, 3: 400.40 − 11, 4:
 * 50.50 without returns, no customer: 7.70.
 */
import t from 'tap'
import { ask, by } from './asking.js'
import { data as base, model as headToHead } from './head-to-head.js'
import type { MeasureJson, ModelJson, QueryJson, Tables } from './model.js'

const orders = '{[Orders].[amount]}'
const returns = '{[Returns].[refund]}'
const known = `coalesce(${orders}, 0) - coalesce(${returns}, 0)`
const of = (expression: string, more: Partial<MeasureJson> = {}): MeasureJson => ({ aggregation: 'sum', expression, ...more })
const model: ModelJson = {
  ...headToHead,
  measures: {
    ...headToHead.measures,
    both: of(`${orders} - ${returns}`),
    kept: of(known),
    most: of(known, { aggregation: 'max' }),
    customers: of(known, { aggregation: 'count' }),
    'with credit': of(`${orders} + ${returns} + {[Customers].[credit]}`),
    'of paid': of(known, { filters: [{ field: 'Orders.status', op: 'eq', value: 'paid' }] }),
    'of items': of(known, { filters: [{ field: 'Items.qty', op: 'eq', value: 1 }] }),
    'by order': of(known, { anchor: 'Orders' }),
    texts: of(`CASE WHEN {[Orders].[status]} = 'paid' THEN ${returns} ELSE 0 END`),
  },
  metrics: {
    'so far': { type: 'cumulative', measure: 'kept', timeDimension: 'ordered' },
  },
}
const told = (dimensions: readonly string[], measures: readonly string[], more: Partial<QueryJson> = {}, one = model) =>
  ask(by(dimensions, measures, more), one)

t.test('each fact is summed per customer, once, and rows without a customer are in a separate row', async (t) => {
  t.same(told([], ['both', 'kept', 'most', 'customers']), ['959.00 1017.20 389.40 5'])
  t.same(told(['region'], ['both', 'kept', 'amount', 'refund']), [
    '"EU" 569.60 569.60 600.60 31.00',
    '"US" 389.40 389.40 400.40 11.00',
    'NULL NULL 58.20 58.20 NULL',
  ])
})

t.test('columns of the anchor are read unchanged', async (t) => {
  t.same(told([], ['with credit']), ['4543.75'])
})

t.test('a filter that customers reach restricts customers; another filter restricts the facts that reach it', async (t) => {
  t.same(told([], ['kept'], { where: [{ field: 'region', op: 'eq', value: 'EU' }] }), ['569.60'])
  t.same(told([], ['kept'], { where: [{ field: 'region', op: 'is_null' }] }), ['58.20'])
  t.same(told([], ['kept', 'customers'], { where: [{ field: 'status', op: 'eq', value: 'paid' }] }), ['666.40 5'])
  t.equal(
    told([], ['kept'], { where: [{ field: 'status', op: 'eq', value: 'paid' }], strict_filters: true }),
    'FILTER_NOT_APPLICABLE',
  )
  t.equal(told([], ['kept'], { where: [{ field: 'product', op: 'eq', value: 'lamp' }] }), 'FILTER_APPLIES_TO_NOTHING')
})

t.test('filters of a measure do the same, and must apply to something', async (t) => {
  t.same(told([], ['of paid']), ['666.40'])
  t.equal(told([], ['of items']), 'NO_JOIN_PATH')
})

t.test('static filters apply to customers and to facts', async (t) => {
  const filtered = { ...model, filters: [{ dataObject: 'Customers', column: 'region', operator: 'eq', value: 'EU' }] }
  t.same(told([], ['kept', 'customers'], {}, filtered), ['569.60 2'])
  const positive = { ...model, filters: [{ dataObject: 'Returns', column: 'refund', operator: 'gt', value: 10 }] }
  t.same(told([], ['kept', 'customers'], {}, positive), ['1028.20 5'])
})

t.test('a dimension of one fact alone is refused, and so are texts and an anchor that is not shared', async (t) => {
  t.equal(told(['status'], ['kept']), 'NO_JOIN_PATH')
  t.equal(told(['ordered:month'], ['so far']), 'NO_JOIN_PATH')
  t.equal(told([], ['texts']), 'INVALID_AGGREGATION_INPUTS')
  t.equal(told([], ['by order']), 'ANCHOR_REQUIRED')
})

t.test('the anchor needs a key', async (t) => {
  const { id: _, ...columns } = model.dataObjects['Customers']!.columns
  const Customers = { ...model.dataObjects['Customers']!, columns: { id: { code: 'id', abstractType: 'int' }, ...columns } }
  t.equal(told([], ['kept'], {}, { ...model, dataObjects: { ...model.dataObjects, Customers } }), 'KEY_REQUIRED')
})

// ---- facts that share two objects: customers and days -------------------------------------------------------------------------

const dayId = { code: 'day', abstractType: 'int' } as const
const toDay = { joinType: 'many-to-one', joinTo: 'Days', columnsFrom: ['day'], columnsTo: ['id'] } as const
const withDay = (name: string) => {
  const object = model.dataObjects[name]!
  return { ...object, columns: { ...object.columns, day: dayId }, joins: [...object.joins!, toDay] }
}
const dated: ModelJson = {
  ...model,
  dataObjects: {
    ...model.dataObjects,
    Days: {
      code: 'days',
      columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, date: { code: 'date', abstractType: 'date' } },
    },
    Orders: withDay('Orders'),
    Returns: withDay('Returns'),
  },
  dimensions: { ...model.dimensions, date: { dataObject: 'Days', column: 'date', resultType: 'date' } },
  measures: {
    anchored: of(known, { anchor: 'Customers' }),
    counted: of(known, { anchor: 'Customers', aggregation: 'count' }),
    open: of(known),
  },
  metrics: {
    before: { type: 'period_over_period', measure: 'anchored', periodOverPeriod: { timeDimension: 'date' } },
    'so far': { type: 'cumulative', measure: 'anchored', timeDimension: 'date' },
  },
}
const days = (name: string, ids: readonly (number | null)[]) => base[name]!.map((row, i) => ({ ...row, day: ids[i]! }))
const data: Tables = {
  ...base,
  Days: [
    { id: 1, date: '2025-01-31' },
    { id: 2, date: '2025-02-01' },
  ],
  Orders: days('Orders', [1, 1, 2, 2, 2, null]),
  Returns: days('Returns', [1, 2, 2, 1]),
}

t.test('if no shared object reaches the others, the anchor must be named', async (t) => {
  t.equal(ask(by([], ['open']), dated, data), 'ANCHOR_REQUIRED')
  t.same(ask(by([], ['anchored']), dated, data), ['1017.20'])
})

t.test('a dimension that every fact reaches groups the sums; only existing groups have rows', async (t) => {
  t.same(ask(by(['date'], ['anchored', 'counted']), dated, data), ['2025-01-31 279.30 2', '2025-02-01 730.20 4', 'NULL 7.70 1'])
  t.same(ask(by(['date'], ['before', 'so far']), dated, data), [
    '2025-01-31 NULL 279.30',
    '2025-02-01 279.30 1009.50',
    'NULL NULL NULL',
  ])
})
