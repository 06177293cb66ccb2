/** Rows of a base with their connections. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shop, shopWith } from '../../../test/support/models.js'
import { INT } from '../model/data-type.js'
import type { ResolvedDimension } from '../resolve/resolved-query.js'
import { connectedRows } from './connected-rows.js'

const none = { bridges: new Set<string>(), separate: new Set<string>() }

t.test('the base alone', async (t) => {
  const { base, bridges, facts } = connectedRows(contextOf(shop), { base: 'Orders', ...none })
  t.equal(base.node, 'Orders')
  t.same(bridges, [])
  t.equal(facts, undefined)
})

t.test('bridges of one chain are joined to each other, others to the base', async (t) => {
  const context = contextOf(shopWith(PARCELS_AND_LABELS))
  const names = ['Items', 'Parcels', 'Order Labels']
  const { bridges } = connectedRows(context, { base: 'Orders', ...none, bridges: new Set(names) })
  t.same(
    bridges.map(({ node, parent }) => [node, parent?.node]),
    [
      ['Items', undefined],
      ['Parcels', 'Items'],
      ['Order Labels', undefined],
    ],
  )
})

t.test('at facts, the base is joined by its key', async (t) => {
  const key = { name: 'Customer', type: INT, members: [{ expression: { kind: 'column', object: 'Customers', column: 'Id' } }] }
  const facts = { alias: 'facts', keys: [key as unknown as ResolvedDimension], dimensions: [], legs: [] }
  const { base, facts: own } = connectedRows(contextOf(shop), { base: 'Customers', ...none, facts })
  const plain = connectedRows(contextOf(shop), { base: 'Customers', ...none }).base
  t.equal(own, facts)
  t.match(base.root, { presentBy: 'Id', whole: false }, 'a row may be missing')
  t.match(plain.root, { presentBy: undefined, whole: true })
})
