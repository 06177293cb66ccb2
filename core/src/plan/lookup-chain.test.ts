/** Rows with what is looked up for them one after another, and which lookups are by the keys of the row. */
import t from 'tap'
import { aggregate, column, lookup, own, scan } from '../../../test/support/plans.js'
import { INT } from '../model/data-type.js'
import { integer } from '../resolve/expressions.js'
import { chainOf, isByOwnKeys, lookedUpFor } from './lookup-chain.js'

const rows = aggregate(scan('Orders'), [], [])
const first = lookup(rows, scan('A'), ['a'])
const second = lookup(first, scan('B'), ['b'])

t.test('a chain has its rows, and the lookups from the innermost on', async (t) => {
  t.same(chainOf(rows), { rows, lookups: [] })
  t.same(chainOf(second), { rows, lookups: [first, second] })
})

t.test('other rows get the same lookups', async (t) => {
  t.same(lookedUpFor(rows, [first, second]), second)
  t.equal(lookedUpFor(rows, []), rows)
})

const key = { own: own('Key'), theirs: 'Key', type: INT, nullSafe: true }
for (const [title, keys, isInner, wanted] of [
  ['a key of the same name', [key], false, true],
  ['no key', [], false, true],
  ['rows that find nothing are left out', [key], true, false],
  ['a key of another name', [{ ...key, theirs: 'Other' }], false, false],
  ['one of two keys of another name', [key, { ...key, theirs: 'Other' }], false, false],
  ['a key of which NULL finds nothing', [{ ...key, nullSafe: false }], false, false],
  ['a key of a relation', [{ ...key, own: column('Orders', 'Key') }], false, false],
  ['a computed key', [{ ...key, own: integer(1) }], false, false],
] as const)
  t.test(`${title}: ${wanted}`, async (t) => t.equal(isByOwnKeys({ ...first, keys, ...(isInner && { isInner }) }), wanted))
