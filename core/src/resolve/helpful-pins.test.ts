/** The advice about paths of which there are none, or several. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { ambiguousJoin, choosesWay, chosenByVia, filteredByVia, pinHint } from './helpful-pins.js'
import { JoinGraph } from './join-graph.js'

const two = shopWith(
  joining('Orders', manyToOne('Customers', 'Customer Id'), manyToOne('Regions', 'Payer Id', { pathName: 'paid in' })),
)
const { graph } = contextOf(two)
const found = { kind: 'ambiguous', at: 'Orders', through: ['Customers', 'paid in', 'Customers'] } as const

t.test('the pins that help', async (t) => {
  t.same(
    pinHint(contextOf(shop).graph, () => true),
    { hint: "pin 'payer' from 'Orders' to 'Customers' with use_path_names" },
  )
  t.same(
    pinHint(contextOf(shop).graph, () => false),
    {},
  )
  const named = Array.from({ length: 65 }, (_, i) =>
    manyToOne('Customers', 'Payer Id', { secondary: true, pathName: `way ${i}` }),
  )
  const many = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id'), ...named))
  t.same(
    pinHint(contextOf(many).graph, () => true),
    {},
    'too many are not tried',
  )
  const pinned = new JoinGraph(shop, [{ source: 'Orders', target: 'Customers', pathName: 'payer', path: '' }])
  t.same(
    pinHint(pinned, () => true),
    {},
    'one is pinned already',
  )
  t.notOk(choosesWay(pinned, contextOf(shop).graph), 'a secondary join has another meaning')
  t.ok(choosesWay(pinned, pinned))
})

t.test('several paths are refused with their names and a choice', async (t) => {
  const refusal = (more: object) => () => ambiguousJoin({ object: 'Regions', found, path: 'p', ...more }, graph)
  t.throws(refusal({}), { code: 'AMBIGUOUS_JOIN', path: 'p', details: { suggestions: ['Customers', 'paid in'] } })
  t.throws(refusal({}), /through 'Customers' or 'paid in'; .*let it read a second data object/)
  t.throws(refusal({ name: 'Region' }), /give the dimension 'Region' a via, such as via: Customers/)
  t.throws(refusal({ name: 'Regions.Name', filters: true }), /filter the query by a dimension on 'Regions.Name' with a via/)
  t.equal(chosenByVia(undefined, ['a'], graph), undefined)
  t.match(filteredByVia(undefined, ['a']), /on 'it' with a via, such as via: a/)
})
