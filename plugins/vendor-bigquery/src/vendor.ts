import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { decode, fits } from './decode.js'
import { type Driver, loadBigquery } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { introspect } from './introspect.js'
import type { BigqueryPlan } from './options.js'
import { EXPLAIN, openSession } from './session.js'

export interface BigqueryVendorOptions extends RowVendorOptions {
  /** The driver, if it should not be imported from next to this package. */
  readonly load?: () => Promise<Driver>
}

/** The vendor over a plan; nothing is opened before the first query. */
export const bigqueryVendor = (plan: BigqueryPlan, { load = loadBigquery, ...options }: BigqueryVendorOptions = {}): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async () => {
      const driver = await load()
      return {
        open: async () => openSession(plan, driver),
        fits: (planned, { type }) => fits(planned, String(type)),
        decode,
        isTransient,
        ranOutOfTime,
        statementFault,
        message: engineMessage,
        explain: { prefix: EXPLAIN, format: 'text' },
        timezone: 'SELECT @@time_zone',
        introspect: (ask) => introspect(ask, plan),
      }
    },
    options,
  )

/** The project, its default dataset and the account, in every form of the plan. */
const identityOf = ({ address, account, client }: BigqueryPlan): string => {
  const { projectId, dataset, location } = address
  return JSON.stringify({ dialect: 'bigquery', projectId, dataset, location, account, endpoint: client['apiEndpoint'] })
}
