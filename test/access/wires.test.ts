/** Row policies on the Postgres wire and over Flight SQL: the rows of each principal, no statement, and nothing of removed rows. */
import { connectFlightSql, type FlightSqlClient } from '@grainline/flight-sql'
import pg from 'pg'
import t from 'tap'
import { rowsOf } from '../flight/rows-of.js'
import { oneIn, PART } from '../support/amount.js'
import { hiddenShop } from './hidden-shop.js'
import { KEYS, TABLES, type Who } from './shop.js'
import { served } from './wire-served.js'

const OTHER_TABLES = [
  "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('West')) AS t(name)",
  "CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann & Co', 'North', '101'), (2, 'Secret', 'West', 'x'), (7, 'Hidden', 'West', 'y')) AS t(id, name, region, zip)",
  'CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 2, 10), (2, 2, 1, 5), (5, 1, 1, 20), (6, 7, 7, 1)) AS t(id, customer_id, referrer_id, amount)',
  'CREATE TABLE products AS SELECT 1 AS id',
]

type Server = Awaited<ReturnType<typeof served>>
type Heard = (server: Server, who: Who, whole?: boolean) => Promise<readonly string[]>

const STATEMENTS = [
  'SELECT "Region", "Revenue" FROM shop ORDER BY 1',
  'SELECT "Revenue" FROM shop',
  'SELECT count(*) FROM (SELECT "Customer" FROM shop) AS x',
  'SELECT sum(r) FROM (SELECT "Customer", "Revenue" AS r FROM shop) AS x',
  'SELECT "Customer", "Zip No", "Revenue" FROM shop WHERE "Zip No" > 1',
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
const CATALOGUE = [
  "SELECT relname, reltuples FROM pg_class WHERE relname = 'shop'",
  "SELECT * FROM pg_stats WHERE tablename = 'shop'",
  'SELECT table_name, column_name FROM information_schema.columns ORDER BY 1, 2',
]

/** Every relation of the catalogue, as the server lists them. */
const RELATIONS =
  "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"

/** What each statement says, as text; `whole` reads the relations of the catalogue, too. */
async function overWire({ port }: Server, who: Who, whole = false): Promise<readonly string[]> {
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
  for (const [schema, name] of oneIn(4, compared)) said.push(`${name}: ${await asked(`SELECT * FROM ${schema}."${name}"`)}`)
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

async function overFlight({ flightPort }: Server, who: Who): Promise<readonly string[]> {
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

t.test('each principal gets its rows on both wires, and removed rows change nothing', async (t) => {
  const [one, other] = [await served(t, TABLES), await served(t, OTHER_TABLES)]
  const wires: Readonly<Record<string, Heard>> = { 'the Postgres wire': overWire, 'Flight SQL': overFlight }
  for (const [name, heard] of Object.entries(wires)) {
    const north = await heard(one, 'north', true)
    t.match(north[0], /North.*30/, name)
    t.notMatch(north[0], /South|100/)
    t.match(north[1], /30/)
    t.match(north[5], /error.*Access rules/, `${name} explains nothing`)
    t.match((await heard(one, 'south'))[1], /100/)
    t.match((await heard(one, 'auditor'))[1], /11130/)
    t.match((await heard(one, 'none'))[1], /error/)
    const elsewhere = await heard(other, 'north', true)
    t.ok(north.length > STATEMENTS.length + 8, `${name}: ${north.length} answers`)
    t.equal(elsewhere.length, north.length)
    for (const [i, said] of north.entries())
      t.equal(elsewhere[i], said, `${name}: ${[...STATEMENTS, ...CATALOGUE][i] ?? said.slice(0, 40)}`)
    t.notMatch(
      north.slice(0, STATEMENTS.length + CATALOGUE.length).join('\n'),
      /customer_id|"customers"\.|own regions|South|Bob|Lost/,
    )
  }
})

t.test('hidden fields exist on neither wire, in no answer, error or relation of the catalogue', async (t) => {
  const [one, other] = [hiddenShop(7 + PART), hiddenShop(8 + PART)]
  const [a, b] = [await served(t, one.tables, one.model), await served(t, other.tables, other.model)]
  const wires: Readonly<Record<string, Heard>> = { 'the Postgres wire': overWire, 'Flight SQL': overFlight }
  for (const [name, heard] of Object.entries(wires))
    for (const who of oneIn(2, ['north', 'auditor'] as const)) {
      const [here, there] = [await heard(a, who, true), await heard(b, who, true)]
      t.match(here[STATEMENTS.length - 4], who === 'north' ? /North/ : /South/, `${name}: published measures are answered`)
      for (const [i, said] of here.entries()) {
        t.equal(there[i], said, `${name}: ${who}: ${[...STATEMENTS, ...CATALOGUE][i] ?? said.slice(0, 40)}`)
        t.notMatch(said, /hidden_[0-9a-f]{6}|secretive/)
      }
    }
})
