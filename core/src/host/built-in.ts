import { apiKey } from '../auth/api-key.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { builtInFormats } from '../result/formats/index.js'
import { definePlugin } from './plugin.js'
import type { Authenticator } from './points.js'

/** The extensions of core, registered like those of any plugin: the portable catalogue, encodings without libraries, and two authenticators. */
export const builtIn = definePlugin({
  name: '@grainline/core',
  host: '*',
  setup(host) {
    for (const spec of builtInFunctions.values()) host.functions.register(spec)
    for (const spec of builtInAggregates.values()) host.aggregates.register(spec)
    for (const format of builtInFormats) host.encodings.register(format)
    host.authenticators.register(none)
    host.authenticators.register(apiKey(host.settings.API_KEYS, host.settings.ADMIN_API_KEYS))
  },
})

/** Admits every client, with or without a credential. */
export const none: Authenticator = Object.freeze({
  name: 'none',
  authenticate: async () => ({ id: 'anonymous' }),
})
