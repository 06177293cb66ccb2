/** The times that conditions leave, also where columns of a calendar name a period. */
import t from 'tap'
import { aggregateQuery, contextOf, dimensionOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { knownLeft } from './known-left.js'
import { dateText } from './time.js'

const modelOf = (calendar: object) =>
  shopWith({
    dataObjects: {
      Dates: calendar,
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
    },
    dimensions: {
      Date: { dataObject: 'Dates', column: 'Date' },
      'Year Number': { dataObject: 'Dates', column: 'Year Number' },
      'Month Number': { dataObject: 'Dates', column: 'Month Number' },
    },
  })
const generated = modelOf({ calendar: {} })
const table = modelOf({
  code: 'days',
  calendar: { key: 'Date', periods: { 'Year Number': 'year', 'Month Number': 'month_of_year' } },
  columns: {
    Date: { code: 'day', abstractType: 'date', primaryKey: true },
    'Year Number': { code: 'y', abstractType: 'int' },
    'Month Number': { code: 'm', abstractType: 'int' },
  },
})

function left(model: typeof table, ...where: readonly object[]) {
  const { where: conjuncts } = aggregateQuery({ select: { measures: ['Sales'] }, where }, model)
  const found = knownLeft(conjuncts, { time: dimensionOf('Date', model), clocks: contextOf(model).time, model })
  return found?.map(({ from, to }) => [from, to].map((at) => (at === undefined ? '' : dateText(at))).join(' '))
}

const equals = (field: string, value: unknown) => ({ field, op: 'equals', value })

t.test('the days of a generated calendar are known, together with dates', async (t) => {
  t.same(left(generated, equals('Year Number', 2024)), ['2024-01-01 2025-01-01'])
  t.same(left(generated, equals('Year Number', 2024), { field: 'Date', op: 'gte', value: '2024-03-01' }), [
    '2024-03-01 2025-01-01',
  ])
  t.same(left(generated, equals('Year Number', 2024), equals('Month Number', 13)), [], 'there is no such month')
})

t.test('a month of every year is no range', async (t) => {
  t.equal(left(generated, equals('Month Number', 2)), undefined)
})

t.test('those of a table are not', async (t) => {
  t.equal(left(table, equals('Year Number', 2024)), undefined)
  t.same(left(table, { field: 'Date', op: 'gte', value: '2024-03-01' }), ['2024-03-01 '])
})
