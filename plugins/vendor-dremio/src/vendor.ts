import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { fits } from './columns.js'
import { engineMessage, isTransient, ranOutOfTime } from './errors.js'
import { identityOf } from './identity.js'
import { introspect } from './introspect.js'
import type { DremioPlan } from './options.js'
import { openSession } from './session.js'

/** The vendor over a plan; nothing is opened before the first query. */
export const dremioVendor = (plan: DremioPlan, options?: RowVendorOptions): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async () => ({
      open: () => openSession(plan),
      fits: (planned, { type }) => fits(planned, String(type)),
      decode: (text) => text,
      isTransient,
      ranOutOfTime,
      message: engineMessage,
      explain: { prefix: 'EXPLAIN PLAN FOR', format: 'text' },
      // Times have no other zone in Dremio.
      timezone: "SELECT 'UTC'",
      introspect,
    }),
    options,
  )
