/** What the calendars of a model say about the periods that fill gaps: columns beside a period, and the days that conditions leave. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { CALENDARS, manyToOne, shopWith, toDays } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { BoundFill, CalendarColumns, CalendarDays } from './bound-query.js'

const key = { code: 'id', abstractType: 'int', primaryKey: true }
const model = shopWith(CALENDARS, {
  dataObjects: {
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), toDays('Dates', 'Date'), toDays('Calendar', 'Day')] },
    Visits: {
      code: 'visits',
      columns: { Id: key, At: { code: 'at', abstractType: 'timestamp' } },
      joins: [toDays('Dates', 'Date', 'At')],
    },
  },
  dimensions: {
    Date: { dataObject: 'Dates', column: 'Date' },
    Month: { dataObject: 'Dates', column: 'Month' },
    'Last of February': {
      dataObject: 'Dates',
      expression: "{[Dates].[Is Last of Month]} AND extract('month', {[Dates].[Month]}) = 2",
      resultType: 'boolean',
    },
    'Calendar Day': { dataObject: 'Calendar', column: 'Day' },
    period: { dataObject: 'Calendar', column: 'Year No' },
    At: { dataObject: 'Visits', column: 'At' },
  },
  measures: { Visits: { aggregation: 'count', columns: [{ dataObject: 'Visits', column: 'Id' }] } },
})

function fill(dimensions: readonly string[], more: object = { fill_gaps: true }, measure = 'Sales'): BoundFill {
  const found = boundAggregate({ select: { dimensions, measures: [measure] }, ...more }, model).fill
  if (!found) throw new Error('no gaps are filled')
  return found
}

const named = ({ name, expression }: CalendarColumns['columns'][number]): string => `${name}: ${said(expression)}`
const toldColumns = (all: readonly CalendarColumns[]): readonly (readonly string[])[] =>
  all.map((one) => [
    one.kind === 'looked-up' ? `${one.rows.start.object} by ${named(one.period)}` : one.kind,
    ...one.columns.map(named),
  ])

const year = { field: 'Year', op: 'equals', value: 2024 }
const weekend = { field: 'Kind', op: 'equals', value: 'weekend' }
const lastDay = { field: 'Last Day', op: 'equals', value: true }
const inRange = (time: string, ...where: readonly object[]) => ({
  fill_gaps: 'range',
  where: [{ field: time, op: 'between', value: ['2024-01-01', '2024-03-31'] }, ...where],
})
const range = (...where: readonly object[]) => ({ fill_gaps: 'range', where })

function days(dimensions: readonly string[], more: object, measure?: string) {
  const { named: asked, left } = fill(dimensions, more, measure).days
  const told = (one: CalendarDays) =>
    `${one.rows.start.object} ${said(one.day)} where ${one.where.map((each) => said(each)).join(', ')}`
  return [asked && told(asked), left && (left.kind === 'days' ? told(left) : said(left))]
}

t.test('a column of a calendar table is looked up by the period of its days', async (t) => {
  t.same(toldColumns(fill(['Calendar Day:month', 'Year']).calendars), [
    ["Calendar by period: date_trunc('month', Calendar.day)", 'Year: Calendar.year_no'],
  ])
  const [name] = toldColumns(fill(['Calendar Day:month', 'period']).calendars).flat()
  t.equal(name, "Calendar by period_2: date_trunc('month', Calendar.day)", 'a dimension has the name')
})

t.test('rows of the time need not reach the columns of another calendar', async (t) => {
  const apart = (time: string, column: string) => fill([time, column]).calendars.map(({ isApart }) => isApart)
  t.same(apart('Calendar Day:month', 'Year'), [false])
  t.same(apart('Date:day', 'Last Day'), [false])
  t.same(apart('Date:month', 'Year'), [true])
  t.same(apart('Day:month', 'Year'), [false], 'a column of the rows is of no calendar')
})

t.test('a column of a calendar without a table is computed from the period', async (t) => {
  const last = "Last Day: (date_trunc('month', date_add('day', 1, Date:day)) <> date_trunc('month', Date:day))"
  t.same(toldColumns(fill(['Date:day', 'Last Day']).calendars), [['computed', last]])
})

t.test('a first day of a period beside an attribute of a day is computed from the day', async (t) => {
  const last = "(date_trunc('month', date_add('day', 1, Date:day)) <> date_trunc('month', Date:day))"
  t.same(days(['Date:day'], inRange('Date', { field: 'Last of February', op: 'equals', value: true })), [
    undefined,
    `((${last} and (extract('month', date_trunc('month', Date:day)) = 2)) = true)`,
  ])
})

t.test('each calendar has its own columns, and a period of the same time is none', async (t) => {
  t.same(
    toldColumns(fill(['Date:day', 'Last Day', 'Year', 'Month']).calendars).map((all) => all.map((one) => one.split(':')[0])),
    [
      ['computed', 'Last Day'],
      ['Calendar by period', 'Year'],
    ],
  )
  t.same(toldColumns(fill(['Date:month', 'Date:year']).calendars), [])
})

t.test('conditions on periods of a calendar table name days, and conditions on attributes leave some', async (t) => {
  const ofYear = 'Calendar Calendar.day where (Calendar.year_no = 2024)'
  t.same(days(['Calendar Day:month'], range(year)), [ofYear, undefined])
  t.same(days(['Calendar Day:month'], range(year, weekend)), [ofYear, "Calendar Calendar.day where (Calendar.kind = 'weekend')"])
  t.same(days(['Calendar Day:day'], range(year, weekend))[1], "Calendar Calendar.day where (Calendar.kind = 'weekend')")
  t.same(days(['Date:month'], inRange('Date')), [undefined, undefined], 'a range of dates names no days')
  t.same(days(['Date:month'], { fill_gaps: true }), [undefined, undefined])
})

t.test('of a calendar without a table, a day says itself whether it is left, and a month has days', async (t) => {
  const isLast = (day: string) => `((date_trunc('month', date_add('day', 1, ${day})) <> date_trunc('month', ${day})) = true)`
  t.same(days(['Date:day'], inRange('Date', lastDay)), [undefined, isLast('Date:day')])
  t.same(days(['Date:month'], inRange('Date', lastDay)), [undefined, `Dates Dates.day where ${isLast('Dates.day')}`])
  const either = { expression: "{[Month]} = DATE '2024-03-01' OR {[Last Day]} = true" }
  t.match(days(['Date:day'], inRange('Date', either))[1], /date_trunc\('month', Date:day\)/)
  t.same(days(['At:hour'], inRange('At', lastDay), 'Visits'), [undefined, isLast('At:hour::date')], 'an hour is of a day')
})
