import path from 'node:path'
import { definePlugin } from '@grainline/core'
import { fileStore } from './file-store.js'
import { secretOf } from './secret.js'

export { fileStore }

/** Keeps answers in a folder, where a restart finds them. */
export default definePlugin({
  name: '@grainline/cache-file',
  host: '>=0.1.0 <1.0.0',
  setup(host) {
    const { CACHE_DIR, CACHE_MAX_DISK_BYTES: maxBytes } = host.settings
    const folder = path.resolve(CACHE_DIR)
    host.caches.register({ name: 'file', maxBytes, secret: () => secretOf(folder), open: () => fileStore({ folder, maxBytes }) })
  },
})
