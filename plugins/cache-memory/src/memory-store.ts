import type { CacheStore } from '@grainline/core'
import { Lru } from '@grainline/core/surface'

interface Kept {
  readonly value: Uint8Array
  /** The size of the key, the value and the overhead of an entry. */
  readonly bytes: number
  readonly expiresAt: number
  readonly storedAt: number
}

/** A store in memory; the least recently used entry is removed first. */
export function memoryStore({
  maxBytes,
  now = Date.now,
}: {
  readonly maxBytes: number
  readonly now?: () => number
}): CacheStore {
  const kept = new Lru<Kept>({ maxBytes, maxEntries: Number.POSITIVE_INFINITY })
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined || now() < entry.expiresAt) return entry?.value
      kept.delete(key)
      return undefined
    },
    async set(key, value, ttlSeconds) {
      const storedAt = now()
      const bytes = 2 * key.length + value.byteLength
      kept.set(key, { value, bytes, storedAt, expiresAt: storedAt + ttlSeconds * 1000 }, bytes)
    },
    keepBeside(key, value, more) {
      const entry = kept.get(key)
      if (entry?.value !== value || entry.bytes + more > maxBytes) return false
      const bytes = entry.bytes + more
      kept.set(key, { ...entry, bytes }, bytes)
      return true
    },
    deleteMany: async (keys) => keys.filter((key) => kept.delete(key)).length,
    async *entries() {
      for (const [key, { expiresAt, storedAt }, bytes] of [...kept.entries()]) {
        if (now() < expiresAt) yield { key, bytes, expiresAt, storedAt }
      }
    },
    async sweep() {
      const over = [...kept.entries()].filter(([, { expiresAt }]) => now() >= expiresAt)
      for (const [key] of over) kept.delete(key)
      // More than its bytes it never holds.
      return { expired: over.length, evicted: 0 }
    },
    close: async () => kept.clear(),
  }
}
