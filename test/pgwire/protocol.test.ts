import type { HostPlugin } from '@grainline/core'
import { valueAt } from '@grainline/core/vendor'
import evaluator from '@grainline/evaluator-duckdb'
import t from 'tap'
import { OID } from '../../plugins/surface-pgwire/src/types/pg-type.js'
import { holds } from '../specification/holds.js'
import {
  ask,
  bind,
  connectReady,
  cstring,
  describe,
  errorOf,
  execute,
  fieldsOf,
  int32,
  type Message,
  message,
  parse,
  query,
  type RawClient,
  rowsOf,
  sync,
  tagsOf,
  typesOf,
  typesOfColumns,
} from './raw-client.js'
import { duckdb, startPgwire } from './server.js'

const plugins = [...(duckdb ?? []), evaluator as HostPlugin]
const server = await startPgwire({ settings: { PGWIRE_CATALOG: 'off' }, plugins })
t.teardown(() => server.close())
const connect = (parameters = {}) => connectReady(server.port, { database: 'flights', ...parameters })

const TOP = 'SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC, 1 LIMIT 3'

async function exchange(client: RawClient, ...messages: readonly Buffer[]) {
  client.send(...messages, sync())
  return client.until('Z')
}

t.test('a simple query gets a description, rows and a command tag', async (t) => {
  holds(t, 'pgwire.simple')
  const client = await connect()
  const answer = await ask(client, TOP)
  t.equal(typesOf(answer), 'TDDDCZ')
  t.same(tagsOf(answer), ['SELECT 3'])
  t.same(rowsOf(answer)[0], ['United Air Lines Inc.', '58665'])
  client.end()
})

t.test('several statements are answered in order, and the first error ends them', async (t) => {
  const client = await connect()
  t.same(tagsOf(await ask(client, "BEGIN; SELECT 1; SET application_name = 'x'; COMMIT")), ['BEGIN', 'SELECT 1', 'SET', 'COMMIT'])
  const failed = await ask(client, 'SELECT 1; SELECT nope FROM flights; SELECT 2')
  t.same(tagsOf(failed), ['SELECT 1'])
  t.equal(errorOf(failed).C, '42703')
  for (const empty of ['', ' ', ' ;; ', '-- nothing'])
    t.equal(typesOf(await ask(client, empty)), 'IZ', `'${empty}' is answered as such`)
  t.equal(typesOf(await exchange(client, parse(''), bind(), describe('P'), execute())), '12nIZ')
  client.end()
})

t.test('the extended protocol prepares, binds, describes and executes', async (t) => {
  const client = await connect()
  const text = 'SELECT "Airline", "Flight Count" FROM flights WHERE "Airline" = $1 AND "Year Built" > $2'
  const prepared = await exchange(client, parse(text, { name: 'one' }), describe('S', 'one'))
  t.equal(typesOf(prepared), '1tTZ')
  t.same([prepared[1]!.body.readInt32BE(2), prepared[1]!.body.readInt32BE(6)], [25, 20], 'types follow from what is compared')
  for (const [airline, flights] of [
    ['JetBlue Airways', '43130'],
    ['Endeavor Air Inc.', '13676'],
  ]) {
    const answer = await exchange(client, bind({ name: 'one', values: [airline!, '2003'] }), describe('P'), execute())
    t.equal(typesOf(answer), '2TDCZ')
    t.same(rowsOf(answer), [[airline, flights]])
  }
  const binary = await exchange(
    client,
    bind({
      name: 'one',
      values: ['JetBlue Airways', Buffer.from('00000000000007d3', 'hex')],
      valueFormats: [0, 1],
      formats: [1],
    }),
    execute(),
  )
  t.equal(binary[1]!.body.subarray(-8).toString('hex'), (43130).toString(16).padStart(16, '0'), 'a bigint in binary, both ways')
  client.end()
})

t.test('statements in a pipeline are answered together, and an error skips to the next Sync', async (t) => {
  const client = await connect()
  client.send(
    ...[parse('SELECT 1'), bind(), execute(), sync()],
    ...[parse('SELECT nope FROM flights'), bind(), execute(), parse('SELECT 2'), bind(), execute(), sync()],
    ...[parse('SELECT 3'), bind(), execute(), sync()],
  )
  const answers = [await client.until('Z'), await client.until('Z'), await client.until('Z')]
  t.same(answers.map(typesOf), ['12DCZ', '12EZ', '12DCZ'])
  client.end()
})

t.test('a portal returns its rows in parts', async (t) => {
  const client = await connect()
  await exchange(client, parse('BEGIN'), bind(), execute())
  client.send(parse(TOP), bind({ portal: 'p' }), execute(2, 'p'), sync())
  t.equal(typesOf(await client.until('Z')), '12DDsZ')
  client.send(execute(2, 'p'), sync())
  const rest = await client.until('Z')
  t.equal(typesOf(rest), 'DCZ')
  t.same(tagsOf(rest), ['SELECT 1'])
  client.send(message('C', Buffer.from('P'), cstring('p')), execute(0, 'p'), sync())
  const closed = await client.until('Z')
  t.equal(typesOf(closed), '3EZ')
  t.equal(errorOf(closed).C, '34000')
  client.end()
})

t.test('a client with a maximum number of rows reads a preview of SELECT *, with its notice', async (t) => {
  const client = await connect()
  const answer = await exchange(client, parse('SELECT * FROM flights'), bind(), describe('P'), execute(200))
  t.equal(rowsOf(answer).length, 200)
  const [notice, ...more] = answer.filter(({ type }) => type === 'N').map((message) => fieldsOf(message)['D'])
  t.same([notice, more], ['PREVIEW_LEFT_OUT', []])
  t.match(typesOf(answer), /Ns?Z?/, 'it precedes the end of the part')
  client.end()
})

t.test('a cursor of SQL is declared, fetched, moved and closed', async (t) => {
  const client = await connect()
  t.equal(errorOf(await ask(client, `DECLARE c CURSOR FOR ${TOP}`)).C, '25P01', 'only inside a transaction')
  await ask(client, 'BEGIN')
  t.same(tagsOf(await ask(client, `DECLARE c NO SCROLL CURSOR FOR ${TOP}`)), ['DECLARE CURSOR'])
  const first = await ask(client, 'FETCH 1 FROM c')
  t.equal(typesOf(first), 'TDCZ')
  t.same(rowsOf(first)[0]?.[0], 'United Air Lines Inc.')
  t.same(tagsOf(await ask(client, 'MOVE NEXT FROM c')), ['MOVE 1'])
  t.same(tagsOf(await ask(client, 'FETCH ALL FROM c')), ['FETCH 1'])
  t.same(tagsOf(await ask(client, 'FETCH c')), ['FETCH 0'])
  t.equal(errorOf(await ask(client, 'FETCH PRIOR FROM c')).C, '55000')
  await ask(client, 'ROLLBACK')
  t.equal(errorOf(await ask(client, 'FETCH c')).C, '34000', 'it ends with its transaction')
  await ask(client, `DECLARE held CURSOR WITH HOLD FOR ${TOP}`)
  t.same(tagsOf(await ask(client, 'FETCH FORWARD 2 FROM held')), ['FETCH 2'], 'unless it is held')
  t.same(tagsOf(await ask(client, 'CLOSE held')), ['CLOSE CURSOR'])
  client.end()
})

t.test('a failed transaction accepts only its end, and a savepoint restores it', async (t) => {
  const client = await connect()
  await ask(client, 'BEGIN READ ONLY')
  await ask(client, 'SAVEPOINT a')
  const failed = await ask(client, 'SELECT nope FROM flights')
  t.equal(failed.at(-1)!.body.toString(), 'E')
  t.equal(errorOf(await ask(client, 'SELECT 1')).C, '25P02')
  const back = await ask(client, 'ROLLBACK TO SAVEPOINT a')
  t.equal(back.at(-1)!.body.toString(), 'T')
  t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']])
  await ask(client, 'SELECT nope FROM flights')
  t.same(tagsOf(await ask(client, 'COMMIT')), ['ROLLBACK'], 'a failed one cannot be committed')
  const warned = await ask(client, 'ROLLBACK')
  t.match(fieldsOf(warned.find(({ type }) => type === 'N')!), { S: 'WARNING', C: '25P01' })
  client.end()
})

t.test(
  'in a transaction a faulty statement is refused when it is parsed, so that the messages behind it do not fail the ROLLBACK',
  async (t) => {
    const client = await connect()
    await ask(client, 'BEGIN')
    // As pg8000 does: Bind follows Describe without waiting for its answer, and is part of what the next Sync ends.
    client.send(parse('SELECT "Nope" FROM flights'), sync())
    t.equal(typesOf(await client.until('Z')), 'EZ')
    client.send(parse('ROLLBACK'), sync(), describe('S'), sync(), bind(), execute(), sync())
    const ended = [...(await client.until('Z')), ...(await client.until('Z')), ...(await client.until('Z'))]
    t.notMatch(typesOf(ended), /E/)
    t.same(tagsOf(ended), ['ROLLBACK'])
    await ask(client, 'BEGIN')
    client.send(
      parse('SELECT date_trunc($1, "Date") AS m, "Flight Count" FROM flights GROUP BY 1 ORDER BY 1 LIMIT 1'),
      describe('S'),
      sync(),
    )
    t.equal(typesOf(await client.until('Z')), '1tTZ', 'it is described without the value')
    client.send(bind({ values: ['quarter'] }), execute(), sync())
    t.same(rowsOf(await client.until('Z')), [['2013-01-01', '80789']])
    await ask(client, 'ROLLBACK')
    client.end()
  },
)

t.test('date_trunc has the type of its time, whatever the unit: a statement is described as it is answered', async (t) => {
  const client = await connect()
  const columnsOf = (messages: readonly Message[]) => typesOfColumns(messages.find(({ type }) => type === 'T')!)
  const columns = async (text: string, unit: string) => {
    client.send(parse(text), describe('S'), sync())
    const described = columnsOf(await client.until('Z'))
    client.send(bind({ values: [unit] }), describe('P'), execute(), sync())
    const answered = await client.until('Z')
    t.same(columnsOf(answered), described, `${unit} of ${text}`)
    return { type: described[0], first: rowsOf(answered)[0] }
  }
  const counted = (time: string) => `SELECT date_trunc($1, ${time}) AS m, COUNT(*) FROM flights GROUP BY 1 ORDER BY 1 LIMIT 1`
  t.same(await columns(counted('"Scheduled At"'), 'hour'), { type: OID.timestamptz, first: ['2013-01-01 10:00:00+00', '6'] })
  t.same(await columns(counted('"Scheduled At"'), 'month'), { type: OID.timestamptz, first: ['2013-01-01 05:00:00+00', '27004'] })
  t.same(await columns(counted('"Scheduled Local"'), 'hour'), { type: OID.timestamp, first: ['2013-01-01 05:00:00', '6'] })
  t.same(await columns(counted('"Scheduled Local"'), 'year'), { type: OID.timestamp, first: ['2013-01-01 00:00:00', '336776'] })
  t.same(await columns(counted('"Date"'), 'month'), { type: OID.date, first: ['2013-01-01', '27004'] })
  const around = `SELECT date_trunc($1, m) AS m, SUM(n) FROM (SELECT "Scheduled Local" AS m, "Flight Count" AS n, row_number() OVER () AS r FROM flights) x
    GROUP BY 1 ORDER BY 1 LIMIT 1`
  t.same(await columns(around, 'hour'), { type: OID.timestamp, first: ['2013-01-01 05:00:00', '6'] })
  // A larger expression of a model query has the type of the period, which a unit of hours changes: refused, and never read as another type.
  const larger = `SELECT coalesce(date_trunc($1, "Scheduled Local"), DATE '2013-01-01') AS m, COUNT(*) FROM flights GROUP BY 1 ORDER BY 1 LIMIT 1`
  t.same(await columns(larger, 'year'), { type: OID.date, first: ['2013-01-01', '336776'] })
  client.send(parse(larger), describe('S'), sync())
  t.equal(typesOf(await client.until('Z')), '1tTZ')
  client.send(bind({ values: ['hour'] }), execute(), sync())
  t.match(errorOf(await client.until('Z')), { C: '0A000', H: /date_trunc\('hour', …\)/ })
  client.end()
})

t.test('settings of a transaction are undone with it', async (t) => {
  const client = await connect()
  const zone = async () => rowsOf(await ask(client, 'SHOW TimeZone'))[0]![0]
  await ask(client, 'BEGIN')
  const set = await ask(client, "SET TimeZone = 'Europe/Berlin'")
  t.equal(set[0]!.body.toString(), 'TimeZone\0Europe/Berlin\0', 'the client is informed')
  t.equal(await zone(), 'Europe/Berlin')
  await ask(client, 'ROLLBACK')
  t.equal(await zone(), 'UTC')
  await ask(client, "BEGIN; SET LOCAL TimeZone = 'Asia/Tokyo'")
  t.equal(await zone(), 'Asia/Tokyo')
  await ask(client, 'COMMIT')
  t.equal(await zone(), 'UTC')
  for (const text of ["SET TimeZone = 'Mars/Olympus'", "SET client_encoding = 'LATIN1'", 'SET extra_float_digits = 99'])
    t.equal(errorOf(await ask(client, text)).C, '22023', text)
  t.match(errorOf(await ask(client, 'SET timezon = 1')), { C: '42704', H: 'Perhaps you meant "timezone".' })
  t.equal(errorOf(await ask(client, 'SET role = postgres')).C, '42501')
  client.end()
})

t.test('instants are shown in the time zone of the connection, and dates in its style', async (t) => {
  const client = await connect({ options: '-c TimeZone=America/New_York' })
  const text = 'SELECT "Scheduled At", "Scheduled Local", "Date" FROM flights WHERE "Tail Number" = \'N14228\' ORDER BY 1 LIMIT 1'
  const shown = async () => rowsOf(await ask(client, text))[0]
  t.same(await shown(), ['2013-01-01 05:00:00-05', '2013-01-01 05:00:00', '2013-01-01'])
  await ask(client, "SET TimeZone = 'Asia/Kolkata'; SET DateStyle = 'SQL, DMY'")
  t.same(await shown(), ['01/01/2013 15:30:00 +05:30', '01/01/2013 05:00:00', '01/01/2013'])
  await ask(client, "SET DateStyle = 'Postgres, MDY'")
  t.same(await shown(), ['Tue Jan 01 15:30:00 2013 +05:30', 'Tue Jan 01 05:00:00 2013', '01-01-2013'])
  await ask(client, 'SET DateStyle = German')
  t.same(await shown(), ['01.01.2013 15:30:00 +05:30', '01.01.2013 05:00:00', '01.01.2013'])
  client.end()
})

t.test('COPY TO STDOUT gives text, CSV and binary', async (t) => {
  const client = await connect()
  const copied = async (options: string) => {
    const answer = await ask(client, `COPY (${TOP}) TO STDOUT ${options}`)
    t.match(typesOf(answer), /^Hd+cCZ$/, options)
    return Buffer.concat(answer.filter(({ type }) => type === 'd').map(({ body }) => body))
  }
  t.equal((await copied('')).toString().split('\n')[0], 'United Air Lines Inc.\t58665')
  t.equal((await copied('WITH (FORMAT csv, HEADER)')).toString().split('\n')[0], 'Airline,Flight Count')
  t.equal((await copied("WITH (FORMAT csv, DELIMITER '.')")).toString().split('\n')[0], '"United Air Lines Inc.".58665')
  t.match((await copied('WITH (FORMAT csv, FORCE_QUOTE *)')).toString(), /^"United Air Lines Inc\.","58665"\n/)
  const binary = await copied('WITH (FORMAT binary)')
  t.equal(binary.subarray(0, 11).toString('latin1'), 'PGCOPY\n\xff\r\n\0')
  t.equal(binary.subarray(-2).toString('hex'), 'ffff', 'a trailer ends it')
  t.equal(errorOf(await ask(client, 'COPY flights FROM STDIN')).C, '25006')
  t.equal(errorOf(await ask(client, "COPY flights TO '/tmp/x'")).C, '42501')
  t.equal(errorOf(await ask(client, "COPY flights TO STDOUT (FORMAT csv, DELIMITER 'ab')")).C, '0A000')
  client.end()
})

t.test('errors have a code, a position and a hint', async (t) => {
  const client = await connect()
  t.match(errorOf(await ask(client, 'SELECT "Airlin" FROM flights')), { S: 'ERROR', C: '42703', P: '8', H: /Airline/ })
  t.match(errorOf(await ask(client, 'SELECT 1; SELECT "Airlin" FROM flights')), { P: '18' }, 'counted from the start of the text')
  t.match(errorOf(await ask(client, 'SELECT "Airline" FRO flights')), { C: '42601', P: '22' })
  t.equal(errorOf(await ask(client, 'DELETE FROM flights')).C, '25006')
  t.equal(errorOf(await ask(client, 'DROP TABLE flights')).C, '25006')
  t.equal(errorOf(await ask(client, 'EXPLAIN SELECT 1')).C, '0A000')
  t.equal(errorOf(await ask(client, `SELECT 1${'+1'.repeat(50_000)}`)).C, '54001')
  t.equal(errorOf(await ask(client, `SELECT '${'x'.repeat(300_000)}'`)).C, '54001')
  t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']], 'and the connection goes on')
  client.end()
})

t.test('no answer is truncated silently: it has all its rows, or ends with an error', async (t) => {
  holds(t, 'setting.SQL_DEFAULT_LIMIT')
  const client = await connect()
  t.same(tagsOf(await ask(client, 'SELECT "Tail Number" FROM flights')), ['SELECT 4044'])
  t.same(tagsOf(await ask(client, 'SELECT "Tail Number", rank() OVER () FROM flights')), ['SELECT 4044'])
  client.end()
  for (const settings of [{ SQL_DEFAULT_LIMIT: 1000 }, { QUERY_DEFAULT_LIMIT: 1000 }]) {
    const limited = await startPgwire({ settings, plugins })
    const client = await connectReady(limited.port, { database: 'flights' })
    for (const sql of ['SELECT "Tail Number" FROM flights', 'SELECT "Tail Number", rank() OVER () FROM flights']) {
      const refusal = { S: 'ERROR', C: '54000', D: 'DEFAULT_LIMIT_EXCEEDED', H: /SQL_DEFAULT_LIMIT/ }
      t.match(errorOf(await ask(client, sql)), refusal, sql)
      t.same(tagsOf(await ask(client, `${sql} LIMIT 2000`)), ['SELECT 2000'], 'a limit of the client is never cut')
    }
    client.end()
    await limited.close()
  }
})

t.test('a zone is a name, an interval, a number of hours or a POSIX zone, and is shown as PostgreSQL shows it', async (t) => {
  const client = await connect()
  // The answers of PostgreSQL 15 to SHOW TimeZone and for midnight in UTC.
  const zones: readonly (readonly [set: string, shown: string, midnight: string])[] = [
    ["TIME ZONE INTERVAL '+02:00' HOUR TO MINUTE", '<+02>-02', '2020-01-01 02:00:00+02'],
    ["TIME ZONE INTERVAL '-03:30' HOUR TO MINUTE", '<-03:30>+03:30', '2019-12-31 20:30:00-03:30'],
    ["TimeZone='+02:00'", '+02:00', '2019-12-31 22:00:00-02'],
    ["TimeZone='+00:00'", '+00:00', '2020-01-01 00:00:00+00'],
    ["TIME ZONE '-5'", '<-05>+05', '2019-12-31 19:00:00-05'],
    ['TIME ZONE -5', '<-05>+05', '2019-12-31 19:00:00-05'],
    ['TIME ZONE 5.5', '<+05:30>-05:30', '2020-01-01 05:30:00+05:30'],
    ["TimeZone='UTC+3'", 'UTC+3', '2019-12-31 21:00:00-03'],
    ["TimeZone='<+03>-03'", '<+03>-03', '2020-01-01 03:00:00+03'],
    ['TIME ZONE 0', '<+00>-00', '2020-01-01 00:00:00+00'],
    ['TIME ZONE LOCAL', 'UTC', '2020-01-01 00:00:00+00'],
  ]
  for (const [set, shown, midnight] of zones) {
    t.equal(tagsOf(await ask(client, `SET ${set}`))[0], 'SET', set)
    t.same(rowsOf(await ask(client, 'SHOW TimeZone')), [[shown]])
    const instant = await ask(client, 'SELECT "Scheduled At" FROM flights WHERE "Scheduled At" = \'2013-06-01 10:00:00+00\'')
    const [[text]] = rowsOf(instant) as [[string]]
    t.equal(new Date(text.replace(/([+-]\d\d)$/, '$1:00')).toISOString(), '2013-06-01T10:00:00.000Z', 'the same instant')
    t.equal(text.slice(19), midnight.slice(19), 'at this offset')
  }
  for (const text of ["SET TimeZone='+0530'", 'SET TIME ZONE 200', "SET TIME ZONE INTERVAL '1 day'"])
    t.equal(errorOf(await ask(client, text)).C, '22023', text)
  client.end()
})

t.test('arrays and settings are bound as parameters', async (t) => {
  const client = await connect()
  const run = async (sql: string, types: readonly number[], value: Buffer, format: 0 | 1) =>
    exchange(client, parse(sql, { types: [...types] }), bind({ values: [value], valueFormats: [format] }), execute())
  const counted = 'SELECT sum("Flight Count") FROM flights WHERE "Origin Code" = ANY($1)'
  const wanted = rowsOf(await ask(client, `SELECT "Flight Count" FROM flights WHERE "Origin Code" IN ('JFK', 'LGA')`))
  t.same(rowsOf(await run(counted, [], Buffer.from('{JFK,"LGA"}'), 0)), wanted, 'text, of the type that it is compared with')
  const item = (text: string) => Buffer.concat([int32(text.length), Buffer.from(text)])
  const binary = Buffer.concat([int32(1), int32(0), int32(25), int32(2), int32(1), item('JFK'), item('LGA')])
  t.same(rowsOf(await run(counted, [1009], binary, 1)), wanted, 'binary')
  const hours = Buffer.concat([int32(1), int32(0), int32(23), int32(1), int32(1), int32(4), int32(5)])
  const early = 'SELECT "Flight Count" FROM flights WHERE "Scheduled Hour" = ANY($1)'
  const five = rowsOf(await ask(client, 'SELECT "Flight Count" FROM flights WHERE "Scheduled Hour" = 5'))
  t.same(rowsOf(await run(early, [1007], hours, 1)), five)
  t.same(rowsOf(await run("SELECT set_config('search_path', $1, false)", [], Buffer.from('public'), 0)), [['public']])
  t.same(rowsOf(await ask(client, 'SHOW search_path')), [['public']])
  const described = await exchange(client, parse("SELECT set_config('search_path', 'other', false)"), describe('S'))
  t.same(typesOf(described), '1tTZ', 'what is described is not done')
  t.same(rowsOf(await ask(client, 'SHOW search_path')), [['public']])
  client.end()
})

t.test('SHOW TABLES, DESCRIBE and EXPLAIN have the same answers as on other surfaces', async (t) => {
  const client = await connect()
  const { service } = server.host
  const asked = async (sql: string) => {
    const { batches, schema } = await service.executeSql({ asker: undefined, target: { model: 'flights' }, sql })
    const found: unknown[][] = []
    for await (const batch of batches)
      for (let row = 0; row < batch.rowCount; row++)
        found.push(batch.columns.map((column, i) => valueAt(column, row, schema[i]!.type)).map((value) => value && String(value)))
    return found
  }
  for (const sql of ['SHOW TABLES', 'SHOW MODELS', 'DESCRIBE flights', 'desc flights;'])
    t.same(rowsOf(await ask(client, sql)), await asked(sql), sql)
  const plan = await ask(client, `EXPLAIN SELECT "Airline", "Flight Count" FROM flights WHERE "Origin Code" = 'JFK'`)
  t.same(tagsOf(plan), ['EXPLAIN'])
  t.match(rowsOf(plan).join('\n'), /a query of flights, run on duckdb:.*"select".*FROM "flights".*'JFK'/s)
  const around = rowsOf(
    await ask(client, 'EXPLAIN (COSTS off) SELECT "Airline", rank() OVER (ORDER BY "Flight Count") FROM flights'),
  ).join('\n')
  t.match(around, /Evaluated over the answers below:.*RANK\(\).*model_query_1: a query of flights/s)
  t.match(errorOf(await ask(client, 'EXPLAIN ANALYZE SELECT "Flight Count" FROM flights')), {
    C: '0A000',
    H: 'EXPLAIN without ANALYZE',
  })
  t.match(errorOf(await ask(client, 'EXPLAIN (FORMAT json) SELECT "Flight Count" FROM flights')), { C: '0A000' })
  t.equal(errorOf(await ask(client, 'EXPLAIN DELETE FROM flights')).C, '25006')
  client.end()
})

t.test('the model is selected by database, by schema, or is the only one', async (t) => {
  holds(t, 'pgwire.database')
  for (const [database, from] of [
    ['flights', 'flights'],
    ['FLIGHTS', 'flights.flights'],
    ['tester', 'flights.flights'],
    ['postgres', '"flights"."flights"'],
  ]) {
    const client = await connect({ database })
    t.same(
      rowsOf(await ask(client, `SELECT "Airline" FROM ${from} ORDER BY 1 LIMIT 1`)),
      [['AirTran Airways Corporation']],
      String(database),
    )
    client.end()
  }
  await t.rejects(connect({ database: 'nothing' }), /3D000.*Models are databases here: flights/)
})

t.test('a session of a REST client is a database with its id as its name', async (t) => {
  const { session_id } = await server.host.service.createSession({ metadata: {}, client: 'test', by: undefined })
  const { shopModel } = await import('../rest/shop.js')
  await server.host.service.loadModel(session_id, { asker: undefined, model_json: shopModel })
  const client = await connect({ database: session_id })
  t.same(rowsOf(await ask(client, 'SELECT "Region", "Revenue" FROM shop ORDER BY 1 NULLS LAST')), [
    ['North', '30'],
    ['South', '5'],
    [null, '1'],
  ])
  t.equal(errorOf(await ask(client, 'SELECT "Airline" FROM flights')).C, '0A000', 'and sees no other model')
  client.end()
})

t.test('prepared statements and DISCARD follow the rules of PostgreSQL', async (t) => {
  const client = await connect()
  t.same(tagsOf(await ask(client, 'PREPARE top (text) AS SELECT "Flight Count" FROM flights WHERE "Airline" = $1')), ['PREPARE'])
  t.same(rowsOf(await ask(client, "EXECUTE top ('JetBlue Airways')")), [['54635']])
  t.equal(errorOf(await exchange(client, parse('SELECT 1', { name: 'top' }))).C, '42P05')
  t.same(tagsOf(await ask(client, 'DEALLOCATE top')), ['DEALLOCATE'])
  t.equal(errorOf(await ask(client, 'DEALLOCATE top')).C, '26000')
  await ask(client, "SET TimeZone = 'Asia/Tokyo'")
  t.same(tagsOf(await ask(client, 'DISCARD ALL')), ['DISCARD ALL'])
  t.same(rowsOf(await ask(client, 'SHOW TimeZone')), [['UTC']])
  client.end()
})

t.test('a cancel request stops the running statement, and the connection can be used afterwards', async (t) => {
  const { connectRaw, packet, startup } = await import('./raw-client.js')
  const client = await connectRaw(server.port)
  client.send(startup({ user: 'x', database: 'flights' }, (3 << 16) | 2))
  const greeting = await client.until('Z')
  const key = greeting.find(({ type }) => type === 'K')!.body
  t.equal(key.length, 36, 'protocol 3.2 has a longer secret')
  const slow =
    'SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 1, 2, 3 LIMIT 400000'
  client.send(query(slow))
  await client.next()
  for (const secret of [Buffer.alloc(32), key.subarray(4)]) {
    const other = await connectRaw(server.port)
    other.send(packet(80877102, key.subarray(0, 4), secret))
    await other.closed()
  }
  const cancelled = await client.until('Z')
  t.equal(errorOf(cancelled).C, '57014')
  t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']])
  client.end()
})

t.test('a statement that exceeds its time limit is cancelled', async (t) => {
  holds(t, 'pgwire.query-timeout')
  const client = await connect()
  await ask(client, 'SET statement_timeout = 30')
  const slow = await ask(
    client,
    'SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights ORDER BY 1, 2, 3 LIMIT 400000',
  )
  t.match(errorOf(slow), { C: '57014', M: 'canceling statement due to statement timeout' })
  t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']])
  client.end()
})

t.test('the current schema is the first existing one in the search path', async (t) => {
  const client = await connect()
  const schema = async () => rowsOf(await ask(client, 'SELECT current_schema()'))[0]![0]
  t.equal(await schema(), 'flights')
  await ask(client, 'SET search_path = nowhere, pg_catalog, flights')
  t.equal(await schema(), 'pg_catalog')
  await ask(client, 'SET search_path = nowhere')
  t.equal(await schema(), null)
  client.end()
})

t.test('without the catalogue, queries and probes are answered and other statements are refused by name', async (t) => {
  const client = await connect()
  t.same(rowsOf(await ask(client, 'SELECT current_database(), current_schema(), version() AS v, current_user')), [
    ['flights', 'flights', 'PostgreSQL 18.3 (Grainline)', 'tester'],
  ])
  t.match(errorOf(await ask(client, 'SELECT * FROM pg_class')), { C: '0A000', M: /PGWIRE_CATALOG/ })
  t.same(rowsOf(await ask(client, "SELECT pg_catalog.set_config('search_path', '', false)")), [['']])
  client.end()
})

t.test('the error without execution names its setting', async (t) => {
  holds(t, 'pgwire.execution')
  const plain = await startPgwire({ plugins: [], settings: { QUERY_EXECUTE: false } })
  t.teardown(() => plain.close())
  const client = await connectReady(plain.port, { database: 'flights' })
  t.match(errorOf(await ask(client, TOP)), { C: '0A000', M: /QUERY_EXECUTE/ })
  client.end()
})

t.test('the function call protocol is refused, and an unknown message ends the connection', async (t) => {
  const client = await connect()
  t.equal(errorOf(await exchange(client, message('F', int32(1)))).C, '0A000')
  client.send(message('~'))
  t.match(errorOf(await client.until('E')), { S: 'FATAL', C: '08P01' })
  await client.closed()
})
