import t from 'tap'
import { MemoryGuard } from './memory-guard.js'

t.test(
  'the guard reports growth beyond the limit, then the worst growth, and at rest whether memory is still occupied',
  async (t) => {
    let memory = 1000
    const guard = new MemoryGuard(100, () => memory)
    const told: boolean[] = []
    const hears = (worst: boolean) =>
      new Promise<void>((resolve) => {
        guard.rest()
        guard.watch((is) => {
          told.push(is)
          if (is === worst) resolve()
        })
      })
    guard.watch((is) => told.push(is))
    memory = 1099
    t.equal(guard.rest(), false, 'less than the limit is kept')
    memory = 1250
    await hears(false)
    t.notOk(told.includes(true))
    memory = 1350
    await hears(true)
    memory = 1150
    t.equal(guard.rest(), true, 'more than the limit is kept')
  },
)
