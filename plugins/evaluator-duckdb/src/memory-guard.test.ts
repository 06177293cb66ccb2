import t from 'tap'
import { bytesOf, MemoryGuard } from './memory-guard.js'

t.test('what runs is stopped when the process has grown too much, and not before', async (t) => {
  let memory = 1000
  const guard = new MemoryGuard(100, () => memory)
  const reasons: string[] = []
  const stopped = new Promise<void>((resolve) => {
    guard.watch(({ code }) => {
      reasons.push(code)
      resolve()
    })
  })
  const unwatch = guard.watch(() => reasons.push('a statement that has ended'))
  unwatch()
  memory = 1150
  t.same(reasons, [])
  memory = 1250
  // The timer of the guard keeps nobody alive.
  const alive = setInterval(() => {}, 1000)
  await stopped
  clearInterval(alive)
  t.same(reasons.slice(0, 1), ['EVALUATION_TOO_LARGE'])
  t.notOk(reasons.includes('a statement that has ended'))
})

t.test('sizes are read as DuckDB reads them', async (t) => {
  t.same(['256MB', '1 GiB', '0.5kb', '80%'].map(bytesOf), [256e6, 2 ** 30, 500, Number.POSITIVE_INFINITY])
})
