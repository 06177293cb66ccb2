import path from 'node:path'
import { definePlugin } from '@grainline/core'
import { fileStore } from './file-store.js'
import { secretOf, storeSecret } from './secret.js'

export { fileStore }

/** Keeps answers in a folder, where a restart finds them. */
export default definePlugin({
  name: '@grainline/cache-file',
  host: '>=0.1.0 <1.0.0',
  setup(host) {
    const { CACHE_DIR, CACHE_MAX_DISK_BYTES: maxBytes } = host.settings
    const folder = path.resolve(CACHE_DIR)
    let used: Uint8Array | undefined
    host.caches.register({
      name: 'file',
      maxBytes,
      async secret() {
        used = await secretOf(folder)
        return used
      },
      open: () => fileStore({ folder, maxBytes, recreated: async () => used && storeSecret(folder, used) }),
    })
  },
})
