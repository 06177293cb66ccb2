/** Comparisons and running values whose times end at the clock. The expected numbers are computed by hand. */
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
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
      Sold On: { code: sold_on, abstractType: date }
      Paid At: { code: paid_at, abstractType: timestamp_tz }
      N: { code: n, abstractType: int, sqlType: integer }
dimensions:
  Shop: { dataObject: Sales, column: Shop }
  Date: { dataObject: Sales, column: Sold On }
  Paid At: { dataObject: Sales, column: Paid At }
measures:
  Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }] }
metrics:
  Change: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: month, comparison: difference, untilNow: true } }
  Month Before: { type: period_over_period, measure: Sold, periodOverPeriod: { timeDimension: Date, offsetGrain: month, untilNow: true } }
  To Date: { type: cumulative, measure: Sold, timeDimension: Date, untilNow: true }
  To Date Before: { type: period_over_period, measure: To Date, periodOverPeriod: { timeDimension: Date, offsetGrain: month } }
  Paid to Date: { type: cumulative, measure: Sold, timeDimension: Paid At, untilNow: true }
  Rank of Change: { type: window, windowFunction: rank, measure: Change, orderDirection: desc }
`)
const { rows } = await database(
  `SET TimeZone = 'UTC';
  CREATE TABLE sales AS SELECT id, shop, sold_on::DATE AS sold_on, paid_at::TIMESTAMPTZ AS paid_at, n FROM (VALUES
    (1, 'a', '2025-05-10', '2025-06-15 11:59:00+00', 1), (2, 'b', '2025-05-20', '2025-06-15 12:00:00+00', 2),
    (3, 'a', '2025-06-10', '2025-06-15 12:00:01+00', 4), (4, 'a', '2025-06-15', '2025-07-01 00:00:00+00', 8),
    (5, 'a', '2025-06-16', NULL, 16), (6, 'a', '2025-07-01', NULL, 32)) v(id, shop, sold_on, paid_at, n)`,
)
const NOON = new Date('2025-06-15T12:00:00.5Z')
const compiled = (measures: readonly string[], dimensions: readonly string[], more: object = {}, now = NOON) =>
  compileFor(
    { select: { dimensions, measures }, order_by: dimensions.map((_, i) => ({ field: i + 1 })), ...more },
    model,
    duckdb,
    now,
  )
const asked = async (...args: Parameters<typeof compiled>) => rows(compiled(...args).sql)

t.test('today counts whole, and the other month ends with the same day', async (t) => {
  t.same(await asked(['Change', 'Month Before', 'To Date'], ['Date:month']), [
    ['2025-05-01', null, null, '3'],
    ['2025-06-01', '11', '1', '15'],
  ])
})

t.test('periods that begin after now have no value, and those beside them are the same', async (t) => {
  t.same(await asked(['Sold', 'Change', 'Month Before', 'To Date'], ['Date:month']), [
    ['2025-05-01', '3', null, null, '3'],
    ['2025-06-01', '28', '11', '1', '15'],
    ['2025-07-01', '32', null, null, null],
  ])
})

t.test('one number ends at now as well, so it needs no end of the times', async (t) => {
  const where = [{ field: 'Date', op: 'gte', value: '2025-06-01' }]
  t.same(await asked(['Change', 'To Date'], [], { where }), [['11', '15']])
})

t.test('the outermost metric moves the end with its range', async (t) => {
  t.same(await asked(['To Date Before'], ['Date:month']), [
    ['2025-05-01', null],
    ['2025-06-01', '1'],
  ])
})

t.test('shops of the compared days are rows, and those of later days are none', async (t) => {
  t.same(
    await asked(['Change', 'Rank of Change'], ['Date:month', 'Shop'], {
      where: [{ field: 'Date', op: 'gte', value: '2025-06-01' }],
    }),
    [['2025-06-01', 'a', '11', '1']],
  )
  t.same(
    await asked(
      ['Month Before'],
      ['Date:month', 'Shop'],
      { where: [{ field: 'Date', op: 'gte', value: '2025-06-01' }] },
      new Date('2025-06-20T12:00:00Z'),
    ),
    [
      ['2025-06-01', 'a', '1'],
      ['2025-06-01', 'b', '2'],
    ],
    'the second shop sold something on 20 May, and nothing in June',
  )
})

t.test('a later period that another measure shows gets no shops of the period before it', async (t) => {
  const now = new Date('2025-05-25T12:00:00Z')
  t.same(await asked(['Sold', 'Month Before'], ['Date:month', 'Shop'], {}, now), [
    ['2025-05-01', 'a', '1', null],
    ['2025-05-01', 'b', '2', null],
    ['2025-06-01', 'a', '28', null],
    ['2025-07-01', 'a', '32', null],
  ])
})

t.test('gaps are those of the times to now, unless another field sees later ones', async (t) => {
  const where = [{ field: 'Date', op: 'in', value: ['2025-05-10', '2025-07-01'] }]
  const range = { where, fill_gaps: 'range' }
  t.same(await asked(['Month Before'], ['Date:month'], range), [['2025-05-01', null]], 'July is not yet, and June is beside it')
  t.same(await asked(['Sold', 'Month Before'], ['Date:month'], range), [
    ['2025-05-01', '1', null],
    ['2025-06-01', null, '3'],
    ['2025-07-01', '32', null],
  ])
  const year = { where: [{ field: 'Date', op: 'between', value: ['2025-05-01', '2025-12-31'] }], fill_gaps: 'range' }
  t.same(await asked(['To Date'], ['Date:month'], year), [
    ['2025-05-01', '3'],
    ['2025-06-01', '15'],
  ])
})

t.test('an instant counts to the end of the present second', async (t) => {
  t.same(await asked(['Paid to Date'], []), [['3']])
  t.same(await asked(['Paid to Date'], [], { timezone: 'Asia/Kathmandu' }), [['3']], 'wherever the clock is')
})

t.test('a compiled query notes the day or the second that it depends on', (t) => {
  const units = (measure: string) => [...compiled([measure], []).readings.starts.keys()]
  t.same(units('To Date'), ['day'])
  t.same(units('Paid to Date'), ['second'])
  t.same(units('Sold'), [])
  t.end()
})
