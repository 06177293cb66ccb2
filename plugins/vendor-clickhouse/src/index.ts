import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { clickhouseVendor } from './vendor.js'

export type { ClickhouseOptions } from './options.js'
export { clickhouseVendor, plansOf }

/** Runs queries on ClickHouse. The driver is loaded and the first statement sent by the first query. */
export default definePlugin({
  name: '@grainline/vendor-clickhouse',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    CLICKHOUSE_URL: optionalText({
      means: 'The ClickHouse database, as https://user:password@host:port/database. Default: the one in the configuration.',
      secret: true,
    }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(clickhouseVendor(plan))
  },
})
