/** Small cases that generated queries found: the rows are counted by hand, and the oracle and the compiler have the same. */
import t, { type Test } from 'tap'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import type { MetricJson, ModelJson, QueryJson, Tables } from './model.js'
import { show } from './values.js'

const running: MetricJson = { type: 'cumulative', measure: 'Orders', timeDimension: 'Paid' }
const before = (measure: string): MetricJson => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Sold', offsetGrain: 'year' },
})

const model: ModelJson = {
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        sold: { code: 'sold', abstractType: 'date' },
        paid: { code: 'paid', abstractType: 'date' },
        shop: { code: 'shop', abstractType: 'string' },
      },
    },
    Visits: {
      code: 'visits',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        page: { code: 'page', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    Sold: { dataObject: 'Orders', column: 'sold' },
    Paid: { dataObject: 'Orders', column: 'paid' },
    Shop: { dataObject: 'Orders', column: 'shop' },
    Page: { dataObject: 'Visits', column: 'page' },
  },
  measures: {
    Orders: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'id' }] },
    'Orders of All': {
      aggregation: 'count',
      columns: [{ dataObject: 'Orders', column: 'id' }],
      filterContext: { mode: 'FIXED' },
    },
  },
  metrics: {
    Running: running,
    'Running Before': before('Running'),
    'Orders Before': before('Orders'),
    'Rank of Before': { type: 'window', windowFunction: 'rank', measure: 'Running Before' },
  },
}

/** Sold, paid, shop. */
const ORDERS = [
  ['2023-05-01', '2023-06-01', 'a'],
  ['2024-05-01', '2025-02-01', 'b'],
  ['2025-05-01', '2025-06-01', 'a'],
] as const
const data: Tables = {
  Orders: ORDERS.map(([sold, paid, shop], i) => ({ id: i, sold, paid, shop })),
  Visits: [{ id: 1, page: 'home' }],
}

const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)

async function rowsOf(t: Test, query: QueryJson): Promise<readonly string[] | string> {
  const expected = evaluate(model, data, query)
  t.strictSame(await compareCase({ model, data, query }, run, expected), undefined, 'the oracle and the compiler agree')
  return 'refused' in expected
    ? expected.refused
    : expected.rows.map((row) => row.map((v) => show(v).replaceAll('"', '')).join(' ')).toSorted()
}

t.test('a comparison of a value that runs over another time', async (t) => {
  const paid = [{ field: 'Paid', op: 'between', value: ['2025-01-01', '2025-12-31'] }]
  // In 2025, orders of 2024 and 2025 were paid. Paid until then: one sold in each year.
  const rows = await rowsOf(t, { select: { dimensions: ['Sold:year', 'Shop'], measures: ['Running Before'] }, where: paid })
  t.strictSame(rows, ['2023-01-01 a NULL', '2024-01-01 a 1', '2024-01-01 b NULL', '2025-01-01 a NULL', '2025-01-01 b 1'])
  const ranks = await rowsOf(t, { select: { dimensions: ['Sold:year', 'Shop'], measures: ['Rank of Before'] }, where: paid })
  t.equal(ranks.length, 5, 'the window sees the same rows')
})

t.test('a period that only a value over another time shows is compared, too', async (t) => {
  const rows = await rowsOf(t, {
    select: { dimensions: ['Sold:year', 'Shop'], measures: ['Orders Before', 'Running'] },
    where: [{ field: 'Paid', op: 'between', value: ['2025-06-01', '2025-12-31'] }],
  })
  // 2024 is there by the running value alone, and was compared with nothing.
  t.strictSame(rows, ['2023-01-01 a NULL 1', '2024-01-01 b NULL 1', '2025-01-01 a NULL 1'])
})

t.test('a filter misses the rows that the query names, and a measure ignores it', async (t) => {
  const query: QueryJson = {
    select: { dimensions: ['Shop'], measures: ['Orders of All'] },
    where: [{ field: 'Page', op: '=', value: 'home' }],
  }
  t.equal(await rowsOf(t, { ...query, rows_of: 'Orders' }), 'FILTER_APPLIES_TO_NOTHING')
  t.strictSame(await rowsOf(t, query), ['a 2', 'b 1'], 'only the measure is asked, which ignores it')
})
