/** A role is one path: what is at its end, and whether a row can be missing there. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { rootPath } from '../relation/relation.js'
import { joinGraph } from '../resolve/join-graph.js'
import { nextRole, objectRole, rootRole, wayOf } from './role.js'

const orders = rootRole(rootPath('Orders'), 'Orders')

function customersOf(model: SemanticModel, from = orders, isBase = true) {
  const graph = joinGraph(model, [])
  return nextRole(from, graph.edges(from.object)[0]!, graph, isBase)
}

t.test('a root has every row, and one that a column links may have none', async (t) => {
  t.match(orders, { object: 'Orders', from: undefined, edges: [], whole: true, presentBy: undefined })
  t.match(rootRole(rootPath('Orders'), 'Orders', 'Id'), { whole: false, presentBy: 'Id' })
})

t.test('the next role has one more join, and the column that shows its row', async (t) => {
  const customers = customersOf(shop)
  t.equal(customers.object, 'Customers')
  t.equal(customers.from, orders)
  t.equal(customers.presentBy, 'Id')
  t.same(wayOf(customers), ['Orders', 'Customers'])
  t.same(wayOf(customersOf(shop, customers)), ['Orders', 'Customers', 'Regions'])
  t.same(wayOf(orders), ['Orders'])
})

t.test('two joins to one object are two roles', async (t) => {
  const payer = joining(
    'Orders',
    manyToOne('Customers', 'Customer Id'),
    manyToOne('Customers', 'Payer Id', { pathName: 'payer' }),
  )
  const { graph } = contextOf(shopWith(payer))
  const [one, other] = graph.edges('Orders').map((edge) => nextRole(orders, edge, graph, true))
  t.not(one?.alias, other?.alias)
})

t.test('no row is missing behind a required join of the rows of a base', async (t) => {
  const required = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', { required: true })))
  t.ok(customersOf(required).whole)
  t.notOk(customersOf(shop).whole, 'not required')
  t.notOk(customersOf(required, orders, false).whole, 'the rows of a bridge')
  t.notOk(customersOf(required, rootRole(rootPath('Orders'), 'Orders', 'Id')).whole, 'the row before may be missing')
})

t.test('no row is missing behind a foreign key whose columns are not NULL', async (t) => {
  const keyed = shopWith(joining('Items', manyToOne('Orders', 'Order Id', { foreignKey: true })))
  const items = rootRole(rootPath('Items'), 'Items')
  t.ok(customersOf(keyed, items).whole)
  const nullable = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', { foreignKey: true })))
  t.notOk(customersOf(nullable).whole)
})

t.test('the roles of an object are the same for all questions to a graph, and others for rows that are no base', async (t) => {
  const graph = joinGraph(shop, [])
  const root = objectRole('Orders', graph)
  const edge = graph.edges('Orders')[0]!
  t.equal(objectRole('Orders', graph), root)
  t.same(root, orders)
  t.equal(nextRole(root, edge, graph, true), nextRole(root, edge, graph, true))
  t.not(nextRole(root, edge, graph, false), nextRole(root, edge, graph, true))
  const pinned = contextOf(shopWith({})).graph
  t.not(objectRole('Orders', pinned), root)
  const required = { ...edge, required: true }
  t.match(nextRole(root, required, graph, true), { whole: true })
  t.match(nextRole(root, required, graph, false), { whole: false })
})
