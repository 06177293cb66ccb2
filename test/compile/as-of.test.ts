/** Metrics over time at another time: as of that time, with or without rows there; along a time under other names; windows with a unit. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const prior = (measure: string, more: object = {}) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Date', ...more },
})
const metrics = {
  Total: { type: 'cumulative', measure: 'Sold', timeDimension: 'Date' },
  Count: { type: 'cumulative', measure: 'Sales', timeDimension: 'Date' },
  'Added Up': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date', cumulativeType: 'sum' },
  'Total Yesterday': prior('Total'),
  'Count Yesterday': prior('Count'),
  'Added Up Yesterday': prior('Added Up'),
  Yesterday: prior('Sold'),
  'Day before Yesterday': prior('Yesterday'),
  Growth: prior('Total', { comparison: 'difference' }),
  'Growth Yesterday': prior('Growth'),
  'A Month Before': prior('Sold', { offsetGrain: 'month' }),
  'Next Year, a Month Before': prior('A Month Before', { offset: 1, offsetGrain: 'year' }),
  Rank: { type: 'window', windowFunction: 'rank', measure: 'Sold' },
  'Rank Yesterday': prior('Rank'),
  'Two Months': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date', window: 2, windowGrain: 'month' },
  'First of the Month': prior('Sold', { offsetToGrain: 'month' }),
  'A Week Before': prior('Sold', { grain: 'week' }),
}
const json = {
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        On: { code: 'sold_on', abstractType: 'date' },
        N: { code: 'n', abstractType: 'int' },
      },
    },
    Views: {
      code: 'views',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        On: { code: 'seen_on', abstractType: 'date' },
        N: { code: 'n', abstractType: 'int' },
      },
    },
  },
  dimensions: {
    Date: { dataObject: 'Sales', column: 'On' },
    Month: { dataObject: 'Sales', column: 'On', timeGrain: 'month' },
    Seen: { dataObject: 'Views', column: 'On' },
  },
  measures: {
    Sold: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'N' }] },
    Sales: { aggregation: 'count', anchor: 'Sales' },
    Viewed: { aggregation: 'sum', columns: [{ dataObject: 'Views', column: 'N' }] },
  },
  metrics: {
    ...metrics,
    'Viewed so Far': { type: 'cumulative', measure: 'Viewed', timeDimension: 'Date' },
  },
}
const { model, errors } = parseModelSync({ json })
if (!model) throw new Error(JSON.stringify(errors))
const withFiscal = parseModelSync({ json: { ...json, calendars: { fiscal: { yearStart: '02-03' } } } }).model!
const { rows } = await database(
  'CREATE TABLE sales (id BIGINT, sold_on DATE, n BIGINT)',
  `INSERT INTO sales VALUES (1, DATE '2025-01-20', 1), (2, DATE '2025-01-21', 30), (3, DATE '2025-01-23', 4), (4, DATE '2025-03-21', 500), (5, NULL, 7)`,
  'CREATE TABLE views (id BIGINT, seen_on DATE, n BIGINT)',
  `INSERT INTO views VALUES (1, DATE '2025-01-05', 10), (2, DATE '2025-02-05', 20)`,
)
const ask = (dimensions: readonly (string | object)[], measures: readonly string[], more: object = {}) =>
  rows(compileFor({ select: { dimensions, measures }, order_by: [{ field: 1 }], ...more }, model).sql)

t.test('the prior value of a running value is its value at the prior time, also in periods without rows', async (t) => {
  t.same(await ask(['Date'], ['Total', 'Total Yesterday', 'Added Up Yesterday', 'Count Yesterday']), [
    ['2025-01-20', '1', null, null, '0'],
    ['2025-01-21', '31', '1', '1', '1'],
    ['2025-01-23', '35', '31', '31', '2'],
    ['2025-03-21', '535', '35', '35', '3'],
    [null, null, null, null, null],
  ])
})

t.test('an offset that is finer than a subtotal moves its range, below another one, too', async (t) => {
  const found = await ask(['Date:year', 'Date'], ['A Month Before', 'Next Year, a Month Before'], { grouping: 'cube' })
  const [year] = found.filter(([year, date]) => year !== null && date === null)
  // December 2024 to November 2025, and a year later.
  t.same(year, ['2025-01-01', null, '535', null, false, true])
})

t.test('so is the prior of a prior value, and of a comparison', async (t) => {
  t.same(await ask(['Date'], ['Day before Yesterday', 'Growth', 'Growth Yesterday']), [
    ['2025-01-20', null, null, null],
    ['2025-01-21', null, '30', null],
    ['2025-01-23', '30', '4', '0'],
    ['2025-03-21', null, '500', '0'],
    [null, null, null, null],
  ])
})

t.test('values computed from the rows of an answer, such as a rank, are those of the existing row', async (t) => {
  t.same(await ask(['Date'], ['Rank', 'Rank Yesterday'], { where: [{ field: 'Date', op: 'is_not_null' }] }), [
    ['2025-01-20', '4', null],
    // The row without a date is before it, because no condition on time applies there.
    ['2025-01-21', '2', '5'],
    ['2025-01-23', '3', null],
    ['2025-03-21', '1', null],
  ])
})

t.test('conditions on time restrict the rows of the answer, but not the earlier rows that it needs', async (t) => {
  t.same(await ask(['Date'], ['Total Yesterday'], { where: [{ field: 'Date', op: 'gte', value: '2025-01-23' }] }), [
    ['2025-01-23', '31'],
    ['2025-03-21', '35'],
  ])
})

t.test('a window can have its own unit, and the prior value can be the one at the start of a grain', async (t) => {
  t.same(await ask(['Date'], ['Two Months', 'First of the Month'], { where: [{ field: 'Date', op: 'is_not_null' }] }), [
    ['2025-01-20', '1', null],
    ['2025-01-21', '31', null],
    ['2025-01-23', '35', null],
    ['2025-03-21', '504', null],
  ])
  t.same(await ask(['Date:month'], ['Two Months'], { where: [{ field: 'Date', op: 'is_not_null' }] }), [
    ['2025-01-01', '35'],
    ['2025-03-01', '500'],
  ])
  t.same(
    await ask(['Date:year'], ['Two Months'], { where: [{ field: 'Date', op: 'lte', value: '2025-03-31' }] }),
    [['2025-01-01', '500']],
    'February and March',
  )
  const refused = refusalOf({ select: { dimensions: ['Date:fiscal_year'], measures: ['Two Months'] } }, withFiscal)
  t.match(refused, { code: 'INVALID_METRIC', message: /looks back by month, which is finer than the query's fiscal_year/ })
  const subtotals = { grouping: { sets: [['Date:fiscal_year'], ['Date:month', 'Date:fiscal_year']] } }
  const both = compileFor(
    { select: { dimensions: ['Date:month', 'Date:fiscal_year'], measures: ['Two Months'] }, ...subtotals },
    withFiscal,
  )
  t.same(
    (await rows(both.sql)).filter(([month, year]) => month === null && year !== null).map(([, , value]) => value),
    [null, null],
    'a fiscal year that ends within a month has no two months',
  )
  t.match(both.warnings, [{ code: 'NO_VALUE_FOR_TOTAL', message: /looks back by month, which is finer than fiscal_year, so/ }])
  t.match(refusalOf({ select: { dimensions: ['Date:year'], measures: ['First of the Month'] } }, model), {
    code: 'INVALID_METRIC',
  })
})

t.test('a metric without a unit uses the periods of each level, also if they are finer than its own', async (t) => {
  const levels = await ask(['Date:day', 'Date'], ['Sold', 'A Week Before'], { grouping: 'rollup' })
  const days = levels.filter(([, , , , noDay, noDate]) => noDay === false && noDate === true)
  t.same(
    days.map(([day, , sold, before]) => [day, sold, before]),
    [
      ['2025-01-20', '1', null],
      ['2025-01-21', '30', '1'],
      ['2025-01-23', '4', null],
      ['2025-03-21', '500', null],
      [null, '7', null],
    ],
  )
})

t.test('invalid units are refused when the model loads', (t) => {
  const refusal = (metric: object) => parseModelSync({ json: { ...json, metrics: { M: metric } } }).errors
  const { window: _, ...unitOnly } = metrics['Two Months']
  t.match(refusal(unitOnly), [{ code: 'INVALID_METRIC', path: 'metrics.M.windowGrain' }])
  t.match(refusal(prior('Sold', { offsetToGrain: 'month', offset: -1 })), [
    { code: 'INVALID_METRIC', path: 'metrics.M.periodOverPeriod.offsetToGrain' },
  ])
  t.end()
})

t.test('a metric can run along its time under another name', async (t) => {
  t.same(await ask(['Month'], ['Total', 'Yesterday']), [
    ['2025-01-01', '35', null],
    ['2025-03-01', '535', null],
    [null, null, null],
  ])
})

t.test('a metric can run along a coalesced dimension, with the own time of each fact', async (t) => {
  const day = { coalesce: ['Date', 'Seen'], as: 'Day', grain: 'month' }
  t.same(await ask([day], ['Total', 'Viewed', 'Viewed so Far']), [
    ['2025-01-01', '35', '10', '10'],
    ['2025-02-01', '35', '20', '30'],
    ['2025-03-01', '535', null, '30'],
    [null, null, null, null],
  ])
})
