/** Calendars without a table (decision 251): no scan and no join, and facts that join one share its dimensions. */
import { builtInAggregates, builtInFunctions, compile, parseQuery } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { database } from './database.js'

const modelOf = (calendar: string) =>
  parseModelSync({
    text: `
version: 1
calendars: { fiscal: { yearStart: 04-01 } }
dataObjects:
  Dates: { calendar: ${calendar} }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Sold At: { code: sold_at, abstractType: timestamp_tz }
      Amount: { code: amount, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Dates, columnsFrom: [Sold At], columnsTo: [Date] }]
  Returns:
    code: returned
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Returned On: { code: returned_on, abstractType: date }
    joins: [{ joinType: many-to-one, joinTo: Dates, columnsFrom: [Returned On], columnsTo: [Date] }]
dimensions:
  Date: { dataObject: Dates, column: Date }
  Month: { dataObject: Dates, column: Month }
  Fiscal Year: { dataObject: Dates, column: Fiscal Year }
  Year Number: { dataObject: Dates, column: Year Number }
  Month Label: { dataObject: Dates, column: Month Label }
  Week Year: { dataObject: Dates, column: Week Year }
  Last Day: { dataObject: Dates, column: Is Last of Month }
  Sold: { dataObject: Sales, column: Sold At }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
  Returned: { aggregation: count, columns: [{ dataObject: Returns, column: Id }] }
  Days: { aggregation: count, columns: [{ dataObject: Dates, column: Date }] }
metrics:
  Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: month } }
  So Far: { type: cumulative, measure: Amount, timeDimension: Date }
  Sold So Far: { type: cumulative, measure: Amount, timeDimension: Sold }
  Sold Lately: { type: cumulative, measure: Amount, timeDimension: Sold, window: 2, windowGrain: month }
  Sold So Far Before: { type: period_over_period, measure: Sold So Far, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: month } }
  Sold Lately Before: { type: period_over_period, measure: Sold Lately, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: month } }
`,
  })
const open = modelOf('{ grain: day }')
const bounded = modelOf("{ from: '2024-02-27', to: { relative: end of month } }")
const context = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: new Date('2024-03-10T12:00:00Z'),
  storedTypes: 'declared',
} as const
const sqlOf = (query: object, { model } = open): string => compile(parseQuery(query), model!, context).sql
const { connection, rows } = await database(
  "CREATE TABLE sales AS SELECT * FROM (VALUES (1, TIMESTAMPTZ '2023-12-31 23:30:00+00', 1), (2, TIMESTAMPTZ '2024-01-31 23:30:00+00', 2), (3, TIMESTAMPTZ '2024-02-10 12:00:00+00', 4), (4, NULL, 8)) v(id, sold_at, amount)",
  "CREATE TABLE returned AS SELECT * FROM (VALUES (1, DATE '2024-02-29'), (2, DATE '2024-03-31')) v(id, returned_on)",
)
await connection.run("SET TimeZone = 'UTC'")
const asText = (found: readonly (readonly unknown[])[]) => found.map((row) => row.map((v) => (v === null ? null : String(v))))

t.test('the models have no faults', async (t) => t.same([...open.errors, ...bounded.errors], []))

t.test('a month of two facts is shared, without a join to a calendar', async (t) => {
  const sql = sqlOf({ select: { dimensions: ['Month'], measures: ['Amount', 'Returned'] }, order_by: [{ field: 'Month' }] })
  t.notMatch(sql, /dates|calendar/i)
  t.same(asText(await rows(sql)), [
    ['2023-12-01', '1', '0'],
    ['2024-01-01', '2', '0'],
    ['2024-02-01', '4', '1'],
    ['2024-03-01', null, '1'],
    [null, '8', '0'],
  ])
})

t.test('an instant is a day in the zone of the query', async (t) => {
  const sql = sqlOf({
    select: { dimensions: ['Month'], measures: ['Amount'] },
    order_by: [{ field: 'Month' }],
    timezone: 'Europe/Berlin',
  })
  t.same(asText(await rows(sql)), [
    ['2024-01-01', '1'],
    ['2024-02-01', '6'],
    [null, '8'],
  ])
})

t.test('months are the time of metrics, a label names one together with its year, and fiscal years follow', async (t) => {
  const sql = sqlOf({
    select: { dimensions: ['Month', 'Month Label', 'Fiscal Year'], measures: ['Before', 'So Far'] },
    where: [
      { field: 'Year Number', op: '=', value: 2024 },
      { field: 'Month Label', op: '=', value: 'January' },
    ],
  })
  t.same(asText(await rows(sql)), [['2024-01-01', 'January', '2023-04-01', '1', '3']])
})

t.test(
  'compared along the calendar, a value that runs over the time of its fact ends with the moved range (decision 350)',
  async (t) => {
    const upTo = async (last: string) => {
      const measures = ['Sold So Far', 'Sold So Far Before', 'Sold Lately', 'Sold Lately Before']
      const where = [{ field: 'Date', op: '<=', value: last }]
      return asText(await rows(sqlOf({ select: { dimensions: ['Month'], measures }, where, order_by: [{ field: 'Month' }] })))
    }
    t.same(await upTo('2024-02-29'), [
      ['2023-12-01', '1', null, '1', null],
      ['2024-01-01', '3', '1', '3', '1'],
      ['2024-02-01', '7', '3', '6', '3'],
    ])
    // The sale of 31 January is after the moved end, 20 January.
    t.same(await upTo('2024-02-20'), [
      ['2023-12-01', '1', null, '1', null],
      ['2024-01-01', '3', '1', '3', '1'],
      ['2024-02-01', '7', '1', '6', '1'],
    ])
    const open = { select: { measures: ['Sold Lately Before'] } }
    t.throws(() => sqlOf(open), { code: 'TIME_RANGE_REQUIRED' })
  },
)

t.test('gaps have the columns of their periods', async (t) => {
  const sql = sqlOf({
    select: { dimensions: ['Month', 'Month Label', 'Year Number'], measures: ['Returned'] },
    where: [{ field: 'Date', op: '>=', value: '2024-01-01' }],
    order_by: [{ field: 'Month' }],
    fill_gaps: true,
  })
  t.same(asText(await rows(sql)), [
    ['2024-02-01', 'February', '2024', '1'],
    ['2024-03-01', 'March', '2024', '1'],
  ])
})

t.test('a total by years of weeks has each year once, beside months with gaps', async (t) => {
  // December is added beside the year of weeks 2024, too, which is not that of its first day.
  const grouping = { sets: [['Date:month', 'Week Year'], ['Week Year']], of: 'shown' }
  for (const measures of [['Amount'], ['Before']]) {
    const query = { select: { dimensions: ['Date:month', 'Week Year'], measures }, fill_gaps: 'range', grouping }
    const found = await rows(sqlOf(query))
    const totals = found.filter((row) => row.at(-2) === true).map((row) => row[1])
    t.equal(new Set(totals).size, totals.length, `${measures}: ${totals.join(', ')}`)
    t.ok(totals.length > 0)
  }
})

t.test('its own rows are the days between its bounds', async (t) => {
  const query = {
    select: { dimensions: ['Month', 'Last Day'], measures: ['Days'] },
    order_by: [{ field: 'Month' }, { field: 'Last Day' }],
  }
  t.throws(() => sqlOf(query), { code: 'CALENDAR_RANGE_REQUIRED' })
  t.same(asText(await rows(sqlOf(query, bounded))), [
    ['2024-02-01', 'false', '2'],
    ['2024-02-01', 'true', '1'],
    ['2024-03-01', 'false', '30'],
    ['2024-03-01', 'true', '1'],
  ])
})

t.test('its dimensions alone are those of its facts, or of its days', async (t) => {
  const query = { select: { dimensions: ['Month'] }, order_by: [{ field: 'Month' }] }
  t.same(asText(await rows(sqlOf(query))), [['2023-12-01'], ['2024-01-01'], ['2024-02-01'], ['2024-03-01'], [null]])
  t.same(asText(await rows(sqlOf(query, bounded))), [['2024-02-01'], ['2024-03-01']])
})

t.test('rows are found by the day of a time, in the zone of the query', async (t) => {
  const at = 'TIMESTAMPTZ'
  const found = await database(
    `CREATE TABLE sales AS SELECT * FROM (VALUES (1, ${at} '2024-02-29 23:30:00+00'), (2, ${at} '2024-03-31 12:00:00+00'), (3, NULL), (4, ${at} '2024-02-27 12:00:00+00')) v(id, sold_at)`,
    "CREATE TABLE returned AS SELECT * FROM (VALUES (1, DATE '2024-02-29'), (2, DATE '2024-03-31')) v(id, returned_on)",
  )
  await found.connection.run("SET TimeZone = 'UTC'")
  const dated = parseModelSync({
    text: `
version: 1
dataObjects:
  Dates: { calendar: { from: '2024-01-01', to: '2024-12-31' } }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Sold At: { code: sold_at, abstractType: timestamp_tz }
      Is Returned: { exists: Returns }
    joins: [{ joinType: many-to-one, joinTo: Dates, columnsFrom: [Sold At], columnsTo: [Date] }]
  Returns:
    code: returned
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Returned On: { code: returned_on, abstractType: date }
      Is Sold: { exists: Sales }
    joins: [{ joinType: many-to-one, joinTo: Dates, columnsFrom: [Returned On], columnsTo: [Date] }]
dimensions:
  Sale: { dataObject: Sales, column: Id }
  Return: { dataObject: Returns, column: Id }
  Is Returned: { dataObject: Sales, column: Is Returned }
  Is Sold: { dataObject: Returns, column: Is Sold }
  Month: { dataObject: Dates, column: Month }
measures:
  Sales: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
  Returns: { aggregation: count, columns: [{ dataObject: Returns, column: Id }] }
  Days: { aggregation: count, columns: [{ dataObject: Dates, column: Date }] }
`,
  })
  t.same(dated.errors, [])
  const ids = async (timezone: string, field: string, where: object) => {
    const select = { dimensions: [field], measures: [field === 'Month' ? 'Days' : `${field}s`] }
    const answer = await found.rows(sqlOf({ select, where: [where], order_by: [{ field }], timezone }, dated))
    return asText(answer).map(([id, days]) => (field === 'Month' ? days : id))
  }
  const exists = (field: string, dataObject: string, filter: object[] = []) => ({
    field,
    op: 'exists',
    subquery: { dataObject, filter },
  })
  const february = { field: 'Month', op: '=', value: '2024-02-01' }
  for (const [zone, sales, returns] of [
    ['UTC', ['1', '2'], ['1', '2']],
    ['Europe/Berlin', ['2'], ['2']],
  ] as const) {
    t.same(await ids(zone, 'Sale', exists('Sale', 'Returns')), sales, `${zone}: through the calendar`)
    t.same(await ids(zone, 'Return', exists('Return', 'Sales')), returns, `${zone}: from the other side`)
    t.same(await ids(zone, 'Sale', { field: 'Is Returned', op: '=', value: true }), sales, `${zone}: as a column`)
    t.same(
      await ids(zone, 'Return', { field: 'Is Sold', op: '=', value: true }),
      returns,
      `${zone}: as a column of the other side`,
    )
    t.same(await ids(zone, 'Sale', exists('Sale', 'Dates', [february])), zone === 'UTC' ? ['1', '4'] : ['4'], `${zone}: its days`)
    t.same(
      await ids(zone, 'Month', exists('Month', 'Sales')),
      zone === 'UTC' ? ['2', '1'] : ['1', '2'],
      `${zone}: days with sales`,
    )
  }
})
