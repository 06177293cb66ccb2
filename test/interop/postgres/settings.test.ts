/** The corpus and the functions through the vendor on a database whose sessions begin with other settings than those of PostgreSQL. */
import { silentLogger } from '@grainline/core'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import t from 'tap'
import { suitesThroughVendor } from '../through-vendor.js'
import { openEngine } from './engine.js'
import { witness } from './witness.js'

/** Each changes what a statement means, or how its answer is written. https://www.postgresql.org/docs/15/runtime-config-client.html */
const SETTINGS: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  bytea_output: 'escape',
  DateStyle: 'German, DMY',
  default_transaction_read_only: 'off',
  extra_float_digits: '-15',
  IntervalStyle: 'sql_standard',
  standard_conforming_strings: 'off',
  TimeZone: 'Asia/Kolkata',
  transform_null_equals: 'on',
  xmloption: 'document',
}

await suitesThroughVendor(
  t,
  async () => {
    const engine = await openEngine()
    if (typeof engine === 'string') return engine
    for (const [name, value] of Object.entries(SETTINGS))
      await engine.client.query(`ALTER DATABASE postgres SET ${name} = '${value}'`)
    const [plan] = plansOf(
      { host: engine.socket, user: 'postgres', database: 'postgres' },
      { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined },
    )
    return { engine, connection: await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 }) }
  },
  witness,
)
