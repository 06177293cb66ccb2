import type { Logger } from '../logger.js'
import type { ConnectionPlan } from './connection-options.js'
import { connectRows, type RowDriver } from './row-connection.js'
import type { RollupStorage, Vendor } from './vendor.js'

/** Options of a vendor over a driver of rows. */
export interface RowVendorOptions {
  /** Longest wait for a connection of the pool, in milliseconds. */
  readonly waitMs?: number
  readonly rollups?: RollupStorage | undefined
}

/** A vendor over a driver of rows; nothing is loaded or opened before the first query. */
export function rowVendor(
  { name, dialect, poolSize, configured }: ConnectionPlan & { readonly dialect: string },
  identity: string,
  driverOf: (logger: Logger) => Promise<Omit<RowDriver, 'name'>>,
  { waitMs = 10_000, rollups }: RowVendorOptions = {},
): Vendor {
  return {
    name,
    dialect,
    configured,
    identity,
    ...(rollups && { rollups }),
    async connect({ logger, poolSize: usual }) {
      const driver = await driverOf(logger)
      return connectRows({ name, ...driver }, { poolSize: poolSize ?? usual, waitMs, logger })
    },
  }
}
