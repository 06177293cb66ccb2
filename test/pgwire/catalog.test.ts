import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type HostPlugin, silentLogger } from '@grainline/core'
import { valueAt } from '@grainline/core/vendor'
import evaluator from '@grainline/evaluator-duckdb'
import t from 'tap'
import { readAnswer } from '../../plugins/surface-pgwire/src/catalog/backend-messages.js'
import { Catalog } from '../../plugins/surface-pgwire/src/catalog/catalog.js'
import { catalogImage } from '../../plugins/surface-pgwire/src/catalog/catalog-image.js'
import {
  bindMessage,
  describeMessage,
  executeMessage,
  parseMessage,
  syncMessage,
} from '../../plugins/surface-pgwire/src/catalog/frontend-messages.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import {
  ask,
  bind,
  connectReady,
  describe,
  errorOf,
  execute,
  parse,
  type RawClient,
  rowsOf,
  sync,
  tagsOf,
  typesOf,
} from './raw-client.js'
import { flights, startPgwire } from './server.js'

// First a database is created in WebAssembly, which takes long on a busy machine.
t.setTimeout(300_000)
const server = await startPgwire({
  plugins: [],
  preload: [...(flights ?? []), { session: 'people', model: 'people.yaml' }],
  settings: { QUERY_EXECUTE: false, PGWIRE_QUERY_TIMEOUT_SECONDS: 240 },
})
t.teardown(() => server.close())
const connect = (database = 'flights') => connectReady(server.port, { database })
const rows = async (client: RawClient, text: string) => rowsOf(await ask(client, text))

t.test('the catalogue starts from the image in its package, and is not built again', async (t) => {
  const image = await catalogImage()
  t.ok(image?.length, 'npm test and npm run build make it')
  t.ok(image!.length < 3_500_000, 'it holds no files of databases that nobody reads: they double the time until the first answer')
})

const TABLES = `SELECT table_catalog, table_schema, table_name FROM information_schema.tables
  WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 2, 3`

t.test('a model is a table with typed columns and comments', async (t) => {
  const client = await connect('people')
  t.same(await rows(client, TABLES), [['people', 'people', 'people']])
  const columns = `SELECT column_name, data_type, col_description('people.people'::regclass, ordinal_position) FROM information_schema.columns
    WHERE table_schema = 'people' ORDER BY ordinal_position`
  t.same(await rows(client, columns), [
    ['Name', 'text', 'dimension · What they are called. Also: who.'],
    ['Born', 'date', 'dimension'],
    ['Heads', 'bigint', 'measure, count'],
    ['Average Pay', 'numeric', 'measure, max · In euros.'],
    ['People Count', 'bigint', 'measure, count · The number of rows of People.'],
  ])
  t.same(await rows(client, "SELECT obj_description('people'::regclass)"), [['Who works here.']])
  t.same(await rows(client, "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = 'Average Pay'"), [
    ['numeric(18,2)'],
  ])
  client.end()
})

t.test('a connection sees its own database, and the names of the others', async (t) => {
  const client = await connect('people')
  t.same(await rows(client, 'SELECT current_database(), current_catalog, current_schema()'), [['people', 'people', 'people']])
  t.same(await rows(client, 'SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1'), [['flights'], ['people']])
  t.same(await rows(client, "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1"), [
    ['information_schema'],
    ['people'],
    ['public'],
  ])
  const both = await connect('postgres')
  t.same(await rows(both, TABLES), [
    ['postgres', 'flights', 'flights'],
    ['postgres', 'flights', 'flights__Hours'],
    ['postgres', 'flights', 'flights__Planes'],
    ['postgres', 'flights', 'flights__Weather'],
    ['postgres', 'people', 'people'],
  ])
  t.same(await rows(client, TABLES), [['people', 'people', 'people']], 'each sees its own, one after the other')
  client.end()
  both.end()
})

t.test('a published model is named after its file, in catalogues, in SHOW TABLES and in statements', async (t) => {
  const named = t.testdir({
    'model.yaml': readFileSync(path.join(import.meta.dirname, 'people.yaml'), 'utf8').replace('people', 'all our people'),
  })
  const published = await startPgwire({
    preload: [{ session: 'our_people', model: path.join(named, 'model.yaml') }],
    plugins: [evaluator as HostPlugin],
    settings: { QUERY_EXECUTE: false },
  })
  t.teardown(() => published.close())
  const client = await connectReady(published.port, { database: 'our_people' })
  const listed = rowsOf(await ask(client, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'our_people'"))
  t.same(listed, [['our_people']])
  t.same(rowsOf(await ask(client, 'SHOW TABLES'))[0]![0], 'our_people')
  t.ok(rowsOf(await ask(client, 'DESCRIBE our_people')).length > 0)
  const fields = `SELECT field_name, role, expression FROM grainline.fields WHERE table_name = 'our_people' AND role <> 'dimension' ORDER BY 1`
  t.same(rowsOf(await ask(client, fields)), [
    ['Average Pay', 'measure', 'MEASURE("Average Pay")'],
    ['Heads', 'measure', 'MEASURE("Heads")'],
    ['People Count', 'measure', 'MEASURE("People Count")'],
  ])
  for (const sql of ['SHOW TABLES', 'SELECT table_name FROM information_schema.tables']) {
    const { batches, schema } = await published.host.service.executeSql({ asker: undefined, target: {}, sql })
    for await (const { columns } of batches) t.equal(valueAt(columns[0]!, 0, schema[0]!.type), 'our_people', sql)
  }
  client.end()
})

t.test('a statement may name another published model than that of its connection, as on every surface', async (t) => {
  const client = await connect('people')
  for (const from of ['flights', 'flights.flights', '"flights"."flights"', 'flights__Planes'])
    t.match(typesOf(await described(client, `SELECT "Flight Count" FROM ${from}`)), /T/, from)
  t.equal(errorOf(await ask(client, 'SELECT "Flight Count" FROM nowhere')).C, '42P01')
  client.end()
})

t.test('libraries that list the tables of one schema find a model in the schema of its name', async (t) => {
  const client = await connect('people')
  // As Sequelize (showAllTables), Knex and the metadata of JDBC ask.
  const lists = (schema: string): readonly string[] => [
    `SELECT table_name, table_schema FROM information_schema.tables WHERE table_type LIKE '%TABLE' AND table_name != 'spatial_ref_sys' AND table_schema = '${schema}'`,
    `SELECT tablename, schemaname FROM pg_catalog.pg_tables WHERE schemaname = '${schema}'`,
    `SELECT c.relname, n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE '${schema}' AND c.relkind IN ('r', 'p')`,
  ]
  for (const list of lists('people')) t.same(await rows(client, list), [['people', 'people']], list)
  for (const list of lists('public')) t.same(await rows(client, list), [], list)
  client.end()
})

t.test('no catalogue query reveals a model that the connection may not read', async (t) => {
  const client = await connect('people')
  const looks = [
    "SELECT to_regclass('flights.flights'), to_regnamespace('flights')",
    "SELECT count(*) FROM pg_attribute WHERE attname IN ('Airline', 'Tail Number')",
    "SELECT count(*) FROM pg_description WHERE description LIKE '%late%minutes%'",
    "SELECT count(*) FROM pg_class WHERE relname LIKE 'grainline%' OR relname = 'flights'",
    "SELECT count(*) FROM pg_type WHERE typname LIKE '%flights%' OR typname LIKE '%grainline_%'",
    "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'grainline%'",
  ]
  for (const look of looks) for (const value of (await rows(client, look)).flat()) t.ok(value === null || value === '0', look)
  t.equal(errorOf(await ask(client, "SELECT 'flights.flights'::regclass")).C, '42P01')
  client.end()
})

t.test('a client cannot change its role, and cannot read files', async (t) => {
  const client = await connect()
  const attempts = [
    "SELECT set_config('role', 'postgres', false)",
    "SELECT set_config('role', 'postgres', false), relname FROM pg_class LIMIT 1",
    "SELECT query_to_xml('SELECT set_config(''role'', ''postgres'', true)', true, true, '')",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('.')",
    "SELECT lo_import('/etc/passwd')",
    'SELECT rolpassword FROM pg_authid',
  ]
  for (const attempt of attempts) t.match(errorOf(await ask(client, attempt)).C, /^42501|42704$/, attempt)
  t.same(await rows(client, 'SELECT current_user FROM pg_class LIMIT 1'), [['grainline']])
  client.end()
})

t.test('both protocols describe and answer catalogue queries, in text and binary', async (t) => {
  const client = await connect('people')
  client.send(parse('SELECT oid::int4, relname FROM pg_class WHERE relname = $1'), describe('S'), sync())
  const described = await client.until('Z')
  t.equal(typesOf(described), '1tTZ')
  t.equal(described[1]!.body.readInt32BE(2), 19, 'the parameter is a name, as PostgreSQL infers it')
  for (const formats of [[0], [1]]) {
    client.send(bind({ values: ['people'], formats }), execute(), sync())
    const answer = await client.until('Z')
    t.equal(typesOf(answer), '2DCZ')
    t.equal(answer[1]!.body.readInt32BE(2) === 4, formats[0] === 1, 'an integer has four bytes in binary')
  }
  client.send(parse('SELECT * FROM nothing'), describe('S'), sync())
  t.match(errorOf(await client.until('Z')), { C: '42P01', P: '15' })
  t.equal(
    errorOf(await ask(client, 'SELECT p."Name", c.relname FROM people p, pg_class c')).C,
    '0A000',
    'models and catalogue do not mix',
  )
  client.end()
})

t.test('settings of the connection affect the answers of the catalogue', async (t) => {
  const client = await connect()
  await ask(client, "SET TimeZone = 'Asia/Tokyo'; SET DateStyle = German; SET search_path = pg_catalog; SET my.own = 'x'")
  t.match((await rows(client, 'SELECT now()'))[0]![0], /^\d\d\.\d\d\.\d{4} .*(JST|\+09)$/)
  t.same(await rows(client, "SELECT current_setting('TimeZone') FROM pg_class LIMIT 1"), [['Asia/Tokyo']])
  t.same(await rows(client, 'SHOW my.own'), [['x']])
  const other = await connect()
  t.same(await rows(other, "SELECT current_setting('TimeZone') FROM pg_class LIMIT 1"), [['UTC']], 'another has its own')
  client.end()
  other.end()
})

t.test('a tool can create temporary tables, which only it sees', async (t) => {
  const client = await connect()
  const name = '"#Tableau_1_Connect_Check"'
  t.same(tagsOf(await ask(client, `CREATE LOCAL TEMPORARY TABLE ${name} ("X" INTEGER NOT NULL) ON COMMIT PRESERVE ROWS`)), [
    'CREATE TABLE',
  ])
  t.same(tagsOf(await ask(client, `INSERT INTO ${name} VALUES (1), (2)`)), ['INSERT 0 2'])
  t.same(await rows(client, `SELECT "X" FROM ${name} ORDER BY 1`), [['1'], ['2']])
  const other = await connect()
  t.equal(errorOf(await ask(other, `SELECT * FROM ${name}`)).C, '42P01')
  t.equal(errorOf(await ask(other, `INSERT INTO ${name} VALUES (3)`)).C, '25006')
  t.same(tagsOf(await ask(client, `DROP TABLE ${name}`)), ['DROP TABLE'])
  t.equal(errorOf(await ask(client, `SELECT * FROM ${name}`)).C, '42P01')
  t.equal(errorOf(await ask(client, 'CREATE TABLE stays (x int)')).C, '25006')
  client.end()
  other.end()
})

/** In turns: half of the time that the query would take if it ran in this thread. */
const HALF_A_TIMEOUT = 4

t.test('a hostile catalogue query is stopped, and blocks neither the event loop nor the next client', async (t) => {
  const [client, other] = [await connect(), await connect()]
  await ask(client, 'SET statement_timeout = 400')
  const best = await bestOf(async () => {
    const hostile = ask(client, 'SELECT count(*) FROM generate_series(1, 1e12)')
    t.same(await rows(other, 'SELECT 1'), [['1']])
    t.equal(errorOf(await hostile).C, '57014')
  }, HALF_A_TIMEOUT)
  keepsTurns(t, best)
  t.same(await rows(other, "SELECT count(*) FROM pg_namespace WHERE nspname = 'flights'"), [['1']], 'the catalogue is back')
  client.end()
  other.end()
})

t.test('an endless catalogue query is stopped, and the next client gets a fresh database', async (t) => {
  const catalog = new Catalog(silentLogger, 2000)
  t.teardown(() => catalog.close())
  const view = { database: 'flights', databases: ['flights'], relations: [] }
  const done: string[] = []
  const look = async (client: string, sql: string) => {
    const bound = bindMessage({ values: [], valueFormats: [], formats: [] })
    const messages = Buffer.concat([parseMessage(sql, []), bound, describeMessage('P'), executeMessage(0), syncMessage()])
    const question = { settings: [], temporary: [], messages, fresh: true }
    const answer = await catalog.ask({ client, view, question }, new AbortController().signal).finally(() => done.push(client))
    return readAnswer(answer).rows.length
  }
  const ENDLESS = 'SELECT count(*) FROM generate_series(1, 1e12)'
  const hostile = [look('much', ENDLESS), look('much', ENDLESS)]
  const other = look('little', 'SELECT 1')
  for (const endless of hostile) await t.rejects(endless, /statement timeout/)
  t.equal(await other, 1)
  t.same(done, ['much', 'little', 'much'])
})

t.test('a catalogue query is limited in memory, and the next client is served', async (t) => {
  const [client, other] = [await connect(), await connect()]
  const before = process.memoryUsage.rss()
  // The text alone, twice while it grows; the database itself may take more.
  const joined = "SELECT length(string_agg(repeat('x', 1000000), '')) FROM generate_series(1, 300)"
  t.match(errorOf(await ask(client, joined)), { C: '53200' }, 'its database gets no more')
  t.same(await rows(client, 'SELECT 1 FROM pg_class LIMIT 1'), [['1']])
  const long = "SELECT repeat('x', 20000000) FROM pg_class, pg_class b"
  t.match(errorOf(await ask(client, long)), { C: '54000', M: /64 MB/ }, 'nor is its answer kept without end')
  t.same(await rows(other, "SELECT count(*) FROM pg_namespace WHERE nspname = 'flights'"), [['1']], 'and it is back')
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20
  t.ok(grown < 1500, `the process grew by ${Math.round(grown)} MB`)
  client.end()
  other.end()
})

t.test('the catalogue queries of clients are answered', async (t) => {
  const folder = path.join(import.meta.dirname, 'introspection')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const client = await connect()
    const said = readFileSync(path.join(folder, file), 'utf8')
      .split(/;\n-- ----\n|;\s*$/)
      .filter((text) => text.trim() !== '')
    t.ok(said.length > 0, file)
    for (const text of said) {
      const answer = /\$\d/.test(text) ? await described(client, text) : await ask(client, text)
      const failed = answer.some(({ type }) => type === 'E') ? errorOf(answer) : undefined
      t.equal(failed?.C, undefined, `${file}: ${text.replace(/\s+/g, ' ').slice(0, 100)}${failed ? ` → ${failed.M}` : ''}`)
      if (answer.at(-1)!.body.toString() !== 'I') await ask(client, 'ROLLBACK')
    }
    client.end()
  }
})

async function described(client: RawClient, text: string) {
  client.send(parse(text), describe('S'), sync())
  return client.until('Z')
}
