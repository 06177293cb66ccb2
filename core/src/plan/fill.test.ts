/** Periods without rows, computed from numbers between the first period and the last. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { outline } from '../../../test/support/outline.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'every period between the first and the last is added to the rows',
    { select: { dimensions: ['Month'], measures: ['Revenue'] }, fill_gaps: true },
    `
project Month, Revenue
  combine by Month (every period between the first and the last, with rows or without)
    project Month, Revenue
      shared found_rows
        aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
          scan Orders as orders
    project Month = date_add('month', n, spans.first)
      filter ((((((n_100000 <= spans.later) and (n_10000 <= spans.later)) and (n_1000 <= spans.later)) and (n_100 <= spans.later)) and (n_10 <= spans.later)) and (n <= spans.later)) (up to the last period)
        join cross  (each with each)
          project first, later = date_diff('month', first, last)
            aggregate first = min(Month), last = max(Month) by nothing (the first and the last period)
              shared found_rows
                aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
                  scan Orders as orders
          numbers whole numbers, one for each period`,
  ],
  [
    'every period is combined with every tuple of the other dimensions',
    { select: { dimensions: ['Month', 'Status'], measures: ['Revenue'] }, fill_gaps: true },
    `
project Month, Status, Revenue
  combine by Month, Status (every period between the first and the last, with rows or without)
    project Month, Status, Revenue
      shared found_rows
        aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day), Status = orders.status ('Revenue' at the rows of 'Orders')
          scan Orders as orders
    project Month = date_add('month', n, spans.first), Status
      filter ((((((n_100000 <= spans.later) and (n_10000 <= spans.later)) and (n_1000 <= spans.later)) and (n_100 <= spans.later)) and (n_10 <= spans.later)) and (n <= spans.later)) (up to the last period)
        join cross  (each with each)
          join cross  (each with each)
            project first, later = date_diff('month', first, last)
              aggregate first = min(Month), last = max(Month) by nothing (the first and the last period)
                shared found_rows
                  aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day), Status = orders.status ('Revenue' at the rows of 'Orders')
                    scan Orders as orders
            numbers whole numbers, one for each period
          distinct Status (the tuples of the other dimensions)
            shared found_rows
              aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day), Status = orders.status ('Revenue' at the rows of 'Orders')
                scan Orders as orders`,
  ],
  [
    'more periods than are counted at once are counted in parts',
    { select: { dimensions: ['Written Hour'], measures: ['Revenue'] }, fill_gaps: true },
    `
project Written Hour, Revenue
  combine by Written Hour (every period between the first and the last, with rows or without)
    project Written Hour, Revenue
      shared found_rows
        aggregate Revenue = sum(orders.amount) by Written Hour = date_trunc('hour', orders.written) ('Revenue' at the rows of 'Orders')
          scan Orders as orders
    project Written Hour = date_add('hour', (parts.begun + n), parts.first)
      filter ((((((((parts.begun + n_1000000) <= parts.later) and ((parts.begun + n_100000) <= parts.later)) and ((parts.begun + n_10000) <= parts.later)) and ((parts.begun + n_1000) <= parts.later)) and ((parts.begun + n_100) <= parts.later)) and ((parts.begun + n_10) <= parts.later)) and ((parts.begun + n) <= parts.later)) (up to the last period)
        join cross  (each with each)
          project first, later, begun = n_10000000
            filter (n_10000000 <= spans.later) (up to the last part)
              join cross  (each with each)
                project first, later = date_diff('hour', first, last)
                  aggregate first = min(Written Hour), last = max(Written Hour) by nothing (the first and the last period)
                    shared found_rows
                      aggregate Revenue = sum(orders.amount) by Written Hour = date_trunc('hour', orders.written) ('Revenue' at the rows of 'Orders')
                        scan Orders as orders
                numbers whole numbers, one for each period
          numbers whole numbers, one for each period`,
  ],
]

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })

const days = (calendar: string, column: string, from: string) => manyToOne(calendar, from, { columnsTo: [column] })
const dated = shopWith({
  dataObjects: {
    Dates: { calendar: { from: '2024-01-01', to: '2024-12-31' } },
    Calendar: {
      code: 'calendar',
      calendar: { key: 'Day', periods: { 'Year No': 'year' } },
      columns: {
        Day: { code: 'day', abstractType: 'date', primaryKey: true },
        'Year No': { code: 'year_no', abstractType: 'int' },
        Kind: { code: 'kind', abstractType: 'string' },
      },
    },
    Visits: {
      code: 'visits',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, At: { code: 'at', abstractType: 'timestamp' } },
      joins: [days('Dates', 'Date', 'At'), days('Calendar', 'Day', 'At')],
    },
  },
  dimensions: {
    At: { dataObject: 'Visits', column: 'At' },
    'Last Day': { dataObject: 'Dates', column: 'Is Last of Month' },
    Year: { dataObject: 'Calendar', column: 'Year No' },
    Kind: { dataObject: 'Calendar', column: 'Kind' },
  },
  measures: { Visits: { aggregation: 'count', columns: [{ dataObject: 'Visits', column: 'Id' }] } },
})
const filled = (grain: string, ...where: readonly object[]) =>
  compileFor({ select: { dimensions: [`At:${grain}`], measures: ['Visits'] }, fill_gaps: 'range', where }, dated).sql
const march = { field: 'At', op: 'between', value: ['2024-03-01', '2024-03-03'] }

t.test('the hours of the days that a calendar leaves', async (t) => {
  t.match(
    filled('hour', march, { field: 'Last Day', op: '=', value: true }),
    /EXTRACT|DATE_TRUNC|LAST_DAY/i,
    'computed from the day of each hour',
  )
  t.match(
    filled('hour', march, { field: 'Kind', op: '=', value: 'weekend' }),
    /"calendar"[\s\S]*'weekend'/,
    'looked up in a table',
  )
})

t.test('the hours of a year that a table names, up to an end', async (t) => {
  const year = { field: 'Year', op: '=', value: 2024 }
  t.match(filled('hour', year), /MIN[\s\S]*MAX/, 'from its first day to its last')
  t.match(filled('hour', year, { field: 'At', op: '<', value: '2024-03-01' }), /2024-0[23]-/)
  t.match(filled('month', year), /DATE_TRUNC\('month'/i)
})
