/** Which conditions on a time of periods only a table of days can answer. */
import t from 'tap'
import { aggregateQuery, dimensionOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { readsDaysOfPeriods } from './days-of-periods.js'

const model = shopWith({
  dataObjects: {
    Dates: {
      code: 'days',
      calendar: { key: 'Date', periods: { 'Month Start': 'month' } },
      columns: {
        Date: { code: 'day', abstractType: 'date', primaryKey: true },
        'Month Start': { code: 'm', abstractType: 'date' },
      },
    },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
  },
  dimensions: { Date: { dataObject: 'Dates', column: 'Date' }, 'Month Start': { dataObject: 'Dates', column: 'Month Start' } },
})

t.test('a column of periods, and another column of its table', async (t) => {
  const reads = (time: string, field: string): boolean => {
    const where = [{ field, op: 'equals', value: '2024-05-01' }]
    const { where: conjuncts } = aggregateQuery({ select: { measures: ['Sales'] }, where }, model)
    return readsDaysOfPeriods(conjuncts[0]!, dimensionOf(time, model), model)
  }
  t.ok(reads('Month Start', 'Date'))
  t.notOk(reads('Month Start', 'Month Start'), 'its own values are dates')
  t.notOk(reads('Date', 'Month Start'), 'the day of a table, and a period that it names')
  t.notOk(reads('Date', 'Date'))
})
