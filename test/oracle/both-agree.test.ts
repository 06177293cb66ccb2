/** Small cases that generated queries found: the rows are counted by hand, and the oracle and the compiler have the same. */
import t, { type Test } from 'tap'
import { closureColumns } from './closures.js'
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
    'Orders of All Days': {
      aggregation: 'count',
      columns: [{ dataObject: 'Orders', column: 'id' }],
      grain: { mode: 'RELATIVE', exclude: ['Sold'] },
    },
    Visits: { aggregation: 'count', columns: [{ dataObject: 'Visits', column: 'id' }], total: true },
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
    'Running Days': { type: 'cumulative', measure: 'Orders of All Days', timeDimension: 'Sold', window: 1 },
    'Running Days Before': before('Running Days'),
    'Forty Days': { ...running, timeDimension: 'Sold', window: 40, windowGrain: 'day' },
    'Days Before': before('Orders of All Days'),
    'Visits Before': before('Visits'),
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

async function rowsOf(t: Test, query: QueryJson, of = { model, data }): Promise<readonly string[] | string> {
  const expected = evaluate(of.model, of.data, query)
  t.strictSame(await compareCase({ ...of, query }, run, expected), undefined, 'the oracle and the compiler agree')
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

t.test('the periods of a range are compared, also if none has a row', async (t) => {
  const rows = await rowsOf(t, {
    select: { dimensions: ['Sold:quarter', 'Shop'], measures: ['Orders Before'] },
    where: [{ field: 'Sold', op: 'between', value: ['2026-01-01', '2026-06-30'] }],
    fill_gaps: 'range',
  })
  // Shop a sold in the second quarter of 2025.
  t.strictSame(rows, ['2026-01-01 a NULL', '2026-04-01 a 1'])
})

t.test('a running value at a grain without the time ends with the compared range', async (t) => {
  const rows = await rowsOf(t, {
    select: { dimensions: ['Sold'], measures: ['Running Days', 'Running Days Before'] },
    where: [{ field: 'Sold', op: 'between', value: ['2025-01-01', '2025-12-31'] }],
  })
  // Until the end of 2025 three orders, until the end of 2024 two.
  t.strictSame(rows, ['2025-05-01 3 2'])
})

t.test('a window in days reads nothing after the filters, also in a period that they leave out', async (t) => {
  const rows = await rowsOf(t, {
    select: { dimensions: ['Sold:month'], measures: ['Forty Days', 'Orders of All'] },
    where: [{ field: 'Sold', op: 'between', value: ['2024-01-01', '2024-12-31'] }],
  })
  t.strictSame(rows, ['2023-05-01 1 1', '2024-05-01 1 1', '2025-05-01 0 1'])
})

t.test('a comparison of a value at a coarser grain adds no rows, also if a filter cuts the period', async (t) => {
  for (const first of ['2025-01-01', '2025-02-01']) {
    const rows = await rowsOf(t, {
      select: { dimensions: ['Sold:year', 'Shop'], measures: ['Days Before'] },
      where: [{ field: 'Sold', op: 'between', value: [first, '2025-12-31'] }],
    })
    // Shop b sold in the compared range.
    t.strictSame(rows, ['2025-01-01 a NULL'])
  }
})

t.test('a value at a coarser grain adds no rows to a cut period beside one that is compared', async (t) => {
  const metric: MetricJson = {
    type: 'period_over_period',
    expression: '{[Orders of All Days]} + {[Orders]}',
    periodOverPeriod: { timeDimension: 'Sold', offset: -1, offsetGrain: 'week' },
  }
  const sold = ['2025-02-10', '2026-01-15']
  const rows = await rowsOf(
    t,
    {
      select: { dimensions: ['Sold:year', 'Shop'], measures: ['Both Before'] },
      where: [{ field: 'Sold', op: 'lt', value: '2026-01-16' }],
    },
    {
      model: { ...model, metrics: { 'Both Before': metric } },
      data: { ...data, Orders: sold.map((day, i) => ({ id: i, sold: day, paid: day, shop: 'ab'[i]! })) },
    },
  )
  // Shop a sold before 9 January 2026, but not in the fifteen days with which those of 2026 are compared.
  t.strictSame(rows, ['2025-01-01 a 2', '2026-01-01 b NULL'])
})

t.test('groups of a value without the time are those with rows in the compared part of a period', async (t) => {
  const metrics: ModelJson['metrics'] = {
    'Shops of All Days': { type: 'aggregate', aggregation: 'count', measure: 'Orders of All Days', per: ['Shop'] },
    'Shops Before': {
      type: 'period_over_period',
      measure: 'Shops of All Days',
      periodOverPeriod: { timeDimension: 'Sold', offsetGrain: 'month' },
    },
  }
  const rows = await rowsOf(
    t,
    {
      select: { dimensions: ['Sold:year'], measures: ['Shops of All Days', 'Shops Before'] },
      where: [{ field: 'Sold', op: 'gte', value: '2025-12-20' }],
    },
    {
      model: { ...model, metrics },
      data: { ...data, Orders: [{ id: 1, sold: '2025-12-25', paid: '2025-12-25', shop: 'a' }] },
    },
  )
  // The last twelve days of 2025 are compared with those after 19 November, and not with all later ones.
  t.strictSame(rows, ['2025-01-01 1 NULL'])
})

t.test('a day without a return is no gap beside the year of the return', async (t) => {
  const days: ModelJson = {
    dataObjects: {
      Days: {
        code: 'days',
        columns: { day: { code: 'day', abstractType: 'date', primaryKey: true } },
        calendar: { key: 'day', periods: {} },
      },
      Returns: {
        code: 'returns',
        columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, on: { code: 'on_day', abstractType: 'date' } },
        joins: [{ joinType: 'many-to-one', joinTo: 'Days', columnsFrom: ['on'], columnsTo: ['day'] }],
      },
    },
    dimensions: { Day: { dataObject: 'Days', column: 'day' }, Returned: { dataObject: 'Returns', column: 'on' } },
    metrics: { 'Rank of Days': { type: 'window', windowFunction: 'row_number', measure: 'Days Count' } },
  }
  const of = { model: days, data: { Days: ['2024-01-01', '2024-01-02'].map((day) => ({ day })), Returns: [] } }
  const dimensions = ['Returned:year', 'Day:quarter']
  t.strictSame(await rowsOf(t, { select: { dimensions, measures: ['Days Count'] }, fill_gaps: true }, of), ['NULL 2024-01-01 2'])
  const ranks = { select: { dimensions, measures: ['Rank of Days', 'Returns Count'] }, fill_gaps: true }
  t.strictSame(await rowsOf(t, ranks, of), ['NULL 2024-01-01 1 0'], 'and a window sees it once')
})

t.test('a value at a coarser grain that does not reach the time is compared with all of its rows', async (t) => {
  const rows = await rowsOf(t, {
    select: { dimensions: ['Sold:year'], measures: ['Orders', 'Visits Before'] },
    where: [{ field: 'Sold', op: 'between', value: ['2025-01-01', '2025-12-31'] }],
  })
  t.strictSame(rows, ['2025-01-01 1 1'])
})

t.test('an offset that divides the periods of the data is refused, also without rows', async (t) => {
  const budgets: ModelJson = {
    dataObjects: {
      Budgets: {
        code: 'budgets',
        columns: {
          month: { code: 'month', abstractType: 'date', granularity: 'month' },
          amount: { code: 'amount', abstractType: 'int' },
        },
      },
    },
    dimensions: { Month: { dataObject: 'Budgets', column: 'month' } },
    measures: { Amount: { aggregation: 'sum', columns: [{ dataObject: 'Budgets', column: 'amount' }] } },
    metrics: {
      Before: {
        type: 'period_over_period',
        measure: 'Amount',
        periodOverPeriod: { timeDimension: 'Month', offset: -3, offsetGrain: 'week' },
      },
      'Of a Day': { type: 'cumulative', measure: 'Amount', timeDimension: 'Month', window: 1, windowGrain: 'day' },
      // Three quarters to the last day of a year are read day by day.
      'Of Quarters': { type: 'cumulative', measure: 'Amount', timeDimension: 'Month', window: 3, windowGrain: 'quarter' },
    },
  }
  const windows: readonly (readonly [string, string])[] = [
    ['Month:month', 'Before'],
    ['Month:month', 'Of a Day'],
    ['Month:year', 'Of Quarters'],
  ]
  for (const [dimension, measure] of windows)
    for (const month of [[], [null], ['2024-05-01']]) {
      const rows = month.map((value) => ({ month: value, amount: 1 }))
      const query = { select: { dimensions: [dimension], measures: [measure] } }
      t.equal(await rowsOf(t, query, { model: budgets, data: { Budgets: rows } }), 'FINER_THAN_DATA', `${measure}, ${month}`)
    }
  // A date that no calendar of the evaluator has divides its month all the same.
  for (const [op, value] of [
    ['neq', '0001-01-02'],
    ['lte', '2010-11-06'],
  ] as const) {
    const cut = { select: { measures: ['Amount'] }, where: [{ field: 'Month', op, value }] }
    t.equal(await rowsOf(t, cut, { model: budgets, data: { Budgets: [] } }), 'FINER_THAN_DATA')
  }
  // Nobody sees the values of a level that is not listed.
  const total: QueryJson = { select: { dimensions: ['Month:week'], measures: ['Amount'] }, grouping: { sets: [[]] } }
  t.strictSame(await rowsOf(t, total, { model: budgets, data: { Budgets: [{ month: '2024-05-01', amount: 7 }] } }), [
    'NULL 7 true',
  ])
})

t.test('a filter misses the rows that the query names, and a measure ignores it', async (t) => {
  const query: QueryJson = {
    select: { dimensions: ['Shop'], measures: ['Orders of All'] },
    where: [{ field: 'Page', op: '=', value: 'home' }],
  }
  t.equal(await rowsOf(t, { ...query, rows_of: 'Orders' }), 'FILTER_APPLIES_TO_NOTHING')
  t.strictSame(await rowsOf(t, query), ['a 2', 'b 1'], 'only the measure is asked, which ignores it')
})

t.test('a funnel with a step whose time is reached by two ways is refused, whichever step is asked for', async (t) => {
  const way = (to: string, by: string) => ({ joinType: 'many-to-one' as const, joinTo: to, columnsFrom: [by], columnsTo: ['id'] })
  const key = { code: 'id', abstractType: 'int', primaryKey: true }
  const column = (code: string, abstractType: string) => ({ code, abstractType })
  const link = { id: key, day: column('day', 'date'), account: column('account', 'int') }
  const dataObjects: ModelJson['dataObjects'] = {
    Accounts: { code: 'accounts', columns: { id: key } },
    Visits: { code: 'visits', columns: link, joins: [way('Accounts', 'account')] },
    Carts: { code: 'carts', columns: link, joins: [way('Accounts', 'account')] },
    Sales: {
      code: 'sales',
      columns: { id: key, visit: column('visit', 'int'), cart: column('cart', 'int') },
      joins: [way('Visits', 'visit'), way('Carts', 'cart')],
    },
  }
  const steps = [
    { measure: 'Visits Count', timeDimension: 'Visited' },
    { measure: 'Carts Count', timeDimension: 'Put' },
    { measure: 'Sales Count', timeDimension: 'Visited' },
  ]
  const funnel = (step: number): MetricJson => ({
    type: 'funnel',
    steps,
    entity: 'Account',
    window: '7 day',
    step,
    calculation: 'count',
  })
  const funnels: ModelJson = {
    dataObjects,
    dimensions: {
      Account: { dataObject: 'Accounts', column: 'id' },
      Visited: { dataObject: 'Visits', column: 'day' },
      Put: { dataObject: 'Carts', column: 'day' },
    },
    metrics: { Second: funnel(2), Third: funnel(3) },
  }
  const empty = { Accounts: [], Visits: [], Carts: [], Sales: [] }
  for (const measure of ['Second', 'Third']) {
    const one = { model: funnels, data: empty, query: { select: { measures: [measure] } } }
    const expected = evaluate(funnels, empty, one.query)
    t.match(expected, { refused: 'AMBIGUOUS_JOIN' })
    t.strictSame(await compareCase(one, run, expected), undefined, 'the oracle and the compiler agree')
  }
})

t.test('facts of which one has the time are compared over its range', async (t) => {
  const key = { code: 'id', abstractType: 'int', primaryKey: true } as const
  const int = (code: string) => ({ code, abstractType: 'int' })
  const ofShop = { joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['shop'], columnsTo: ['id'] } as const
  const shops: ModelJson = {
    dataObjects: {
      Shops: { code: 'shops', columns: { id: key } },
      Sales: {
        code: 'sales',
        columns: { id: key, day: { code: 'day', abstractType: 'date' }, shop: int('shop'), amount: int('amount') },
        joins: [ofShop],
      },
      Rents: { code: 'rents', columns: { id: key, shop: int('shop'), amount: int('amount') }, joins: [ofShop] },
    },
    dimensions: { Day: { dataObject: 'Sales', column: 'day' } },
    measures: {
      Profit: { aggregation: 'sum', expression: '{[Sales].[amount]} - {[Rents].[amount]}', anchor: 'Shops' },
    },
    metrics: {
      'Profit Before': {
        type: 'period_over_period',
        measure: 'Profit',
        periodOverPeriod: { timeDimension: 'Day', offsetGrain: 'month' },
      },
    },
  }
  const rows: Tables = {
    Shops: [{ id: 1 }],
    Sales: [
      { id: 1, day: '2026-01-10', shop: 1, amount: 50 },
      { id: 2, day: '2026-02-10', shop: 1, amount: 70 },
    ],
    Rents: [{ id: 1, shop: 1, amount: 20 }],
  }
  const query: QueryJson = {
    select: { measures: ['Profit', 'Profit Before'] },
    where: [{ field: 'Day', op: 'between', value: ['2026-02-01', '2026-02-28'] }],
  }
  const expected = evaluate(shops, rows, query)
  t.strictSame('rows' in expected && expected.rows.map((row) => row.map(show)), [['50', '30']])
  t.strictSame(
    await compareCase({ model: shops, data: rows, query }, run, expected),
    undefined,
    'the oracle and the compiler agree',
  )
})

t.test('the ends of the gaps between rows of two inner queries', async (t) => {
  const spread = (aggregation: string, measure: string): MetricJson => ({
    type: 'aggregate',
    aggregation,
    measure,
    per: ['Shop'],
  })
  const spreads = { ...model, metrics: { ...model.metrics, Shops: spread('count', 'Running'), Most: spread('max', 'Orders') } }
  const query: QueryJson = {
    select: { dimensions: ['Paid:month'], measures: ['Shops', 'Most'] },
    where: [{ field: 'Paid', op: 'between', value: ['2025-02-01', '2025-06-15'] }],
    fill_gaps: true,
  }
  const expected = evaluate(spreads, data, query)
  const rows = 'rows' in expected && expected.rows.map((row) => row.map(show).join(' ')).toSorted()
  t.strictSame(rows, ['2025-02-01 1 1', '2025-03-01 0 NULL', '2025-04-01 0 NULL', '2025-05-01 0 NULL', '2025-06-01 1 1'])
  t.strictSame(await compareCase({ model: spreads, data, query }, run, expected), undefined, 'the oracle and the compiler agree')
})

t.test(
  'a part of a period that is compared twice adds the groups of the moved parts, and not those of the whole periods',
  async (t) => {
    const period = (measure: string, more: object): MetricJson => ({
      type: 'period_over_period',
      measure,
      periodOverPeriod: { timeDimension: 'Sold', ...more },
    })
    const chained: ModelJson = {
      ...model,
      calendars: { retail: { pattern: '4-5-4', yearEnd: { weekday: 'saturday', month: 12, rule: 'nearest' } } },
      metrics: {
        Next: period('Orders', { offset: 1, offsetGrain: 'retail_month' }),
        'Change of Next': period('Next', { offset: -1, comparison: 'percentChange' }),
      },
    }
    // Of the first of March and of the first of February, the next retail month is neither the third of March.
    const sold = [
      ['2024-03-01', 'a'],
      ['2024-03-03', 'b'],
    ]
    const rows: Tables = { ...data, Orders: sold.map(([day, shop], id) => ({ id, sold: day!, paid: null, shop: shop! })) }
    const query: QueryJson = {
      select: { dimensions: ['Sold:month', 'Shop'], measures: ['Change of Next'] },
      where: [{ field: 'Sold', op: '=', value: '2024-03-01' }],
    }
    const expected = evaluate(chained, rows, query)
    t.strictSame('rows' in expected && expected.rows.map((row) => row.map(show)), [['2024-03-01', '"a"', 'NULL']])
    t.strictSame(
      await compareCase({ model: chained, data: rows, query }, run, expected),
      undefined,
      'the oracle and the compiler agree',
    )
  },
)

t.test('the day of one fact cuts no period of another that joins the same calendar', async (t) => {
  const fact = (code: string): ModelJson['dataObjects'][string] => ({
    code,
    columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, on: { code: 'on_day', abstractType: 'date' } },
    joins: [{ joinType: 'many-to-one', joinTo: 'Calendar', columnsFrom: ['on'], columnsTo: ['Date'] }],
  })
  const shops: ModelJson = {
    dataObjects: {
      Calendar: {
        code: 'calendar',
        calendar: { grain: 'day' },
        columns: { Unused: { code: 'unused', abstractType: 'int' } },
      },
      Sales: fact('sales'),
      Returns: fact('returns'),
    },
    dimensions: {
      Date: { dataObject: 'Calendar', column: 'Date' },
      'Sold On': { dataObject: 'Sales', column: 'on' },
    },
    metrics: {
      'Returns Before': {
        type: 'period_over_period',
        measure: 'Returns Count',
        periodOverPeriod: { timeDimension: 'Date', offsetGrain: 'year' },
      },
    },
  }
  const query: QueryJson = {
    select: { dimensions: ['Date:month'], measures: ['Sales Count', 'Returns Before'] },
    where: [{ field: 'Sold On', op: 'lte', value: '2024-01-01' }],
  }
  const of = {
    model: shops,
    data: {
      Calendar: [],
      Sales: [{ id: 1, on: '2024-01-01' }],
      Returns: [
        { id: 1, on: '2023-01-20' },
        { id: 2, on: '2024-03-20' },
      ],
    },
  }
  // The filter is on sales: all of January 2023 is compared.
  t.strictSame(await rowsOf(t, query, of), ['2023-01-01 0 NULL', '2024-01-01 1 1', '2024-03-01 0 NULL'])
  const ofRange: QueryJson = {
    select: { dimensions: ['Date:quarter'], measures: ['Sales Count', 'Returns Count'] },
    where: [{ field: 'Sold On', op: 'between', value: ['2024-01-01', '2024-06-30'] }],
    fill_gaps: 'range',
  }
  // The range of returns is open: its ends are those of the answer, which reaches the end of the sales (decision 374).
  const quarters = ['2023-01-01 0 1', '2023-04-01 0 0', '2023-07-01 0 0', '2023-10-01 0 0', '2024-01-01 1 1', '2024-04-01 0 0']
  t.strictSame(await rowsOf(t, ofRange, of), quarters)
})

t.test('a time whose zone is not known is not converted to that of a join', async (t) => {
  const prices: ModelJson = {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          id: { code: 'id', abstractType: 'int', primaryKey: true },
          at: { code: 'at', abstractType: 'timestamp' },
          product: { code: 'product', abstractType: 'int' },
        },
        joins: [
          {
            joinType: 'many-to-one',
            joinTo: 'Prices',
            columnsFrom: ['product'],
            columnsTo: ['product'],
            during: { time: 'at', from: 'since', to: 'until', zone: 'America/New_York' },
          },
        ],
      },
      Prices: {
        code: 'prices',
        columns: {
          id: { code: 'id', abstractType: 'int', primaryKey: true },
          product: { code: 'product', abstractType: 'int' },
          since: { code: 'since', abstractType: 'date' },
          until: { code: 'until', abstractType: 'date' },
        },
      },
    },
    dimensions: { Price: { dataObject: 'Prices', column: 'id' } },
  }
  const of = (defaultTimezone: string | undefined) => ({
    model: { ...prices, ...(defaultTimezone && { settings: { defaultTimezone } }) },
    data: {
      Sales: [{ id: 1, at: '2024-03-01 00:00:00', product: 7 }],
      Prices: [
        { id: 1, product: 7, since: '2024-01-01', until: '2024-03-01' },
        { id: 2, product: 7, since: '2024-03-01', until: null },
      ],
    },
  })
  const query = { select: { dimensions: ['Price'], measures: ['Sales Count'] } }
  t.strictSame(await rowsOf(t, query, of(undefined)), ['2 1'])
  t.strictSame(await rowsOf(t, query, of('UTC')), ['1 1'], 'in New York it is the day before')
})

t.test('the week of the first of a month is compared with the week of the month before', async (t) => {
  const place: MetricJson = { type: 'window', windowFunction: 'row_number', measure: 'Month Before', orderDirection: 'asc' }
  const weekly: ModelJson = {
    ...model,
    metrics: {
      'Month Before': {
        type: 'period_over_period',
        measure: 'Orders',
        periodOverPeriod: { timeDimension: 'Sold', offsetGrain: 'month' },
      },
      Place: place,
    },
  }
  // The week of the first of February begins on 29 January, a month after a day of the week of 31 December.
  const sold = [
    ['2024-02-01', 'a'],
    ['2023-12-31', 'b'],
  ]
  const rows: Tables = { ...data, Orders: sold.map(([day, shop], id) => ({ id, sold: day!, paid: null, shop: shop! })) }
  const query: QueryJson = {
    select: { dimensions: ['Sold:week', 'Shop'], measures: ['Month Before'] },
    where: [{ field: 'Sold', op: 'between', value: ['2024-02-01', '2024-03-30'] }],
  }
  const expected = evaluate(weekly, rows, query)
  const found = 'rows' in expected && expected.rows.map((row) => row.map(show).join(' ').replaceAll('"', '')).toSorted()
  t.strictSame(found, ['2024-01-29 a NULL', '2024-01-29 b 1'])
  t.strictSame(
    await compareCase({ model: weekly, data: rows, query }, run, expected),
    undefined,
    'the oracle and the compiler agree',
  )
})

t.test('a conversion rate of another period is 0 where there are events and none of them converts', async (t) => {
  const converting: ModelJson = {
    ...model,
    measures: {
      ...model.measures,
      'Orders in Shops': { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'shop' }] },
    },
    metrics: Object.fromEntries(
      ['rate', 'count'].flatMap((calculation) => {
        const metric = {
          ...{ type: 'conversion', base: 'Orders in Shops', conversion: 'Orders', entity: 'Shop', timeDimension: 'Sold' },
          ...{ window: '10d', calculation },
        }
        const moved = { timeDimension: 'Sold', offsetGrain: 'quarter' }
        const before: MetricJson = { type: 'period_over_period', measure: calculation, periodOverPeriod: moved }
        return [
          [calculation, metric as MetricJson],
          [`${calculation} before`, before],
        ]
      }),
    ),
  }
  const days = ['2024-01-05', '2024-06-01', '2024-06-03', '2024-09-01']
  const rows: Tables = { ...data, Orders: days.map((sold, id) => ({ id, sold, paid: null, shop: 'a' })) }
  const query = { select: { dimensions: ['Sold:quarter'], measures: ['rate', 'count', 'rate before', 'count before'] } }
  const expected = evaluate(converting, rows, query)
  const found = 'rows' in expected && expected.rows.map((row) => row.map(show).join(' ')).toSorted()
  t.strictSame(found, ['2024-01-01 0 0 NULL NULL', '2024-04-01 0.5 1 0 0', '2024-07-01 0 0 0.5 1'])
  t.strictSame(
    await compareCase({ model: converting, data: rows, query }, run, expected),
    undefined,
    'the oracle and the compiler agree',
  )
})

t.test('an offset that is finer than the rows moves the range of each', async (t) => {
  const before = (measure: string, more: object): MetricJson => ({
    type: 'period_over_period',
    measure,
    periodOverPeriod: { timeDimension: 'Sold', ...more },
  })
  const moved: ModelJson = {
    ...model,
    metrics: {
      'Month Before': before('Orders', { offsetGrain: 'month' }),
      'Two Weeks Later': before('Orders', { offsetGrain: 'week', offset: 2 }),
      'Change of a Year': before('Month Before', { offsetGrain: 'year', comparison: 'difference' }),
      'Running Before': before('Running by Day', { offsetGrain: 'month' }),
      'Running by Day': { type: 'cumulative', measure: 'Orders', timeDimension: 'Sold' },
    },
  }
  const days = ['2024-03-05', '2024-03-31', '2024-04-01', '2024-05-31', '2024-06-01', '2024-07-10', '2023-03-01', '2023-06-01']
  const rows: Tables = { ...data, Orders: days.map((sold, id) => ({ id, sold, paid: null, shop: 'a' })) }
  const ask = async (query: QueryJson): Promise<readonly string[] | string> => {
    const expected = evaluate(moved, rows, query)
    t.strictSame(
      await compareCase({ model: moved, data: rows, query }, run, expected),
      undefined,
      'the oracle and the compiler agree',
    )
    return 'refused' in expected ? expected.refused : expected.rows.map((row) => row.map(show).join(' ')).toSorted()
  }
  const measures = ['Orders', 'Month Before', 'Two Weeks Later', 'Change of a Year']
  // The second quarter of 2024 is compared with March to May, and with 15 April to 14 July.
  t.strictSame(await ask({ select: { dimensions: ['Sold:quarter'], measures } }), [
    '2023-01-01 1 NULL 1 NULL',
    '2023-04-01 1 1 1 NULL',
    '2024-01-01 2 NULL 3 NULL',
    '2024-04-01 3 4 3 3',
    '2024-07-01 1 2 NULL 1',
  ])
  const grouping = { sets: [['Sold:quarter', 'Sold:month'], ['Sold:quarter']] }
  const levels = await ask({ select: { dimensions: ['Sold:quarter', 'Sold:month'], measures: ['Month Before'] }, grouping })
  t.ok(levels.includes('2024-04-01 NULL 4 false true'), 'the subtotal of a quarter is compared with its months moved')
  t.equal(await ask({ select: { dimensions: ['Sold:quarter'], measures: ['Running Before'] } }), 'INVALID_METRIC')
})

t.test('a count of parts of rows over another time is NULL without rows there', async (t) => {
  const key = { code: 'id', abstractType: 'int', primaryKey: true } as const
  const int = (code: string) => ({ code, abstractType: 'int' })
  const way = (to: string, by: string) => ({ joinType: 'many-to-one' as const, joinTo: to, columnsFrom: [by], columnsTo: ['id'] })
  const shared: ModelJson = {
    dataObjects: {
      Codes: { code: 'codes', columns: { id: key } },
      Regions: { code: 'regions', columns: { id: key } },
      Links: {
        code: 'links',
        bridge: true,
        weight: 'share',
        columns: {
          id: key,
          day: { code: 'day', abstractType: 'date' },
          of: int('of_code'),
          to: int('to_region'),
          share: { code: 'share', abstractType: 'float' },
        },
        joins: [way('Codes', 'of'), way('Regions', 'to')],
      },
    },
    dimensions: { Day: { dataObject: 'Links', column: 'day' } },
    metrics: {
      'Codes Before': {
        type: 'period_over_period',
        measure: 'Codes Count',
        periodOverPeriod: { timeDimension: 'Day', offsetGrain: 'year' },
      },
    },
  }
  const of: Tables = { Codes: [{ id: 1 }], Regions: [{ id: 1 }], Links: [{ id: 1, day: '2024-05-01', of: 1, to: 1, share: 0.5 }] }
  const asked = (year: number): Promise<readonly string[] | string> => {
    const where = [{ field: 'Day', op: 'between', value: [`${year}-01-01`, `${year}-12-31`] }]
    return rowsOf(t, { select: { measures: ['Codes Count', 'Codes Before'] }, where }, { model: shared, data: of })
  }
  t.strictSame([await asked(2024), await asked(2025)], [['0.5 NULL'], ['0 0.5']])
})

t.test('a filter on an hour leaves the rows of a tree by the clocks of the query', async (t) => {
  const int = { abstractType: 'int' } as const
  const key = { code: 'id', ...int, primaryKey: true }
  const tree: ModelJson = {
    dataObjects: {
      Nodes: {
        code: 'nodes',
        columns: {
          id: key,
          above: { code: 'above', ...int },
          at: { code: 'at', abstractType: 'timestamp_tz' },
          hour: { expression: "extract('hour', {at})", ...int },
        },
      },
      Tree: {
        code: '',
        closure: { dataObject: 'Nodes', key: 'id', parent: 'above' },
        bridge: true,
        countable: true,
        columns: closureColumns(int),
        joins: [{ joinType: 'many-to-one', joinTo: 'Nodes', columnsFrom: ['Descendant'], columnsTo: ['id'] }],
      },
    },
    dimensions: { Above: { dataObject: 'Tree', column: 'Ancestor' } },
    filters: [{ dataObject: 'Nodes', column: 'hour', operator: 'gte', value: 12 }],
  }
  // Midnight in UTC is seven in the evening of New York.
  const Nodes = [{ id: 1, above: null, at: '2024-01-15 00:00:00' }]
  const query = { select: { dimensions: ['Above'], measures: ['Nodes Count'] } }
  const asked = (timezone: string) => rowsOf(t, { ...query, timezone }, { model: tree, data: { Nodes } })
  t.strictSame([await asked('America/New_York'), await asked('UTC')], [['1 1'], []])
})

t.test(
  'a running value of a running value has none where the inner question does not have its time, and the question has',
  async (t) => {
    const counted = { ...running, measure: 'Orders Before', cumulativeType: 'count' } as const
    const metrics = {
      ...model.metrics,
      Counted: counted,
      'Average of Counted': {
        type: 'cumulative',
        measure: 'Counted',
        timeDimension: 'Sold',
        cumulativeType: 'avg',
        partitionBy: [],
      },
    } as const
    const of = { model: { ...model, metrics }, data }
    const rows = await rowsOf(t, { select: { dimensions: ['Sold:year', 'Paid:year'], measures: ['Average of Counted'] } }, of)
    t.strictSame(rows, ['2023-01-01 2023-01-01 NULL', '2024-01-01 2025-01-01 NULL', '2025-01-01 2025-01-01 NULL'])
    const without = await rowsOf(t, { select: { dimensions: ['Sold:year'], measures: ['Average of Counted'] } }, of)
    t.equal(without, 'TIME_DIMENSION_NOT_SELECTED')
  },
)

t.test('a row of coarse data is found, and finds, by its stored day, also where its sum is divided', async (t) => {
  const key = { code: 'id', abstractType: 'int', primaryKey: true } as const
  const date = (code: string) => ({ code, abstractType: 'date' })
  const budgets: ModelJson = {
    dataObjects: {
      Budgets: {
        code: 'budgets',
        columns: {
          id: key,
          month: { ...date('month'), granularity: 'month', spread: 'even' },
          until: date('until'),
          amount: { code: 'amount', abstractType: 'int' },
        },
      },
      Campaigns: {
        code: 'campaigns',
        columns: { id: key, name: { code: 'name', abstractType: 'string' }, opened: date('opened'), closed: date('closed') },
        joins: [
          {
            joinType: 'many-to-many',
            joinTo: 'Budgets',
            columnsFrom: [],
            columnsTo: [],
            during: { interval: 'here', time: 'month', from: 'opened', to: 'closed' },
          },
        ],
      },
      Plans: {
        code: 'plans',
        columns: { id: key, of: { code: 'of_budget', abstractType: 'int' }, day: date('day') },
        joins: [
          {
            joinType: 'many-to-one',
            joinTo: 'Budgets',
            columnsFrom: ['of'],
            columnsTo: ['id'],
            during: { time: 'day', from: 'month', to: 'until', includesEnd: true },
          },
        ],
      },
    },
    dimensions: { Campaign: { dataObject: 'Campaigns', column: 'name' } },
    measures: {
      Budget: {
        aggregation: 'sum',
        columns: [{ dataObject: 'Budgets', column: 'amount' }],
        filters: [{ field: 'Budgets.month', op: 'lt', value: '2024-02-01' }],
      },
    },
  }
  const of: Tables = {
    Budgets: [
      { id: 1, month: '2024-01-31', until: '2024-02-29', amount: 31 },
      { id: 2, month: '2024-01-01', until: '2024-01-05', amount: 62 },
    ],
    Campaigns: [{ id: 1, name: 'winter', opened: '2024-01-20', closed: '2024-02-20' }],
    Plans: [{ id: 1, of: 1, day: '2024-02-10' }],
  }
  const asked = (query: QueryJson): Promise<readonly string[] | string> => rowsOf(t, query, { model: budgets, data: of })
  t.strictSame(await asked({ select: { dimensions: ['Campaign'], measures: ['Budget'] } }), ['NULL 62', 'winter 31'])
  const planned = { field: 'Budgets', op: 'exists', subquery: { dataObject: 'Plans', filter: [] } } as const
  const where = [{ logic: 'and' as const, negated: true, filters: [planned] }]
  t.strictSame(await asked({ select: { measures: ['Budget'] }, where }), ['62'])
})

const factByDay = (code: string) => ({
  code,
  columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, on: { code: 'on_day', abstractType: 'date' } },
  joins: [{ joinType: 'many-to-one' as const, joinTo: 'Calendar', columnsFrom: ['on'], columnsTo: ['Date'] }],
})

/** Sales and returns by the days of a calendar without a table. */
const TWO_FACTS: ModelJson = {
  dataObjects: {
    Calendar: {
      code: 'calendar',
      calendar: { grain: 'day', from: '2022-01-01', to: '2026-12-31' },
      columns: { Unused: { code: 'unused', abstractType: 'int' } },
    },
    Sales: factByDay('sales'),
    Returns: factByDay('returns'),
  },
  dimensions: {
    Date: { dataObject: 'Calendar', column: 'Date' },
    'Sales On': { dataObject: 'Sales', column: 'on' },
    'Returns On': { dataObject: 'Returns', column: 'on' },
  },
}

t.test('a window is full from the first period that the conditions leave, if they are on no time of its base', async (t) => {
  const star: ModelJson = {
    ...TWO_FACTS,
    metrics: {
      'Days of a Year': {
        type: 'cumulative',
        measure: 'Calendar Count',
        timeDimension: 'Returns On',
        window: 1,
        windowGrain: 'year',
        onlyFull: true,
      },
    },
  }
  const of: Tables = {
    Calendar: [],
    Sales: [
      { id: 1, on: '2023-03-05' },
      { id: 2, on: '2024-03-05' },
    ],
    Returns: [],
  }
  const since = (day: string): Promise<readonly string[] | string> => {
    const where = [{ field: 'Sales On', op: 'gte', value: day }]
    return rowsOf(t, { select: { dimensions: ['Date:month'], measures: ['Days of a Year'] }, where }, { model: star, data: of })
  }
  // Days without a sale are left out, and so are those before: the first period is that of a sale.
  t.strictSame(await since('2024-01-01'), ['2024-03-01 NULL'])
  t.strictSame(await since('2023-01-01'), ['2023-03-01 NULL', '2024-03-01 1'])
  const metrics = { 'Days until Then': { type: 'cumulative', measure: 'Calendar Count', timeDimension: 'Sales On' } } as const
  const query: QueryJson = { select: { dimensions: ['Date:quarter'], measures: ['Days until Then'] } }
  const where = [{ field: 'Date', op: 'between', value: ['2022-01-01', '2022-06-30'] }]
  const days = ['2022-01-01 90', '2022-04-01 181']
  t.strictSame(await rowsOf(t, { ...query, where }, { model: { ...star, metrics }, data: of }), days)
  const dimensions = { ...star.dimensions, Year: { dataObject: 'Calendar', column: 'Year Number' } }
  const named = [{ field: 'Year', op: '=', value: 2022 }]
  const year = await rowsOf(t, { ...query, where: named }, { model: { ...star, metrics, dimensions }, data: of })
  t.strictSame(year, [...days, '2022-07-01 273', '2022-10-01 365'])
  const folded = { 'Most Days': { ...star.metrics!['Days of a Year']!, onlyFull: false, cumulativeType: 'max' as const } }
  const sold = [{ field: 'Sales On', op: 'gte', value: '2024-01-01' }]
  const most = { select: { dimensions: ['Date:month'], measures: ['Most Days'] }, where: sold }
  t.strictSame(await rowsOf(t, most, { model: { ...star, metrics: folded }, data: of }), ['2024-03-01 1'])
})

t.test('a day that rows show without the columns of another calendar is no gap', async (t) => {
  const columns = {
    Day: { code: 'day', abstractType: 'date', primaryKey: true },
    Weekday: { code: 'weekday', abstractType: 'int' },
  }
  const calendar = (code: string) => ({ code, calendar: { key: 'Day' }, columns })
  const joined = (joinTo: string) => ({ joinType: 'many-to-one' as const, joinTo, columnsFrom: ['on'], columnsTo: ['Day'] })
  const books: ModelJson = {
    dataObjects: {
      Calendar: calendar('calendar'),
      Books: calendar('books'),
      Sales: {
        code: 'sales',
        columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, on: { code: 'on_day', abstractType: 'date' } },
        joins: [joined('Calendar'), joined('Books')],
      },
    },
    dimensions: {
      Weekday: { dataObject: 'Calendar', column: 'Weekday' },
      'Book Day': { dataObject: 'Books', column: 'Day' },
    },
  }
  // A Tuesday, a Wednesday and a Thursday; one sale, on the Thursday.
  const days = [22, 23, 24].map((day, i) => ({ Day: `2022-11-${day}`, Weekday: i + 2 }))
  const of = { model: books, data: { Calendar: days, Books: [days[0]!, days[2]!], Sales: [{ id: 1, on: '2022-11-24' }] } }
  const query: QueryJson = { select: { dimensions: ['Book Day:day', 'Weekday'], measures: ['Books Count'] }, fill_gaps: true }
  // The Tuesday has no sale, and so no weekday; only the Wednesday is missing.
  t.strictSame(await rowsOf(t, query, of), ['2022-11-22 NULL 1', '2022-11-23 3 0', '2022-11-24 4 1'])
})

t.test('times end at the clock by the time of the metric, and not by the dimension that shows it', async (t) => {
  const dimensions = { ...model.dimensions, 'Sold Month': { dataObject: 'Orders', column: 'sold', timeGrain: 'month' } }
  const metrics = {
    'Until Now': { type: 'cumulative', measure: 'Orders of All', timeDimension: 'Sold', untilNow: true },
  } as const
  const later = ['2026-01-25', '2026-02-25'].map((sold, i) => ({ id: 8 + i, sold, paid: sold, shop: 'a' }))
  const of = { model: { ...model, dimensions, metrics }, data: { ...data, Orders: [...data.Orders!, ...later] } }
  // It is 15 January 2026. The measure sees no filter, so all of January counts; February has not begun.
  for (const time of ['Sold:month', 'Sold Month']) {
    const rows = await rowsOf(t, { select: { dimensions: [time], measures: ['Until Now'] } }, of)
    t.strictSame(rows, ['2023-05-01 1', '2024-05-01 2', '2025-05-01 3', '2026-01-01 4', '2026-02-01 NULL'])
  }
})

t.test('a filter is on the time that rows show, as seen from the rows of a measure', async (t) => {
  const running = (measure: string, timeDimension: string): MetricJson => ({ type: 'cumulative', measure, timeDimension })
  const star: ModelJson = {
    ...TWO_FACTS,
    metrics: {
      Days: running('Calendar Count', 'Date'),
      'Sales by Return': running('Sales Count', 'Returns On'),
      Sales: running('Sales Count', 'Date'),
    },
  }
  const sales = ['2023-12-05', '2024-02-29', '2024-05-29'].map((on, id) => ({ id, on }))
  const of = { model: star, data: { Calendar: [], Sales: sales, Returns: [] } }
  const asked = (time: string, measure: string, where: QueryJson['where']): Promise<readonly string[] | string> =>
    rowsOf(t, { select: { dimensions: [`${time}:quarter`], measures: [measure] }, where: where! }, of)
  const days = [{ field: 'Date', op: 'between', value: ['2024-01-01', '2024-12-31'] }]
  const sold = [{ field: 'Sales On', op: 'gte', value: '2024-02-10' }]
  // Days with a sale. The filter on the day left out the sale of 2023, although the days run along it.
  t.strictSame(await asked('Sales On', 'Days', days), ['2024-01-01 2', '2024-04-01 3', 'NULL NULL'])
  // It does not matter by which of its columns a metric names the time that is shown.
  for (const measure of ['Sales', 'Sales by Return'])
    t.strictSame(await asked('Date', measure, sold), ['2024-01-01 2', '2024-04-01 3'])
  // A day need not have a sale: of days, the filter leaves those with one.
  t.strictSame(await asked('Date', 'Days', sold), ['2024-01-01 1', '2024-04-01 2'])
  // Three months until February, of which only one is shown: a month is the time of its own level, beside weeks as well.
  const months = { ...star.dimensions, Month: { dataObject: 'Calendar', column: 'Month' } }
  const three: MetricJson = { type: 'cumulative', measure: 'Sales Count', timeDimension: 'Date', window: 3 }
  const shown: QueryJson = {
    select: { dimensions: ['Date:week', 'Month'], measures: ['Three'] },
    order_by: [{ field: 'Three', direction: 'asc' }],
    limit: 1,
    grouping: { sets: 'cube', of: 'shown' },
  }
  const winter = ['2022-12-05', '2022-12-05', '2023-02-14'].map((on, id) => ({ id, on }))
  const ofShown = { model: { ...star, dimensions: months, metrics: { Three: three } }, data: { ...of.data, Sales: winter } }
  const cube = await rowsOf(t, shown, ofShown)
  t.strictSame(cube, [
    '2023-02-13 2023-02-01 1 false false',
    '2023-02-13 NULL 1 false true',
    'NULL 2023-02-01 3 true false',
    'NULL NULL NULL true true',
  ])
  // A dimension in no set is used by no level: sales do not reach the date of a return, and days are compared by the quarter that is shown.
  const before: MetricJson = {
    type: 'period_over_period',
    measure: 'Calendar Count',
    periodOverPeriod: { timeDimension: 'Date', offset: -1, comparison: 'previousValue' },
  }
  const returns = [{ id: 1, on: '2023-10-01' }]
  const ofUnused = { model: { ...star, metrics: { 'Days Before': before } }, data: { ...of.data, Returns: returns } }
  const cut = [{ field: 'Date', op: 'between', value: ['2024-01-01', '2024-02-29'] }]
  const grouping = { sets: [['Date:quarter']] }
  const unused = (measure: string): Promise<readonly string[] | string> => {
    const select = { dimensions: ['Date:quarter', 'Returns On:month'], measures: [measure] }
    return rowsOf(t, { select, where: cut, grouping }, ofUnused)
  }
  t.strictSame(await unused('Sales Count'), ['2024-01-01 NULL 1 false true'])
  // October and November of 2023.
  t.strictSame(await unused('Days Before'), ['2024-01-01 NULL 61 false true'])
})

t.test('a moved range brings no detail row that is not shown', async (t) => {
  const change: MetricJson = {
    type: 'period_over_period',
    measure: 'Sales Count',
    periodOverPeriod: { timeDimension: 'Date', offset: -2, offsetGrain: 'month', comparison: 'difference' },
  }
  const dimensions = {
    ...TWO_FACTS.dimensions,
    'Quarter Number': { dataObject: 'Calendar', column: 'Quarter Number' },
    'Week Year': { dataObject: 'Calendar', column: 'Week Year' },
  }
  const sales = ['2023-01-31', '2023-05-31'].map((on, id) => ({ id, on }))
  const of = {
    model: { ...TWO_FACTS, dimensions, metrics: { Change: change } },
    data: { Calendar: [], Sales: sales, Returns: [] },
  }
  const query = {
    select: { dimensions: ['Quarter Number'], measures: ['Change'] },
    where: [{ field: 'Week Year', op: '=', value: 2023 }],
    grouping: { sets: 'cube', of: 'shown' },
  } as const
  // The year begins on a Monday, the second: in the range two months before, there are both sales.
  t.strictSame(await rowsOf(t, query, of), ['1 0 false', '2 0 false', 'NULL 0 true'])
  // The second quarter is shown. The number of a quarter stands for the time, and so the moved range has all quarters.
  t.strictSame(await rowsOf(t, { ...query, offset: 1 }, of), ['2 0 false', 'NULL -1 true'])
})

/** Orders of these days, of which the second is of another shop, with a sum over shops, and the same a month before. */
function ordersOfShops(...sold: readonly string[]) {
  const Orders = sold.map((day, id) => ({ id, sold: day, paid: day, shop: id === 1 ? 'north' : 'south' }))
  const groups: MetricJson = { type: 'aggregate', aggregation: 'sum', measure: 'Orders of All Days', per: ['Shop'] }
  const moved: MetricJson = {
    type: 'period_over_period',
    measure: 'Of Shops',
    periodOverPeriod: { timeDimension: 'Sold', offset: -1, offsetGrain: 'month' },
  }
  return { model: { ...model, metrics: { 'Of Shops': groups, Moved: moved } }, data: { Orders, Visits: [] } }
}

t.test('of groups in a moved range, a measure whose grain has no time has the value of all times', async (t) => {
  const of = ordersOfShops('2023-12-05', '2024-01-05', '2024-02-05', '2024-03-05')
  const query = { select: { dimensions: ['Sold:quarter'], measures: ['Of Shops', 'Moved'] } }
  // December to February have both shops, of which the south has three orders at all times; November has none.
  t.strictSame(await rowsOf(t, query, of), ['2023-10-01 3 NULL', '2024-01-01 4 4'])
})

t.test('compared groups of a measure whose grain has no time are those of the moved range', async (t) => {
  const of = ordersOfShops('2024-01-05', '2024-02-05', '2024-03-05', '2024-03-06')
  const where = [{ field: 'Sold', op: 'between' as const, value: ['2024-02-01', '2024-03-31'] }]
  const query = { select: { dimensions: ['Sold:month'], measures: ['Of Shops', 'Moved'] }, where }
  // January and February, with which the filter is compared, have one order of each shop.
  t.strictSame(await rowsOf(t, query, of), ['2024-02-01 1 1', '2024-03-01 2 1'])
})

t.test(
  'no measure chooses values that never occur together, and nothing orders one row, whether their columns can be read or not',
  async (t) => {
    const orders = model.dataObjects['Orders']!
    const read = { ...orders, columns: { ...orders.columns, visits: { measure: 'Visits', abstractType: 'int' } } }
    const of = {
      model: {
        ...model,
        dataObjects: { ...model.dataObjects, Orders: read },
        dimensions: { ...model.dimensions, Seen: { dataObject: 'Orders', column: 'visits' } },
      },
      data: { Orders: [], Visits: [] },
    }
    const chosen = {
      select: { dimensions: ['Shop', 'Seen'] },
      dimensions_exclude: true,
      top: { dimension: 'Shop', by: 'Orders', n: 2 },
    }
    t.equal(await rowsOf(t, chosen, of), 'NO_JOIN_PATH', 'the compiler refuses the choice before it reads columns')
    const ordered = { select: { measures: ['Orders'] }, order_by: [{ field: 'Seen', direction: 'asc' as const }] }
    t.equal(await rowsOf(t, ordered, of), 'NO_JOIN_PATH', 'and the order, which nothing determines')
  },
)

/** Shops of two regions; the west sells more, but only the east has returns. */
const regions: ModelJson = {
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        region: { code: 'region', abstractType: 'string' },
        shop: { code: 'shop', abstractType: 'string' },
        back: { code: 'back', abstractType: 'boolean' },
      },
    },
  },
  dimensions: { Region: { dataObject: 'Sales', column: 'region' }, Shop: { dataObject: 'Sales', column: 'shop' } },
  measures: {
    Returns: {
      aggregation: 'count',
      columns: [{ dataObject: 'Sales', column: 'id' }],
      filters: [{ field: 'Sales.back', op: 'eq', value: true }],
    },
    'Sales of Region': {
      aggregation: 'count',
      columns: [{ dataObject: 'Sales', column: 'id' }],
      grain: { mode: 'RELATIVE', exclude: ['Shop'] },
    },
  },
  metrics: {
    'Rank of Region': { type: 'window', windowFunction: 'dense_rank', measure: 'Sales of Region' },
    'Twice the Rank': { expression: '{[Rank of Region]} * 2' },
  },
}
const sold = {
  Sales: [
    { id: 1, region: 'west', shop: 'a', back: false },
    { id: 2, region: 'west', shop: 'b', back: false },
    { id: 3, region: 'east', shop: 'c', back: true },
  ],
}

t.test('a window over a coarser measure has its values beside a measure with fewer rows', async (t) => {
  const of = { model: regions, data: sold }
  const asked = async (measures: readonly string[]) =>
    rowsOf(t, { select: { dimensions: ['Region', 'Shop'], measures: [...measures] } }, of)
  t.strictSame(await asked(['Rank of Region']), ['east c 2', 'west a 1', 'west b 1'])
  t.strictSame(await asked(['Returns', 'Rank of Region']), ['east c 1 2', 'west a 0 1', 'west b 0 1'])
  t.strictSame(await asked(['Returns', 'Twice the Rank']), ['east c 1 4', 'west a 0 2', 'west b 0 2'])
  t.strictSame(await asked(['Returns', 'Sales of Region']), ['east c 1 1'], 'a coarser value alone adds no rows')
  const ordered = { field: 'Rank of Region', direction: 'asc' as const }
  const query = { select: { dimensions: ['Region', 'Shop'], measures: ['Returns', 'Sales of Region'] }, order_by: [ordered] }
  t.strictSame(await rowsOf(t, query, of), ['east c 1 1'], 'nor does a window by which rows are only ordered')
})

t.test('a fold of a value that runs over another time has the rows of that value', async (t) => {
  const folds = {
    ...model,
    metrics: {
      Running: running,
      Least: { type: 'cumulative', measure: 'Running', timeDimension: 'Sold', cumulativeType: 'min' },
    },
  } satisfies ModelJson
  const where = [{ field: 'Paid', op: 'gte' as const, value: '2025-03-01' }]
  const asked = async (measure: string) =>
    rowsOf(t, { select: { dimensions: ['Sold:year'], measures: [measure] }, where }, { model: folds, data })
  // Until any day, one order of each year was paid; those of 2023 and 2024 before the first day of the filter.
  t.strictSame(await asked('Running'), ['2023-01-01 1', '2024-01-01 1', '2025-01-01 1'])
  t.strictSame(await asked('Least'), ['2023-01-01 1', '2024-01-01 1', '2025-01-01 1'])
})

t.test('the range that an answer reports adds no period to a fold', async (t) => {
  const before1: MetricJson = {
    type: 'period_over_period',
    measure: 'Orders',
    periodOverPeriod: { timeDimension: 'Sold', comparison: 'percentChange' },
  }
  const average = { type: 'cumulative', measure: 'Change', timeDimension: 'Sold', cumulativeType: 'avg' } as const
  const folds = { ...model, metrics: { Change: before1, Average: average } } satisfies ModelJson
  const asked = async (measure: string) =>
    rowsOf(
      t,
      {
        select: { dimensions: ['Sold:year'], measures: [measure] },
        where: [{ field: 'Sold', op: 'between', value: ['2025-01-01', '2026-12-31'] }],
        fill_gaps: 'range',
      },
      { model: folds, data },
    )
  t.strictSame(await asked('Change'), ['2025-01-01 0', '2026-01-01 -1'])
  t.strictSame(await asked('Average'), ['2025-01-01 0', '2026-01-01 0'], 'the last period with a row is 2025')
})

t.test('a rule may compute one of several aggregations of a value by its parts, and leave the others', async (t) => {
  const codes: ModelJson = {
    dataObjects: {
      Regions: {
        code: 'regions',
        columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, name: { code: 'name', abstractType: 'string' } },
      },
      Customers: {
        code: 'customers',
        joins: [{ joinType: 'many-to-one', joinTo: 'Regions', columnsFrom: ['region'], columnsTo: ['id'] }],
        columns: {
          id: { code: 'id', abstractType: 'int', primaryKey: true },
          day: { code: 'day', abstractType: 'date' },
          region: { code: 'region', abstractType: 'int' },
        },
      },
      Codes: {
        code: 'codes',
        joins: [{ joinType: 'many-to-one', joinTo: 'Customers', columnsFrom: ['customer'], columnsTo: ['id'] }],
        columns: {
          id: { code: 'id', abstractType: 'int', primaryKey: true },
          customer: { code: 'customer', abstractType: 'int' },
        },
      },
    },
    dimensions: { Name: { dataObject: 'Regions', column: 'name' }, Day: { dataObject: 'Customers', column: 'day' } },
    measures: { Mean: { aggregation: 'avg', expression: '{[Codes].[id]} * {[Codes].[customer]}' } },
    metrics: {
      Ratio: {
        type: 'period_over_period',
        expression: '{[Mean]}',
        periodOverPeriod: { timeDimension: 'Day', offsetGrain: 'month', comparison: 'ratio' },
      },
      Least: { type: 'cumulative', measure: 'Ratio', timeDimension: 'Day', cumulativeType: 'min', partitionBy: ['Day'] },
    },
  }
  const rows: Tables = {
    Regions: [{ id: 1, name: 'west' }],
    Customers: [
      { id: 1, day: '2024-01-01', region: 1 },
      { id: 2, day: '2024-02-01', region: 1 },
    ],
    Codes: [
      { id: 1, customer: 1 },
      { id: 2, customer: 2 },
    ],
  }
  const query = { select: { dimensions: ['Name', 'Day:month'], measures: ['Least'] } }
  t.strictSame(await rowsOf(t, query, { model: codes, data: rows }), ['west 2024-01-01 NULL', 'west 2024-02-01 4'])
})
