import { definePlugin, integer } from '@grainline/core'
import { memoryStore } from './memory-store.js'

export { memoryStore }

/** Keeps answers in the memory of this process. */
export default definePlugin({
  name: '@grainline/cache-memory',
  host: '>=0.1.0 <1.0.0',
  settings: {
    CACHE_MAX_MEMORY_BYTES: integer({ default: 268_435_456, means: 'Memory of the memory cache.' }),
  },
  setup(host) {
    const maxBytes = host.settings.CACHE_MAX_MEMORY_BYTES
    host.caches.register({ name: 'memory', maxBytes, apart: true, open: async () => memoryStore({ maxBytes }) })
  },
})
