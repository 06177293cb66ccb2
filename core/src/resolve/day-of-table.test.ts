/** The day in place of the number of a period. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { dayOfTable } from './day-of-table.js'

const columns = { Day: { code: 'day', abstractType: 'date', primaryKey: true }, Term: { code: 'term', abstractType: 'string' } }
const model = shopWith({
  dataObjects: { Days: { code: 'days', calendar: { key: 'Day', periods: { Term: 'own: 1' } }, columns } },
  dimensions: { Day: { dataObject: 'Days', column: 'Day' }, Term: { dataObject: 'Days', column: 'Term' } },
})

t.test('a time of numbers is on the day of its table, in the same role', async (t) => {
  const number = {
    ...dimensionOf('Term', model),
    grain: 'day',
    ofTable: { calendar: 'Days', own: 1, column: 'Term' },
    periodColumns: [],
  } as const
  const { members, grain, ofTable, periodColumns } = dayOfTable(number, model)
  t.same(members[0].expression, { kind: 'column', object: 'Days', column: 'Day' })
  t.same([grain, ofTable, periodColumns], [undefined, undefined, undefined])
})

t.test('any other time is itself', async (t) => {
  const day = dimensionOf('Day', model)
  t.equal(dayOfTable(day, model), day)
})
