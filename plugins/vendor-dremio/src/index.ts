import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { dremioVendor } from './vendor.js'

export type { DremioOptions } from './options.js'
export { dremioVendor, plansOf }

/** Runs queries on Dremio by Arrow Flight SQL. gRPC is loaded and the first connection opened by the first query. */
export default definePlugin({
  name: '@grainline/vendor-dremio',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    DREMIO_URL: optionalText({
      means:
        'The Dremio engine, as dremio+tls://user:password@host:port/schema (dremio:// without TLS). Default: the one in the configuration.',
      secret: true,
    }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(dremioVendor(plan))
  },
})
