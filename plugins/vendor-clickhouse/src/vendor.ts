import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { decode, fits } from './decode.js'
import { loadClickhouse } from './driver.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
import { introspect } from './introspect.js'
import type { ClickhousePlan } from './options.js'
import { openSession } from './session.js'

/** The vendor over a plan; nothing is opened before the first query. */
export const clickhouseVendor = (plan: ClickhousePlan, options?: RowVendorOptions): Vendor =>
  rowVendor(
    plan,
    identityOf(plan),
    async () => {
      const driver = await loadClickhouse()
      return {
        open: async () => openSession(plan, driver),
        fits: (planned, { type }) => fits(planned, String(type)),
        decode,
        isTransient,
        ranOutOfTime,
        statementFault,
        message: engineMessage,
        explain: { prefix: 'EXPLAIN', format: 'text' },
        // One zone has many names.
        timezone: "SELECT if(timezone() IN ('Etc/UTC', 'UCT', 'Zulu'), 'UTC', timezone())",
        introspect,
      }
    },
    options,
  )

/** The database and the user, in every form of the plan; never the password. */
const identityOf = ({ url, database, user }: ClickhousePlan): string =>
  JSON.stringify({ dialect: 'clickhouse', url, database, user })
