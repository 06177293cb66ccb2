import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { decode, fits } from './decode.js'
import { type Driver, loadSnowflake } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { introspect } from './introspect.js'
import type { SnowflakePlan } from './options.js'
import { openSession } from './session.js'

export interface SnowflakeVendorOptions extends RowVendorOptions {
  /** The driver, if it should not be imported from next to this package. */
  readonly load?: () => Promise<Driver>
}

/** The vendor over a plan; nothing is opened before the first query. */
export const snowflakeVendor = (plan: SnowflakePlan, { load = loadSnowflake, ...options }: SnowflakeVendorOptions = {}): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async () => {
      const driver = await load()
      return {
        open: () => openSession(plan, driver),
        fits: (planned, { type }) => fits(planned, String(type)),
        decode,
        isTransient,
        ranOutOfTime,
        statementFault,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN USING TEXT', format: 'text' },
        timezone: { sql: "SHOW PARAMETERS LIKE 'TIMEZONE' IN SESSION", column: 1 },
        introspect,
      }
    },
    options,
  )

/** The database and the user, in every form of the plan; never a credential. The role is included, because roles see different rows. */
const identityOf = ({ address, accessUrl }: SnowflakePlan): string => {
  const { account, user, role, warehouse, database, schema } = address
  return JSON.stringify({ dialect: 'snowflake', account, accessUrl, user, role, warehouse, database, schema })
}
