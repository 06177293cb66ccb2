/** Periods without rows are included if a query requests them (decision 54). */
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { compileFor, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const sum = (name: string) => ({ aggregation: 'sum', columns: [{ dataObject: 'Sales', column: name }] })
/** The names that the statement uses for its own columns. */
const OWN_NAMES = ['n', 'n_10', 'first', 'last', 'later', 'hit', 'd']
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          On: { code: 'sold_on', abstractType: 'date' },
          At: { code: 'sold_at', abstractType: 'timestamp' },
          Shop: { code: 'shop', abstractType: 'string' },
          N: { code: 'n', abstractType: 'int' },
        },
      },
      Returns: {
        code: 'returns',
        columns: { On: { code: 'on_day', abstractType: 'date' }, N: { code: 'n', abstractType: 'int' } },
      },
    },
    dimensions: {
      Date: { dataObject: 'Sales', column: 'On' },
      Quarter: { dataObject: 'Sales', column: 'On', timeGrain: 'quarter' },
      Moment: { dataObject: 'Sales', column: 'At' },
      Shop: { dataObject: 'Sales', column: 'Shop' },
      ...Object.fromEntries(OWN_NAMES.map((name) => [name, { dataObject: 'Sales', column: 'Shop' }])),
      Returned: { dataObject: 'Returns', column: 'On' },
    },
    measures: {
      Sold: sum('N'),
      'Sold or Not': { ...sum('N'), defaultValue: 0 },
      Sales: { aggregation: 'count', anchor: 'Sales' },
      'All Sold': { ...sum('N'), total: true },
      'Sold in A': { ...sum('N'), filters: [{ field: 'Sales.Shop', op: 'equals', value: 'a' }] },
    },
    metrics: {
      Before: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date' } },
      'So Far': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date' },
      'Mean of Two': { type: 'cumulative', measure: 'Sold or Not', timeDimension: 'Date', window: 2, cumulativeType: 'avg' },
      'Least of Two': { type: 'cumulative', measure: 'Sales', timeDimension: 'Date', window: 2, cumulativeType: 'min' },
      Previous: { type: 'window', windowFunction: 'lag', measure: 'Sold', timeDimension: 'Date', partitionBy: ['Shop'] },
      'Added Up': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date', cumulativeType: 'sum' },
      'Added Up Before': { type: 'period_over_period', measure: 'Added Up', periodOverPeriod: { timeDimension: 'Date' } },
      'Most of Shops': { type: 'aggregate', measure: 'Least of Two', aggregation: 'max', per: ['Shop'] },
      Shops: { type: 'aggregate', measure: 'Sold', aggregation: 'count', per: ['Shop'] },
      'Shops Before': { type: 'period_over_period', measure: 'Shops', periodOverPeriod: { timeDimension: 'Date' } },
      'Per Sale': { expression: '{[Sold]} / {[Sales]}' },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))
const { rows } = await database(
  'CREATE TABLE sales (id BIGINT, sold_on DATE, sold_at TIMESTAMP, shop VARCHAR, n BIGINT)',
  `INSERT INTO sales VALUES (1, DATE '2025-01-10', TIMESTAMP '2025-01-10 23:30:00', 'a', 1), (2, DATE '2025-04-02', TIMESTAMP '2025-01-11 01:15:00', 'a', 2),
    (3, DATE '2025-02-28', NULL, NULL, 4), (4, NULL, NULL, 'b', 8)`,
  'CREATE TABLE returns (on_day DATE, n BIGINT)',
)
const ask = (dimensions: readonly string[], measures: readonly string[], more: object = {}) =>
  rows(
    compileFor(
      { select: { dimensions, measures }, fill_gaps: true, order_by: dimensions.map((_, i) => ({ field: i + 1 })), ...more },
      model,
    ).sql,
  )

t.test('every period between the first and the last has a row: counts are 0, other values are NULL', async (t) => {
  t.same(await ask(['Date:month'], ['Sold', 'Sold or Not', 'Sales', 'All Sold', 'Per Sale']), [
    ['2025-01-01', '1', '1', '1', '15', 1],
    ['2025-02-01', '4', '4', '1', '15', 4],
    ['2025-03-01', null, '0', '0', '15', null],
    ['2025-04-01', '2', '2', '1', '15', 2],
    [null, '8', '8', '1', '15', 8],
  ])
})

t.test('every tuple of the other dimensions has a row, also a tuple with missing values', async (t) => {
  t.same(
    await ask(['Shop', 'Date:month'], ['Sold', 'Before', 'Previous'], {
      where: [{ field: 'Date', op: 'gte', value: '2025-01-15' }],
    }),
    [
      ['a', '2025-02-01', null, '1', null],
      ['a', '2025-03-01', null, null, null],
      ['a', '2025-04-01', '2', null, null],
      [null, '2025-02-01', '4', null, null],
      [null, '2025-03-01', null, '4', '4'],
      [null, '2025-04-01', null, null, null],
    ],
  )
})

t.test('running values have added periods between the first and the last of their partition', async (t) => {
  t.same(await ask(['Date:month'], ['So Far', 'Mean of Two', 'Least of Two']), [
    ['2025-01-01', '1', 1, '1'],
    ['2025-02-01', '5', 2.5, '1'],
    ['2025-03-01', '5', 2, '0'],
    ['2025-04-01', '7', 1, '0'],
    [null, null, null, null],
  ])
  t.same(await ask(['Shop', 'Date:month'], ['Mean of Two'], { where: [{ field: 'Shop', op: 'eq', value: 'a' }] }), [
    ['a', '2025-01-01', 1],
    ['a', '2025-02-01', 0.5],
    ['a', '2025-03-01', 0],
    ['a', '2025-04-01', 1],
  ])
})

t.test('the prior of a running value in an added period equals the value that is shown there', async (t) => {
  t.same(await ask(['Date:month'], ['Added Up', 'Added Up Before']), [
    ['2025-01-01', '1', null],
    ['2025-02-01', '5', '1'],
    ['2025-03-01', '5', '5'],
    ['2025-04-01', '7', '5'],
    [null, null, null],
  ])
  t.equal(
    (await ask(['Moment', 'Date:month'], ['Added Up Before'])).length,
    13,
    'another time without a grain is a dimension like any other',
  )
})

t.test('the prior of a value that reads only the rows of a period is NULL in an added period, for counts too', async (t) => {
  t.same(await ask(['Date:month'], ['Shops', 'Shops Before'], { where: [{ field: 'Date', op: 'is_not_null' }] }), [
    ['2025-01-01', '1', null],
    ['2025-02-01', '1', '1'],
    ['2025-03-01', '0', '1'],
    ['2025-04-01', '1', null],
  ])
})

t.test('coarser grains of the same time are derived from the added period', async (t) => {
  t.same(await ask(['Quarter', 'Date:month'], ['Sold']), [
    ['2025-01-01', '2025-01-01', '1'],
    ['2025-01-01', '2025-02-01', '4'],
    ['2025-01-01', '2025-03-01', null],
    ['2025-04-01', '2025-04-01', '2'],
    [null, null, '8'],
  ])
})

t.test('a week is added in the month of its first day, unless rows show it in another month', async (t) => {
  const weeks = await ask(['Date:week', 'Date:month'], ['Sold'])
  t.same(
    weeks.filter(([, , sold]) => sold !== null),
    [
      ['2025-01-06', '2025-01-01', '1'],
      ['2025-02-24', '2025-02-01', '4'],
      ['2025-03-31', '2025-04-01', '2'],
      [null, null, '8'],
    ],
  )
  t.same(
    weeks.filter(([week]) => week === '2025-03-31'),
    [['2025-03-31', '2025-04-01', '2']],
    'the week of 2 April begins in March',
  )
  t.equal(weeks.length, 14)
})

t.test('a measure that only having uses has a value in an added period', async (t) => {
  t.same(await ask(['Date:month'], ['Sold in A'], { having: [{ field: 'Sales', op: 'gte', value: 1 }] }), [
    ['2025-01-01', '1'],
    ['2025-02-01', null],
    ['2025-04-01', '2'],
  ])
})

t.test('dimensions may have the names that the statement uses for its own columns', async (t) => {
  const weeks = await ask(['Date:week', 'Date:month'], ['Sold', 'Mean of Two'], {
    where: [{ field: 'Shop', op: '=', value: 'a' }],
  })
  const named = await ask(['Date:week', 'Date:month', ...OWN_NAMES], ['Sold', 'Mean of Two'], {
    where: [{ field: 'Shop', op: '=', value: 'a' }],
  })
  t.same(
    named.map(([week, month, ...rest]) => [week, month, ...rest.slice(OWN_NAMES.length)]),
    weeks,
  )
  t.ok(named.every((row) => row.slice(2, 2 + OWN_NAMES.length).every((shop) => shop === 'a')))
})

t.test('hours are filled too, having and order apply to added rows, and dimensions alone are filled', async (t) => {
  t.same(await ask(['Moment:hour'], ['Sales'], { where: [{ field: 'Moment', op: 'is_not_null' }] }), [
    ['2025-01-10 23:00:00', '1'],
    ['2025-01-11 00:00:00', '0'],
    ['2025-01-11 01:00:00', '1'],
  ])
  t.same(await ask(['Date:month'], ['Sales'], { having: [{ field: 'Sales', op: 'eq', value: 0 }] }), [['2025-03-01', '0']])
  t.same((await ask(['Date:month'], [])).length, 5)
  t.same(await ask(['Date:month'], ['Sales'], { where: [{ field: 'Date', op: 'is_null' }] }), [[null, '1']], 'no period, no gap')
})

t.test('twenty years of hours are filled completely', async (t) => {
  const apart = await database(
    "CREATE TABLE sales AS SELECT i AS id, TIMESTAMP '2000-01-01' + i * INTERVAL '20' YEAR AS sold_at, 1 AS n FROM (VALUES (0), (1)) AS v(i)",
  )
  const query = { select: { dimensions: ['Moment:hour'], measures: ['Sales'] }, fill_gaps: true }
  t.same(await apart.rows(`SELECT COUNT(*), SUM("Sales") FROM (${compileFor(query, model).sql}) AS filled`), [['175321', '2']])
})

t.test('every period from the first to the last possible date is filled', async (t) => {
  const apart = await database(
    `CREATE TABLE sales AS SELECT id, CAST(day AS DATE) AS sold_on, CAST(day AS TIMESTAMP) AS sold_at, 'a' AS shop, 1 AS n
      FROM (VALUES (1, '0001-01-01'), (2, '9999-12-31')) AS v(id, day)`,
  )
  const filled = (dimension: string) => {
    const { sql } = compileFor({ select: { dimensions: [dimension], measures: ['Sales'] }, fill_gaps: true }, model)
    return apart.rows(`SELECT COUNT(*), SUM("Sales") FROM (${sql}) AS filled`)
  }
  t.same(await filled('Date:month'), [['119988', '2']])
  t.same(await filled('Date:week'), [['521723', '2']])
})

t.test('each level of subtotals that contains the time is filled', async (t) => {
  const sets = [['Shop'], ['Date'], []]
  const order_by = [{ field: 2 }, { field: 'Sales' }, { field: 1 }]
  t.same(await ask(['Shop', 'Date:month'], ['Sales'], { grouping: { sets }, order_by }), [
    [null, '2025-01-01', '1', true, false],
    [null, '2025-02-01', '1', true, false],
    [null, '2025-03-01', '0', true, false],
    [null, '2025-04-01', '1', true, false],
    ['b', null, '1', false, true],
    [null, null, '1', false, true],
    [null, null, '1', true, false],
    ['a', null, '2', false, true],
    [null, null, '4', true, true],
  ])
})

t.test('a query without exactly one time with a grain is refused', (t) => {
  const codes = (select: object, more: object = {}) => {
    const { code, path } = refusalOf({ select, fill_gaps: true, ...more }, model)
    return [code, path]
  }
  const none = ['TIME_DIMENSION_NOT_SELECTED', 'fill_gaps']
  t.same(codes({ dimensions: ['Date'], measures: ['Sold'] }), none, 'a time without a grain')
  t.same(codes({ dimensions: ['Date', 'Quarter'], measures: ['Sold'] }), none, 'the finest has no grain')
  t.same(codes({ dimensions: ['Date:month', 'Moment:day'], measures: ['Sold'] }), none, 'two times')
  t.same(codes({ dimensions: ['Shop'], measures: ['Sold'] }), none)
  t.same(codes({ fields: ['Sales.N'] }), ['INVALID_QUERY', 'fill_gaps'])
  t.same(codes({ dimensions: ['Date:month', 'Shop'] }, { dimensions_exclude: true }), ['INVALID_QUERY', 'fill_gaps'])
  t.end()
})

t.test('gaps are filled with plain SELECTs on every engine', (t) => {
  const query = { select: { dimensions: ['Date:month'], measures: ['Sold'] }, fill_gaps: true }
  for (const dialect of [duckdb, postgres]) t.notMatch(compileFor(query, model, dialect).sql, /series|RECURSIVE|UNNEST/i)
  t.end()
})

const inTime = (op: string, value: unknown) => [{ field: 'Date', op, value }]

t.test('a range reports every period that the filters leave, to both of its ends', async (t) => {
  const asked = { fill_gaps: 'range', where: inTime('between', ['2024-12-31', '2025-06-30']) }
  t.same(await ask(['Date:month'], ['Sales', 'So Far', 'Added Up', 'Added Up Before', 'Previous'], asked), [
    ['2024-12-01', '0', null, null, null, null],
    ['2025-01-01', '1', '1', '1', null, null],
    ['2025-02-01', '1', '5', '5', '1', '1'],
    ['2025-03-01', '0', '5', '5', '5', '4'],
    ['2025-04-01', '1', '7', '7', '5', null],
    ['2025-05-01', '0', '7', '7', '7', '2'],
    ['2025-06-01', '0', '7', '7', '7', null],
  ])
  const since = { fill_gaps: 'range', where: inTime('gte', '2025-03-05') }
  t.same(await ask(['Date:month'], ['Sales'], since), [
    ['2025-03-01', '0'],
    ['2025-04-01', '1'],
  ])
  t.same(await ask(['Date:quarter'], [], { fill_gaps: 'range', where: inTime('between', ['2026-01-01', '2026-04-01']) }), [
    ['2026-01-01'],
    ['2026-04-01'],
  ])
})

t.test('a range without a time has no period, of whatever grain', async (t) => {
  const where = [...inTime('lt', '2025-01-01'), ...inTime('gte', '2025-02-01')]
  for (const grain of ['day', 'week', 'month', 'quarter', 'year'])
    t.same(await ask([`Date:${grain}`], ['Sold'], { fill_gaps: 'range', where }), [], grain)
})

t.test('the number of periods of a known range is in the statement, which reads the rows once', (t) => {
  const query = (fill_gaps: unknown) => ({
    select: { dimensions: ['Date:month'], measures: ['Sold'] },
    where: inTime('between', ['2025-01-01', '2025-12-31']),
    fill_gaps,
  })
  const { sql } = compileFor(query('range'), model)
  t.match(sql, /<= 11/)
  t.notMatch(sql, /digits_100|spans/)
  t.equal(sql.match(/FROM "sales"/g)?.length, 1)
  t.end()
})

t.test('a filter that is no comparison with times has no ends', (t) => {
  const where = [{ expression: "extract('day', {[Date]}) = 1" }]
  const query = { select: { dimensions: ['Date:month'], measures: ['Sold'] }, where, fill_gaps: 'range' }
  t.match(refusalOf(query, model), { code: 'TIME_FILTER_NOT_A_RANGE', path: 'where[0]' })
  t.end()
})

t.test('a running value of groups sees the periods in which its group has rows, as without gaps', async (t) => {
  t.same(await ask(['Date:month'], ['Least of Two', 'Most of Shops']), [
    ['2025-01-01', 1, 1],
    ['2025-02-01', 1, 1],
    ['2025-03-01', 0, null],
    ['2025-04-01', 0, 1],
    [null, null, null],
  ])
})
