/** Columns of a calendar that identify periods stand for its time. */
import t from 'tap'
import { aggregateQuery, contextOf, dimensionOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { calendarTimes } from './calendar-times.js'
import { withPeriodNumbers } from './table-periods.js'

const columns = ['Year Number', 'Quarter Number', 'Month Label', 'Week Number', 'Week Year', 'Weekday', 'Quarter']
const model = shopWith({
  dataObjects: {
    Dates: { calendar: {} },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
  },
  dimensions: {
    Date: { dataObject: 'Dates', column: 'Date' },
    Ordered: { dataObject: 'Orders', column: 'Day' },
    ...Object.fromEntries(columns.map((column) => [column, { dataObject: 'Dates', column }])),
  },
  metrics: {
    Before: { type: 'period_over_period', measure: 'Sales', periodOverPeriod: { timeDimension: 'Ordered', offsetGrain: 'year' } },
    Growth: { expression: '{[Sales]} - {[Before]}' },
  },
})
const { graph, time } = contextOf(model)

interface Asked {
  readonly names?: readonly string[]
  readonly where?: readonly object[]
  readonly fillsGaps?: boolean
}

function told(names: readonly string[], asked: Asked = {}): readonly string[] {
  const { where } = aggregateQuery({ select: { measures: ['Sales'] }, where: asked.where ?? [] }, model)
  const times = calendarTimes({
    ...{ graph, clocks: time, where, columnName: (_: string, name: string) => name },
    dimensions: names.map((name) => dimensionOf(name, model)),
    names: asked.names ?? ['Growth'],
    fillsGaps: asked.fillsGaps ?? false,
  })
  return times(names.map((name) => dimensionOf(name, model))).map(
    ({ label, periodColumns = [] }) => `${label} by ${periodColumns.map((one) => one.label).join(' and ')}`,
  )
}

const equals = (field: string, value: unknown) => ({ field, op: 'equals', value })

t.test('a list tells the shortest periods that it names', async (t) => {
  t.same(told(['Year Number', 'Month Label']), ['Dates.Date:month by Year Number and Month Label'])
  t.same(told(['Month Label', 'Region', 'Year Number', 'Quarter Number']), [
    'Dates.Date:month by Month Label and Year Number and Quarter Number',
  ])
  t.same(told(['Year Number']), ['Dates.Date:year by Year Number'])
})

t.test('a place in a period tells none, unless a condition names that period', async (t) => {
  t.same(told(['Month Label']), [])
  t.same(told(['Month Label'], { where: [equals('Year Number', 2024)] }), ['Dates.Date:month by Month Label'])
  const between = (from: string, to: string) => [{ field: 'Ordered', op: 'between', value: [from, to] }]
  t.same(told(['Month Label'], { where: between('2024-02-01', '2024-12-31') }), ['Dates.Date:month by Month Label'])
  t.same(told(['Month Label'], { where: between('2024-02-01', '2025-01-01') }), [])
  const clock = [{ field: 'Ordered', op: 'relative', value: { unit: 'year', count: 1 } }]
  t.same(told(['Month Label'], { where: clock }), [], 'what the clock decides is no constant')
  t.same(told(['Month Label', 'Date:year']), ['Dates.Date:month by Month Label'])
})

t.test('a year of weeks tells no month, and a number of a week tells its week where one such year is left', async (t) => {
  t.same(told(['Week Year', 'Year Number', 'Month Label']), ['Dates.Date:month by Year Number and Month Label'])
  const weeks = [{ field: 'Ordered', op: 'between', value: ['2024-01-01', '2024-12-29'] }]
  t.same(told(['Week Number'], { where: weeks }), ['Dates.Date:week by Week Number'])
  const unknown = [{ expression: "date_add('day', 1, {[Ordered]}) > DATE '2025-01-01'" }]
  t.same(told(['Month Label'], { where: unknown }), [], 'no range is known')
})

t.test('a level that shows such periods needs none, and attributes of a day tell none', async (t) => {
  for (const shown of ['Date:month', 'Ordered:day', 'Date']) t.same(told(['Year Number', shown]), [], shown)
  t.same(told(['Quarter']), [], 'it is the time itself')
  t.same(told(['Weekday', 'Week Number']), [])
})

t.test('only for metrics along that time, and for gaps', async (t) => {
  t.same(told(['Year Number'], { names: ['Sales'] }), [])
  t.same(told(['Year Number'], { names: ['Sales'], fillsGaps: true }), ['Dates.Date:year by Year Number'])
})

t.test('a part of a term that no column numbers is no shorter period than the term', async (t) => {
  const text = (code: string) => ({ code, abstractType: 'string' })
  const terms = withPeriodNumbers(
    shopWith({
      dataObjects: {
        Days: {
          code: 'days',
          calendar: { key: 'Day', periods: { Term: 'own: 2', Part: 'own: 1_of_own: 2' } },
          columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true }, Term: text('term'), Part: text('part') },
        },
        Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Day'] })] },
      },
      dimensions: { Term: { dataObject: 'Days', column: 'Term' }, Part: { dataObject: 'Days', column: 'Part' } },
    }),
  )
  const dimensions = ['Part', 'Term'].map((name) => dimensionOf(name, terms))
  const clocks = contextOf(terms)
  const columnName = (_: string, name: string) => name
  const context = { graph: clocks.graph, clocks: clocks.time, where: [], columnName, dimensions, names: [], fillsGaps: true }
  t.same(
    calendarTimes(context)(dimensions).map(({ label, periodColumns = [] }) => [label, ...periodColumns.map((one) => one.label)]),
    [['Days.Term', 'Term']],
  )
})
