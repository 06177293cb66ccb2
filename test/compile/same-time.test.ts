/** The same time selected at several grains is one time: metrics over it run along the finest grain (decision 42). */
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
    dimensions: {
      Date: { dataObject: 'Sales', column: 'On' },
      Quarter: { dataObject: 'Sales', column: 'On', timeGrain: 'quarter' },
    },
    measures: {
      Sold: { columns: [{ dataObject: 'Sales', column: 'N' }], aggregation: 'sum' },
      'All Sold': { columns: [{ dataObject: 'Sales', column: 'N' }], aggregation: 'sum', total: true },
    },
    metrics: {
      Before: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date', offset: -1 } },
      'All So Far': { type: 'cumulative', measure: 'All Sold', timeDimension: 'Date' },
      'So Far': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date' },
    },
    segments: { Big: { filters: [{ field: 'Date', op: 'gt', value: '2024-01-01' }] } },
  },
})
const { rows } = await database(
  "CREATE TABLE sales AS SELECT * FROM (VALUES (DATE '2024-02-10', 1), (DATE '2024-03-05', 2), (DATE '2024-04-20', 4)) v(sold_on, n)",
)
const context = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: new Date(0),
  storedTypes: 'declared',
} as const
const sqlOf = (query: unknown): string => compile(parseQuery(query), model!, context).sql
const measures = ['Before', 'So Far']
const months = [
  ['2024-02-01', null, '1'],
  ['2024-03-01', '1', '3'],
  ['2024-04-01', '2', '7'],
]

for (const beside of ['Date:quarter', 'Quarter']) {
  for (const dimensions of [
    ['Date:month', beside],
    [beside, 'Date:month'],
  ]) {
    t.test(`a prior month can be in the quarter before: ${dimensions.join(', ')}`, async (t) => {
      const found = await rows(sqlOf({ select: { dimensions, measures }, order_by: [{ field: 'Date:month' }] }))
      const at = dimensions.indexOf('Date:month')
      t.same(
        found.map((row) => [row[at], row[2], row[3]].map((v) => (v === null ? null : String(v)))),
        months,
      )
    })
  }
}

t.test('NULL beside a date does not change the upper end of a time filter', async (t) => {
  const where = [{ field: 'Date', op: 'in', value: ['2024-03-05', null] }]
  const found = await rows(sqlOf({ select: { dimensions: ['Date:month'], measures: ['All So Far'] }, where }))
  t.equal(String(found[0]?.[1]), '3', 'April is past the filter')
})

t.test('no part of a query is ignored silently', async (t) => {
  const refused = [
    { query: { select: { dimensions: ['Date'] }, grouping: 'rollup' }, code: 'INVALID_QUERY', path: 'grouping' },
    { query: { select: { fields: ['Sales.N'] }, grouping: 'cube' }, code: 'INVALID_QUERY', path: 'grouping' },
    {
      query: { select: { dimensions: ['Date', 'Quarter'] }, dimensions_exclude: true, grouping: 'rollup' },
      code: 'INVALID_QUERY',
      path: 'grouping',
    },
    {
      query: { select: { measures: ['Sold'] }, where: [{ field: 'Big', op: '=', value: true }] },
      code: 'UNKNOWN_FILTER_FIELD',
      path: 'where[0].field',
    },
  ]
  for (const { query, code, path } of refused) t.throws(() => sqlOf(query), { code, path }, JSON.stringify(query))
})
