/**
 * The catalogue queries of clients, sent to a real PostgreSQL with the same tables: the same columns, types and rows, except for object ids
 * and the differences listed here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import t from 'tap'
import {
  ask,
  connectReady,
  describe,
  errorOf,
  type Message,
  parse,
  type RawClient,
  rowsOf,
  sync,
  typesOfColumns,
} from '../../pgwire/raw-client.js'
import { startPgwire } from '../../pgwire/server.js'
import { startServer } from '../postgres/server.js'

t.setTimeout(300_000)
const folder = path.join(import.meta.dirname, '../../pgwire/introspection')

interface Heard {
  readonly code: string | undefined
  /** Types of the parameters. */
  readonly parameters: readonly number[]
  readonly columns: readonly (readonly [name: string, type: number])[]
  readonly rows: readonly string[]
}

/** Object ids of types whose values are object ids: `oid`, `regproc`, `oidvector`, arrays of `oid`. */
const ID_TYPES = new Set([26, 24, 30, 1028])
/** Types that clients know: the types of system tables have other ids in every version. */
const FIRST_OWN = 10_000

function heard(messages: readonly Message[]): Heard {
  const description = messages.find(({ type }) => type === 'T')
  const names = description ? namesOf(description) : []
  const types = description ? typesOfColumns(description) : []
  const failed = messages.some(({ type }) => type === 'E')
  const rows = rowsOf(messages).map((row) => JSON.stringify(row.map((value, i) => shown(value, names[i]!, types[i]!))))
  return {
    code: failed ? errorOf(messages).C : undefined,
    parameters: messages.filter(({ type }) => type === 't').flatMap(({ body }) => ints(body)),
    columns: names.map((name, i) => [name, Math.min(types[i]!, FIRST_OWN)] as const),
    rows: rows.toSorted(),
  }
}

const ints = (body: Buffer): number[] => Array.from({ length: body.readInt16BE(0) }, (_, i) => body.readInt32BE(2 + 4 * i))

/** A statement with parameters is only described, any other is run. */
async function say(client: RawClient, text: string): Promise<Heard> {
  if (!/\$\d/.test(text)) return heard(await ask(client, text))
  client.send(parse(text), describe('S'), sync())
  return heard(await client.until('Z'))
}

function namesOf({ body }: Message): string[] {
  let at = 2
  return Array.from({ length: body.readInt16BE(0) }, () => {
    const end = body.indexOf(0, at)
    const name = body.toString('utf8', at, end)
    at = end + 19
    return name
  })
}

const shown = (value: string | null, name: string, type: number): string | null =>
  value !== null && (ID_TYPES.has(type) || /oid$|^(table|relation|object)_id$/i.test(name)) ? '#' : value

function statements(file: string): string[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .split(/;\n-- ----\n|;\s*$/)
    .filter((text) => text.trim() !== '')
}

interface Difference {
  readonly says: RegExp
  readonly why: string
  /** Values that must be the same in spite of that. */
  readonly same: (heard: Heard) => unknown
}

const names = ({ columns }: Heard): unknown => columns.map(([name]) => name)
/** Columns, and the rows about the model. */
const ownRows = ({ columns, rows }: Heard): unknown => [columns, rows.filter((row) => /"_?flights(__\w+)?"/.test(row))]
const NEWER = 'the catalogue is that of PostgreSQL 18, which has more of its own than older ones'

const DIFFERENT: readonly Difference[] = [
  { says: /pg_tablespace_size/, why: 'sizes are those of another server, which refuses the second', same: names },
  { says: /pg_subscription/, why: 'its reader may not look at subscriptions; here there are none', same: ({ rows }) => rows },
  {
    says: /(dat|coll)iculocale/,
    why: 'a column that versions 15 and 16 have, and 18 has not',
    same: ({ parameters }) => parameters,
  },
  { says: /^select (pg_catalog\.)?version\(\)/i, why: 'the server says who it is', same: names },
  { says: /relacl|nspacl/, why: 'the reader is called grainline', same: names },
  { says: /FROM (pg_catalog\.)?pg_database/i, why: 'databases are models', same: names },
  { says: /stxstattarget|attstattarget|attndims/, why: 'a smallint since version 17', same: names },
  { says: /pg_get_keywords/, why: NEWER, same: names },
  { says: /pg_catalog\.pg_proc/i, why: NEWER, same: names },
  { says: /typarray from pg_catalog\.pg_type a/i, why: NEWER, same: names },
  { says: /pg_namespace ORDER BY oid|typreceive|sub_type|FROM pg_indexes/i, why: NEWER, same: ownRows },
  { says: /array_in|typrelid/i, why: NEWER, same: ownRows },
  { says: /TABLE_CAT, n\.nspname AS TABLE_SCHEM, c\.relname/i, why: NEWER, same: ownRows },
]

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** The relations of the model as the service describes them, each with its columns in order, created in the real server. */
async function mirror(ours: RawClient, port: number): Promise<void> {
  const admin = await connectReady(port, { user: 'postgres', database: 'postgres' })
  for (const text of [
    'CREATE ROLE tester LOGIN',
    'CREATE DATABASE flights',
    'ALTER DATABASE flights SET search_path = flights, public',
  ])
    await must(admin, text)
  admin.end()
  const owner = await connectReady(port, { user: 'postgres', database: 'flights' })
  await must(owner, 'CREATE SCHEMA flights; GRANT USAGE ON SCHEMA flights TO tester')
  const relations = rowsOf(
    await ask(
      ours,
      "SELECT oid::text, relname FROM pg_class WHERE relnamespace = 'flights'::regnamespace AND relkind = 'r' ORDER BY oid",
    ),
  )
  for (const [id, relation] of relations) await mirrorOne(ours, owner, id!, `flights.${quoted(relation!)}`)
  owner.end()
}

async function mirrorOne(ours: RawClient, owner: RawClient, id: string, table: string): Promise<void> {
  const columns = rowsOf(
    await ask(
      ours,
      `SELECT attname, format_type(atttypid, atttypmod), quote_literal(col_description(attrelid, attnum))
       FROM pg_attribute WHERE attrelid = ${id} AND attnum > 0 ORDER BY attnum`,
    ),
  )
  const [[comment]] = rowsOf(await ask(ours, `SELECT quote_literal(obj_description(${id}, 'pg_class'))`)) as [[string | null]]
  await must(owner, `CREATE TABLE ${table} (${columns.map(([name, type]) => `${quoted(name!)} ${type}`).join(', ')})`)
  await must(owner, `GRANT SELECT ON ${table} TO tester`)
  if (comment) await must(owner, `COMMENT ON TABLE ${table} IS ${comment}`)
  for (const [name, , text] of columns) if (text) await must(owner, `COMMENT ON COLUMN ${table}.${quoted(name!)} IS ${text}`)
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function must(client: RawClient, text: string): Promise<void> {
  const answer = await ask(client, text)
  if (answer.some(({ type }) => type === 'E')) throw new Error(`${text}: ${errorOf(answer).M}`)
}

const port = await freePort()
const real = await startServer(port)
if (typeof real === 'string') t.plan(0, real)
else {
  const server = await startPgwire({ plugins: [], settings: { QUERY_EXECUTE: false, PGWIRE_QUERY_TIMEOUT_SECONDS: 240 } })
  const database = { user: 'tester', database: 'flights' }
  const first = await connectReady(server.port, database)
  await mirror(first, port)
  first.end()
  t.teardown(async () => {
    await server.close()
    await real.stop()
  })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    t.test(file, async (t) => {
      const [ours, theirs] = [await connectReady(server.port, database), await connectReady(port, database)]
      for (const text of statements(file)) {
        const different = DIFFERENT.find(({ says }) => says.test(text.replace(/\s+/g, ' ')))
        const [here, there] = [await say(ours, text), await say(theirs, text)]
        const about = text.replace(/\s+/g, ' ').slice(0, 160)
        if (different === undefined) t.same(here, there, about)
        else t.same(different.same(here), different.same(there), `${about} (${different.why})`)
        for (const client of [ours, theirs]) await ask(client, 'ROLLBACK')
      }
      for (const client of [ours, theirs]) client.end()
    })
  }
}
