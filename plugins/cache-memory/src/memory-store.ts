import { type CacheStore, Lru } from '@grainline/core'

interface Kept {
  readonly value: Uint8Array
  /** The size of the key and the value, without what is beside it. */
  readonly bytes: number
  readonly expiresAt: number
  readonly storedAt: number
}

interface Beside {
  readonly drop: () => void
  /** The size of the entry without it. */
  readonly alone: number
}

/**
 * A store in memory. The least recently used entry is removed first, but no entry as long as there is data beside another one, which can be
 * made again without the database.
 */
export function memoryStore({
  maxBytes,
  now = Date.now,
}: {
  readonly maxBytes: number
  readonly now?: () => number
}): CacheStore {
  const unbounded = Number.POSITIVE_INFINITY
  const beside = new Lru<Beside>({ maxBytes: unbounded, maxEntries: unbounded })
  const kept = new Lru<Kept>({ maxBytes, maxEntries: unbounded }, (key) => beside.delete(key))

  function remove(key: string): boolean {
    beside.delete(key)
    return kept.delete(key)
  }

  /** Drops what is beside other entries, the least recently used first, until there is room for so many bytes. */
  function makeRoom(bytes: number, key: string): void {
    for (const [other, { drop, alone }] of beside.entries()) {
      if (kept.bytes + bytes <= maxBytes) return
      if (other === key) continue
      beside.delete(other)
      kept.resize(other, alone)
      drop()
    }
  }

  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      if (now() >= entry.expiresAt) {
        remove(key)
        return undefined
      }
      beside.get(key)
      return entry.value
    },
    async set(key, value, ttlSeconds) {
      const storedAt = now()
      const bytes = 2 * key.length + value.byteLength
      remove(key)
      makeRoom(bytes, key)
      kept.set(key, { value, bytes, storedAt, expiresAt: storedAt + ttlSeconds * 1000 }, bytes)
    },
    keepBeside(key, value, bytes, drop) {
      const entry = kept.get(key)
      if (entry?.value !== value || entry.bytes + bytes > maxBytes) return false
      kept.resize(key, entry.bytes)
      makeRoom(bytes, key)
      kept.set(key, entry, entry.bytes + bytes)
      beside.set(key, { drop, alone: entry.bytes }, bytes)
      return true
    },
    deleteMany: async (keys) => keys.filter(remove).length,
    async *entries() {
      for (const [key, { expiresAt, storedAt }, bytes] of [...kept.entries()]) {
        if (now() < expiresAt) yield { key, bytes, expiresAt, storedAt }
      }
    },
    async sweep() {
      const over = [...kept.entries()].filter(([, { expiresAt }]) => now() >= expiresAt)
      for (const [key] of over) remove(key)
      // More than its bytes it never holds.
      return { expired: over.length, evicted: 0 }
    },
    async close() {
      beside.clear()
      kept.clear()
    },
  }
}
