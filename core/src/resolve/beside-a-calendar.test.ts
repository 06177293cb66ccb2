/** Tables of days that no calendar is declared for. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { undeclaredCalendar } from './beside-a-calendar.js'

const change = (more: object = {}, join: object = {}) => ({
  dataObjects: {
    Days: {
      code: 'days',
      columns: { Date: { code: 'date', abstractType: 'date', primaryKey: true }, Week: { code: 'week', abstractType: 'int' } },
      ...more,
    },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Date'], ...join })] },
  },
  dimensions: {
    Late: { dataObject: 'Orders', expression: "date_add('day', 1, {[Orders].[Day]})", resultType: 'date' },
    Week: { dataObject: 'Days', column: 'Week' },
    Date: { dataObject: 'Days', column: 'Date' },
  },
})
const found = (fields: readonly string[], model = shopWith(change()), time = 'Day') =>
  undeclaredCalendar(
    dimensionOf(time, model).members[0],
    fields.map((name) => dimensionOf(name, model).members[0]),
    model,
  )

t.test('a field of the table that the time joins', async (t) => {
  t.same(found(['Region', 'Week']), { field: 'Week', table: 'Days', day: 'Date' })
  t.same(found(['Day'], undefined, 'Date'), { field: 'Day', table: 'Days', day: 'Date' }, 'the column that joins the day')
  t.equal(found(['Region']), undefined)
  t.equal(found(['Day']), undefined, 'the time itself')
  t.equal(found(['Week'], undefined, 'Late'), undefined, 'a time that is computed')
})

t.test('a declared calendar, and joins of other kinds, are none', async (t) => {
  t.equal(found(['Week'], shopWith(change({ calendar: { key: 'Date' } }))), undefined)
  t.equal(found(['Week'], shopWith(change({}, { columnsTo: ['Week'] }))), undefined, 'numbers of weeks are no days')
})
