import fc from 'fast-check'
import t from 'tap'
import { Lru } from './lru.js'

t.test('the least recently used entry is removed first', async (t) => {
  const lru = new Lru<number>({ maxEntries: 2, maxBytes: 100 })
  lru.set('a', 1, 10)
  lru.set('b', 2, 10)
  lru.get('a')
  lru.set('c', 3, 10)
  t.same([lru.get('a'), lru.get('b'), lru.get('c')], [1, undefined, 3])
  t.equal(lru.evictions, 1)
})

t.test('a value larger than the limit is not stored, and removes nothing', async (t) => {
  const lru = new Lru<number>({ maxEntries: 10, maxBytes: 100 })
  lru.set('a', 1, 60)
  lru.set('b', 2, 101)
  t.same([lru.get('a'), lru.get('b'), lru.bytes], [1, undefined, 60])
})

t.test('with a limit of no entries nothing is stored', async (t) => {
  const lru = new Lru<number>({ maxEntries: 0, maxBytes: 100 })
  lru.set('a', 1, 1)
  t.same([lru.size, lru.bytes, lru.evictions], [0, 0, 0])
})

t.test('after any operations, the limits hold and the bytes are those of the entries', async () => {
  const step = fc.record({ key: fc.nat(8).map(String), bytes: fc.nat(60), remove: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const lru = new Lru<number>({ maxEntries: 4, maxBytes: 100 })
      for (const { key, bytes, remove } of steps) {
        if (remove) lru.delete(key)
        else lru.set(key, bytes, bytes)
        const kept = [...lru.entries()]
        const sum = kept.reduce((total, [, , each]) => total + each, 0)
        if (lru.bytes !== sum || sum > 100 || lru.size !== kept.length || kept.length > 4) return false
      }
      return true
    }),
  )
})
