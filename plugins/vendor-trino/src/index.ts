import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { trinoVendor } from './vendor.js'

export type { TrinoOptions } from './options.js'
export { plansOf, trinoVendor }

/** Runs queries on Trino. Nothing is sent before the first query. */
export default definePlugin({
  name: '@grainline/vendor-trino',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    TRINO_URL: optionalText({
      means: 'The Trino cluster, as https://user:password@host:port/catalog/schema. Default: the one in the configuration.',
      secret: true,
    }),
    TRINO_TOKEN: optionalText({ means: 'A bearer token for Trino, such as a JWT, instead of a password.', secret: true }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(trinoVendor(plan))
  },
})
