import { createHash } from 'node:crypto'
import { fail } from '@grainline/core'
import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { decode, fits } from './decode.js'
import { type Driver, loadDatabricks } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { introspect } from './introspect.js'
import type { DatabricksPlan } from './options.js'
import { openSession } from './session.js'

export interface DatabricksVendorOptions extends RowVendorOptions {
  /** The driver, if it should not be imported from next to this package. */
  readonly load?: () => Promise<Driver>
}

/** The vendor over a plan; nothing is opened before the first query. */
export const databricksVendor = (
  plan: DatabricksPlan,
  { load = loadDatabricks, ...options }: DatabricksVendorOptions = {},
): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async () => {
      if (plan.host === '') fail('INVALID_CONFIG', `The database '${plan.name}' has no address: set DATABRICKS_URL`)
      const driver = await load()
      return {
        open: () => openSession(plan, driver),
        fits: (planned, { type }) => fits(planned, String(type)),
        decode,
        isTransient,
        ranOutOfTime,
        statementFault,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        // One zone has many names.
        timezone: "SELECT CASE WHEN current_timezone() IN ('Etc/UTC', 'Z') THEN 'UTC' ELSE current_timezone() END",
        introspect,
      }
    },
    options,
  )

/**
 * The warehouse, the schema and the user, however the plan gives them. Answers for one token must not reach another, so the hash of the
 * token is included.
 */
const identityOf = ({ host, port, path, catalog, schema, access }: DatabricksPlan): string => {
  const user = 'clientId' in access ? access.clientId : createHash('sha256').update(access.token).digest('hex')
  return JSON.stringify({ dialect: 'databricks', host, port, path, catalog, schema, user })
}
