import { definePlugin, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { snowflakeVendor } from './vendor.js'

export type { Driver } from './driver.js'
export type { SnowflakeOptions } from './options.js'
export type { SnowflakeVendorOptions } from './vendor.js'
export { plansOf, snowflakeVendor }

/** Runs queries on Snowflake. The driver is loaded and the first session opened by the first query. */
export default definePlugin({
  name: '@grainline/vendor-snowflake',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    SNOWFLAKE_URL: optionalText({
      means:
        'The Snowflake database, as snowflake://user:password@account/database/schema?warehouse=…&role=…. Default: the one in the configuration.',
      secret: true,
    }),
  },
  setup(host, options) {
    for (const plan of plansOf(options, host.settings)) host.vendors.register(snowflakeVendor(plan))
  },
})
