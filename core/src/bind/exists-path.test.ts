/** The path on which rows connect: the shortest one, in any direction of joins; a named one if the query names it. */
import t from 'tap'
import { bindContext } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { existsPath } from './exists-path.js'

const { graph } = bindContext({ select: { measures: ['Sales'] } }, shop)
const member = (object: string) =>
  ({ name: 'Id', object, via: undefined, expression: { kind: 'column', object, column: 'Id' }, type: { kind: 'int' } }) as const
const path = (subject: string, target: string, pathName?: string) =>
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

t.test('a path that does not exist is refused', async (t) => {
  t.throws(() => path('Orders', 'Customers', 'buyer'), { code: 'UNKNOWN_PATH_NAME', path: 'where[0].subquery.pathName' })
})
