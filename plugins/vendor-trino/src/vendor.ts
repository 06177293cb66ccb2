import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { decode, fits } from './decode.js'
import { loadTrino } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { introspect } from './introspect.js'
import type { TrinoPlan } from './options.js'
import { openSession } from './session.js'

/** The vendor over a plan; nothing is opened before the first query. */
export const trinoVendor = (plan: TrinoPlan, options?: RowVendorOptions): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async () => {
      const driver = await loadTrino()
      return {
        open: async () => openSession(plan, driver),
        fits: (planned, { type }) => fits(planned, String(type)),
        decode,
        isTransient,
        ranOutOfTime,
        statementFault,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        timezone: 'SELECT current_timezone()',
        introspect,
      }
    },
    options,
  )

/** The cluster, its default catalog and schema, and the user, in every form of the plan; never a secret. */
const identityOf = ({ url, catalog, schema, user }: TrinoPlan): string =>
  JSON.stringify({ dialect: 'trino', url, catalog, schema, user })
