/** A column of periods of a table of days is the time of a metric: the rows are counted by hand, and the oracle and the compiler have the same. */
import t from 'tap'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import type { ModelJson, QueryJson, Tables } from './model.js'
import { show } from './values.js'

const model: ModelJson = {
  dataObjects: {
    Calendar: {
      code: 'calendar',
      calendar: { key: 'Day', periods: { 'Quarter Start': 'quarter' } },
      columns: {
        Day: { code: 'day', abstractType: 'date', primaryKey: true },
        'Quarter Start': { code: 'quarter_start', abstractType: 'date' },
      },
    },
    Sales: {
      code: 'sales',
      columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, on: { code: 'on_day', abstractType: 'date' } },
      joins: [{ joinType: 'many-to-one', joinTo: 'Calendar', columnsFrom: ['on'], columnsTo: ['Day'] }],
    },
  },
  dimensions: {
    Date: { dataObject: 'Calendar', column: 'Day' },
    'Quarter Start': { dataObject: 'Calendar', column: 'Quarter Start' },
  },
  metrics: {
    Before: {
      type: 'period_over_period',
      measure: 'Sales Count',
      periodOverPeriod: { timeDimension: 'Quarter Start', offsetGrain: 'year' },
    },
  },
}
const DAY = 86_400_000
const days = Array.from({ length: 731 }, (_, i) => new Date(Date.parse('2023-01-01') + i * DAY).toISOString().slice(0, 10))
const quarterOf = (day: string): string =>
  `${day.slice(0, 5)}${String(Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
const data: Tables = {
  Calendar: days.map((day) => ({ Day: day, 'Quarter Start': quarterOf(day) })),
  Sales: ['2023-01-05', '2023-03-20', '2024-02-15', '2024-03-15'].map((on, id) => ({ id, on })),
}
const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)
const between = (field: string, ...value: string[]) => [{ field, op: 'between' as const, value }]

t.test(
  'days are filtered, and the periods are those of another column: what is left of each is known to the table alone',
  async (t) => {
    const ask = async (query: QueryJson) => {
      const expected = evaluate(model, data, query)
      t.strictSame(await compareCase({ model, data, query }, run, expected), undefined, 'the oracle and the compiler agree')
      return 'refused' in expected ? expected.refused : expected.rows.map((row) => row.map(show).join(' '))
    }
    const february: QueryJson = {
      select: { dimensions: ['Quarter Start:month'], measures: ['Sales Count', 'Before'] },
      where: between('Date', '2024-02-10', '2024-02-29'),
    }
    // February and March are in the quarter of January. The whole quarter of the year before is compared.
    t.strictSame(await ask(february), ['2024-01-01 1 2'])
    t.strictSame(await ask({ ...february, where: between('Date', '2024-01-01', '2024-03-31') }), ['2024-01-01 2 2'])
    t.equal(await ask({ ...february, fill_gaps: 'range' }), 'TIME_FILTER_NOT_A_RANGE')
    t.equal(await ask({ ...february, select: { measures: ['Before'] } }), 'TIME_FILTER_NOT_A_RANGE')
  },
)

t.test(
  'columns that tell a time stand for it in the groups of an answer, also for what it aggregates, and not in the choice of top',
  async (t) => {
    const generated: ModelJson = {
      dataObjects: {
        Calendar: { code: 'calendar', calendar: { grain: 'day' }, columns: { Unused: { code: 'unused', abstractType: 'int' } } },
        Sales: {
          code: 'sales',
          columns: {
            id: { code: 'id', abstractType: 'int', primaryKey: true },
            on: { code: 'on_day', abstractType: 'date' },
            shop: { code: 'shop', abstractType: 'string' },
          },
          joins: [{ joinType: 'many-to-one', joinTo: 'Calendar', columnsFrom: ['on'], columnsTo: ['Date'] }],
        },
      },
      dimensions: {
        Date: { dataObject: 'Calendar', column: 'Date' },
        'Year Number': { dataObject: 'Calendar', column: 'Year Number' },
        'Month Number': { dataObject: 'Calendar', column: 'Month Number' },
        Year: { dataObject: 'Calendar', column: 'Year' },
        Shop: { dataObject: 'Sales', column: 'shop' },
      },
      metrics: {
        'Quarter to Date': { type: 'cumulative', measure: 'Sales Count', timeDimension: 'Date', grainToDate: 'quarter' },
        'Most of a Shop': { type: 'aggregate', measure: 'Quarter to Date', aggregation: 'max', per: ['Shop'] },
      },
    }
    const rows: Tables = {
      Calendar: [],
      Sales: ['2023-01-05', '2023-01-06', '2024-11-01', '2024-09-01'].map((on, id) => ({ id, on, shop: 'a' })),
    }
    const ask = async (query: QueryJson) => {
      const expected = evaluate(generated, rows, query)
      t.strictSame(await compareCase({ model: generated, data: rows, query }, run, expected), undefined, 'both agree')
      return 'refused' in expected ? expected.refused : expected.rows.map((row) => row.map(show).join(' ')).toSorted()
    }
    const top: QueryJson = {
      select: { dimensions: ['Year Number'], measures: ['Sales Count'] },
      where: between('Date', '2023-01-01', '2024-12-31'),
      top: { dimension: 'Year Number', by: 'Quarter to Date', n: 1 },
    }
    // In the last quarter of the range, only 2024 has a sale.
    t.strictSame(await ask(top), ['2024 2'])
    const months = await ask({
      select: { dimensions: ['Year', 'Month Number'], measures: ['Most of a Shop'] },
      where: between('Date', '2024-01-01', '2024-12-31'),
      fill_gaps: true,
    })
    t.strictSame(months, ['2024-01-01 10 NULL', '2024-01-01 11 1', '2024-01-01 9 1'], 'the gap is a month')
  },
)

t.test('columns stand for a time in each level for itself', async (t) => {
  const { Calendar, Sales } = model.dataObjects
  const of: ModelJson = {
    dataObjects: {
      Calendar: {
        ...Calendar!,
        calendar: { key: 'Day', periods: { 'Quarter Start': 'quarter', 'Year No': 'year', 'Quarter No': 'quarter_of_year' } },
        columns: {
          ...Calendar!.columns,
          'Year No': { code: 'year_no', abstractType: 'int' },
          'Quarter No': { code: 'quarter_no', abstractType: 'int' },
        },
      },
      Sales: Sales!,
    },
    dimensions: Object.fromEntries(
      [['Date', 'Day'], ['Quarter Start'], ['Year No'], ['Quarter No']].map(([name, column = name]) => [
        name,
        { dataObject: 'Calendar', column },
      ]),
    ),
    measures: {
      'Sales of All': {
        aggregation: 'count',
        columns: [{ dataObject: 'Sales', column: 'id' }],
        grain: { mode: 'RELATIVE', exclude: ['Quarter No'] },
        filterContext: { mode: 'FIXED' },
      },
    },
    metrics: { Running: { type: 'cumulative', measure: 'Sales Count', timeDimension: 'Date' } },
    calendars: { fiscal: { yearStart: '02-15' } },
  }
  const numbered = data['Calendar']!.map((day) => ({
    ...day,
    'Year No': Number(String(day['Day']).slice(0, 4)),
    'Quarter No': Math.ceil(Number(String(day['Day']).slice(5, 7)) / 3),
  }))
  const rows: Tables = { Calendar: numbered, Sales: ['2023-01-05', '2024-02-20', '2024-03-20'].map((on, id) => ({ id, on })) }
  const ask = async (query: QueryJson) => {
    const expected = evaluate(of, rows, query)
    t.strictSame(await compareCase({ model: of, data: rows, query }, run, expected), undefined, 'both agree')
    return 'refused' in expected ? expected.refused : expected.rows.map((row) => row.map(show).join(' ')).toSorted()
  }
  const where = between('Date', '2024-02-15', '2024-12-31')
  // The sale of 2023 is no row of the filter: the measure that sees none adds it to the years, and to the quarters. A running value has no first day.
  const levels = await ask({
    select: { dimensions: ['Year No', 'Quarter Start'], measures: ['Running', 'Sales of All'] },
    where,
    grouping: { sets: [['Quarter Start'], ['Year No']] },
  })
  t.strictSame(levels, [
    '2023 NULL 1 1 false true',
    '2024 NULL 3 2 false true',
    'NULL 2023-01-01 1 1 true false',
    'NULL 2024-01-01 3 2 true false',
  ])
  // Gaps are along the months of the fiscal calendar, which the whole query selects; only one level has quarters instead.
  const gaps = await ask({
    select: { dimensions: ['Date:fiscal_month', 'Quarter No'], measures: ['Running'] },
    where,
    grouping: { sets: [['Date:fiscal_month'], ['Quarter No']] },
    fill_gaps: true,
  })
  t.strictSame(gaps, ['2024-02-15 NULL 2 false true', '2024-03-15 NULL 3 false true', 'NULL 1 3 true false'])
  t.equal(
    await ask({
      select: { dimensions: ['Date:quarter', 'Quarter No'] },
      fill_gaps: 'range',
      top: { dimension: 'Quarter No', by: 'Sales Count', n: 1 },
    }),
    'TIME_DIMENSION_NOT_SELECTED',
    'top chooses among what follows from the periods that are filled',
  )
})

t.test('a measure that names a dimension of names of periods sees, or misses, conditions on these names', async (t) => {
  const sales = (filterContext: object) => ({
    ...{ aggregation: 'count', columns: [{ dataObject: 'Sales', column: 'id' }] },
    filterContext,
  })
  const { Sales } = model.dataObjects
  const of: ModelJson = {
    dataObjects: {
      Calendar: {
        code: 'calendar',
        calendar: { grain: 'day', from: '2022-01-01', to: '2026-12-31' },
        columns: { Unused: { code: 'unused', abstractType: 'int' } },
      },
      Sales: { ...Sales!, joins: [{ ...Sales!.joins![0]!, columnsTo: ['Date'] }] },
    },
    dimensions: { 'Fiscal Year': { dataObject: 'Calendar', column: 'Fiscal Year Name' } },
    measures: {
      Missing: sales({ mode: 'RELATIVE', exclude: ['Fiscal Year'] }),
      Seeing: sales({ mode: 'FIXED', include: ['Fiscal Year'] }),
    },
    calendars: { fiscal: { yearStart: '02-15', label: 'start' } },
  }
  const query: QueryJson = {
    select: { measures: ['Missing', 'Seeing'] },
    where: [{ field: 'Fiscal Year', op: '=', value: 'FY2024' }],
  }
  const rows: Tables = { Calendar: [], Sales: ['2024-02-14', '2024-02-15', '2024-03-20'].map((on, id) => ({ id, on })) }
  const expected = evaluate(of, rows, query)
  t.strictSame(await compareCase({ model: of, data: rows, query }, run, expected), undefined, 'both agree')
  t.strictSame('refused' in expected ? expected.refused : expected.rows.map((row) => row.map(show).join(' ')), ['3 2'])
})

t.test('a value of groups runs over the periods of one calendar in a period of another one', async (t) => {
  const withBooks: ModelJson = {
    dataObjects: {
      ...model.dataObjects,
      Books: {
        code: 'books',
        calendar: { key: 'Day', periods: { 'Book Year': 'year' } },
        columns: {
          Day: { code: 'day', abstractType: 'date', primaryKey: true },
          'Book Year': { code: 'book_year', abstractType: 'int' },
        },
      },
      Sales: {
        ...model.dataObjects['Sales']!,
        joins: ['Calendar', 'Books'].map((joinTo) => ({
          ...{ joinType: 'many-to-one' as const, joinTo },
          ...{ columnsFrom: ['on'], columnsTo: ['Day'] },
        })),
      },
    },
    dimensions: { ...model.dimensions, 'Book Year': { dataObject: 'Books', column: 'Book Year' } },
    metrics: {
      'Most of a Day': { type: 'aggregate', measure: 'Sales Count', aggregation: 'count', per: ['Date'] },
      Running: { type: 'cumulative', measure: 'Most of a Day', timeDimension: 'Quarter Start' },
    },
  }
  const books = days.map((day) => ({ Day: day, 'Book Year': Number(day.slice(0, 4)) }))
  const query: QueryJson = {
    select: { dimensions: ['Quarter Start'], measures: ['Running'] },
    where: [{ field: 'Book Year', op: '=', value: 2024 }],
  }
  const all = { ...data, Books: books, Sales: [...data['Sales']!, { id: 9, on: '2024-05-05' }] }
  const expected = evaluate(withBooks, all, query)
  t.strictSame(await compareCase({ model: withBooks, data: all, query }, run, expected), undefined, 'both agree')
  // Two days of 2023 and two of the first quarter of 2024 have sales.
  t.strictSame('refused' in expected ? expected.refused : expected.rows.map((row) => row.map(show).join(' ')), [
    '2024-01-01 4',
    '2024-04-01 5',
  ])
})

t.test('a level of quarters beside one of weeks reports each quarter of the range, also without a row', async (t) => {
  const metrics = {
    Before: { ...model.metrics!['Before']!, periodOverPeriod: { timeDimension: 'Date', offsetGrain: 'year' } },
  }
  const along = { ...model, metrics }
  const query: QueryJson = {
    select: { dimensions: ['Date:week', 'Quarter Start'], measures: ['Before'] },
    grouping: { sets: [['Quarter Start'], ['Date:week']] },
    where: between('Date', '2024-06-03', '2024-06-16'),
    fill_gaps: 'range',
  }
  const expected = evaluate(along, data, query)
  t.strictSame('rows' in expected && expected.rows.map((row) => row.slice(0, 3).map(show).join(' ')), [
    'NULL 2024-04-01 NULL',
    '2024-06-03 NULL NULL',
    '2024-06-10 NULL NULL',
  ])
  t.strictSame(await compareCase({ model: along, data, query }, run, expected), undefined, 'the oracle and the compiler agree')
})
