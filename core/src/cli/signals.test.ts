/** Signals of the operator, also those that come while the server starts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { watchSignals } from './signals.js'

t.test('a SIGHUP before the start has ended is handled when it has', async (t) => {
  const signals = watchSignals()
  t.teardown(() => signals.forget())
  let runs = 0
  process.emit('SIGHUP')
  await nextTurn()
  const reloaded = new Promise<void>((resolve) => {
    signals.onReload(async () => {
      runs++
      resolve()
    })
  })
  await reloaded
  t.equal(runs, 1)
})

t.test('reloads run one after another', async (t) => {
  const signals = watchSignals()
  t.teardown(() => signals.forget())
  const seen: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const both = new Promise<void>((resolve) => {
    signals.onReload(async () => {
      seen.push('begun')
      await held
      seen.push('ended')
      if (seen.length === 4) resolve()
    })
  })
  process.emit('SIGHUP')
  process.emit('SIGHUP')
  release()
  await both
  t.same(seen, ['begun', 'ended', 'begun', 'ended'])
})
