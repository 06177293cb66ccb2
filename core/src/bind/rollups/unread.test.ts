/** Values, of which some may be reasons why there is none. */
import t from 'tap'
import { allRead, isUnread, onlyRead, unread } from './unread.js'

const [one, other] = [{ name: 'one' }, { name: 'other' }]
const [first, second] = [unread('NEEDS_ROWS', 'Sales', 'needs rows'), unread('OTHER_BASE', 'Units', 'has other rows')]

t.test('a reason is told from a value', async (t) => {
  t.same(first, { reason: 'NEEDS_ROWS', field: 'Sales', says: 'needs rows' })
  t.ok(isUnread(first))
  t.notOk(isUnread(one))
  t.notOk(isUnread({ reason: 'a value may have one' }))
})

t.test('all values, or the first reason', async (t) => {
  t.same(allRead([one, other]), [one, other])
  t.equal(allRead([one, first, second]), first)
  t.same(allRead([]), [])
})

t.test('the values without the reasons', async (t) => {
  t.same(onlyRead([first, one, second, other]), [one, other])
})
