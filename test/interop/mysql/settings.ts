/** The corpus through the vendor on a server with other defaults than those of MySQL. */
import { silentLogger } from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import { mysqlVendor, plansOf } from '@grainline/vendor-mysql'
import mysql from 'mysql2/promise'
import type { SuiteTest } from '../suites.js'
import { suitesThroughVendor } from '../through-vendor.js'
import type { Witness } from '../witness.js'
import { openEngine } from './engine.js'
import type { Kind } from './server.js'

/** Each changes what a statement means, or what of its answer arrives. https://dev.mysql.com/doc/refman/8.4/en/server-system-variables.html */
const SETTINGS: Readonly<Record<string, string>> = {
  sql_mode:
    "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,REAL_AS_FLOAT,HIGH_NOT_PRECEDENCE,NO_UNSIGNED_SUBTRACTION,IGNORE_SPACE'",
  time_zone: "'+05:30'",
  div_precision_increment: '0',
  group_concat_max_len: '4',
  sql_select_limit: '2',
  max_sort_length: '8',
  default_week_format: '3',
  lc_time_names: "'de_DE'",
  sql_auto_is_null: '1',
  collation_connection: "'utf8mb4_general_ci'",
}
const ONLY: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  mysql: { windowing_use_high_precision: '0', default_collation_for_utf8mb4: "'utf8mb4_general_ci'" },
  mariadb: {},
}

export const settingsOn = (t: SuiteTest, kind: Kind, dialect: Dialect, witness: Witness): Promise<void> =>
  suitesThroughVendor(
    t,
    async () => {
      const engine = await openEngine(kind, dialect)
      if (typeof engine === 'string') return engine
      const admin = await mysql.createConnection({ socketPath: engine.socket, user: 'root' })
      for (const [name, value] of Object.entries({ ...SETTINGS, ...ONLY[kind] }))
        await admin.query(`SET GLOBAL ${name} = ${value}`)
      await admin.end()
      const plan = plansOf(
        { connections: { it: { socketPath: engine.socket, user: 'root', database: 'shop', dialect: kind } } },
        { MYSQL_URL: undefined, MARIADB_URL: undefined },
      ).find(({ name }) => name === 'it')
      return { engine, connection: await mysqlVendor(plan!).connect({ logger: silentLogger, poolSize: 1 }) }
    },
    witness,
  )
