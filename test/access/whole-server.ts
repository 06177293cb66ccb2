/** One server of the shop with every surface, whose principals may each use all of them. */
import type { HostPlugin } from '@grainline/core'
import odata from '@grainline/surface-odata'
import rest from '@grainline/surface-rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { ALL_TOOLS, SHOP_SETTINGS } from './served.js'
import { KEYS_FILE, MODEL } from './shop.js'
import { served } from './wire-served.js'

export interface WholeServer {
  readonly app: FastifyInstance
  readonly routes: readonly { readonly method: string; readonly url: string }[]
  readonly port: number
  readonly flightPort: number
}

/** It while a handle is tried. */
export interface TriedServer extends WholeServer {
  /** Addresses whose answers have a tag. */
  readonly tagged: readonly string[]
  /** Closes what a trial has opened. */
  readonly after: (close: () => Promise<unknown>) => void
}

/** Three customers of each region, so that there are further pages and rows. */
const TABLES = [
  "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('South')) AS t(name)",
  `CREATE TABLE customers AS SELECT i AS id, CASE WHEN i % 2 = 1 THEN 'Ann ' ELSE 'Bob ' END || i AS name,
     CASE WHEN i % 2 = 1 THEN 'North' ELSE 'South' END AS region, CAST(i AS varchar) AS zip FROM range(1, 21) AS t(i)`,
  'CREATE TABLE orders AS SELECT i AS id, 1 + i % 20 AS customer_id, 1 AS referrer_id, i AS amount FROM range(200) AS t(i)',
  'CREATE TABLE products AS SELECT 1 AS id',
]

/** Managers see a column more, so that what is said of the model differs, too. The south is one, and the application may ask for some. */
const HIDING = MODEL.replace('  unbound:', '  fields: [{ hide: [Customers.Zip], unless: [manager, admin] }]\n  unbound:')
const KEYS_OF_MANAGERS = KEYS_FILE.replace(/(name: south.*roles: \[|name: app.*roles: \[)/g, '$1manager, ')

const KEPT = {
  CACHE_BACKEND: 'watched',
  CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl',
  CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 300,
  CACHE_KEY: 'a key of sixteen characters',
}

/** Its only connection to the database is everybody's; `plugins` has the store of answers, whose name is `watched`. */
export async function wholeServer(t: Test, store: HostPlugin): Promise<WholeServer> {
  // Without a key of its own the page asks for each person.
  const { SVC_API_KEY: _, ...others } = SHOP_SETTINGS
  const settings = { ...others, ...ALL_TOOLS, ...KEPT, DB_POOL_SIZE: 1, SESSION_RATE_LIMIT: 10_000 }
  const plugins = [
    rest as HostPlugin,
    odata as HostPlugin,
    '@grainline/mcp',
    '@grainline/surface-ui',
    '@grainline/importer-dbt',
    store,
  ]
  const { host, port, flightPort } = await served(t, TABLES, HIDING, { keys: KEYS_OF_MANAGERS, settings, plugins })
  const app = Fastify()
  const routes: { method: string; url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
  mountSurfaces(app, host)
  await app.ready()
  t.teardown(() => app.close())
  return { app, routes, port, flightPort }
}
