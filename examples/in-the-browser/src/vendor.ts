import type { PGlite } from '@electric-sql/pglite'
import { definePlugin } from '@grainline/core'
import { rowVendor } from '@grainline/core/vendor'
import { postgresRows } from '@grainline/vendor-postgres'
import { openSession } from './session.js'

/** Runs queries on the PostgreSQL of the tab, which has one connection. */
export const vendorOf = (database: PGlite) =>
  definePlugin({
    name: '@grainline/example-in-the-browser',
    host: '>=0.1.0 <1.0.0',
    setup(host) {
      const plan = { name: VENDOR, dialect: 'postgres', poolSize: 1, statementTimeoutMs: undefined, configured: true }
      host.vendors.register(rowVendor(plan, 'tab', async () => ({ ...postgresRows, open: () => openSession(database) })))
    },
  })

export const VENDOR = 'postgres'
