import t from 'tap'
import { finished } from './finished.js'

t.test('takes every step, and returns what the work returns', async (t) => {
  const taken: number[] = []
  function* work(): Generator<number, string> {
    for (const step of [1, 2, 3]) {
      taken.push(step)
      yield step
    }
    return 'done'
  }
  t.equal(finished(work()), 'done')
  t.strictSame(taken, [1, 2, 3])
})
