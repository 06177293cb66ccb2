/**
 * Orders in DuckDB with our service in front of it, and in PostgreSQL. A fork of this file with `ORDERS` in its environment is the service,
 * and reports its port.
 */
import { execFileSync, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '../interop/postgres/server.js'
import { startPgwire } from '../pgwire/server.js'

/** The options of the service, passed to its process by the environment. */
interface OrdersService {
  readonly rows: number
  /** Whether the results cache is on. */
  readonly cached?: boolean
}

/** The address of a server, and the name of the table of orders in its SQL. */
export interface Orders {
  readonly port: number
  readonly database: string
  readonly select: (columns: readonly OrderColumn[]) => string
  /** The processes that work for a connection whose backend has reported its process id. */
  readonly processOf: (backend: number) => number
  stop(): Promise<void>
}

export type OrderColumn = 'Id' | 'Country' | 'Sales' | 'Day' | 'Price' | 'Ratio' | 'Paid' | 'Sold'

export const ordersModel = `
version: 1.0
name: sales
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
      Sales: { code: sales, abstractType: float }
      Day: { code: day, abstractType: date }
      Price: { code: price, abstractType: float, sqlType: 'decimal(12,2)' }
      Ratio: { code: ratio, abstractType: float }
      Paid: { code: paid, abstractType: boolean }
      Sold: { code: sold, abstractType: timestamp }
dimensions:
  Country: { dataObject: Orders, column: Country }
measures:
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
`

const countries = ['DE', 'US', "Côte d'Ivoire", 'FR', 'United Kingdom of G.B.']
const listed = countries.map((name) => `'${name.replace("'", "''")}'`).join(', ')
/** The same rows in both engines; `ratio` has doubles of 16 and 17 digits, `sales` has cents. */
const rows = `i AS id, (ARRAY[${listed}])[(1 + i % 5)::int] AS country, CAST(i * 1.37 AS DOUBLE PRECISION) AS sales,
  DATE '2020-01-01' + (i % 1500)::int AS day, CAST(i * 3 % 1000000 AS numeric(12,2)) / 100 AS price, sqrt(CAST(i AS DOUBLE PRECISION)) AS ratio,
  i % 3 = 0 AS paid, TIMESTAMP '2020-01-01 00:00:00' + i * INTERVAL '1 second' AS sold`
const table = `CREATE TABLE orders (id bigint, country text, sales double precision, day date, price numeric(12,2), ratio double precision,
  paid boolean, sold timestamp)`
/** The SQL that creates the table in DuckDB. */
export const inDuckDb = (count: number): string[] => [table, fill(`range(${count}) t(i)`)]
const fill = (series: string) => `INSERT INTO orders SELECT ${rows} FROM ${series}`

if (process.env.ORDERS !== undefined) await serve(JSON.parse(process.env.ORDERS) as OrdersService)

async function serve({ rows: count, cached = false }: OrdersService): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-bench-'))
  const file = path.join(folder, 'model.yaml')
  writeFileSync(file, ordersModel)
  const server = await startPgwire({
    plugins: [
      { use: '@grainline/vendor-duckdb', with: { init: inDuckDb(count) } },
      ...(cached ? ['@grainline/cache-memory'] : []),
    ],
    preload: [{ session: 'sales', model: file }],
    settings: {
      PGWIRE_CATALOG: 'off',
      ...(cached ? { CACHE_BACKEND: 'memory', CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl' } : {}),
    },
  })
  rmSync(folder, { recursive: true })
  process.send?.(server.port)
  await new Promise((resolve) => process.once('disconnect', resolve))
  process.exit()
}

/** The service in a separate process, like PostgreSQL, so that the time of the client does not count. */
export async function ourOrders(service: OrdersService): Promise<Orders> {
  const child = fork(import.meta.filename, { env: { ...process.env, ORDERS: JSON.stringify(service) } })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)))
    child.once('exit', () => reject(new Error('the service did not start')))
  })
  return {
    port,
    database: 'sales',
    select: (columns) => `SELECT ${columns.map((name) => `"Orders"."${name}"`).join(', ')} FROM sales LIMIT ${service.rows}`,
    processOf: () => child.pid!,
    async stop() {
      child.disconnect()
    },
  }
}

/** If there is no PostgreSQL, this is the reason. */
export async function theirOrders(count: number): Promise<Orders | string> {
  const port = await freePort()
  const server = await startServer(port)
  if (typeof server === 'string') return server
  const say = (sql: string) =>
    execFileSync('psql', ['-X', '-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-c', sql])
  say(table)
  say(fill(`generate_series(0::bigint, ${count - 1}) t(i)`))
  say('VACUUM ANALYZE orders')
  // Otherwise a scan would begin where the last one ended, with its rows in another order.
  say('ALTER DATABASE postgres SET synchronize_seqscans = off')
  return {
    port,
    database: 'postgres',
    select: (columns) => `SELECT ${columns.join(', ')} FROM orders LIMIT ${count}`,
    processOf: (backend) => backend,
    stop: () => server.stop(),
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
