import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { CacheStore } from './cache-store.js'
import { cautiousStore } from './cautious-store.js'

const logger = { warn() {} } as unknown as Parameters<typeof cautiousStore>[1]['logger']

t.test('a store that failed is not used for two seconds, and is then tried again', async (t) => {
  let time = 0
  let asked = 0
  let broken = true
  const get = async (): Promise<Uint8Array | undefined> => {
    asked++
    if (broken) throw new Error('the disk is full')
    return undefined
  }
  const store = cautiousStore(async () => ({ get }) as unknown as CacheStore, { logger, now: () => time })
  await t.rejects(async () => store.get('key'), { code: 'CACHE_UNAVAILABLE', message: /the disk is full/ })
  time = 1999
  await t.rejects(async () => store.get('key'), { code: 'CACHE_UNAVAILABLE' })
  t.equal(asked, 1, 'not asked in between')
  time = 2000
  broken = false
  await t.resolves(async () => store.get('key'))
  t.equal(asked, 2)
})

t.test(
  'a store that does not answer is not waited for, and the time in which the process did not run is not counted',
  async (t) => {
    const answering = (get: CacheStore['get']) =>
      cautiousStore(async () => ({ get }) as unknown as CacheStore, { logger, deadlineMs: 200 })
    const silent = answering(() => new Promise(() => undefined))
    await t.rejects(async () => silent.get('key'), { code: 'CACHE_UNAVAILABLE', message: /no answer within 200 ms/ })
    const stalled = answering(async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
      for (let turn = 0; turn < 3; turn++) await setImmediate()
      return Buffer.from('value')
    })
    t.same(await stalled.get('key'), Buffer.from('value'))
  },
)
