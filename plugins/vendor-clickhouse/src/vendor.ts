import { connectRows, type RowDriver, type Vendor } from '@grainline/core'
import { decode, fits } from './decode.js'
import { loadDriver } from './driver.js'
import { engineMessage, isTransient } from './errors.js'
import { identityOf } from './identity.js'
import { introspect } from './introspect.js'
import type { ClickhousePlan } from './options.js'
import { openSession } from './session.js'

/** Longest wait for a place in the pool, in milliseconds. */
const WAIT_MS = 10_000

/** The vendor over a plan; nothing is opened before the first query. */
export function clickhouseVendor(plan: ClickhousePlan, { waitMs = WAIT_MS }: { readonly waitMs?: number } = {}): Vendor {
  return {
    name: plan.name,
    dialect: 'clickhouse',
    identity: identityOf(plan),
    async connect({ logger, poolSize }) {
      const loaded = await loadDriver()
      const driver: RowDriver = {
        name: plan.name,
        open: async () => openSession(plan, loaded),
        fits: (planned, { type }) => fits(planned, String(type)),
        decode,
        isTransient,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        // One zone has many names.
        timezone: "SELECT if(timezone() IN ('Etc/UTC', 'UCT', 'Zulu'), 'UTC', timezone())",
        introspect,
      }
      return connectRows(driver, { poolSize: plan.poolSize ?? poolSize, waitMs, logger })
    },
  }
}
