/** Comparisons of values that depend on other rows, with and without gaps: the rows are counted by hand, and the oracle and the compiler have the same. */
import t, { type Test } from 'tap'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import type { MetricJson, ModelJson, QueryJson, Tables } from './model.js'
import { show } from './values.js'

const period = (measure: string, more: object = {}): MetricJson => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Sold', ...more },
})
const model: ModelJson = {
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        sold: { code: 'sold', abstractType: 'date' },
        shop: { code: 'shop', abstractType: 'string' },
        city: { code: 'city', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    Sold: { dataObject: 'Orders', column: 'sold' },
    Shop: { dataObject: 'Orders', column: 'shop' },
    City: { dataObject: 'Orders', column: 'city' },
  },
  measures: {
    'All Orders': { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'id' }], filterContext: { mode: 'FIXED' } },
    Orders: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'id' }] },
  },
  metrics: {
    Change: period('Orders', { offsetGrain: 'year', comparison: 'difference' }),
    'Changes of Cities': { type: 'aggregate', aggregation: 'sum', measure: 'Change', per: ['City'] },
    'Changes Before': period('Changes of Cities', { offsetGrain: 'quarter' }),
    'Rank of Change': { type: 'window', windowFunction: 'rank', measure: 'Change' },
    'Rank Before': period('Rank of Change', { offsetGrain: 'quarter' }),
    'Rank of Changes Before': { type: 'window', windowFunction: 'rank', measure: 'Changes Before' },
    'Rank of Rank Before': { type: 'window', windowFunction: 'rank', measure: 'Rank Before' },
  },
}
const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)

const ordersOf = (rows: readonly (readonly [string, string, string])[]): Tables => ({
  Orders: rows.map(([sold, shop, city], id) => ({ id, sold, shop, city })),
})

async function rowsOf(t: Test, data: Tables, query: QueryJson): Promise<readonly string[] | string> {
  const expected = evaluate(model, data, query)
  t.strictSame(await compareCase({ model, data, query }, run, expected), undefined, 'the oracle and the compiler agree')
  return 'refused' in expected
    ? expected.refused
    : expected.rows.map((row) => row.map((v) => show(v).replaceAll('"', '')).join(' ')).toSorted()
}
const MAY_TO_SEPTEMBER = [{ field: 'Sold', op: 'between' as const, value: ['2023-05-01', '2023-09-30'] }]
const ORDERS = ordersOf([
  ['2023-03-10', 'a', 'x'],
  ['2023-06-10', 'b', 'x'],
  ['2024-06-10', 'c', 'x'],
])

t.test('a period that fills a gap is compared with rows of an inner query, not with what fills its gaps', async (t) => {
  const rows = await rowsOf(t, ordersOf([['2023-03-10', 'a', 'x']]), {
    select: { dimensions: ['Sold:month', 'Shop'], measures: ['Changes Before'] },
    where: [{ field: 'Sold', op: 'in', value: ['2023-02-15', '2023-07-15'] }],
    fill_gaps: 'range',
  })
  // June looks at March, where shop a has a row; so the shop is in each month of the range.
  t.strictSame(
    rows,
    ['02', '03', '04', '05', '06', '07'].map((month) => `2023-${month}-01 a NULL`),
  )
})

t.test('what a window at another period compares adds no rows at the own period', async (t) => {
  const rows = await rowsOf(t, ORDERS, {
    select: { dimensions: ['Sold:month', 'Shop'], measures: ['Rank Before'] },
    where: [{ field: 'Sold', op: 'between', value: ['2024-05-01', '2024-06-30'] }],
  })
  // March 2024 compares with March 2023, where shop a sold. June 2024 is not compared with June 2023, where shop b sold.
  t.strictSame(rows, ['2024-06-01 a NULL', '2024-06-01 c NULL'])
})

t.test('a window sees the rows of an inner query at another period, and not those that another measure brings', async (t) => {
  const ask = (fill: Partial<QueryJson>) =>
    rowsOf(t, ORDERS, {
      select: { dimensions: ['Sold:month', 'Shop'], measures: ['Rank of Changes Before', 'All Orders'] },
      where: MAY_TO_SEPTEMBER,
      ...fill,
    })
  // Of the measure: shop b by its own row, and shop a, which sold in March.
  const own = ['2023-06-01 a 1 0', '2023-06-01 b 1 1']
  t.strictSame(await ask({}), ['2023-03-01 a NULL 1', ...own, '2024-06-01 c NULL 1'])
  const filled = await ask({ fill_gaps: true })
  t.equal(filled.length, 48, 'from March 2023 to June 2024')
  t.strictSame(
    [...filled].filter((row) => !row.includes('NULL')),
    own,
  )
})
