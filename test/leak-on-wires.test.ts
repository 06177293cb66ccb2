/**
 * Two services publish the same model over the same rows, but have different other clients, models and tables. The responses to a client on
 * the Postgres wire and over Flight SQL are the same, byte for byte, errors included. `test/rest/leak.test.ts` tests the same over HTTP.
 * Caches are off; ids, the key of a connection and clocks are ignored.
 */
import evaluator from '@grainline/evaluator-duckdb'
import { connectFlightSql, type FlightSqlClient } from '@grainline/flight-sql'
import flight from '@grainline/surface-flight'
import t from 'tap'
import { rowsOf } from './flight/rows-of.js'
import {
  ask,
  bind,
  connectRaw,
  connectReady,
  describe,
  execute,
  type Message,
  parse,
  type RawClient,
  startup,
  sync,
} from './pgwire/raw-client.js'
import { type PgwireServer, startPgwire } from './pgwire/server.js'

t.setTimeout(240_000)

const PEOPLE =
  "CREATE TABLE people AS SELECT * FROM (VALUES (1, 'Ada', DATE '1815-12-10', 10.0), (2, 'Bob', NULL, 7.5)) AS v (id, name, born, pay)"

interface World {
  readonly wire: PgwireServer
  readonly flight: number
  /** Ids of the sessions of other clients. */
  readonly strangers: readonly string[]
  close(): Promise<void>
}

async function world(strangers: readonly string[]): Promise<World> {
  const tables = strangers.map((name, i) => `CREATE TABLE ${name}_rows AS SELECT range AS id FROM range(${i + 3})`)
  const wire = await startPgwire({
    preload: [{ session: 'people', model: 'people.yaml' }],
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init: [PEOPLE, ...tables] } }, evaluator, flight],
    settings: {
      FLIGHT_ENABLED: true,
      FLIGHT_PORT: 0,
      DISABLE_SESSION_LIST: true,
      COMPILE_CACHE_MAX_ENTRIES: 0,
    },
  })
  const surface = wire.host.surfaces.get('flight')
  if (surface.kind !== 'socket') throw new Error('the surface has no listener')
  const running = await surface.start(wire.host.contextFor(surface))
  const flightPort = Number(new URL(running.address.replace(/^grpc/, 'http')).port)
  const sessions: string[] = []
  const clients: { end?(): void; close?(): void }[] = []
  for (const name of strangers) {
    const { session_id } = await wire.host.service.createSession({ client: name, metadata: { who: name }, by: undefined })
    sessions.push(session_id)
    const code = `${name}_rows`
    const model = {
      version: 1,
      name,
      dataObjects: { Rows: { code, columns: { Id: { code: 'id', abstractType: 'int' } } } },
      dimensions: { [`${name} Id`]: { dataObject: 'Rows', column: 'Id' } },
      measures: { [`${name} Total`]: { aggregation: 'sum', columns: [{ dataObject: 'Rows', column: 'Id' }] } },
    }
    await wire.host.service.loadModel(session_id, { asker: undefined, model_json: model })
    await wire.host.service.executeSql({
      asker: undefined,
      target: { sessionId: session_id },
      sql: `SELECT "${name} Total" FROM ${name}`,
    })
    const raw = await connectReady(wire.port, { database: 'people', application_name: name })
    await ask(raw, `SET application_name = '${name} again'`)
    await ask(raw, `SELECT "${name} Id" FROM people`)
    raw.send(parse('SELECT "Heads" FROM people', { name: `${name}_statement` }), sync())
    await raw.until('Z')
    const stranger = await connectFlightSql({ host: '127.0.0.1', port: flightPort })
    await stranger.setSessionOptions({ catalog: 'people' })
    await stranger.query(`SELECT "${name} Total" FROM ${name}`).catch(() => undefined)
    clients.push(raw, stranger)
  }
  return {
    wire,
    flight: flightPort,
    strangers: sessions,
    async close() {
      for (const client of clients) {
        client.end?.()
        client.close?.()
      }
      await running.stop()
      await wire.close()
    },
  }
}

const STATEMENTS = [
  'SELECT "Name", "Heads" FROM people ORDER BY 1',
  'SELECT "Heads" FROM people WHERE "Name" = \'alpha\'',
  'SELECT count(*) FROM (SELECT "Name" FROM people) AS x',
  'SELECT "alpha Total" FROM alpha',
  'SELECT "alpha Total" FROM people',
  'SELECT "alpha Total"',
  'SELECT id FROM alpha_rows',
  'SELECT * FROM alph',
  'SELECT "Nam" FROM people',
  'SHOW TABLES',
  'DESCRIBE people',
  'DESCRIBE alpha',
  'SELECT table_catalog, table_schema, table_name FROM information_schema.tables',
  'SELECT table_name, column_name, data_type FROM information_schema.columns',
  'EXPLAIN SELECT "Heads" FROM people',
  'SELECT 1 / 0',
  'SELECT current_database(), version()',
  'SELEC 1',
]
/** Statements about the catalogue and the session, which only the Postgres wire answers. */
const SYSTEM = [
  'SELECT oid, datname FROM pg_database ORDER BY 1',
  "SELECT c.oid, c.relname, c.reltuples FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' ORDER BY 1",
  "SELECT attname, atttypid FROM pg_attribute WHERE attrelid = 'people'::regclass ORDER BY attnum",
  "SELECT 'alpha'::regclass",
  'SELECT count(*) FROM pg_stat_activity',
  'SELECT * FROM pg_prepared_statements',
  "SELECT * FROM pg_settings WHERE name = 'application_name'",
  'SHOW application_name',
  'SHOW ALL',
  'EXECUTE alpha_statement',
  'FETCH ALL FROM alpha_cursor',
]

async function onTheWire({ wire }: World): Promise<readonly string[]> {
  const heard: string[] = []
  for (const database of ['people', 'alpha', 'nobody', '00000000-0000-4000-8000-000000000000', '']) {
    const client = await connectRaw(wire.port)
    client.send(startup({ user: 'tester', ...(database !== '' && { database }) }))
    const welcome = await client.until('Z')
    heard.push(`connect ${database}: ${shown(welcome)}`)
    const texts = database === 'people' ? [...STATEMENTS, ...SYSTEM] : STATEMENTS
    if (welcome.at(-1)?.type === 'Z')
      for (const text of texts) heard.push(`${database}> ${text}: ${await bothWays(client, text)}`)
    client.end()
  }
  return heard
}

/** In the simple protocol and in the extended one. */
async function bothWays(client: RawClient, text: string): Promise<string> {
  const simple = shown(await ask(client, text))
  client.send(parse(text), describe('S'), bind(), execute(), sync())
  return `${simple} | ${shown(await client.until('Z'))}`
}

/** Each connection has its own cancel key. */
const shown = (messages: readonly Message[]): string =>
  messages.map(({ type, body }) => (type === 'K' ? type : `${type}${body.toString('latin1')}`)).join(' ')

async function overFlight({ flight: port }: World): Promise<readonly string[]> {
  const client = await connectFlightSql({ host: '127.0.0.1', port })
  const heard: string[] = []
  const hear = async (what: string, asked: Promise<unknown>) =>
    heard.push(
      `${what}: ${await asked.then(inText, ({ code, message }: { code?: number; message: string }) => `${code} ${message}`)}`,
    )
  const rows = async (asked: ReturnType<FlightSqlClient['query']>) => {
    const answer = await asked
    return { fields: answer.schema.fields.map(String), rows: await rowsOf(answer) }
  }
  const table = { catalog: 'people', dbSchema: 'alpha', table: 'alpha' }
  await hear('catalogs', rows(client.catalogs()))
  await hear('schemas', rows(client.dbSchemas()))
  await hear('tables', rows(client.tables({ includeSchema: true })))
  await hear('tables like', rows(client.tables({ tableNameFilterPattern: 'a%' })))
  await hear('keys', rows(client.primaryKeys(table)))
  await hear('types', rows(client.xdbcTypeInfo()))
  await hear(
    'info',
    client.sqlInfo().then((told) => [...told]),
  )
  for (const text of STATEMENTS) {
    await hear(`query ${text}`, rows(client.query(text)))
    await hear(
      `schema ${text}`,
      client.schemaOf(text).then(({ fields }) => fields.map(String)),
    )
  }
  for (const catalog of ['alpha', 'nobody', 'people']) {
    await hear(
      `set ${catalog}`,
      client.setSessionOptions({ catalog }).then((told) => [...told]),
    )
    await hear(`in ${catalog}`, rows(client.query('SELECT "alpha Total" FROM alpha')))
  }
  client.close()
  return heard
}

const inText = (value: unknown): string => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))

t.test('a client learns nothing about other clients on the Postgres wire and over Flight SQL', async (t) => {
  const worlds = [await world([]), await world(['alpha', 'beta', 'gamma'])] as const
  t.teardown(() => Promise.all(worlds.map((each) => each.close())))
  for (const [surface, hearAll] of [
    ['wire', onTheWire],
    ['flight', overFlight],
  ] as const) {
    const [alone, among] = [await hearAll(worlds[0]), await hearAll(worlds[1])]
    t.ok(alone.length >= 40, `${alone.length} answers on ${surface}`)
    t.ok(
      alone.some((answer) => answer.includes('Ada')),
      'rows among them',
    )
    t.equal(alone.length, among.length)
    for (const [i, answer] of alone.entries()) if (answer !== among[i]) t.equal(among[i], answer)
    t.notOk(
      worlds[1].strangers.some((id) => among.some((answer) => answer.includes(id))),
      'and no id of a session of theirs',
    )
  }
})
