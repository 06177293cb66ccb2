import { memoryStore } from '@grainline/cache-memory'
import { definePlugin } from '@grainline/core'

/** A store of answers for `CACHE_BACKEND=watched`, and the entries that have been written to it, each under its key. */
export function watchedStore() {
  const held = memoryStore({ maxBytes: 10_000_000 })
  const written = new Map<string, Uint8Array>()
  const plugin = definePlugin({
    name: 'watched-store',
    host: '*',
    setup: (host) =>
      host.caches.register({
        name: 'watched',
        shared: true,
        open: async () => ({
          ...held,
          get: (key) => held.get(key),
          set: async (key, value, seconds) => {
            written.set(key, value)
            await held.set(key, value, seconds)
          },
          deleteMany: (keys) => held.deleteMany(keys),
          entries: () => held.entries(),
          sweep: () => held.sweep(),
          close: () => held.close(),
        }),
      }),
  })
  return { plugin, held, written }
}
