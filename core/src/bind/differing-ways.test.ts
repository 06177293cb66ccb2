/** When two measures of one answer read a dimension in two meanings. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { differingWays } from './differing-ways.js'

/** Orders have the region to which they are sent, beside that of their customer. */
const sent = shopWith(
  { dataObjects: { Orders: { columns: { Region: { code: 'region_id', abstractType: 'int' } } } } },
  joining('Orders', manyToOne('Customers', 'Customer Id'), manyToOne('Regions', 'Region')),
  {
    measures: {
      'Customers of All': { aggregation: 'count', columns: [{ dataObject: 'Customers', column: 'Id' }], total: true },
      'Region Count': { aggregation: 'count', columns: [{ dataObject: 'Regions', column: 'Id' }] },
    },
    dimensions: { 'Region of Customers': { dataObject: 'Regions', column: 'Name', via: 'Customers' } },
  },
)

const told = (measures: readonly string[], dimensions: readonly string[] = ['Region'], model: SemanticModel = sent) =>
  differingWays(aggregateQuery({ select: { dimensions, measures } }, model))

t.test('the region of customers is not the region of their orders', async (t) => {
  const found = told(['Sales', 'Customer Count'])
  t.equal(found.length, 1, 'told once, and not again from the other side')
  t.match(found[0], {
    code: 'DIMENSION_READ_DIFFERENTLY',
    path: 'select.dimensions[0]',
    message:
      "In this query 'Region' means two things: for 'Orders' it is read by 'Orders' → 'Regions', and for 'Customers' by 'Customers' → 'Regions'",
    context: { ways: ['Orders → Regions', 'Customers → Regions'] },
  })
})

t.test('one path is a part of the other', async (t) => {
  t.same(told(['Sales', 'Customer Count'], ['Region'], shop), [])
  t.same(told(['Sales', 'Units']), [], 'items read it as their orders do')
  t.same(told(['Sales', 'Region Count']), [], 'from its own rows')
})

t.test('facts that do not reach each other are read by their own', async (t) => {
  t.same(told(['Sales', 'Returned']), [])
})

t.test('measures of one base', async (t) => t.same(told(['Sales', 'Order Count']), []))

t.test('a measure that is not grouped by the dimension reads none', async (t) => {
  t.same(told(['Sales', 'Customers of All']), [])
})

t.test('a dimension that names its path has one meaning', async (t) => {
  t.same(told(['Sales', 'Customer Count'], ['Region of Customers']), [])
})

t.test('a dimension that one of them does not reach', async (t) => {
  t.same(told(['Sales', 'Customer Count'], ['Status']), [])
  t.same(told(['Units', 'Sales', 'Customer Count'], ['Product']), [])
})
