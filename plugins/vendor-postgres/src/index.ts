import { definePlugin, optionalInteger, optionalText } from '@grainline/core'
import { optionsSchema, plansOf } from './options.js'
import { preparation } from './preparation.js'
import { rollupsOf } from './rollups-of.js'
import { postgresRows, postgresVendor } from './vendor.js'

export type { PostgresOptions } from './options.js'
export { plansOf, postgresRows, postgresVendor, preparation }

const NONE = { POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined }

/** Runs queries on PostgreSQL and on Amazon Redshift. The driver is loaded and the first connection opened by the first query. */
export default definePlugin({
  name: '@grainline/vendor-postgres',
  host: '>=0.1.0 <1.0.0',
  options: optionsSchema,
  settings: {
    POSTGRES_URL: optionalText({
      means: 'The PostgreSQL database, as postgres://user:password@host:port/database. Default: the one in the configuration.',
      secret: true,
    }),
    POSTGRES_STATEMENT_TIMEOUT_MS: optionalInteger({
      means: 'Longest time of one statement in PostgreSQL, in milliseconds, even if the request allows more.',
      least: 1,
    }),
    ROLLUP_POSTGRES_URL: optionalText({
      means:
        'The same database for a user that may write: `grainline rollup build` makes the tables of rollups through it. Leave it out of the environment of the server.',
      secret: true,
    }),
    REDSHIFT_URL: optionalText({
      means: 'The Amazon Redshift database, as postgres://user:password@host:5439/database.',
      secret: true,
    }),
  },
  setup(host, options) {
    const { ROLLUP_POSTGRES_URL: address } = host.settings
    for (const plan of plansOf(options, host.settings)) {
      const [writer] = address === undefined ? [] : plansOf({ url: address }, { ...NONE, POSTGRES_URL: address })
      const keepsRollups = plan.name === 'postgres'
      host.vendors.register(postgresVendor(plan, keepsRollups ? { rollups: rollupsOf(writer) } : {}))
    }
  },
})
