import { cacheConformance } from '@grainline/core/testing'
import t from 'tap'
import { memoryStore } from './index.js'

cacheConformance(t, { open: async () => memoryStore({ maxBytes: 10_000_000 }) })

t.test('the store stays within its limit of bytes', async (t) => {
  const store = memoryStore({ maxBytes: 3000 })
  for (let i = 0; i < 10; i++) await store.set(`${i}`, Buffer.alloc(1000), 60)
  t.same([await store.get('0'), (await store.get('9'))?.length], [undefined, 1000])
  let bytes = 0
  for await (const entry of store.entries()) bytes += entry.bytes
  t.ok(bytes <= 3000)
})

t.test('a sweep removes expired entries', async (t) => {
  let now = 0
  const store = memoryStore({ maxBytes: 3000, now: () => now })
  await store.set('a', Buffer.alloc(1), 1)
  await store.set('b', Buffer.alloc(1), 3)
  now = 2000
  t.same(await store.sweep(), { expired: 1, evicted: 0 })
})

t.test('representations of a value are counted, if there is room and the value exists', async (t) => {
  const store = memoryStore({ maxBytes: 3000 })
  const [first, second] = [Buffer.alloc(1000), Buffer.alloc(1000)]
  const bytes = async () => {
    let sum = 0
    for await (const entry of store.entries()) sum += entry.bytes
    return sum
  }
  await store.set('a', first, 60)
  t.equal(store.keepBeside?.('a', first, 500), true)
  t.equal(await bytes(), 1502)
  t.equal(store.keepBeside?.('a', first, 2000), false, 'more than there is room for')
  t.equal(await store.get('a'), first, 'and nothing is lost by it')
  await store.set('b', second, 60)
  t.equal(store.keepBeside?.('b', second, 600), true)
  t.equal(await store.get('a'), undefined, 'the least recently used one went for it')
  t.equal(store.keepBeside?.('a', first, 1), false)
  await store.set('b', first, 60)
  t.equal(store.keepBeside?.('b', second, 1), false, 'the key has another value')
})
