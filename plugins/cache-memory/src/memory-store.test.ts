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

t.test('data beside a value is counted, if there is room and the value exists', async (t) => {
  const store = memoryStore({ maxBytes: 3000 })
  const [first, second] = [Buffer.alloc(1000), Buffer.alloc(1000)]
  const drop = () => t.fail('nothing is dropped')
  await store.set('a', first, 60)
  t.equal(store.keepBeside?.('a', first, 500, drop), true)
  t.equal(await bytesOf(store), 1502)
  t.equal(store.keepBeside?.('a', first, 700, drop), true, 'all that is beside it now')
  t.equal(await bytesOf(store), 1702)
  t.equal(store.keepBeside?.('a', first, 2000, drop), false, 'more than there is room for')
  t.equal(await store.get('a'), first, 'and nothing is lost by it')
  await store.deleteMany(['a'])
  t.equal(store.keepBeside?.('a', first, 1, drop), false)
  await store.set('b', first, 60)
  t.equal(store.keepBeside?.('b', second, 1, drop), false, 'the key has another value')
})

t.test('data beside values is dropped before a value is removed, that of the least recently used first', async (t) => {
  const store = memoryStore({ maxBytes: 4000 })
  const dropped: string[] = []
  const values = new Map(['a', 'b', 'c'].map((key) => [key, Buffer.alloc(800)]))
  for (const [key, value] of values) {
    await store.set(key, value, 60)
    t.equal(
      store.keepBeside?.(key, value, 400, () => void dropped.push(key)),
      true,
    )
  }
  await store.get('a')
  await store.set('d', Buffer.alloc(1000), 60)
  t.same(dropped, ['b', 'c'])
  for (const [key, value] of values) t.equal(await store.get(key), value, `${key} is still there`)
  t.equal(await bytesOf(store), 3 * 802 + 400 + 1002)
  t.equal(
    store.keepBeside?.('c', values.get('c') ?? Buffer.alloc(0), 500, () => {}),
    true,
  )
  t.same(dropped, ['b', 'c', 'a'], 'for data beside another value, too')
})

t.test('what is beside a removed value is forgotten, and not told', async (t) => {
  const store = memoryStore({ maxBytes: 2500 })
  const value = Buffer.alloc(1000)
  await store.set('a', value, 60)
  store.keepBeside?.('a', value, 100, () => t.fail('its value is gone'))
  await store.set('a', Buffer.alloc(1000), 60)
  await store.set('b', Buffer.alloc(1400), 60)
  t.equal(await bytesOf(store), 2404)
  await store.set('c', Buffer.alloc(1400), 60)
  t.equal(await bytesOf(store), 1402)
})

async function bytesOf(store: ReturnType<typeof memoryStore>): Promise<number> {
  let sum = 0
  for await (const entry of store.entries()) sum += entry.bytes
  return sum
}
