/** Other periods are read only near the requested times, and every row still finds its own. */
import { builtInAggregates, builtInFunctions, compile, parseQuery } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { database } from './database.js'

const { model } = parseModelSync({
  json: {
    version: 1,
    dataObjects: {
      Sales: { code: 'sales', columns: { On: { code: 'sold_on', abstractType: 'date' }, N: { code: 'n', abstractType: 'int' } } },
    },
    dimensions: { Date: { dataObject: 'Sales', column: 'On' } },
    measures: {
      Sold: { columns: [{ dataObject: 'Sales', column: 'N' }], aggregation: 'sum' },
      'Sold Ever': {
        columns: [{ dataObject: 'Sales', column: 'N' }],
        aggregation: 'sum',
        filterContext: { mode: 'RELATIVE', exclude: ['Date'] },
      },
    },
    metrics: {
      Before: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date', offset: -1 } },
      'A Year Before': {
        type: 'period_over_period',
        measure: 'Sold',
        periodOverPeriod: { timeDimension: 'Date', offset: -1, offsetGrain: 'year' },
      },
      After: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date', offset: 1 } },
      'So Far': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date' },
    },
  },
})
const { rows } = await database(
  `CREATE TABLE sales AS SELECT * FROM (VALUES (DATE '2023-03-01', 1), (DATE '2023-12-31', 2), (DATE '2024-01-31', 4),
    (DATE '2024-02-29', 8), (DATE '2024-03-01', 16), (DATE '2024-03-31', 32), (DATE '2024-04-30', 64)) v(sold_on, n)`,
)
const context = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: new Date(0),
  storedTypes: 'declared',
} as const
const march = [{ field: 'Date', op: 'between', value: ['2024-03-01', '2024-03-31'] }]
const sqlOf = (measures: string[], where: unknown[], dimension = 'Date:month'): string =>
  compile(parseQuery({ select: { dimensions: [dimension], measures }, where, order_by: [{ field: 1 }] }), model!, context).sql
const answer = async (...asked: Parameters<typeof sqlOf>) =>
  (await rows(sqlOf(...asked))).map((row) => row.map((v) => (v === null ? null : String(v))))

t.test('a query with bounded time bounds the periods that it looks up', async (t) => {
  const measures = ['Sold', 'Before', 'A Year Before', 'After']
  t.notMatch(sqlOf(measures, []), /WHERE/)
  const bounds = sqlOf(measures, march).matchAll(/"sold_on" >= DATE '(\S+)'\s+AND\s+"\w+"\."sold_on" (<=? DATE '\S+)'/g)
  t.same(
    [...bounds].map(([, from, to]) => [from, to]).sort(),
    [
      ['2023-03-01', "< DATE '2023-04-01"],
      ['2024-02-01', "<= DATE '2024-03-31"],
      ['2024-04-01', "< DATE '2024-05-01"],
    ],
    'each block has its own bounds, or those of periods that touch, and reads no other period',
  )
  t.same(await answer(measures, march), [['2024-03-01', '48', '8', '1', '64']])
})

t.test('the days of a month look up the shorter month before it', async (t) => {
  t.same(await answer(['Sold', 'Before'], march, 'Date'), [
    ['2024-03-01', '16', '8'],
    ['2024-03-31', '32', null],
  ])
})

t.test('a range with one open end has one open end in the lookup', async (t) => {
  const since = [{ field: 'Date', op: '>=', value: '2024-03-01' }]
  t.same(await answer(['Sold', 'Before'], since), [
    ['2024-03-01', '48', '8'],
    ['2024-04-01', '64', '48'],
  ])
})

t.test('rows outside the requested range look up their own periods', async (t) => {
  t.same(
    (await answer(['Sold Ever', 'Before'], march)).map(([month, , before]) => [month, before]),
    [
      ['2023-03-01', null],
      ['2023-12-01', null],
      ['2024-01-01', '2'],
      ['2024-02-01', '4'],
      ['2024-03-01', '8'],
      ['2024-04-01', '48'],
    ],
  )
})

t.test('a condition on an expression of time adds no bound', async (t) => {
  const shifted = [{ expression: "date_add('month', 12, {[Date]}) >= DATE '2025-03-01'" }]
  t.same(await answer(['Sold', 'Before'], shifted), [
    ['2024-03-01', '48', '8'],
    ['2024-04-01', '64', '48'],
  ])
  const before = [{ expression: "date_add('month', -12, {[Date]}) < DATE '2023-03-01'" }]
  t.same((await answer(['So Far'], before)).at(-1), ['2024-02-01', '15'])
})
