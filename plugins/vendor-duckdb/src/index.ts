import { definePlugin, flag, optionalText } from '@grainline/core'
import { optionsSchema, planOf } from './options.js'
import { duckdbVendor } from './vendor.js'

export type { DuckDBOptions } from './options.js'
export { duckdbVendor, planOf }

/** Runs queries on embedded DuckDB. The driver is loaded and the database opened on the first connect. */
export default definePlugin({
  name: '@grainline/vendor-duckdb',
  host: '^0.1.0',
  options: optionsSchema,
  settings: {
    DUCKDB_DATABASE: optionalText({
      means: 'The DuckDB database file that is served; without it the one of the configuration, else one in memory.',
    }),
    DUCKDB_READ_ONLY: flag({
      default: false,
      means: 'Opens the database file read-only, so that other processes may read it too.',
    }),
  },
  setup(host, options) {
    const plan = planOf({ ...options, base: options.base ?? host.base }, host.settings)
    host.vendors.register(duckdbVendor(plan))
  },
})
