/** Roles: where an object is found from the rows of another, and whether a row of it can be missing. */
import t from 'tap'
import { bindContext, contextOf } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { joining, MATCHING_RETURNS, manyToOne, SHOP, shop, shopWith } from '../../../test/support/models.js'
import { at } from '../../../test/support/relations.js'
import { wayOf } from './role.js'
import { roleAt, roleOf, rowsOf, waysTo } from './rows.js'

const context = bindContext({ select: { measures: ['Sales'] } }, shop)
const items = rowsOf(context, 'Items', { isBase: true })

t.test('a role is at the end of joins from the root', async (t) => {
  const regions = roleOf(items, { object: 'Regions' })
  t.same(wayOf(regions), ['Items', 'Orders', 'Customers', 'Regions'])
  t.equal(regions.alias, at('Items', 'Orders', 'Customers', 'Regions'))
  t.equal(regions.from?.object, 'Customers')
  t.equal(regions.presentBy, 'Id')
  t.same(roleAt(items, regions.edges), regions)
  t.same(wayOf(items.root), ['Items'])
  t.equal(roleOf(items, { object: 'Items' }), items.root)
  const orders = roleOf(items, { object: 'Orders' })
  t.same(roleOf(items, { object: 'Regions' }, orders), regions, 'from another role')
})

t.test('no row of a root is missing, unless a column links it', async (t) => {
  t.ok(items.root.whole)
  t.equal(items.root.presentBy, undefined)
  const linked = rowsOf(context, 'Items', { linkedBy: 'Order Id' }).root
  t.notOk(linked.whole)
  t.equal(linked.presentBy, 'Order Id')
})

t.test('a row of a joined object is missing, unless its join is required or always matches', async (t) => {
  const wholeOf = (join: string, object = 'Orders', isBase = true): boolean => {
    const text = SHOP.replace('columnsFrom: [Order Id], columnsTo: [Id] }', `columnsFrom: [Order Id], columnsTo: [Id]${join} }`)
    const changed = bindContext({ select: { measures: ['Sales'] } }, loadText(text))
    return roleOf(rowsOf(changed, 'Items', { isBase }), { object }).whole
  }
  t.notOk(wholeOf(''))
  t.ok(wholeOf(', required: true'))
  t.ok(wholeOf(', foreignKey: true'), 'a column of a key is not NULL')
  t.notOk(wholeOf(', required: true', 'Customers'), 'the next join is not required')
  t.notOk(wholeOf(', required: true', 'Orders', false), 'rows of others are not restricted')
})

t.test('a way that is not there is refused with one that is', async (t) => {
  const regions = rowsOf(context, 'Regions')
  t.throws(() => roleOf(regions, { object: 'Orders' }), { code: 'NO_JOIN_PATH', message: /'Orders' reaches both/ })
  t.throws(() => roleOf(rowsOf(context, 'Returns'), { object: 'Orders' }), {
    code: 'NO_JOIN_PATH',
    message: /declare a join that leads there/,
  })
  t.same(waysTo(regions, 'Orders'), [])
  t.equal(waysTo(items, 'Regions').length, 1)
})

t.test('a pair of an object with itself has two roles, of which the second is joined and read', async (t) => {
  const alike = { joinType: 'many-to-many', joinTo: 'Returns', columnsFrom: ['Day'], columnsTo: ['Day'] }
  const paired = contextOf(shopWith(joining('Returns', manyToOne('Customers', 'Customer Id'), alike)))
  const [pair] = [...paired.graph.pairs.values()]
  const { parts } = rowsOf(paired, pair!.name)
  t.same(
    parts.map(({ object }) => object),
    ['Returns', 'Returns'],
  )
  t.not(parts[0]?.alias, parts[1]?.alias)
})

t.test('a pair is read on the side that leads to an object', async (t) => {
  const paired = contextOf(shopWith(MATCHING_RETURNS))
  const [pair] = [...paired.graph.pairs.values()]
  const rows = rowsOf(paired, pair!.name)
  t.equal(roleOf(rows, { object: 'Returns' }), rows.parts[1])
  t.equal(roleOf(rows, { object: 'Customers' }), rows.parts[0])
})

t.test('of a many-to-many pair, both objects are scanned, or only that which is not joined from outside', async (t) => {
  const text = SHOP.replace(
    'joins:\n      - { joinTo: Regions,',
    'joins:\n      - { joinTo: Returns, joinType: many-to-many, columnsFrom: [Id], columnsTo: [Customer Id] }\n      - { joinTo: Regions,',
  ).replace(/( {2}Returns:[\s\S]*?)\n {4}joins:\n.*\n/, '$1\n')
  const changed = bindContext({ select: { measures: ['Sales'] } }, loadText(text))
  const [pair] = [...changed.graph.pairs.values()]
  const whole = rowsOf(changed, pair!.name)
  t.same(
    whole.parts.map(({ object }) => object),
    [pair!.left, pair!.right],
  )
  t.same(
    whole.matched.map(({ role, from }) => [from.object, role.object]),
    [[pair!.left, pair!.right]],
  )
  t.equal(whole.root, whole.parts[0])
  const outside = rowsOf(changed, pair!.name, { anchored: pair!.left })
  t.same(
    outside.parts.map(({ object }) => object),
    [pair!.right],
  )
  t.same(outside.matched, [])
  t.equal(rowsOf(changed, pair!.name, { anchored: pair!.right }).root.object, pair!.left)
})
