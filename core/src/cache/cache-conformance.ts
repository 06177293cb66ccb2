/**
 * What every cache must do, as a function that its own test calls with itself:
 *
 *     import t from 'tap'
 *     cacheConformance(t, { open: () => myStore() })
 */
import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestRunner } from '../execute/vendor-conformance.js'
import type { CacheEntry, CacheStore } from './cache-store.js'

/** How the suite gets a store. */
export interface CacheUnderTest {
  /** A store without entries. */
  readonly open: () => Promise<CacheStore>
}

/** Runs the tests that every cache passes: values, keys of any text, expiry, sizes, deletion, and concurrent clients. */
export function cacheConformance(t: TestRunner, { open }: CacheUnderTest): void {
  const test = (name: string, body: (store: CacheStore) => Promise<void>) =>
    t.test(name, async () => {
      const store = await open()
      try {
        await body(store)
      } finally {
        await store.close()
      }
    })

  test('a stored value comes back byte for byte, and a missing one does not', async (store) => {
    const values = [new Uint8Array(0), Buffer.from([0, 255, 10, 13]), randomBytes(300_000)]
    for (const [index, value] of values.entries()) await store.set(`key ${index}`, value, 60)
    for (const [index, value] of values.entries()) {
      const found = await store.get(`key ${index}`)
      assert.ok(found && Buffer.from(found).equals(value), `value ${index}`)
    }
    assert.equal(await store.get('key'), undefined)
  })

  test('a key may be any text', async (store) => {
    const keys = ['answer/../../etc/passwd', 'a:b*c?[d]', 'ünï 🦆', ' ', 'A', 'a', 'x'.repeat(2000), '"\\\n']
    for (const key of keys) await store.set(key, Buffer.from(key), 60)
    for (const key of keys) assert.equal(Buffer.from((await store.get(key))!).toString(), key)
    assert.deepEqual((await all(store)).map(({ key }) => key).toSorted(), keys.toSorted())
  })

  test('a later value replaces the earlier one', async (store) => {
    await store.set('key', Buffer.from('long and old'), 60)
    await store.set('key', Buffer.from('new'), 60)
    assert.equal(Buffer.from((await store.get('key'))!).toString(), 'new')
    assert.equal((await all(store)).length, 1)
  })

  test('an expired entry is gone, listed or not', async (store) => {
    await store.set('short', Buffer.from('1'), 0.05)
    await store.set('long', Buffer.from('2'), 60)
    await sleep(120)
    assert.equal(await store.get('short'), undefined)
    assert.deepEqual(
      (await all(store)).map(({ key }) => key),
      ['long'],
    )
    await store.sweep()
    assert.ok(await store.get('long'))
  })

  test('entries have their size and their expiry', async (store) => {
    await store.set('key', randomBytes(1000), 60)
    const [entry] = await all(store)
    assert.ok(entry && entry.bytes >= 1000)
    const left = entry.expiresAt - Date.now()
    assert.ok(left > 50_000 && left <= 60_000, `${left} ms`)
  })

  test('several keys are deleted at once, and counted if they existed', async (store) => {
    const keys = Array.from({ length: 1200 }, (_, i) => `key ${i}`)
    await Promise.all(keys.map((key) => store.set(key, Buffer.from('1'), 60)))
    assert.equal(await store.deleteMany([...keys.slice(0, 1100), 'none']), 1100)
    assert.equal((await all(store)).length, 100)
    assert.equal(await store.deleteMany([]), 0)
  })

  test('concurrent writers and readers of one key see complete values', async (store) => {
    const values = Array.from({ length: 20 }, (_, i) => Buffer.alloc(50_000 + i, i))
    const readers = Array.from({ length: 40 }, async (_, i) => {
      if (i % 2 === 0) await store.set('key', values[i / 2]!, 60)
      const found = await store.get('key')
      assert.ok(found === undefined || values.some((value) => value.equals(Buffer.from(found))))
    })
    await Promise.all(readers)
  })
}

async function all(store: CacheStore): Promise<CacheEntry[]> {
  const entries: CacheEntry[] = []
  for await (const entry of store.entries()) entries.push(entry)
  return entries
}
