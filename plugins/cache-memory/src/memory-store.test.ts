import { cacheConformance } from '@grainline/core/testing'
import t from 'tap'
import { memoryStore } from './index.js'

cacheConformance(t, { open: async () => memoryStore({ maxBytes: 10_000_000 }) })

t.test('more than its bytes it never holds', async (t) => {
  const store = memoryStore({ maxBytes: 3000 })
  for (let i = 0; i < 10; i++) await store.set(`${i}`, Buffer.alloc(1000), 60)
  t.same([await store.get('0'), (await store.get('9'))?.length], [undefined, 1000])
  let bytes = 0
  for await (const entry of store.entries()) bytes += entry.bytes
  t.ok(bytes <= 3000)
})

t.test('a sweep removes what is over', async (t) => {
  let now = 0
  const store = memoryStore({ maxBytes: 3000, now: () => now })
  await store.set('a', Buffer.alloc(1), 1)
  await store.set('b', Buffer.alloc(1), 3)
  now = 2000
  t.same(await store.sweep(), { expired: 1, evicted: 0 })
})
