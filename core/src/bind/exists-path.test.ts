/** The path on which rows connect: the shortest one, in any direction of joins; a named one if the query names it. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { existsPath } from './exists-path.js'

const member = (object: string) =>
  ({ name: 'Id', object, via: undefined, expression: { kind: 'column', object, column: 'Id' }, type: { kind: 'int' } }) as const
const path = (subject: string, target: string, pathName?: string, graph = contextOf(shop).graph) =>
  existsPath(graph, subject, {
    kind: 'where-exists',
    subject: member(subject),
    target,
    pathName,
    filter: undefined,
    path: 'where[0]',
  }).map(
    ({ from, to, on }) =>
      `${from} → ${to}: ${on.map((term) => (term.kind === 'equal' ? `${term.from} = ${term.to}` : term.kind)).join()}`,
  )

t.test('the path of joins in any direction, from the subject on', async (t) => {
  t.same(path('Orders', 'Customers'), ['Orders → Customers: Customer Id = Id'])
  t.same(path('Customers', 'Orders'), ['Customers → Orders: Id = Customer Id'])
  t.same(path('Regions', 'Items'), [
    'Regions → Customers: Id = Region Id',
    'Customers → Orders: Id = Customer Id',
    'Orders → Items: Id = Order Id',
  ])
  t.same(path('Items', 'Returns'), [
    'Items → Orders: Order Id = Id',
    'Orders → Customers: Customer Id = Id',
    'Customers → Returns: Id = Customer Id',
  ])
  t.same(path('Orders', 'Orders'), [], 'the row itself')
})

t.test('a named join is part of the path, also if it is not the shortest', async (t) => {
  t.same(path('Orders', 'Customers', 'payer'), ['Orders → Customers: Payer Id = Id'])
  t.same(path('Customers', 'Orders', 'payer'), ['Customers → Orders: Id = Payer Id'])
  t.same(path('Items', 'Customers', 'payer'), ['Items → Orders: Order Id = Id', 'Orders → Customers: Payer Id = Id'])
  t.same(path('Items', 'Regions', 'payer').slice(1, 2), ['Orders → Customers: Payer Id = Id'])
})

const key = { code: 'id', abstractType: 'int', primaryKey: true }
const ways = (toCustomers: object, toShops: object) =>
  shopWith(
    {
      dataObjects: {
        Shops: {
          code: 'shops',
          columns: { Id: key, Region: { code: 'region_id', abstractType: 'int' } },
          joins: [manyToOne('Regions', 'Region')],
        },
        Stock: { code: 'stock', columns: { Id: key } },
      },
    },
    joining('Orders', manyToOne('Customers', 'Customer Id', toCustomers), manyToOne('Shops', 'Id', toShops)),
    joining('Items', manyToOne('Orders', 'Order Id', { pathName: 'of' })),
  )
const among = (model: SemanticModel, subject: string, target: string) => () =>
  path(subject, target, undefined, contextOf(model).graph)

t.test('of several shortest paths, one is chosen by a name that only it has', async (t) => {
  const refused = (message: string) => ({ code: 'AMBIGUOUS_JOIN', path: 'where[0]', message })
  const several = (from: string, through: string, pin: string) =>
    refused(`'${from}' connects with 'Regions' in several equally short ways, ${through}; ${pin}`)
  const give = 'give a join of the one you mean a pathName, and choose it with subquery.path_name'
  const choose = 'choose one with subquery.path_name:'
  const both = "through 'Customers', or through 'Shops'"
  t.throws(among(ways({}, {}), 'Orders', 'Regions'), several('Orders', both, give))
  t.throws(among(ways({ pathName: 'buyer' }, {}), 'Orders', 'Regions'), several('Orders', both, `${choose} 'buyer'`))
  const named = ways({ pathName: 'buyer' }, { pathName: 'sold in' })
  t.throws(among(named, 'Orders', 'Regions'), several('Orders', both, `${choose} 'buyer' or 'sold in'`))
  const beyond = "through 'Orders' and 'Customers', or through 'Orders' and 'Shops'"
  t.throws(among(ways({}, {}), 'Items', 'Regions'), several('Items', beyond, give), 'both have the name of the first join')
  const twice = joining(
    'Orders',
    manyToOne('Customers', 'Customer Id', { pathName: 'a' }),
    manyToOne('Customers', 'Payer Id', { pathName: 'b' }),
  )
  t.throws(
    among(shopWith(twice), 'Orders', 'Customers'),
    refused(`'Orders' connects with 'Customers' in several equally short ways, directly; ${choose} 'a' or 'b'`),
  )
})

t.test('a path passes no object twice', async (t) => {
  const message = "'Orders' and 'Items' are not connected by joins"
  t.throws(() => path('Orders', 'Items', 'payer'), { code: 'NO_JOIN_PATH', message }, 'not by other orders of the payer')
  t.same(path('Customers', 'Items', 'payer'), ['Customers → Orders: Id = Payer Id', 'Orders → Items: Id = Order Id'])
  const own = "through 'Customers'"
  t.throws(
    () => path('Orders', 'Orders', 'payer'),
    { code: 'AMBIGUOUS_JOIN', message: new RegExp(own) },
    'but back to the subject',
  )
})

t.test('objects that no joins connect', async (t) => {
  t.throws(among(ways({}, {}), 'Orders', 'Stock'), {
    code: 'NO_JOIN_PATH',
    message: "'Orders' and 'Stock' are not connected by joins",
  })
})

t.test('a path that does not exist is refused', async (t) => {
  t.throws(() => path('Orders', 'Customers', 'buyer'), { code: 'UNKNOWN_PATH_NAME', path: 'where[0].subquery.pathName' })
})
