/**
 * Balances with hand-computed values: accounts 1 (EU) and 2 (US), a row without an account, one whose account is missing, one without a
 * day.
 */
import t from 'tap'
import { ask, by } from './asking.js'
import type { MeasureJson, ModelJson, SemiAdditiveJson, Tables } from './model.js'

const amount = { dataObject: 'Balances', column: 'amount' }
const semi = (
  take: SemiAdditiveJson['take'],
  more: Partial<SemiAdditiveJson> = {},
  measure: Partial<MeasureJson> = {},
): MeasureJson => ({
  aggregation: 'sum',
  columns: [amount],
  semiAdditive: { timeDimension: 'day', take, per: ['account'], ...more },
  ...measure,
})
const model: ModelJson = {
  dataObjects: {
    Accounts: {
      code: 'accounts',
      columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, region: { code: 'region', abstractType: 'string' } },
    },
    Balances: {
      code: 'balances',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        account: { code: 'account', abstractType: 'int' },
        day: { code: 'day', abstractType: 'date' },
        amount: { code: 'amount', abstractType: 'int' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Accounts', columnsFrom: ['account'], columnsTo: ['id'] }],
    },
    Notes: {
      code: 'notes',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        balance: { code: 'balance', abstractType: 'int' },
        text: { code: 'text', abstractType: 'string' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Balances', columnsFrom: ['balance'], columnsTo: ['id'] }],
    },
  },
  dimensions: {
    day: { dataObject: 'Balances', column: 'day', resultType: 'date' },
    month: { dataObject: 'Balances', column: 'day', resultType: 'date', timeGrain: 'month' },
    account: { dataObject: 'Balances', column: 'account', resultType: 'int' },
    region: { dataObject: 'Accounts', column: 'region', resultType: 'string' },
    note: { dataObject: 'Notes', column: 'text', resultType: 'string' },
  },
  measures: {
    last: semi('last'),
    first: semi('first'),
    least: semi('min'),
    most: semi('max'),
    usual: semi('avg'),
    'last of all': semi('last', { per: [] }),
    'last by month': semi('last', { timeDimension: 'month' }),
    'last known': semi('last', {}, { defaultValue: 0 }),
    entries: semi('last', {}, { aggregation: 'count' }),
    'usual entries': semi('avg', {}, { aggregation: 'count' }),
    paid: semi('last', {}, { filters: [{ field: 'Balances.amount', op: 'gt', value: 6 }] }),
    'whole last': semi('last', {}, { total: true }),
    'last by note': semi('last', { per: ['note'] }),
  },
  metrics: {
    before: { type: 'period_over_period', measure: 'last', periodOverPeriod: { timeDimension: 'day' } },
    'so far': { type: 'cumulative', measure: 'last', timeDimension: 'day' },
    'added up': { type: 'cumulative', measure: 'last', timeDimension: 'day', cumulativeType: 'sum' },
  },
}
const data: Tables = {
  Accounts: [
    { id: 1, region: 'EU' },
    { id: 2, region: 'US' },
  ],
  Balances: [
    { id: 1, account: 1, day: '2025-01-10', amount: 10 },
    { id: 2, account: 1, day: '2025-01-20', amount: 30 },
    { id: 3, account: 2, day: '2025-01-10', amount: 5 },
    { id: 4, account: 2, day: '2025-02-05', amount: 7 },
    { id: 5, account: null, day: '2025-01-31', amount: 100 },
    { id: 6, account: 1, day: null, amount: 1000 },
    { id: 7, account: 1, day: '2025-02-28', amount: null },
    { id: 8, account: 2, day: '2025-02-05', amount: 2 },
    { id: 9, account: 9, day: '2025-02-01', amount: 50 },
  ],
  Notes: [
    { id: 1, balance: 2, text: 'a' },
    { id: 2, balance: 2, text: 'b' },
    { id: 3, balance: 3, text: 'a' },
    { id: 4, balance: 6, text: 'c' },
  ],
}
const told = (...query: Parameters<typeof by>) => ask(by(...query), model, data)

t.test('the value of each account at its last or first day is summed; a row without a day is ignored', async (t) => {
  t.same(told(['day:month'], ['last', 'first']), ['2025-01-01 135 115', '2025-02-01 59 59'])
  t.same(told([], ['last', 'first']), ['159 165'])
  t.same(told(['account'], ['last', 'last known']), ['1 NULL 0', '2 9 9', '9 50 50', 'NULL 100 100'])
})

t.test('average, minimum and maximum are over the days that have a row, and skip NULL', async (t) => {
  t.same(told(['day:month'], ['usual', 'least', 'most']), ['2025-01-01 125 115 135', '2025-02-01 59 59 59'])
  t.same(told(['account'], ['usual']), ['1 20', '2 7', '9 50', 'NULL 100'])
})

t.test('without entities the value is that of the last day of all, even if it is NULL', async (t) => {
  t.same(told(['day:month'], ['last of all']), ['2025-01-01 100', '2025-02-01 NULL'])
  t.same(told([], ['last of all']), ['NULL'])
})

t.test('the grain of the time is that of its dimension, whatever the grain of the query', async (t) => {
  t.same(told([], ['last by month']), ['159'])
  t.same(told(['day'], ['last by month']).slice(0, 2), ['2025-01-10 15', '2025-01-20 30'])
})

t.test('a missing parent and NULL are entities, too', async (t) => {
  t.same(told(['region'], ['last']), ['"EU" NULL', '"US" 9', 'NULL 150'])
})

t.test('counts are of the last day, too, and zero if no row is left', async (t) => {
  t.same(told(['day:month'], ['entries', 'usual entries']), ['2025-01-01 3 3', '2025-02-01 3 3'])
  t.same(ask({ ...by([], ['entries', 'last']), where: [{ field: 'account', op: 'eq', value: 77 }] }, model, data), ['0 NULL'])
})

t.test('filters apply first: the last day is the last one that remains', async (t) => {
  t.same(told(['account'], ['paid']), ['1 30', '2 7', '9 50', 'NULL 100'])
  t.same(ask({ ...by([], ['last']), where: [{ field: 'day', op: 'lt', value: '2025-02-01' }] }, model, data), ['135'])
  t.same(told(['day:month'], ['last', 'whole last']), ['2025-01-01 135 159', '2025-02-01 59 159'])
})

t.test('entities may be beyond a bridge: a row counts once for each', async (t) => {
  t.same(told(['day:month'], ['last by note']), ['2025-01-01 160', '2025-02-01 NULL'], 'a: 30 of the 20th, b: 30, none: 100')
})

t.test('a prior period has its own last day, and a running value the last day of its window', async (t) => {
  t.same(told(['day:month'], ['before', 'so far', 'added up']), ['2025-01-01 NULL 135 135', '2025-02-01 135 159 194'])
})
