import t from 'tap'
import { both, entryOf, messageOf, zip } from './invariant.js'

t.test('an entry that must be there is there, or the bug names its key', (t) => {
  const ages = new Map([['Ada', 36]])
  t.equal(entryOf(ages, 'Ada'), 36)
  t.throws(() => entryOf(ages, 'Bob'), { code: 'INTERNAL_ERROR', message: /Bob/ })
  t.end()
})

t.test('lists of one length meet item by item, and others do not', (t) => {
  t.same(zip(['a', 'b'], [1, undefined]), [
    ['a', 1],
    ['b', undefined],
  ])
  t.throws(() => zip(['a'], []), { code: 'INTERNAL_ERROR', message: '1 items have 0 counterparts' })
  t.end()
})

t.test('a pair stays a pair', (t) => {
  t.same(
    both([1, 2], (n) => n * 2),
    [2, 4],
  )
  t.end()
})

t.test('whatever is thrown has a sentence', (t) => {
  t.equal(messageOf(new Error('too late')), 'too late')
  t.equal(messageOf('too early'), 'too early')
  t.end()
})
