import { apiKey } from '../auth/api-key.js'
import { endsWhen } from '../auth/principal.js'
import { type NamedKey, readKeysFile } from '../auth/read-keys-file.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { obmlWith } from '../model/obml.js'
import { builtInFormats } from '../result/formats/index.js'
import { isSame } from '../same.js'
import { catalogueOf } from '../service/catalogue.js'
import type { Settings } from '../settings/core-variables.js'
import { definePlugin } from './plugin.js'
import type { Authenticator } from './points.js'

/** The extensions of core, registered like those of any plugin: the portable catalogue, encodings without libraries, an importer, and two authenticators. */
export const builtIn = definePlugin({
  name: '@grainline/core',
  host: '*',
  setup(host) {
    for (const spec of builtInFunctions.values()) host.functions.register(spec)
    for (const spec of builtInAggregates.values()) host.aggregates.register(spec)
    for (const format of builtInFormats) host.encodings.register(format)
    host.importers.register(obmlWith(catalogueOf({ functions: host.functions, aggregates: host.aggregates })))
    host.authenticators.register(none)
    host.authenticators.register(keysOf(host.settings))
  },
})

/** The keys of the settings, and those of the file, which may be read again. An invalid file keeps the keys of the last valid one. */
function keysOf({ AUTH_MODE, API_KEYS, ADMIN_API_KEYS, API_KEYS_FILE: file }: Settings): Authenticator {
  if (file === undefined || AUTH_MODE !== 'api_key') return apiKey(API_KEYS, ADMIN_API_KEYS)
  let named: readonly NamedKey[] = []
  const reload = () => {
    named = readKeysFile(file)
    for (const key of named) endsWhen(key.principal, () => !named.some((other) => isSameKey(other, key)))
  }
  reload()
  return Object.freeze({ ...apiKey(API_KEYS, ADMIN_API_KEYS, () => named), reload })
}

const isSameKey = (a: NamedKey, b: NamedKey): boolean => a.digest.equals(b.digest) && isSame(a.principal, b.principal)

/** Admits every client, with or without a credential. */
export const none: Authenticator = Object.freeze({
  name: 'none',
  authenticate: async () => ({ id: 'anonymous' }),
})
