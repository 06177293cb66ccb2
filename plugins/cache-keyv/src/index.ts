import { definePlugin, Type } from '@grainline/core'
import { adapterClass, canList } from './adapter.js'
import { keyvStore } from './keyv-store.js'

export { keyvStore }

/** Keeps answers in any store of Keyv, such as `@keyv/redis`, `@keyv/postgres` or `keyv-file`. */
export default definePlugin({
  name: '@grainline/cache-keyv',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object(
    {
      store: Type.String({ minLength: 1, description: 'The package of the store, or the file of a module.' }),
      export: Type.Optional(Type.String({ description: 'The name of its class; by default the default export.' })),
      options: Type.Optional(
        Type.Unknown({ secret: true, description: 'The first argument of its constructor: an address, or an object.' }),
      ),
      namespace: Type.Optional(Type.String({ description: 'The namespace of Keyv, for a store that other programs use.' })),
      shared: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether other users may write to the store; CACHE_KEY must then be set.',
        }),
      ),
      maxBytes: Type.Optional(Type.Integer({ minimum: 1, description: 'The oldest answers beyond this size are removed.' })),
    },
    { additionalProperties: false },
  ),
  async setup(host, { namespace, shared = true, maxBytes, ...store }) {
    const Adapter = await adapterClass(store, host.base)
    host.caches.register({
      name: 'keyv',
      shared,
      // Without a list, each process finds only its own answers.
      apart: !canList(Adapter.prototype),
      ...(maxBytes !== undefined && { maxBytes }),
      open: ({ logger }) => keyvStore({ adapter: new Adapter(store.options), namespace, maxBytes, logger }),
    })
  },
})
