import fc from 'fast-check'
import t from 'tap'
import { Lru } from './lru.js'

t.test('what was not asked for the longest goes first', async (t) => {
  const lru = new Lru<number>({ maxEntries: 2, maxBytes: 100 })
  lru.set('a', 1, 10)
  lru.set('b', 2, 10)
  lru.get('a')
  lru.set('c', 3, 10)
  t.same([lru.get('a'), lru.get('b'), lru.get('c')], [1, undefined, 3])
  t.equal(lru.evictions, 1)
})

t.test('a value larger than all that may be kept is not kept, and drives nothing out', async (t) => {
  const lru = new Lru<number>({ maxEntries: 10, maxBytes: 100 })
  lru.set('a', 1, 60)
  lru.set('b', 2, 101)
  t.same([lru.get('a'), lru.get('b'), lru.bytes], [1, undefined, 60])
})

t.test('nothing is kept where no entry is allowed', async (t) => {
  const lru = new Lru<number>({ maxEntries: 0, maxBytes: 100 })
  lru.set('a', 1, 1)
  t.same([lru.size, lru.bytes, lru.evictions], [0, 0, 0])
})

t.test('whatever happens, the limits hold and the bytes are those of what is there', async () => {
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
