/** The columns that a row can show. */
import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { columnsReached } from './columns-reached.js'

t.test('its own come first, then those of the objects that it joins, and no others', async (t) => {
  const found = columnsReached(shop, 'Orders')
  t.equal(found[0], 'Orders.Id')
  t.ok(found.includes('Customers.Name') && found.includes('Regions.Name'))
  t.notOk(found.some((name) => name.startsWith('Returns.') || name.startsWith('Items.')))
  t.ok(columnsReached(shop, 'Regions').every((name) => name.startsWith('Regions.')))
})
