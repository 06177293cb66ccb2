import { createHash } from 'node:crypto'
import { type RowVendorOptions, rowVendor, type Vendor } from '@grainline/core/vendor'
import { fits } from './columns.js'
import { engineMessage, isTransient, ranOutOfTime, statementFault } from './errors.js'
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
      statementFault,
      message: engineMessage,
      explain: { prefix: 'EXPLAIN PLAN FOR', format: 'text' },
      // Times have no other zone in Dremio.
      timezone: "SELECT 'UTC'",
      introspect,
    }),
    options,
  )

/** The engine, its default schema and the user, in every form of the plan; for a token, which contains no name, its hash. */
function identityOf({ host, port, credentials, headers }: DremioPlan): string {
  const user =
    credentials === undefined || 'user' in credentials
      ? credentials?.user
      : createHash('sha256').update(credentials.token).digest('hex')
  return JSON.stringify({ dialect: 'dremio', host, port, user, schema: headers['schema'] })
}
