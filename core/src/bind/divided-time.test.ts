/** Which sums may be divided among the days of their periods. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { dividedTime, isDivisible } from './divided-time.js'

const amount = (aggregation: string, more: object = {}) => ({
  aggregation,
  columns: [{ dataObject: 'Budgets', column: 'Amount' }],
  ...more,
})
const id = { code: 'id', abstractType: 'int', primaryKey: true }
const modelOf = (says: object) =>
  shopWith({
    dataObjects: {
      Budgets: {
        code: 'budgets',
        columns: {
          Id: id,
          Entered: { code: 'entered', abstractType: 'date' },
          Month: { code: 'month', abstractType: 'date', ...says },
          Amount: { code: 'amount', abstractType: 'int' },
        },
      },
    },
    dimensions: { 'Budget Month': { dataObject: 'Budgets', column: 'Month' } },
    measures: {
      Budget: amount('sum'),
      Largest: amount('max'),
      Different: amount('sum', { distinct: true }),
      Balance: amount('sum', { semiAdditive: { timeDimension: 'Budget Month', take: 'last' } }),
      Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
    },
  })
const spread = modelOf({ granularity: 'month', spread: 'even' })
const coarse = modelOf({ granularity: 'month' })

const divisible = (measure: string, model = spread, more: object = {}): boolean => {
  const [aggregate] = aggregateQuery({ select: { measures: [measure] } }, model).aggregates
  return isDivisible({ ...aggregate!, ...more }, model)
}

t.test('a plain sum of a fact whose data are spread', async (t) => {
  t.ok(divisible('Budget'))
  t.notOk(divisible('Budget', coarse), 'they are only coarse')
  t.notOk(divisible('Budget', modelOf({})), 'no data are coarse')
  t.notOk(divisible('Sales'), 'of another fact')
})

t.test('nothing else can be divided', async (t) => {
  t.notOk(divisible('Largest'))
  t.notOk(divisible('Balance'))
  t.notOk(divisible('Different'))
  t.notOk(divisible('Budget', spread, { converts: {} }), 'a count of conversions')
  t.notOk(divisible('Budget', spread, { multiFact: {} }), 'of several facts')
})

t.test('the time along which it is spread', async (t) => {
  t.match(dividedTime('Budgets', spread), { object: 'Budgets', column: 'Month', granularity: { grain: 'month', spread: 'even' } })
  t.equal(dividedTime('Budgets', coarse), undefined)
  t.equal(dividedTime('Orders', spread), undefined)
  t.equal(dividedTime('Nothing', spread), undefined)
})
