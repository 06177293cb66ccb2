/** The times that an explanation and a receipt name, level by level. The expected ranges are found by hand. */
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compileFor, loadText } from '../support/compile.js'

const model = loadText(`
version: 1
dataObjects:
  Sales:
    code: sales
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Sold On: { code: sold_on, abstractType: date }
      Paid At: { code: paid_at, abstractType: timestamp }
      N: { code: n, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Sold On], columnsTo: [Date] }
  Days: { calendar: { grain: day } }
dimensions:
  Shop: { dataObject: Sales, column: Shop }
  Date: { dataObject: Sales, column: Sold On }
  Paid At: { dataObject: Sales, column: Paid At }
  Year Number: { dataObject: Days, column: Year Number }
measures:
  Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }] }
  Ever: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], filterContext: { mode: RELATIVE, exclude: [Date] } }
metrics:
  Year Before: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: year } }
  Month Before: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: month } }
  Whole Month Before: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: month, compare: whole } }
  Before: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: range } }
  Until Now: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: year, untilNow: true } }
  To Date: { type: cumulative, measure: Sold, timeDimension: Date }
  Paid Hour Before: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Paid At, offsetGrain: hour } }
  Growth: { expression: '{[Sold]} - {[Year Before]}' }
  Share Before: { type: period_over_period, expression: '{[Sold]} / {[Ever]}', periodOverPeriod: { timeDimension: Date, offsetGrain: year } }
`)
const NOON = new Date('2025-06-15T12:00:00Z')
const ranges = (measures: readonly string[], dimensions: readonly string[], more: object) =>
  compileFor({ select: { dimensions, measures }, ...more }, model, duckdb, NOON).timeRanges
const between = (from: string, to: string, field = 'Date') => [{ field, op: 'between', value: [from, to] }]
const on = { time: 'Date', level: [] as readonly string[] }

t.test('one number names its range and the moved one', (t) => {
  const where = between('2025-03-01', '2025-03-15')
  const own = { ...on, from: '2025-03-01', to: '2025-03-15' }
  t.same(ranges(['Growth', 'To Date', 'Sold'], [], { where }), [
    { ...own, metric: 'To Date' },
    { ...own, metric: 'Year Before', compared: { from: '2024-03-01', to: '2024-03-15' } },
  ])
  t.same(ranges(['Before'], [], { where }), [{ ...own, metric: 'Before', compared: { from: '2025-02-14', to: '2025-02-28' } }])
  t.end()
})

t.test('each level has its own: rows by month, and the total', (t) => {
  const where = between('2025-02-15', '2025-03-15')
  const own = { time: 'Date', metric: 'Month Before', from: '2025-02-15', to: '2025-03-15' }
  t.same(ranges(['Month Before'], ['Date:month'], { where, grouping: 'rollup' }), [
    { ...own, level: ['Date:month'], compared: { from: '2025-01-15', to: '2025-02-15' } },
    { ...own, level: [], compared: { from: '2025-01-15', to: '2025-02-15' } },
  ])
  t.same(ranges(['Whole Month Before'], ['Date:month', 'Shop'], { where }), [
    { ...own, metric: 'Whole Month Before', level: ['Date:month', 'Shop'], compared: { from: '2025-01-01', to: '2025-02-28' } },
  ])
  t.end()
})

t.test('ends that are open, at now, within a day, or named by a calendar', (t) => {
  const since = [{ field: 'Date', op: 'gte', value: '2025-01-01' }]
  t.same(ranges(['Year Before'], ['Date:month'], { where: since }), [
    {
      metric: 'Year Before',
      time: 'Date',
      level: ['Date:month'],
      from: '2025-01-01',
      to: null,
      compared: { from: '2024-01-01', to: null },
    },
  ])
  t.same(ranges(['Until Now'], [], { where: since }), [
    { ...on, metric: 'Until Now', from: '2025-01-01', to: '2025-06-15', compared: { from: '2024-01-01', to: '2024-06-15' } },
  ])
  t.same(ranges(['Paid Hour Before'], [], { where: between('2025-03-01 08:00:00', '2025-03-01 08:59:59', 'Paid At') }), [
    {
      ...{ metric: 'Paid Hour Before', time: 'Paid At', level: [] },
      ...{ from: '2025-03-01 08:00:00', to: '2025-03-01 08:59:59.000001' },
      compared: { from: '2025-03-01 07:00:00', to: '2025-03-01 07:59:59.000001' },
    },
  ])
  t.same(ranges(['Year Before'], ['Date:month'], { where: [{ field: 'Year Number', op: '=', value: 2025 }] }), [
    {
      ...{ metric: 'Year Before', time: 'Date', level: ['Date:month'], from: '2025-01-01', to: '2025-12-31' },
      compared: { from: '2024-01-01', to: '2024-12-31' },
    },
  ])
  t.end()
})

t.test('measures that see other times are named apart, and plain measures have none', (t) => {
  const where = between('2025-01-01', '2025-01-31')
  t.same(
    ranges(['Share Before'], ['Date:month'], { where }).map(({ from, to }) => [from, to]),
    [
      ['2025-01-01', '2025-01-31'],
      [null, null],
    ],
  )
  t.same(ranges(['Sold'], ['Date:month'], { where }), [])
  t.end()
})

t.test('an explanation has the same', (t) => {
  const query = { select: { measures: ['Year Before'] }, where: between('2025-03-01', '2025-03-15') }
  const compiled = compileFor(query, model, duckdb, NOON)
  t.same(compiled.explain().time_ranges, compiled.timeRanges)
  t.equal(compiled.timeRanges.length, 1)
  t.end()
})
