/** Totals of what is shown, on cases with hand-computed values: the oracle has them, and so has the compiler with DuckDB. */
import t from 'tap'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import type { MetricJson, ModelJson, ObjectJson, QueryJson } from './model.js'
import { show } from './values.js'

const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)

const int = (code: string) => ({ code, abstractType: 'int', primaryKey: true })
const fact = (code: string): ObjectJson => ({
  code,
  columns: { id: int('id'), day: { code: 'd', abstractType: 'date' }, shop: { code: 'shop', abstractType: 'string' } },
  joins: [
    { joinType: 'many-to-one', joinTo: 'Dates', columnsFrom: ['day'], columnsTo: ['day'] },
    { joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['shop'], columnsTo: ['name'] },
  ],
})
const count = (dataObject: string) => ({ aggregation: 'count', columns: [{ dataObject, column: 'id' }] })
const lastYear = (comparison: string): MetricJson => ({
  type: 'period_over_period',
  measure: 'sales',
  periodOverPeriod: { timeDimension: 'day', offset: -1, offsetGrain: 'year', comparison },
})
const model: ModelJson = {
  version: 1,
  name: 'shown',
  dataObjects: {
    Dates: {
      code: 'dates',
      calendar: { key: 'day', periods: { year: 'year', recent: 'year' } },
      columns: {
        day: { code: 'd', abstractType: 'date', primaryKey: true },
        year: { code: 'y', abstractType: 'int' },
        weekday: { code: 'w', abstractType: 'int' },
        recent: { code: 'r', abstractType: 'boolean' },
      },
    },
    Shops: { code: 'shops', columns: { name: { code: 'name', abstractType: 'string', primaryKey: true } } },
    Sales: fact('sales'),
    Returns: fact('returns'),
  },
  dimensions: {
    day: { dataObject: 'Dates', column: 'day', resultType: 'date' },
    year: { dataObject: 'Dates', column: 'year', resultType: 'int' },
    weekday: { dataObject: 'Dates', column: 'weekday', resultType: 'int' },
    recent: { dataObject: 'Dates', column: 'recent', resultType: 'boolean' },
    shop: { dataObject: 'Shops', column: 'name', resultType: 'string' },
  },
  measures: {
    sales: count('Sales'),
    returns: count('Returns'),
    between: { aggregation: 'min', expression: '{[Sales].[id]} - {[Returns].[id]}', anchor: 'Shops' },
  },
  metrics: {
    before: lastYear('previousValue'),
    change: lastYear('difference'),
    running: { type: 'cumulative', measure: 'sales', timeDimension: 'day' },
    place: { type: 'window', windowFunction: 'row_number', measure: 'sales' },
    'until now': { type: 'cumulative', measure: 'sales', timeDimension: 'day', untilNow: true },
    'most of a shop': { type: 'aggregate', aggregation: 'max', measure: 'until now', per: ['shop'] },
  },
  views: {
    Other: {
      fields: [
        { field: 'sales', as: 'returns' },
        { field: 'returns', as: 'sales' },
        { field: 'day', as: 'when' },
        { field: 'year', as: 'day' },
      ],
    },
  },
}

type Facts = readonly (readonly [day: string, shop: string])[]
const rows = (facts: Facts) => facts.map(([day, shop], i) => ({ id: i + 1, day, shop }))
function tables(sales: Facts, returns: Facts = []) {
  const days = [...new Set([...sales, ...returns].map(([day]) => day))].toSorted()
  return {
    Dates: days.map((day) => ({
      day,
      year: Number(day.slice(0, 4)),
      weekday: new Date(day).getUTCDay(),
      recent: day >= '2025',
    })),
    Shops: [{ name: 'a' }, { name: 'b' }],
    Sales: rows(sales),
    Returns: rows(returns),
  }
}

/** The rows as texts; the compiler must agree. */
async function ask(data: ReturnType<typeof tables>, query: QueryJson): Promise<readonly string[]> {
  const mismatch = await compareCase({ model, data, query }, run)
  t.equal(mismatch, undefined, `${mismatch?.message}\n${mismatch?.sql}`)
  const outcome = evaluate(model, data, query)
  return 'refused' in outcome ? [outcome.refused] : outcome.rows.map((row) => row.map(show).join(' ')).toSorted()
}

t.test('a change is that of the shown value, also in a total without its time', async (t) => {
  const sales = [
    ...['2025-01-05', '2025-01-06', '2025-02-05', '2025-03-05'].map((day) => [day, 'a'] as const),
    ...['2024-01-05', '2024-02-05', '2024-02-06', '2024-05-06'].map((day) => [day, 'a'] as const),
    ['2024-05-06', 'b'],
  ] as const
  const found = await ask(tables(sales), {
    select: { dimensions: ['day:month', 'shop'], measures: ['sales', 'before', 'change'] },
    where: [
      { field: 'day', op: 'gte', value: '2025-01-01' },
      { field: 'day', op: 'lt', value: '2026-01-01' },
      { field: 'shop', op: 'eq', value: 'a' },
    ],
    order_by: [{ field: 1 }],
    limit: 2,
    grouping: { sets: [['day:month', 'shop'], []], of: 'shown' },
  })
  t.same(found, ['2025-01-01 "a" 2 1 1 false false', '2025-02-01 "a" 1 2 -1 false false', 'NULL NULL 3 4 -1 true true'])
})

t.test('a column of the calendar follows its day: at other times, the days may have another value of it', async (t) => {
  const data = tables([
    ['2022-12-05', 'a'],
    ['2023-01-03', 'a'],
    ['2023-01-03', 'b'],
  ])
  const found = await ask(data, {
    select: { dimensions: ['day', 'weekday'], measures: ['running'] },
    where: [{ field: 'year', op: 'eq', value: 2023 }],
    grouping: { sets: [['day', 'weekday'], []], of: 'shown' },
  })
  t.same(found, ['2023-01-03 2 3 false false', 'NULL NULL NULL true true'], 'Monday, then Tuesday')
})

t.test('what follows the day of a detail row is left out in a level of years, too', async (t) => {
  const data = tables([
    ['2022-01-03', 'a'],
    ['2022-01-04', 'a'],
    ['2023-01-03', 'a'],
  ])
  const found = await ask(data, {
    select: { dimensions: ['day', 'year', 'weekday'], measures: ['sales', 'before'] },
    order_by: [{ field: 'day', direction: 'desc' }],
    limit: 1,
    grouping: { sets: [['day', 'year', 'weekday'], ['year']], of: 'shown' },
  })
  t.same(
    found,
    ['2023-01-03 2023 2 1 1 false false false', 'NULL 2023 NULL 1 2 true false true'],
    'a Tuesday, and a Monday and a Tuesday of the year before',
  )
})

t.test('a column of periods stands for the time of the calendar', async (t) => {
  const data = tables([
    ['2022-12-05', 'a'],
    ['2023-01-03', 'a'],
    ['2023-01-04', 'b'],
  ])
  const query: QueryJson = {
    select: { dimensions: ['year'], measures: ['change'] },
    fill_gaps: true,
    grouping: { sets: 'rollup', of: 'shown' },
  }
  t.same(await ask(data, query), ['2022 NULL false', '2023 1 false', 'NULL NULL true'])
})

t.test('of a boolean of years, false names none: a row is one of the years for which it is false', async (t) => {
  const data = tables([
    ['2022-01-03', 'a'],
    ['2023-01-03', 'a'],
    ['2023-01-04', 'a'],
    ['2025-01-03', 'a'],
  ])
  const query: QueryJson = {
    select: { dimensions: ['recent'], measures: ['sales', 'before'] },
    order_by: [{ field: 'sales', direction: 'desc' }],
    limit: 1,
    grouping: { sets: 'rollup', of: 'shown' },
  }
  t.same(await ask(data, query), ['NULL 2 NULL true', 'false 2 1 false'], 'the sales of 2023, and none of 2022')
})

t.test('a row that facts are compared for is not shown without them', async (t) => {
  const query: QueryJson = {
    select: { dimensions: ['shop', 'weekday'], measures: ['between'] },
    grouping: { sets: 'cube', of: 'shown' },
  }
  const total = 'NULL NULL NULL true true'
  t.same(await ask(tables([]), query), [total], 'no shop has a weekday')
  const sold = ['"a" 3 NULL false false', '"a" NULL NULL false true', 'NULL 3 NULL true false', total]
  t.same(await ask(tables([['2025-01-01', 'a']]), query), sold)
})

t.test('a measure beside it changes no place, also of rows that fill gaps', async (t) => {
  const data = tables([
    ['2025-01-01', 'a'],
    ['2025-04-01', 'a'],
  ])
  const places = async (...more: readonly string[]): Promise<readonly string[]> => {
    const found = await ask(data, {
      select: { dimensions: ['day:month', 'shop'], measures: ['place', ...more] },
      fill_gaps: true,
      order_by: [{ field: 1 }],
      limit: 2,
      grouping: { sets: 'rollup', of: 'shown' },
    })
    return found.map((row) => row.replace(/ \d+( \w+ \w+)$/, more.length > 0 ? '$1' : '$&'))
  }
  t.same(await places(), await places('returns'))
})

t.test('gaps end at the clock with what an aggregate reads', async (t) => {
  const found = await ask(tables([['2025-12-15', 'a']]), {
    select: { dimensions: ['day:quarter'], measures: ['most of a shop'] },
    fill_gaps: 'range',
  })
  t.same(found, ['2025-10-01 1', '2026-01-01 NULL'], 'the clock says 15 January 2026')
})

t.test('compared columns have the names of the view', async (t) => {
  const query: QueryJson = {
    view: 'Other',
    select: { dimensions: ['when:month'], measures: ['sales'] },
    compare: { time: 'when', unit: 'month', show: ['previousValue', 'difference', 'ratio', 'percentChange'] },
  }
  const data = tables([], [['2025-01-05', 'a']])
  t.same(await ask(data, query), ['2025-01-01 1 NULL NULL NULL NULL'])
  const outcome = evaluate(model, data, query)
  t.match(outcome, { columns: ['when:month', 'sales', 'sales before', 'sales difference', 'sales ratio', 'sales change'] })
})

t.test('without the detail rows among its sets a query is refused', async (t) => {
  const query: QueryJson = {
    select: { dimensions: ['day', 'shop'], measures: ['sales'] },
    grouping: { sets: [['day'], []], of: 'shown' },
  }
  t.same(await ask(tables([['2025-01-05', 'a']]), query), ['INVALID_QUERY'])
})

t.test(
  'a page of what is shown is that of the same query without subtotals: top values are in the order of their rank',
  async (t) => {
    const sales = [
      ['2025-01-05', 'a'],
      ['2025-01-06', 'b'],
      ['2025-02-05', 'b'],
    ] as const
    const query: QueryJson = {
      select: { dimensions: ['shop'], measures: ['returns'] },
      top: { dimension: 'shop', by: 'sales', n: 2 },
      limit: 1,
    }
    const returns = [
      ['2025-01-07', 'a'],
      ['2025-01-08', 'a'],
      ['2025-01-09', 'b'],
    ] as const
    t.strictSame(await ask(tables(sales, returns), query), ['"b" 1'])
    const totals = await ask(tables(sales, returns), { ...query, grouping: { sets: 'rollup', of: 'shown' } })
    t.strictSame(totals, ['"b" 1 false', 'NULL 1 true'])
  },
)

t.test('what would be refused without subtotals is refused with them', async (t) => {
  const query: QueryJson = {
    select: { dimensions: ['day:month'], measures: ['sales'] },
    top: { dimension: 'day:month', by: 'change', n: 2 },
  }
  t.strictSame(await ask(tables([['2025-01-05', 'a']]), query), ['TIME_DIMENSION_NOT_SELECTED'])
  const totals = { ...query, grouping: { sets: 'rollup', of: 'shown' } as const }
  t.strictSame(await ask(tables([['2025-01-05', 'a']]), totals), ['TIME_DIMENSION_NOT_SELECTED'])
})
