/** Every way by which somebody reaches the shop on the Postgres wire and over Flight SQL: statements, each relation of the catalogue, each operation of Flight SQL. */
import { connectFlightSql, type FlightSqlClient } from '@grainline/flight-sql'
import pg from 'pg'
import { rowsOf } from '../flight/rows-of.js'
import { oneIn } from '../support/amount.js'
import { KEYS, type Who } from './shop.js'
import type { served } from './wire-served.js'

type Server = Awaited<ReturnType<typeof served>>
export type Heard = (server: Server, who: Who, whole?: boolean) => Promise<readonly string[]>

export const STATEMENTS = [
  'SELECT "Region", "Revenue" FROM shop ORDER BY 1',
  'SELECT "Revenue" FROM shop',
  'SELECT count(*) FROM (SELECT "Customer" FROM shop) AS x',
  'SELECT sum(r) FROM (SELECT "Customer", "Revenue" AS r FROM shop) AS x',
  'SELECT "Customer", "Zip No", "Revenue" FROM shop WHERE "Zip No" > 1 ORDER BY 1',
  'EXPLAIN SELECT "Revenue" FROM shop',
  'SHOW TABLES',
  'DESCRIBE shop',
  'SELECT * FROM customers',
  'SELECT "Customer", "Kept Mean", "Kept Rate", count(*) FROM "Desk" ORDER BY 1',
  'SELECT * FROM "Desk" ORDER BY 1, 2',
  'DESCRIBE "Desk"',
  'SELECT "Revenue" FROM "Night Margin"',
  'SELECT "Kept Mean", "Kept Rate", "Region" FROM shop ORDER BY 3',
  'SELECT "Margin Sum", "Cost Group" FROM shop',
  'SELECT * FROM shop ORDER BY 1, 2, 3, 4',
  'SELECT "Revenue" AS "Margin" FROM shop WHERE "Orders"."Cost" > 1',
]
export const CATALOGUE = [
  "SELECT relname, reltuples FROM pg_class WHERE relname = 'shop'",
  "SELECT * FROM pg_stats WHERE tablename = 'shop'",
  'SELECT table_name, column_name FROM information_schema.columns ORDER BY 1, 2',
]

/** Every relation of the catalogue, as the server lists them. */
const RELATIONS =
  "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"

/** What each statement says, as text; `whole` reads the relations of the catalogue, too. */
export async function overWire({ port }: Server, who: Who, whole = false): Promise<readonly string[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: who, password: KEYS[who], database: 'shop' })
  await client.connect()
  const said: string[] = []
  const asked = (text: string) =>
    client.query({ text, rowMode: 'array' }).then(
      ({ rows }) => JSON.stringify(rows).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'),
      (error: Error) => `error ${error.message}`,
    )
  for (const text of [...STATEMENTS, ...CATALOGUE]) said.push(await asked(text))
  const relations = whole ? await client.query<string[]>({ text: RELATIONS, rowMode: 'array' }) : { rows: [] }
  // What the catalogue's own engine did differs between any two servers.
  const compared = relations.rows.filter(([, name]) => !/^pg_(stat(io)?_|backend_memory)/.test(name ?? ''))
  for (const [schema, name] of oneIn(12, compared)) said.push(`${name}: ${await asked(`SELECT * FROM ${schema}."${name}"`)}`)
  await client.end()
  return said
}

/** Operations that read no catalogue. */
const OF_STATEMENTS: ReadonlySet<string> = new Set([
  ...['query', 'prepare', 'schemaOf', 'setSessionOptions', 'sessionOptions', 'closeSession', 'calls', 'close'],
])
const TABLE = { table: 'shop' }
const CATALOGUE_OVER_FLIGHT: Readonly<Record<string, (client: FlightSqlClient) => Promise<unknown>>> = {
  catalogs: async (client) => rowsOf(await client.catalogs()),
  dbSchemas: async (client) => rowsOf(await client.dbSchemas()),
  tables: async (client) => rowsOf(await client.tables({ includeSchema: true })),
  tableTypes: async (client) => rowsOf(await client.tableTypes()),
  primaryKeys: async (client) => rowsOf(await client.primaryKeys(TABLE)),
  importedKeys: async (client) => rowsOf(await client.importedKeys(TABLE)),
  exportedKeys: async (client) => rowsOf(await client.exportedKeys(TABLE)),
  xdbcTypeInfo: async (client) => rowsOf(await client.xdbcTypeInfo()),
  sqlInfo: async (client) => [...(await client.sqlInfo())],
}

export async function overFlight({ flightPort }: Server, who: Who): Promise<readonly string[]> {
  const client = await connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token: KEYS[who] } })
  const said: string[] = []
  for (const text of STATEMENTS)
    said.push(
      await client.query(text).then(
        async (answer) => JSON.stringify(await rowsOf(answer), plain),
        (error: Error) => `error ${error.message}`,
      ),
    )
  for (const name of Object.keys(client).sort()) {
    if (OF_STATEMENTS.has(name)) continue
    const read = CATALOGUE_OVER_FLIGHT[name]
    if (read === undefined) throw new Error(`${name} is a new operation of Flight SQL: call it here`)
    said.push(`${name}: ${JSON.stringify(await read(client), plain)}`)
  }
  client.close()
  return said
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
