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
      means: 'The DuckDB database file. Default: the file in the configuration, else a database in memory.',
    }),
    DUCKDB_READ_ONLY: flag({
      default: true,
      means:
        'Opens the database file read-only, so that other processes can read it too. False opens it for writing, or creates it.',
    }),
    ROLLUP_DUCKDB_URL: optionalText({
      means:
        'The database file to which `grainline rollup build` writes the tables of rollups: a copy takes its place. Leave it out of the environment of the server.',
    }),
    DUCKDB_MEMORY_LIMIT: optionalText({
      rule: 'a size such as 512MB or 4GiB',
      fits: isSize,
      means:
        'Memory limit of DuckDB. Default: half of the memory of the machine or container that the evaluator and the catalogue (768 MiB) leave, but at least a quarter of all memory.',
    }),
    DUCKDB_THREADS: optionalInteger({ least: 1, most: 1024, means: 'Threads of DuckDB. Default: one per processor.' }),
    DUCKDB_TEMP_LIMIT: optionalText({
      rule: 'a size such as 512MB or 4GiB',
      fits: isSize,
      means: 'Disk space that DuckDB may use for data that do not fit into memory. Default: 10GB.',
    }),
  },
  setup(host, options) {
    const plan = planOf({ ...options, base: options.base ?? host.base }, host.settings, host.processes)
    host.vendors.register(duckdbVendor(plan, { rollups: host.settings.ROLLUP_DUCKDB_URL }))
  },
})
