/** The columns that a row can show. */
import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { hiddenName } from '../hidden-name.js'
import { columnsReached } from './columns-reached.js'

t.test('its own come first, then those of the objects that it joins, and no others', async (t) => {
  const found = columnsReached(shop, 'Orders')
  t.equal(found[0], 'Orders.Id')
  t.ok(found.includes('Customers.Name') && found.includes('Regions.Name'))
  t.notOk(found.some((name) => name.startsWith('Returns.') || name.startsWith('Items.')))
  t.ok(columnsReached(shop, 'Regions').every((name) => name.startsWith('Regions.')))
})

t.test('a column that is hidden from the principal is not offered', async (t) => {
  const orders = shop.dataObjects.get('Orders')!
  const columns = new Map([...orders.columns].map(([name, one]) => [name === 'Status' ? hiddenName('0'.repeat(32)) : name, one]))
  const hiding = { ...shop, dataObjects: new Map([...shop.dataObjects, ['Orders', { ...orders, columns }]]) }
  const shown = columnsReached(shop, 'Orders')
  t.same(
    columnsReached(hiding, 'Orders'),
    shown.filter((name) => name !== 'Orders.Status'),
  )
})
