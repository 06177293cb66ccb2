/** Columns of a calendar table say the time of a metric (decision 250): a period that they name is the same period by its dates. */
import { builtInAggregates, builtInFunctions, compile, parseQuery } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { database } from './database.js'

const text = `
version: 1
dataObjects:
  Calendar:
    code: calendar
    calendar: { key: Day, periods: { Year No: year, Quarter No: quarter_of_year, Fiscal Week: 'own: 1' } }
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
      Year No: { code: year_no, abstractType: int }
      Quarter No: { code: quarter_no, abstractType: int }
      Fiscal Week: { code: fiscal_week, abstractType: int }
      Kind: { code: kind, abstractType: string }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Sold On: { code: sold_on, abstractType: date }
      Shop: { code: shop, abstractType: string }
      Amount: { code: amount, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Calendar, columnsFrom: [Sold On], columnsTo: [Day] }
dimensions:
  Date: { dataObject: Calendar, column: Day }
  Year: { dataObject: Calendar, column: Year No }
  Quarter: { dataObject: Calendar, column: Quarter No }
  Kind: { dataObject: Calendar, column: Kind }
  Sold On: { dataObject: Sales, column: Sold On }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
metrics:
  Year Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: year } }
  Three Months: { type: cumulative, measure: Amount, timeDimension: Date, window: 3 }
  Year To Date: { type: cumulative, measure: Amount, timeDimension: Date, grainToDate: year }
  To Date: { type: cumulative, measure: Amount, timeDimension: Date }
`
const { model, errors } = parseModelSync({ text })

const days = (columns: string, from: string, to: string, step: string): string =>
  `SELECT ${columns} FROM (SELECT unnest(generate_series(DATE '${from}', DATE '${to}', INTERVAL '${step}')) AS d)`
const { rows } = await database(
  `CREATE TABLE calendar AS ${days(
    "d::date AS day, year(d)::int AS year_no, quarter(d)::int AS quarter_no, (date_diff('day', DATE '2025-01-01', d::date) // 7)::int AS fiscal_week, CASE WHEN isodow(d) > 5 THEN 'weekend' ELSE 'weekday' END AS kind",
    '2025-01-01',
    '2026-12-31',
    '1 day',
  )}`,
  'CREATE TABLE retail AS SELECT day, year_no AS retail_year FROM calendar',
  `CREATE TABLE sales AS ${days("(year(d) * 100 + month(d))::int AS id, d::date AS sold_on, 'north' AS shop, 10 AS amount", '2025-01-15', '2026-06-15', '1 month')}`,
)
const context = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: new Date(0),
  storedTypes: 'declared',
} as const

const sqlOf = (dimensions: readonly string[], measures: readonly string[], where: readonly object[], more: object = {}): string =>
  compile(
    parseQuery({ select: { dimensions, measures }, where, order_by: [{ field: dimensions[0]! }], ...more }),
    model!,
    context,
  ).sql
const asText = (found: readonly (readonly unknown[])[]) => found.map((row) => row.map((v) => (v === null ? null : String(v))))
const is = (field: string, value: unknown, op = '=') => ({ field, op, value })

t.test('the model has no faults', async (t) => t.same(errors, []))

for (const [name, where] of [
  ['its years', [is('Year', 2026)]],
  ['its days', [is('Date', '2026-01-01', '>=')]],
  ['the time of the fact that joins it', [is('Sold On', '2026-01-01', '>=')]],
] as const) {
  t.test(`months of a year by ${name}`, async (t) => {
    const found = await rows(sqlOf(['Date:month'], ['Amount', 'Year Before', 'Three Months'], where))
    t.same(
      asText(found),
      [1, 2, 3, 4, 5, 6].map((month) => [`2026-0${month}-01`, '10', '10', '30']),
    )
  })
}

t.test('a quarter that two columns name: a running value begins before it, and ends with it', async (t) => {
  const found = await rows(sqlOf(['Date:month'], ['Year To Date', 'To Date'], [is('Year', 2026), is('Quarter', 1)]))
  t.same(asText(found), [
    ['2026-01-01', '10', '130'],
    ['2026-02-01', '20', '140'],
    ['2026-03-01', '30', '150'],
  ])
})

t.test('columns that are functions of the period are no groups of a running value, nor of another period', async (t) => {
  const found = await rows(
    sqlOf(['Date:quarter', 'Year', 'Quarter'], ['Year Before', 'To Date'], [is('Year', 2026)], { fill_gaps: true }),
  )
  t.same(asText(found), [
    ['2026-01-01', '2026', '1', '30', '150'],
    ['2026-04-01', '2026', '2', '30', '180'],
  ])
})

t.test('gaps have the columns of the calendar', async (t) => {
  const found = await rows(
    sqlOf(['Date:day', 'Kind'], ['Amount'], [is('Date', '2026-05-10', '>='), is('Year', 2026)], { fill_gaps: true }),
  )
  t.equal(found.length, 32)
  t.same(asText(found).slice(1, 4), [
    ['2026-05-16', 'weekend', null],
    ['2026-05-17', 'weekend', null],
    ['2026-05-18', 'weekday', null],
  ])
})

t.test('conditions that name no period, or no range, are refused for metrics over time alone', async (t) => {
  for (const where of [[is('Quarter', 1)], [is('Year', 2025, '>')], [is('Year', [2025, 2026], 'in')]]) {
    t.throws(() => sqlOf(['Date:month'], ['Year Before'], where), { code: 'TIME_FILTER_NOT_A_RANGE' })
    t.doesNotThrow(() => sqlOf(['Date:month'], ['Amount'], where))
  }
  t.throws(() => sqlOf(['Date:month'], ['To Date'], [{ logic: 'or', filters: [is('Year', 2026), is('Kind', 'weekend')] }]), {
    code: 'TIME_FILTER_NOT_SEPARABLE',
  })
})

t.test(
  'without its time, a period that a table names is refused with what is not known, and its dates are answered',
  async (t) => {
    const ofAll = (...where: readonly object[]) =>
      compile(parseQuery({ select: { measures: ['Amount', 'Year Before'] }, where }), model!, context).sql
    t.throws(() => ofAll(is('Year', 2026)), {
      code: 'TIME_FILTER_NOT_A_RANGE',
      message: /needs the first and the last time of 'Date', and a filter does not give them as dates/,
      details: { hint: "select 'Date' at a grain, or filter 'Date' with between in place of that filter" },
    })
    t.same(asText(await rows(ofAll(is('Date', ['2026-01-01', '2026-12-31'], 'between')))), [['60', '120']])
  },
)

t.test('each calendar that a fact joins by its time says that time', async (t) => {
  const both = text
    .replace(
      '  Sales:\n',
      `  Retail:
    code: retail
    calendar: { key: Day, periods: { Year No: year } }
    columns: { Day: { code: day, abstractType: date, primaryKey: true }, Year No: { code: retail_year, abstractType: int } }
  Sales:
`,
    )
    .replace(
      'columnsTo: [Day] }\n',
      'columnsTo: [Day] }\n      - { joinType: many-to-one, joinTo: Retail, columnsFrom: [Sold On], columnsTo: [Day] }\n',
    )
    .replace('  Date: {', '  Retail Year: { dataObject: Retail, column: Year No }\n  Date: {')
    .replaceAll('timeDimension: Date', 'timeDimension: Sold On')
  const of = parseModelSync({ text: both }).model!
  const ask = (...where: readonly object[]) => {
    const measures = ['Amount', 'Year Before', 'Three Months']
    return compile(
      parseQuery({ select: { dimensions: ['Sold On:month'], measures }, where, order_by: [{ field: 1 }] }),
      of,
      context,
    ).sql
  }
  for (const year of ['Year', 'Retail Year'])
    t.same(
      asText(await rows(ask(is(year, 2026)))),
      [1, 2, 3, 4, 5, 6].map((month) => [`2026-0${month}-01`, '10', '10', '30']),
    )
  t.throws(() => ask(is('Year', 2026), is('Retail Year', 2026)), {
    code: 'TIME_FILTER_NOT_A_RANGE',
    message: /'Year' and 'Retail Year' are periods of two calendars/,
  })
})

t.test('without a declared calendar such columns are ordinary, with a warning that names the declaration', async (t) => {
  const undeclared = parseModelSync({ text: text.replace(/ {4}calendar: .*\n/, '') }).model!
  const codesOf = (field: string, of = undeclared): readonly string[] =>
    compile(
      parseQuery({
        select: { dimensions: ['Date:month'], measures: ['Year Before'] },
        where: [is(field, field === 'Year' ? 2026 : '2026-01-01')],
      }),
      of,
      context,
    ).warnings.map(({ code }) => code)
  t.ok(codesOf('Year').includes('TIME_BESIDE_A_CALENDAR'))
  t.ok(codesOf('Sold On').includes('TIME_BESIDE_A_CALENDAR'))
  t.notOk(codesOf('Date').includes('TIME_BESIDE_A_CALENDAR'))
  t.notOk(codesOf('Year', model!).includes('TIME_BESIDE_A_CALENDAR'))
})

t.test('attributes of a day are ordinary conditions, which hold in both periods', async (t) => {
  const found = await rows(sqlOf(['Date:month'], ['Amount', 'Year Before'], [is('Year', 2026), is('Kind', 'weekend')]))
  t.same(asText(found), [
    ['2026-02-01', '10', '10'],
    ['2026-03-01', '10', '10'],
  ])
})

t.test('faults of a calendar', async (t) => {
  const faultsOf = (calendar: object) =>
    parseModelSync({
      json: {
        version: 1,
        dataObjects: {
          Days: {
            code: 'days',
            calendar,
            columns: { Day: { code: 'day', abstractType: 'date' }, Year: { code: 'y', abstractType: 'int' } },
          },
        },
        measures: { N: { aggregation: 'count', columns: [{ dataObject: 'Days', column: 'Day' }] } },
      },
    }).errors.map(({ code, path }) => [code, path])
  t.same(faultsOf({ key: 'Year' }), [['CALENDAR_KEY', 'dataObjects.Days.calendar.key']])
  t.same(faultsOf({ key: 'Date' }), [['UNKNOWN_COLUMN', 'dataObjects.Days.calendar.key']])
  t.same(faultsOf({ key: 'Day', periods: { Year: 'years' } }), [['SCHEMA_VALIDATION', 'dataObjects.Days.calendar.periods.Year']])
  t.same(faultsOf({ key: 'Day', periods: { Year: 'year' } }), [])
})
