import t from 'tap'
import { WeakPairs } from './weak-pairs.js'

t.test('a pair has the value that was set last, and no other pair has it', (t) => {
  const [a, b, c] = [{}, {}, {}]
  const pairs = new WeakPairs<object, object, number>()
  pairs.set(a, b, 1)
  pairs.set(a, c, 2)
  pairs.set(a, b, 3)
  t.equal(pairs.get(a, b), 3)
  t.equal(pairs.get(a, c), 2)
  t.equal(pairs.get(b, a), undefined, 'the order of a pair counts')
  t.equal(pairs.get(c, c), undefined)
  t.end()
})
