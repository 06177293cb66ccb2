/**
 * Running values: window functions over the periods if they fold, and otherwise a join by a range of periods. The expected numbers are
 * computed by hand.
 */
import t from 'tap'
import { clickhouse } from '../../plugins/dialect-clickhouse/src/index.js'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const model = loadText(`
version: 1
dataObjects:
  Sales:
    code: sales
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      At: { code: sold_at, abstractType: timestamp }
      N: { code: n, abstractType: int, sqlType: integer }
      Rate: { code: rate, abstractType: float }
      Kind: { code: kind, abstractType: string }
      Due: { code: due, abstractType: date }
dimensions:
  Due: { dataObject: Sales, column: Due }
  Shop: { dataObject: Sales, column: Shop }
  At: { dataObject: Sales, column: At }
measures:
  Rows: { aggregation: count, columns: [{ dataObject: Sales, column: ID }] }
  Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }] }
  Best: { aggregation: max, columns: [{ dataObject: Sales, column: Rate }] }
  Kinds: { aggregation: count_distinct, columns: [{ dataObject: Sales, column: Kind }] }
  Pairs: { aggregation: count_distinct, columns: [{ dataObject: Sales, column: Kind }, { dataObject: Sales, column: N }] }
  Last Kind: { aggregation: max, columns: [{ dataObject: Sales, column: Kind }] }
  All Rows: { aggregation: count, columns: [{ dataObject: Sales, column: ID }], grain: { mode: FIXED }, filterContext: { mode: FIXED } }
  Stock: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], semiAdditive: { timeDimension: At, take: last } }
metrics:
  To Date: { type: cumulative, measure: Sold, timeDimension: At }
  Rows to Date: { type: cumulative, measure: Rows, timeDimension: At }
  Best to Date: { type: cumulative, measure: Best, timeDimension: At }
  This Year: { type: cumulative, measure: Sold, timeDimension: At, grainToDate: year }
  Of All Shops: { type: cumulative, measure: Sold, timeDimension: At, partitionBy: [] }
  All Rows to Date: { type: cumulative, measure: All Rows, timeDimension: At, partitionBy: [] }
  Usual: { type: cumulative, measure: Sold, timeDimension: At, cumulativeType: avg }
  Months Sold: { type: cumulative, measure: Sold, timeDimension: At, cumulativeType: count }
  Two Months: { type: cumulative, measure: Sold, timeDimension: At, window: 2 }
  Days of Two Months: { type: cumulative, measure: Sold, timeDimension: At, window: 2, windowGrain: month }
  Usual of Two: { type: cumulative, measure: Sold, timeDimension: At, window: 2, cumulativeType: avg }
  Two Full: { type: cumulative, measure: Sold, timeDimension: At, window: 2, windowGrain: month, onlyFull: true }
  Full Year: { type: cumulative, measure: Sold, timeDimension: At, grainToDate: year, onlyFull: true }
  Thirty Full Days: { type: cumulative, measure: Sold, timeDimension: At, window: 30, windowGrain: day, onlyFull: true }
  Full Months Sold: { type: cumulative, measure: Sold, timeDimension: At, window: 2, windowGrain: month, cumulativeType: count, onlyFull: true }
  Two Full Before: { type: period_over_period, measure: Two Full, periodOverPeriod: { timeDimension: At, offset: -1, offsetGrain: month } }
  Days Sold: { type: cumulative, measure: Rows, timeDimension: At, window: 40, windowGrain: day, cumulativeType: count }
  Kinds to Date: { type: cumulative, measure: Kinds, timeDimension: At }
  Pairs to Date: { type: cumulative, measure: Pairs, timeDimension: At }
  Most Pairs to Date: { type: cumulative, measure: Pairs to Date, timeDimension: At, cumulativeType: max }
  Last Kind to Date: { type: cumulative, measure: Last Kind, timeDimension: At }
  Stock to Date: { type: cumulative, measure: Stock, timeDimension: At }
  Most of a Shop: { type: aggregate, measure: Sold, aggregation: max, per: [At, Shop] }
  Periods: { type: aggregate, measure: Most of a Shop, aggregation: count, per: [At] }
  Periods to Date: { type: cumulative, measure: Periods, timeDimension: At }
  To Date Before: { type: period_over_period, measure: To Date, periodOverPeriod: { timeDimension: At, offset: -1, offsetGrain: month } }
  Due Before: { type: period_over_period, measure: Rows, periodOverPeriod: { timeDimension: Due, offset: -1, offsetGrain: month } }
  Months with Due Before: { type: cumulative, measure: Due Before, timeDimension: At, cumulativeType: count, partitionBy: [Shop] }
`)
const { rows } = await database(
  `CREATE TABLE sales AS SELECT id, shop, sold_at::TIMESTAMP AS sold_at, n, rate::DOUBLE AS rate, kind, sold_at::DATE + 30 AS due FROM (VALUES
    (1, 'a', '2024-11-05 10:00', 1, 2.5::DOUBLE, 'tea'), (2, 'a', '2025-01-07 00:00', 2, 'nan', 'jam'), (3, 'a', '2025-01-31 23:59', 4, 1.5, 'tea'),
    (4, NULL, '2025-01-02 12:00', NULL, NULL, 'tea'), (5, NULL, '2025-02-02 12:00', 16, 4, NULL), (6, 'a', NULL, 32, 9, 'oil'), (7, 'b', '2025-02-03 01:00', 64, 8, 'tea')
  ) v(id, shop, sold_at, n, rate, kind)`,
)
const asked = (measures: readonly string[], { dimensions = ['Shop', 'At:month'], ...rest }: Asked = {}) =>
  compileFor({ select: { dimensions, measures }, order_by: dimensions.map((_, i) => ({ field: i + 1 })), ...rest }, model).sql
interface Asked {
  readonly dimensions?: readonly string[]
  readonly where?: readonly object[]
  readonly fill_gaps?: boolean
}

const isWindowed = (sql: string): boolean => sql.includes('OVER (') && !/ON .*<=/.test(sql)

t.test('a running value is a window function over the periods', async (t) => {
  const sql = asked(['Sold', 'To Date', 'This Year', 'Rows to Date', 'Best to Date'])
  t.ok(isWindowed(sql), 'by a window function')
  t.same(await rows(sql), [
    ['a', '2024-11-01', '1', '1', '1', '1', 2.5],
    ['a', '2025-01-01', '6', '7', '6', '3', 'NaN'],
    ['a', null, '32', null, null, null, null],
    ['b', '2025-02-01', '64', '64', '64', '1', 8],
    [null, '2025-01-01', null, null, null, '1', null],
    [null, '2025-02-01', '16', '16', '16', '2', 4],
  ])
})

t.test('if the rows of the answer contain all earlier periods, no other rows are read', (t) => {
  const scans = (sql: string): number => sql.match(/(FROM|JOIN) "sales"/g)?.length ?? 0
  t.equal(scans(asked(['To Date', 'This Year', 'Of All Shops'])), 1)
  t.equal(scans(asked(['To Date'], { where: [{ field: 'Shop', op: 'eq', value: 'a' }] })), 1)
  t.equal(scans(asked(['To Date'], { where: [{ field: 'At', op: 'gte', value: '2025-01-31' }] })), 2)
  t.equal(scans(asked(['Sold', 'Usual'])), 1, 'values per period are folded from the rows of the answer')
  t.equal(scans(asked(['Sold', 'Two Months'])), 1)
  t.end()
})

t.test(
  'a running value reads periods before the first row of the answer, also if the answer is not grouped by period',
  async (t) => {
    const sql = asked(['Sold', 'To Date'], { dimensions: ['At'], where: [{ field: 'At', op: 'gte', value: '2025-01-31' }] })
    t.ok(isWindowed(sql), 'by a window function')
    t.same(await rows(sql), [
      ['2025-01-31 23:59:00', '4', '7'],
      ['2025-02-02 12:00:00', '16', '23'],
      ['2025-02-03 01:00:00', '64', '87'],
    ])
  },
)

t.test('a running value for all shops counts no row without a time where the answer shows no time', async (t) => {
  t.same(await rows(asked(['All Rows to Date'], { dimensions: ['Shop'] })), [
    ['a', '6'],
    ['b', '6'],
    [null, '6'],
  ])
})

t.test('rows of the same time share a value that runs over all of them', async (t) => {
  const sql = asked(['Sold', 'Of All Shops'])
  t.ok(isWindowed(sql), 'by a window function')
  t.same(
    (await rows(sql)).map((row) => row.at(-1)),
    ['1', '7', null, '87', '7', '87'],
  )
})

t.test(
  'values per period are folded; a period without a value is skipped, and a row without a period has no count',
  async (t) => {
    const sql = asked(['Usual', 'Months Sold'])
    t.ok(isWindowed(sql), 'by a window function')
    t.same(
      (await rows(sql)).map((row) => row.slice(2)),
      [
        [1, '1'],
        [3.5, '2'],
        [null, null],
        [64, '1'],
        [null, '0'],
        [16, '1'],
      ],
    )
  },
)

t.test('the prior running value is a window function that ends one period earlier', async (t) => {
  const sql = asked(['Sold', 'To Date Before'])
  t.same(
    (await rows(sql)).map((row) => row.at(-1)),
    // The first shop sold something in January, and nothing in February, which the others show.
    [null, '1', '7', null, null, null, null],
  )
})

t.test('a window of n periods is a frame that begins an interval earlier, if the engine has such frames', async (t) => {
  const sql = asked(['Sold', 'Two Months', 'Usual of Two'])
  t.ok(isWindowed(sql), 'by a window function')
  t.match(sql, /RANGE BETWEEN INTERVAL '1' MONTH PRECEDING AND CURRENT ROW/)
  t.same(
    (await rows(sql)).map((row) => row.slice(2)),
    [
      ['1', '1', 1],
      ['6', '6', 6],
      ['32', null, null],
      ['64', '64', 64],
      [null, null, null],
      ['16', '16', 16],
    ],
  )
  const days = asked(['Two Months'], { dimensions: ['At:day'], where: [{ field: 'At', op: 'gte', value: '2025-02-01' }] })
  t.match(days, /RANGE BETWEEN INTERVAL '1' DAY PRECEDING/)
  t.same(await rows(days), [
    ['2025-02-02', '16'],
    ['2025-02-03', '80'],
  ])
  t.match(asked(['Two Months'], { dimensions: ['At:week'] }), /INTERVAL '7' DAY PRECEDING/)
  t.match(asked(['Two Months'], { dimensions: ['At:quarter'] }), /INTERVAL '3' MONTH PRECEDING/)
  const { sql: elsewhere } = compileFor({ select: { dimensions: ['At:month'], measures: ['Two Months'] } }, model, clickhouse)
  t.match(elsewhere, /ON .*<=/, 'a join elsewhere')
})

t.test('values that do not fold, and windows with a unit other than that of the rows, use a join', (t) => {
  for (const metric of ['Last Kind to Date', 'Stock to Date']) t.match(asked([metric]), /ON .*<=/, metric)
  t.match(asked(['Days of Two Months'], { dimensions: ['At:day'] }), /ON .*<=/)
  t.end()
})

t.test('a running distinct count counts each value in its first period, without a join of rows', (t) => {
  const sql = asked(['Kinds to Date'])
  t.notMatch(sql, /ON .*<=/)
  t.match(sql, /MIN\(CAST\(DATE_TRUNC/)
  t.end()
})

t.test('groups within groups of a window have their own time once, which engines refuse to find twice', async (t) => {
  const sql = asked(['Periods to Date'], { dimensions: ['At:month'] })
  t.match(sql, /AS "At:month \(own\)"/)
  t.notMatch(sql, /AS "At:month \(own\)",\s+[^,]* AS "At:month \(own\)"/)
  t.same(await rows(sql), [
    ['2024-11-01', '1'],
    ['2025-01-01', '2'],
    ['2025-02-01', '3'],
    [null, null],
  ])
})

t.test('the maximum of doubles is NaN from the first NaN on, also on engines that ignore NaN', (t) => {
  const { sql } = compileFor({ select: { dimensions: ['At:month'], measures: ['Best to Date'] } }, model, clickhouse)
  t.match(sql, /CASE WHEN COUNT\(CASE WHEN isNaN.* OVER .* THEN SUM.* OVER .* ELSE MAX.* OVER /)
  t.end()
})

t.test('a value is shown from the row on whose window begins with the first period in which the measure has rows', async (t) => {
  const dimensions = ['At:month']
  const sql = asked(['Two Full', 'Full Year', 'Thirty Full Days', 'Full Months Sold', 'Two Full Before'], { dimensions })
  t.same(await rows(sql), [
    ['2024-11-01', null, null, null, null, null],
    // December has no rows, and is after the first month.
    ['2025-01-01', '6', '6', '6', '1', '1'],
    ['2025-02-01', '86', '86', '84', '2', '6'],
    [null, null, null, null, null, null],
  ])
})

t.test('each partition begins with its own first period, whatever the filters on the time leave', async (t) => {
  const where = [{ field: 'At', op: 'gte', value: '2025-01-01' }]
  t.same(
    (await rows(asked(['Two Full', 'Full Year'], { where }))).map((row) => row.slice(1)),
    [
      ['2025-01-01', '6', '6'],
      ['2025-02-01', null, null],
      ['2025-01-01', null, null],
      ['2025-02-01', '16', '16'],
    ],
  )
})

t.test('a window that ends with a range is full by the months of the range, or by its days', async (t) => {
  const of = async (value: readonly [string, string]) =>
    (
      await rows(
        asked(['Two Full', 'Full Year', 'Thirty Full Days'], { dimensions: [], where: [{ field: 'At', op: 'between', value }] }),
      )
    )[0]
  t.same(await of(['2024-12-01', '2024-12-31']), ['1', null, null], 'November is the first month')
  t.same(
    await of(['2024-12-01', '2024-12-30']),
    [null, null, null],
    'the two months begin on 31 October, before the fifth of November',
  )
  t.same(await of(['2025-01-01', '2025-02-28']), ['86', '86', '84'])
})

t.test('filled gaps of the rows are no shorter periods of their windows', async (t) => {
  const sql = asked(['Days Sold'], { dimensions: ['At:month'], fill_gaps: true })
  t.same(await rows(sql), [
    ['2024-11-01', '1'],
    ['2024-12-01', '0'],
    ['2025-01-01', '3'],
    ['2025-02-01', '3'],
    [null, null],
  ])
})

t.test('a comparison that is folded without its time has no value without a range, if the query shows that time', async (t) => {
  const dimensions = ['Due:year', 'At:year']
  const compile = (more: object = {}, shown = dimensions) =>
    compileFor(
      { select: { dimensions: shown, measures: ['Months with Due Before'] }, order_by: [{ field: 1 }, { field: 2 }], ...more },
      model,
    )
  const { sql, warnings } = compile()
  t.same(await rows(sql), [
    ['2024-01-01', '2024-01-01', '0'],
    ['2025-01-01', '2025-01-01', '0'],
    [null, null, null],
  ])
  t.match(
    warnings.find(({ code }) => code === 'NO_VALUE_FOR_TOTAL')?.message,
    /no value in the values by 'At:year' that another metric aggregates/,
  )
  const where = [{ field: 'Due', op: 'between', value: ['2025-02-01', '2025-03-31'] }]
  t.same(
    await rows(compile({ where }).sql),
    [['2025-01-01', '2025-01-01', '1']],
    'the range is known, and moved to January and February',
  )
  t.throws(() => compile({}, ['At:month', 'At:year']), { code: 'TIME_RANGE_REQUIRED' })
})

t.test('values that run over all periods are folded with the filled gaps', async (t) => {
  const sql = asked(['Pairs to Date', 'Most Pairs to Date'], { dimensions: ['At:month'], fill_gaps: true })
  t.same(await rows(sql), [
    ['2024-11-01', '1', '1'],
    ['2024-12-01', '1', '1'],
    ['2025-01-01', '3', '3'],
    ['2025-02-01', '4', '4'],
    [null, null, null],
  ])
})

t.test('metrics over time have the type and the format of their base', async (t) => {
  const model = loadText(`version: 1
dataObjects: { A: { code: a, columns: { D: { code: d, abstractType: date }, X: { code: x, abstractType: float } } } }
dimensions: { D: { dataObject: A, column: D } }
measures: { N: { aggregation: sum, columns: [{ dataObject: A, column: X }], dataType: 'decimal(18, 2)', format: '0.00 EUR' } }
metrics:
  P: { type: period_over_period, measure: N, periodOverPeriod: { timeDimension: D, offset: -1, offsetGrain: month, comparison: previousValue } }
  C: { type: cumulative, measure: N, timeDimension: D }
`)
  const [, base, ...others] = compileFor({ select: { dimensions: ['D:month'], measures: ['N', 'P', 'C'] } }, model).columns
  t.equal(base?.format, '0.00 EUR')
  for (const { name, type, format } of others) t.same({ type, format }, { type: base?.type, format: base?.format }, name)
})
