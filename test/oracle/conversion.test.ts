/** Conversions with hand-computed values: visits of users 1, 2, 3 and without a user; purchases of 1, 2 and 9. */
import t from 'tap'
import { ask, by } from './asking.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import type { FilterJson, MetricJson, ModelJson, Tables } from './model.js'

const key = { code: 'id', abstractType: 'int', primaryKey: true } as const
const toUser = [{ joinType: 'many-to-one', joinTo: 'Users', columnsFrom: ['user'], columnsTo: ['id'] }] as const
const events = (code: string) => ({
  code,
  columns: {
    id: key,
    user: { code: 'user', abstractType: 'int' },
    at: { code: 'at', abstractType: 'timestamp' },
    what: { code: 'what', abstractType: 'string' },
  },
  joins: toUser,
})
const buys = (more: Partial<MetricJson> = {}): MetricJson => ({
  type: 'conversion',
  base: 'Visits Count',
  conversion: 'Purchases Count',
  entity: 'user',
  timeDimension: 'visited',
  conversionTimeDimension: 'bought',
  window: '7d',
  ...more,
})
const model: ModelJson = {
  dataObjects: {
    Users: { code: 'users', columns: { id: key, country: { code: 'country', abstractType: 'string' } } },
    Visits: events('visits'),
    Purchases: events('purchases'),
  },
  dimensions: {
    user: { dataObject: 'Users', column: 'id', resultType: 'int' },
    country: { dataObject: 'Users', column: 'country', resultType: 'string' },
    visited: { dataObject: 'Visits', column: 'at', resultType: 'timestamp', timeGrain: 'month' },
    bought: { dataObject: 'Purchases', column: 'at', resultType: 'timestamp' },
    page: { dataObject: 'Visits', column: 'what', resultType: 'string' },
    product: { dataObject: 'Purchases', column: 'what', resultType: 'string' },
  },
  measures: {
    'home visits': {
      aggregation: 'count',
      columns: [{ dataObject: 'Visits', column: 'id' }],
      filters: [{ field: 'Visits.what', op: 'eq', value: 'home' }],
    },
    lamps: {
      aggregation: 'count',
      columns: [{ dataObject: 'Purchases', column: 'id' }],
      filters: [{ field: 'Purchases.what', op: 'eq', value: 'lamp' }],
    },
    'all visits': { aggregation: 'count', columns: [{ dataObject: 'Visits', column: 'id' }], total: true },
    pages: { aggregation: 'count', columns: [{ dataObject: 'Visits', column: 'what' }] },
  },
  metrics: {
    rate: buys(),
    converted: buys({ calculation: 'count' }),
    'in a day': buys({ window: '24 hours', calculation: 'count' }),
    'in a month': buys({ window: '1 month', calculation: 'count' }),
    'from home': buys({ base: 'home visits', calculation: 'count' }),
    'to a lamp': buys({ conversion: 'lamps', calculation: 'count' }),
    'whole rate': buys({ base: 'all visits' }),
    'of pages': buys({ base: 'pages' }),
    before: { type: 'period_over_period', measure: 'converted', periodOverPeriod: { timeDimension: 'visited' } },
    'so far': { type: 'cumulative', measure: 'rate', timeDimension: 'visited' },
    unread: buys({ conversionTimeDimension: 'visited' }),
    unsaid: {
      type: 'conversion',
      base: 'Visits Count',
      conversion: 'Purchases Count',
      entity: 'user',
      timeDimension: 'visited',
      window: '7d',
    },
  },
}
const data: Tables = {
  Users: [
    { id: 1, country: 'DE' },
    { id: 2, country: 'FR' },
    { id: 3, country: null },
  ],
  Visits: [
    { id: 1, user: 1, at: '2025-01-01 10:00:00', what: 'home' },
    { id: 2, user: 1, at: '2025-01-08 09:00:00', what: 'sale' },
    { id: 3, user: 1, at: '2025-02-01 00:00:00', what: 'home' },
    { id: 4, user: 2, at: '2025-01-31 10:00:00', what: null },
    { id: 5, user: 3, at: '2025-01-02 10:00:00', what: 'home' },
    { id: 6, user: null, at: '2025-01-01 10:00:00', what: 'home' },
    { id: 7, user: 2, at: null, what: 'sale' },
    { id: 8, user: 9, at: '2025-01-01 10:00:00', what: 'home' },
  ],
  Purchases: [
    { id: 1, user: 1, at: '2025-01-08 10:00:00', what: 'lamp' },
    { id: 2, user: 1, at: '2025-02-01 00:00:00', what: 'chair' },
    { id: 3, user: 2, at: '2025-02-28 10:00:00', what: 'lamp' },
    { id: 4, user: 2, at: null, what: 'lamp' },
    { id: 5, user: 9, at: '2025-01-02 10:00:00', what: 'chair' },
    { id: 6, user: null, at: '2025-01-01 11:00:00', what: 'lamp' },
  ],
}
const told = (...query: Parameters<typeof by>) => ask(by(...query), model, data)

t.test('an event converts when another follows within the window, including its end, excluding the same instant', async (t) => {
  t.same(
    told([], ['converted', 'rate']),
    ['2 0.3333333333333333'],
    'visits 1 (to the minute) and 2, of 6 with a user who is known',
  )
  t.same(told([], ['in a day', 'in a month']), ['1 3'], '31 January and a month is 28 February')
})

t.test(
  'an event without a user, or whose user is missing, adds no row to groups by user; one without a time converts to nothing',
  async (t) => {
    t.same(told(['user'], ['converted', 'rate']), ['1 2 0.6666666666666666', '2 0 0', '3 0 0'])
    t.same(told(['country'], ['rate']), ['"DE" 0.6666666666666666', '"FR" 0', 'NULL 0'])
    t.same(told(['visited'], ['converted', 'rate']), ['2025-01-01 2 0.5', '2025-02-01 0 0', 'NULL 0 0'])
  },
)

t.test('filters of a measure define the events; filters of the query restrict only base events', async (t) => {
  t.same(told([], ['from home', 'to a lamp']), ['1 2'])
  const when = (where: FilterJson) => ask({ ...by([], ['converted', 'rate']), where: [where] }, model, data)
  t.same(when({ field: 'visited', op: 'lt', value: '2025-02-01' }), ['2 0.5'])
  t.same(when({ field: 'page', op: 'eq', value: 'lost' }), ['0 NULL'])
  t.equal(when({ field: 'product', op: 'eq', value: 'lamp' }), 'FILTER_APPLIES_TO_NOTHING')
})

t.test('rows that the base measure does not count are not events', async (t) => {
  t.same(told([], ['of pages']), ['0.4'], 'visit 4 has no page')
})

t.test('the conversion has the grain of the base measure', async (t) => {
  t.same(told(['user'], ['rate', 'whole rate']), [
    '1 0.6666666666666666 0.3333333333333333',
    '2 0 0.3333333333333333',
    '3 0 0.3333333333333333',
  ])
})

t.test('prior periods and running values use base events of their periods', async (t) => {
  t.same(told(['visited'], ['converted', 'before', 'so far']), [
    '2025-01-01 2 NULL 0.5',
    '2025-02-01 0 2 0.4',
    'NULL 0 NULL NULL',
  ])
})

t.test('if the other base object does not read the time of the base, its only time is used', async (t) => {
  t.same(told([], ['unsaid']), told([], ['rate']))
})

t.test('time and entity are read directly from both base objects', async (t) => {
  t.equal(told([], ['unread']), 'NO_JOIN_PATH')
})

t.test('two computed times are two times, and a single one is the only time', async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const { bought: _, ...others } = model.dimensions!
  const computed = (days: number) => ({
    dataObject: 'Purchases',
    expression: `date_add('day', ${days}, {[Purchases].[at]})`,
    resultType: 'timestamp',
  })
  const query = by([], ['unsaid'])
  const metrics = { unsaid: model.metrics!['unsaid']! }
  const one = { ...model, metrics, dimensions: { ...others, 'a day later': computed(1) } }
  const two = { ...one, dimensions: { ...one.dimensions, 'two days later': computed(2) } }
  for (const each of [one, two]) t.equal(await compareCase({ model: each, data, query }, runOn(engine)), undefined)
  t.match(evaluate(two, data, query), { refused: 'INVALID_METRIC', why: /Purchases has 2 times/ })
})
