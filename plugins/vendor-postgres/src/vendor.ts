import { type RowDriver, type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { columnTypes } from './column-types.js'
import { decode, fits } from './decode.js'
import { loadPostgres } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { identityOf } from './identity.js'
import { introspect } from './introspect.js'
import type { PostgresPlan } from './options.js'
import { openSession } from './session.js'

/** The vendor over a plan; nothing is opened before the first query. */
export const postgresVendor = (plan: PostgresPlan, options?: RowVendorOptions): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async (logger) => {
      const driver = await loadPostgres()
      return { ...postgresRows, open: () => openSession(plan, driver, logger) }
    },
    options,
  )

/** How answers of PostgreSQL are read, however a session is opened. A session runs `preparation` first. */
export const postgresRows: Omit<RowDriver, 'name' | 'open'> = {
  fits: (planned, { type }) => fits(planned, Number(type)),
  decode,
  isTransient,
  ranOutOfTime,
  statementFault,
  message: engineMessage,
  explain: { prefix: 'EXPLAIN', format: 'text' },
  timezone: 'SHOW TimeZone',
  introspect,
  columnTypes,
}
