import t from 'tap'
import { GrainlineError } from '../errors.js'
import type { VendorConnection } from '../execute/vendor.js'
import { Reachability } from './reachability.js'

function database() {
  const state = { asked: 0, fault: undefined as GrainlineError | undefined, now: 0 }
  const check = async () => {
    state.asked++
    if (state.fault) throw state.fault
    return { valid: true }
  }
  const connect = async () => ({ check }) as unknown as VendorConnection
  return { state, of: (countsMs: number) => new Reachability(connect, { now: () => state.now, countsMs }) }
}

t.test('a database is asked once for any number of callers, and again when its answer is old', async (t) => {
  const { state, of } = database()
  const reachability = of(60_000)
  t.same(await Promise.all([1, 2, 3].map(() => reachability.isReachable())), [true, true, true])
  t.equal(state.asked, 1)
  state.now = 59_000
  await reachability.isReachable()
  t.equal(state.asked, 1)
  state.now = 61_000
  state.fault = new GrainlineError('DATABASE_ERROR', 'gone')
  t.equal(await reachability.isReachable(), false)
  t.equal(await reachability.isReachable(), false)
  t.equal(state.asked, 2, 'not at once again')
  state.fault = undefined
  state.now = 64_000
  t.equal(await reachability.isReachable(), true)
})

t.test('after a statement that failed the database is asked; one whose connections are busy is reachable', async (t) => {
  const { state, of } = database()
  const reachability = of(0)
  await reachability.isReachable()
  state.now = 1e9
  await reachability.isReachable()
  t.equal(state.asked, 1, 'its answer counts until a statement fails')
  reachability.doubt()
  state.fault = new GrainlineError('POOL_EXHAUSTED', 'busy')
  t.equal(await reachability.isReachable(), true)
  reachability.doubt()
  state.fault = new GrainlineError('VENDOR_UNAVAILABLE', 'no driver')
  t.equal(await reachability.isReachable(), false)
})
