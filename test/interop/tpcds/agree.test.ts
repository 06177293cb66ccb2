import t from 'tap'
import type { Cell } from '../../support/answers.js'
import { disagreement } from './agree.js'

const answer = (...rows: Cell[][]) => ({ columns: ['name', 'value'], rows })

t.test('tied rows may be in any order, other rows may not', async (t) => {
  t.equal(disagreement(answer(['a', '1'], ['b', '1']), answer(['b', '1'], ['a', '1']), [1]), undefined)
  t.match(disagreement(answer(['a', '1'], ['b', '2']), answer(['b', '2'], ['a', '1']), [1]), /^row 0/)
})

t.test('a limit may omit tied rows at the end, and no other row', async (t) => {
  const wanted = answer(['a', '1'], ['b', '2'], ['c', '2'])
  t.equal(disagreement(answer(['a', '1'], ['c', '2']), wanted, [1]), undefined)
  t.match(disagreement(answer(['b', '2'], ['c', '2']), wanted, [1]), /^row 0/)
})

t.test('duplicates of a row count', async (t) => {
  t.match(disagreement(answer(['a', '1'], ['a', '1']), answer(['a', '1'], ['b', '1']), [1]), /is not among/)
})

t.test('exact numbers are compared exactly, floats to nine digits', async (t) => {
  t.match(disagreement(answer(['a', '1.01']), answer(['a', '1.02']), []), /is not among/)
  t.equal(disagreement(answer(['a', 0.1 + 0.2]), answer(['a', '0.3']), []), undefined)
  t.match(disagreement(answer(['a', 0.3000001]), answer(['a', '0.3']), []), /is not among/)
})
