import { connectRows, type DataType, type RowDriver, type Vendor } from '@grainline/core'
import { decode, fits } from './decode.js'
import { loadDriver } from './driver.js'
import { engineMessage, isTransient } from './errors.js'
import { identityOf } from './identity.js'
import { introspect } from './introspect.js'
import type { PostgresPlan } from './options.js'
import { openSession } from './session.js'

/** Longest wait for a connection, in milliseconds. */
const WAIT_MS = 10_000

/** The vendor over a plan; nothing is opened before the first query. */
export function postgresVendor(plan: PostgresPlan, { waitMs = WAIT_MS }: { readonly waitMs?: number } = {}): Vendor {
  const identity = identityOf(plan)
  return {
    name: plan.name,
    dialect: plan.dialect,
    ...(identity !== undefined && { identity }),
    async connect({ logger, poolSize }) {
      const loaded = await loadDriver()
      const driver: RowDriver = {
        name: plan.name,
        open: () => openSession(plan, loaded, logger),
        fits: (planned: DataType, { type }) => fits(planned, Number(type)),
        decode,
        isTransient,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        timezone: 'SHOW TimeZone',
        introspect,
      }
      return connectRows(driver, { poolSize: plan.poolSize ?? poolSize, waitMs, logger })
    },
  }
}
