import { definePlugin, flag, optionalInteger, optionalText } from '@grainline/core'
import { optionsSchema, planOf } from './options.js'
import { duckdbVendor } from './vendor.js'

export type { DuckDBOptions } from './options.js'
export { duckdbVendor, planOf }

const isSize = (text: string): boolean => /^\d+(\.\d+)?\s*([KMGT]i?)?B$/i.test(text)

/** Runs queries on embedded DuckDB. The driver is loaded and the database opened on the first connect. */
export default definePlugin({
  name: '@grainline/vendor-duckdb',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    DUCKDB_DATABASE: optionalText({
      means: 'The DuckDB database file that is served; without it the one of the configuration, else one in memory.',
    }),
    DUCKDB_READ_ONLY: flag({
      default: true,
      means:
        'Opens the database file read-only, so that other processes may read it too; false opens it for writing, or creates it.',
    }),
    DUCKDB_MEMORY_LIMIT: optionalText({
      rule: 'a size such as 512MB or 4GiB',
      fits: isSize,
      means:
        'Memory of DuckDB; without it half of what the evaluator and the catalogue (768 MiB) leave of the machine or container, at least a quarter of all.',
    }),
    DUCKDB_THREADS: optionalInteger({ least: 1, most: 1024, means: 'Threads of DuckDB; without it one for each processor.' }),
    DUCKDB_TEMP_LIMIT: optionalText({
      rule: 'a size such as 512MB or 4GiB',
      fits: isSize,
      means: 'Disk space that DuckDB may use for what does not fit into memory; without it 10GB.',
    }),
  },
  setup(host, options) {
    const plan = planOf({ ...options, base: options.base ?? host.base }, host.settings, host.processes)
    host.vendors.register(duckdbVendor(plan))
  },
})
