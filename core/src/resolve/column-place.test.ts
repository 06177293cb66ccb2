/** Columns by the joins that lead to them, and those that equal them. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { equalPlaces, placeFrom, placeKey, wayKey } from './column-place.js'

const place = (column: string, object: string, model = shop, from = 'Orders') =>
  placeFrom({ edges: [], object: from }, { object, column }, contextOf(model).graph)
const columns = (of: ReturnType<typeof equalPlaces>) => of.map(({ object, column }) => `${object}.${column}`)

t.test('a place needs exactly one path', async (t) => {
  t.equal(place('Name', 'Regions')?.edges.length, 2)
  t.equal(place('Name', 'Items'), undefined)
  t.not(placeKey(place('Id', 'Customers')!), placeKey(place('Id', 'Customers', shop, 'Returns')!))
  t.equal(wayKey(place('Id', 'Customers')!.edges), wayKey(place('Name', 'Customers')!.edges))
})

t.test('a key is equal to what refers to it, where the join matches', async (t) => {
  const id = place('Id', 'Regions')!
  t.same(columns(equalPlaces(id, 'matched')), ['Regions.Id', 'Customers.Region Id'])
  t.same(columns(equalPlaces(place('Name', 'Regions')!, 'matched')), ['Regions.Name'])
  t.same(columns(equalPlaces(id, { andOthersUnless: () => false })), ['Regions.Id'], 'not where it may not')
  t.same(columns(equalPlaces(id, { andOthersUnless: () => true })).length, 2)
  const strict = shopWith(joining('Customers', manyToOne('Regions', 'Region Id', { required: true })))
  t.same(
    columns(equalPlaces(place('Id', 'Regions', strict)!, { andOthersUnless: () => false })).length,
    2,
    'or where it drops the rest',
  )
})
