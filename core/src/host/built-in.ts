import { apiKey } from '../auth/api-key.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { builtInFormats } from '../result/formats/index.js'
import { definePlugin } from './plugin.js'
import type { Authenticator } from './points.js'

/** What core itself brings, through the same door as everybody else: the portable catalogue, formats without a library of their own, and two authenticators. */
export const builtIn = definePlugin({
  name: '@grainline/core',
  host: '*',
  setup(host) {
    for (const spec of builtInFunctions.values()) host.functions.register(spec)
    for (const spec of builtInAggregates.values()) host.aggregates.register(spec)
    for (const format of builtInFormats) host.formats.register(format)
    host.authenticators.register(none)
    host.authenticators.register(apiKey(host.settings.API_KEYS, host.settings.ADMIN_API_KEYS))
  },
})

/** Lets everybody in, with or without a credential. */
export const none: Authenticator = Object.freeze({
  name: 'none',
  authenticate: async () => ({ id: 'anonymous' }),
})
