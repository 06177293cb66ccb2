import { fail } from '@grainline/core'
import { type RowSession, type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { decode, fits } from './decode.js'
import { loadMysql } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { introspect } from './introspect.js'
import type { MysqlPlan } from './options.js'
import { openSession } from './session.js'

/** The vendor over a plan; nothing is opened before the first query. */
export const mysqlVendor = (plan: MysqlPlan, options?: RowVendorOptions): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async (logger) => {
      const driver = await loadMysql()
      return {
        open: () => openSession(plan, driver, logger),
        fits: (planned, { type }) => fits(planned, Number(type)),
        decode,
        isTransient,
        ranOutOfTime,
        statementFault,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        timezone: "SELECT IF(@@session.time_zone = '+00:00', 'UTC', @@session.time_zone)",
        refuse: refuseZones,
        introspect,
      }
    },
    options,
  )

/** Without time zone tables the server returns NULL for every time in a zone, which is wrong. */
function refuseZones(sql: string, session: RowSession): void {
  if (('knowsZones' in session && session.knowsZones) || !sql.includes('CONVERT_TZ(')) return
  fail('DATABASE_ERROR', 'The time zone tables of the database are empty, so it cannot move times between zones', {
    hint: 'fill them: mysql_tzinfo_to_sql /usr/share/zoneinfo | mysql -u root mysql',
  })
}

/**
 * The database and who asks it, whichever way the plan says so; never the password. What the plan leaves out is as the driver has it, which
 * looks at no variable of the environment (https://sidorares.github.io/node-mysql2/docs/examples/connections/create-connection).
 */
function identityOf({ dialect, client }: MysqlPlan): string {
  const { socketPath, host = 'localhost', port = 3306, database, user } = client
  const server = socketPath === undefined ? { host, port } : { socketPath }
  return JSON.stringify({ dialect, ...server, database, user })
}
