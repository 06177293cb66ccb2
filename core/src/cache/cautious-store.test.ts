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
