/** Orders by dimensions that are not selected, but that the selected ones determine. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'

const model = shopWith({
  dataObjects: {
    Notes: {
      code: 'notes',
      columns: { Order: { code: 'order_id', abstractType: 'int' }, Text: { code: 'text', abstractType: 'string' } },
      joins: [manyToOne('Orders', 'Order')],
    },
  },
  dimensions: {
    'Customer Number': { dataObject: 'Customers', column: 'Id' },
    Buyer: { dataObject: 'Customers', column: 'Name', sortBy: 'Region Id' },
    'Region Number': { dataObject: 'Customers', column: 'Region Id' },
    'Order Number': { dataObject: 'Orders', column: 'Id' },
    Note: { dataObject: 'Notes', column: 'Text' },
  },
})
const order = (dimensions: readonly string[], field: string, more: object = {}) => {
  const query = aggregateQuery({ select: { dimensions, measures: ['Sales'] }, order_by: [{ field }], ...more }, model)
  return query.order.map(({ expression }) => said(expression))
}

t.test('the same column in longer periods, or as it is', async (t) => {
  t.same(order(['Day'], 'Day:year'), ["date_trunc('year', Day)"])
  t.same(order(['Day:month'], 'Day:year'), ["date_trunc('year', Day:month)"])
  t.same(order(['Buyer'], 'Customer'), ['Buyer'])
  t.throws(() => order(['Day:week'], 'Day:month'), { code: 'ORDER_NOT_DETERMINED' }, 'a week can be in two months')
  t.throws(() => order(['Day:year'], 'Day:month'), { code: 'ORDER_NOT_DETERMINED' })
})

t.test('a key of its object, or what it orders', async (t) => {
  t.same(order(['Customer Number'], 'Customer'), ['Customer'])
  t.same(order(['Customer Number'], 'Buyer'), ['order of Buyer', 'Buyer'])
  t.same(order(['Buyer'], 'Region Number'), ['Region Number'])
  t.same(order(['Order Number'], 'Day:month'), ["date_trunc('month', Day:month)"])
  t.throws(() => order(['Customer'], 'Customer Number'), /give the|select 'Customer Number', or a dimension of 'Customers.Id'/)
  t.throws(() => order([], 'Region'), /no dimension is/)
  t.throws(() => order(['Customer'], 'Note'), /; select 'Note'$/, 'an object without a key')
})
