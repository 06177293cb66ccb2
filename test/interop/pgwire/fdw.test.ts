/** A real PostgreSQL that reads the models of a Grainline as foreign tables (PostgreSQL, "postgres_fdw"). */
import type { HostPlugin } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import t from 'tap'
import { duckdb, flights, startPgwire } from '../../pgwire/server.js'
import { openClient } from '../postgres/client.js'
import { startServer } from '../postgres/server.js'

t.setTimeout(300_000)
const KEY = 'a_key_of_clients_0123456789abcdef0123456789'
const real = await startServer()
const client = typeof real === 'string' ? real : await openClient(real.socket)
if (typeof client === 'string' || typeof real === 'string') t.plan(0, String(client))
else {
  const server = await startPgwire({
    plugins: [...(duckdb ?? []), evaluator as HostPlugin],
    preload: [...(flights ?? []), { session: 'types', model: '../interop/pgwire/types.yaml' }],
    settings: { AUTH_MODE: 'api_key', API_KEYS: [KEY] },
  })
  t.teardown(async () => {
    await client.end()
    await server.close()
    await real.stop()
  })
  const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
  await client.query('CREATE EXTENSION postgres_fdw')
  for (const database of ['flights', 'types']) {
    await client.query(
      `CREATE SERVER ${database} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '${server.port}', dbname '${database}')`,
    )
    await client.query(`CREATE USER MAPPING FOR postgres SERVER ${database} OPTIONS (user 'anybody', password '${KEY}')`)
  }

  t.test('the table of a model is imported with its types, after SCRAM authentication', async (t) => {
    for (const name of ['flights', 'types']) await client.query(`IMPORT FOREIGN SCHEMA ${name} FROM SERVER ${name} INTO public`)
    const columns = await rows(
      `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'types'::regclass AND attnum > 0 ORDER BY 1`,
    )
    t.same(columns.slice(0, 4), [
      ['Amount', 'numeric(18,2)'],
      ['Clock', 'time without time zone'],
      ['Day', 'date'],
      ['Document', 'json'],
    ])
  })

  t.test('columns, conditions and limits are pushed down to the model', async (t) => {
    const text = `SELECT "Airline", "Flight Count" FROM flights WHERE "Airline" = 'JetBlue Airways'`
    t.same(await rows(text), [['JetBlue Airways', '54635']])
    const plan = (await rows(`EXPLAIN (VERBOSE, COSTS OFF) ${text}`)).flat().join('\n')
    t.match(
      plan,
      /Remote SQL: SELECT "Airline", "Flight Count" FROM flights\.flights WHERE \(\("Airline" = 'JetBlue Airways'\)\)/,
    )
    t.same(await rows('SELECT "Airline" FROM flights ORDER BY "Flight Count" DESC LIMIT 1'), [['United Air Lines Inc.']])
    t.same(await rows('SELECT count(*) FROM flights'), [['336776']], 'an aggregate is pushed down: the rows of the model')
  })

  t.test('every type, and NULL', async (t) => {
    const [first, second] = await rows(
      `SELECT "Text", "Whole", "Fraction", "Amount", "Flag", "Day"::text, "Clock", "Moment"::text, "Instant"::text, "Document" FROM types ORDER BY "Text"`,
    )
    t.same(first, [
      "Zürich, 'x'",
      '9007199254740993',
      '0.1',
      '12345678901.25',
      't',
      '2024-02-29',
      '23:59:58.25',
      '2024-02-29 12:34:56.789',
      '2024-02-29 12:34:56.789+00',
      '{"a": [1, null]}',
    ])
    t.same(second, Array(10).fill(null))
  })

  t.test('rows are joined with a local table, and arrive in parts through a cursor', async (t) => {
    await client.query(`CREATE TABLE codes AS SELECT 'JetBlue Airways' AS name, 'B6' AS code`)
    await client.query('ALTER SERVER flights OPTIONS (ADD fetch_size $$3$$)')
    t.same(await rows('SELECT code, "Flight Count" FROM codes JOIN flights ON "Airline" = name'), [['B6', '54635']])
    t.equal((await rows('SELECT "Airline" FROM flights OFFSET 0')).length, 16, 'sixteen rows in parts of three')
    const prepared = `PREPARE one(text) AS SELECT "Flight Count" FROM flights WHERE "Airline" = $1`
    await client.query(prepared)
    for (let i = 0; i < 7; i++) t.same(await rows(`EXECUTE one('JetBlue Airways')`), [['54635']], 'by parameters, too')
  })

  t.test('an error has its code, and a cancel request reaches the model', async (t) => {
    await client.query(
      `CREATE FOREIGN TABLE wrong ("Airlin" text) SERVER flights OPTIONS (schema_name 'flights', table_name 'flights')`,
    )
    await t.rejects(client.query('SELECT * FROM wrong'), { code: '42703' })
    // A thousand rows one by one take longer on any machine.
    await client.query('ALTER SERVER flights OPTIONS (SET fetch_size $$1$$)')
    await client.query('SET statement_timeout = 50')
    await t.rejects(
      client.query('SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 4'),
      {
        code: '57014',
      },
    )
    await client.query('SET statement_timeout = 0')
    t.same(await rows(`SELECT "Flight Count" FROM flights WHERE "Airline" = 'JetBlue Airways'`), [['54635']])
  })
}
