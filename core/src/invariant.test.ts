import t from 'tap'
import { both, entryOf, messageOf, zip } from './invariant.js'

t.test('an expected entry is returned, and a missing one is an error with its key', (t) => {
  const ages = new Map([['Ada', 36]])
  t.equal(entryOf(ages, 'Ada'), 36)
  t.throws(() => entryOf(ages, 'Bob'), { code: 'INTERNAL_ERROR', message: /Bob/ })
  t.end()
})

t.test('lists of equal length are zipped, others are refused', (t) => {
  t.same(zip(['a', 'b'], [1, undefined]), [
    ['a', 1],
    ['b', undefined],
  ])
  t.throws(() => zip(['a'], []), { code: 'INTERNAL_ERROR', message: '1 items have 0 counterparts' })
  t.end()
})

t.test('a pair remains a pair', (t) => {
  t.same(
    both([1, 2], (n) => n * 2),
    [2, 4],
  )
  t.end()
})

t.test('every thrown value has a message', (t) => {
  t.equal(messageOf(new Error('too late')), 'too late')
  t.equal(messageOf('too early'), 'too early')
  t.end()
})
