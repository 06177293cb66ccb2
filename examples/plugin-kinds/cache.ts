/** Stores the newest answers of this process, up to a number of them: `CACHE_BACKEND=newest`. */
import { type CacheEntry, type CacheStore, definePlugin, Type } from '@grainline/core'

interface Kept extends CacheEntry {
  readonly value: Uint8Array
}

export function newestStore(most: number): CacheStore {
  // A Map lists its keys in the order in which they were set.
  const kept = new Map<string, Kept>()
  const alive = (entry: Kept | undefined): Kept | undefined => (entry && entry.expiresAt > Date.now() ? entry : undefined)
  const forget = (keys: readonly string[]): number => keys.filter((key) => kept.delete(key)).length
  return {
    get: async (key) => alive(kept.get(key))?.value,
    async set(key, value, ttlSeconds) {
      const now = Date.now()
      kept.delete(key)
      kept.set(key, { key, value, bytes: value.byteLength, storedAt: now, expiresAt: now + ttlSeconds * 1000 })
      forget([...kept.keys()].slice(0, Math.max(0, kept.size - most)))
    },
    deleteMany: async (keys) => forget(keys),
    async *entries() {
      for (const { value: _, ...entry } of kept.values()) if (alive(kept.get(entry.key))) yield entry
    },
    sweep: async () => ({ expired: forget([...kept.values()].filter((e) => !alive(e)).map(({ key }) => key)), evicted: 0 }),
    close: async () => kept.clear(),
  }
}

export default definePlugin({
  name: '@grainline/example-cache',
  host: '^0.1.0',
  options: Type.Object({ most: Type.Optional(Type.Integer({ minimum: 1, default: 1000 })) }, { additionalProperties: false }),
  setup(host, { most = 1000 }) {
    host.caches.register({ name: 'newest', open: async () => newestStore(most) })
  },
})
