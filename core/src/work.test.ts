import t from 'tap'
import { spend, withinSteps } from './work.js'

const COMPILE_BUDGET = { code: 'COMPILE_BUDGET' }
const taking = (steps: number) => () => spend(steps)

t.test('work that exceeds its number of steps is refused', async (t) => {
  t.doesNotThrow(() => withinSteps(10, taking(10)))
  t.throws(() => withinSteps(10, taking(11)), COMPILE_BUDGET)
  t.doesNotThrow(() => withinSteps(10, taking(10)), 'and the next has its own')
})

t.test('nested work counts for the outer work, whatever its own limit', async (t) => {
  const within = (inner: number) => () => {
    withinSteps(inner, taking(6))
    spend(5)
  }
  t.throws(() => withinSteps(10, within(6)), COMPILE_BUDGET)
  t.throws(() => withinSteps(10, within(Number.POSITIVE_INFINITY)), COMPILE_BUDGET)
  t.doesNotThrow(() => withinSteps(11, within(6)))
})

t.test('work without a budget takes none from the work that follows', async (t) => {
  withinSteps(Number.POSITIVE_INFINITY, taking(1))
  t.throws(() => withinSteps(10, taking(11)), COMPILE_BUDGET)
})
