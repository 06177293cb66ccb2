import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core'
import { decode, fits } from './decode.js'
import { loadTrino } from './driver.js'
import { engineMessage, isTransient } from './errors.js'
import { identityOf } from './identity.js'
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
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        timezone: 'SELECT current_timezone()',
        introspect,
      }
    },
    options,
  )
