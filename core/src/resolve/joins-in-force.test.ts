/** The joins that a query uses. */
import t from 'tap'
import { shop, shopWith } from '../../../test/support/models.js'
import { joinsInForce } from './joins-in-force.js'

const pin = (pathName: string, source = 'Orders', target = 'Customers') => ({ source, target, pathName, path: 'p' })
const named = (pins: Parameters<typeof joinsInForce>[1], model = shop) =>
  joinsInForce(model, pins)
    .filter(({ from }) => from === 'Orders')
    .map(({ pathName }) => pathName)

t.test('primary joins, or the pinned one in their place', async (t) => {
  t.same(named([]), [undefined])
  t.same(named([pin('payer')]), ['payer'])
})

t.test('what names no join is refused', async (t) => {
  t.throws(() => named([pin('payr')]), { code: 'UNKNOWN_PATH_NAME', path: 'p', details: { suggestions: ['payer'] } })
  t.throws(() => named([pin('payer', 'Items')]), /their joins have no path names/)
  t.throws(() => named([pin('payer', 'Order')]), { code: 'UNKNOWN_DATA_OBJECT', details: { suggestions: ['Orders'] } })
  const own = {
    joinTo: 'Customers',
    joinType: 'many-to-one',
    columnsFrom: ['Region Id'],
    columnsTo: ['Id'],
    secondary: true,
    pathName: 'parent',
  }
  const model = shopWith({ dataObjects: { Customers: { joins: [own] } } })
  t.throws(() => named([pin('parent', 'Customers')], model), { code: 'SELF_JOIN' })
})
