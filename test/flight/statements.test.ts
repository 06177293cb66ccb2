/** Statements over Arrow Flight SQL, sent by our own client. */
import { encapsulated, flight, sql } from '@grainline/flight-sql'
import { status } from '@grpc/grpc-js'
import t from 'tap'
import { rowsOf } from './rows-of.js'
import { startFlight } from './server.js'

const server = await startFlight()
t.teardown(() => server.close())
const client = await server.connect()

const BY_AIRPORT = 'SELECT "Origin Airport", "Flight Count" FROM flights ORDER BY 2 DESC'

t.test('a statement is answered', async (t) => {
  t.same(await rowsOf(await client.query(BY_AIRPORT)), [
    ['Newark Liberty Intl', 120835n],
    ['John F Kennedy Intl', 111279n],
    ['La Guardia', 104662n],
  ])
})

t.test('the schema that is announced equals the schema of the answer, byte for byte', async (t) => {
  for (const statement of [
    BY_AIRPORT,
    'SELECT "Scheduled At", "Scheduled Local", "Date", "Average Departure Delay" FROM flights LIMIT 3',
    'SELECT "Airline", SUM("Flight Count") AS n, COUNT(*) FROM (SELECT "Airline", "Flight Count" FROM flights) AS f GROUP BY 1',
    'SELECT 1 AS one, CURRENT_DATE AS today',
    'SHOW TABLES',
  ]) {
    const answer = await client.query(statement)
    const arrived: Buffer[] = []
    const parts = client.calls.stream('DoGet', flight.ticket.encode(answer.info.endpoint![0]!.ticket!))
    for await (const part of parts) arrived.push(Buffer.from(flight.flightData.decode(part as Buffer).dataHeader!))
    t.same(encapsulated(arrived[0]!), answer.info.schema, statement)
    t.same(String(await client.schemaOf(statement)), String(answer.schema), statement)
    t.ok(answer.schema.fields.length > 0)
    await answer.cancel()
  }
})

t.test('values are bound to ? and to $n, and the types of the parameters are known before', async (t) => {
  for (const marks of [
    ['?', '?', '?'],
    ['$1', '$2', '$3'],
  ]) {
    const prepared = await client.prepare(
      `SELECT "Airline", "Flight Count" FROM flights WHERE "Origin Code" = ${marks[0]} AND "Year Built" > ${marks[1]} ORDER BY 2 DESC LIMIT ${marks[2]} -- what?`,
    )
    t.same(
      prepared.parameterSchema.fields.map(({ type }) => String(type)),
      ['Utf8', 'Int64', 'Int64'],
    )
    t.same(await rowsOf(await prepared.query(['JFK', 1990n, 2n])), await rowsOf(await prepared.query(['JFK', 1990n, 2n])))
    const [[airline] = []] = await rowsOf(await prepared.query(['LGA', 1990n, 1n]))
    t.equal(airline, 'Delta Air Lines Inc.')
    await t.rejects(prepared.query(), { code: status.INVALID_ARGUMENT, details: /UNBOUND_PARAMETER: \$1 has no value/ })
    await prepared.close()
  }
})

t.test('parameter markers in texts, names and comments are not parameters', async (t) => {
  const statement = `SELECT '?' AS "a?", E'\\'?' AS b, $x$?$x$ AS c /* ? /* ? */ ? */ , ? AS d -- ?`
  const prepared = await client.prepare(statement)
  t.equal(prepared.parameterSchema.fields.length, 1)
  t.same(await rowsOf(await prepared.query(['!'])), [['?', "'?", '?', '!']])
  await t.rejects(client.prepare('SELECT ?, $1'), { code: status.INVALID_ARGUMENT, details: /two kinds/ })
})

t.test('an error has its code, its message and its position in the text of the client', async (t) => {
  await t.rejects(client.query('SELECT "Airlne" FROM flights'), {
    code: status.INVALID_ARGUMENT,
    details: /^UNKNOWN_SELECT_ITEM: .*Airlne.*line 1, column 8/,
  })
  await t.rejects(client.prepare('SELECT "Airline", ? AS x,\n ? AS y, "Nope" FROM flights'), {
    code: status.INVALID_ARGUMENT,
    details: /line 2, column 10/,
  })
  await t.rejects(client.query('SELEC'), { code: status.INVALID_ARGUMENT, details: /^SQL_SYNTAX_ERROR/ })
  await t.rejects(client.query(''), { code: status.INVALID_ARGUMENT, details: /empty/ })
  await t.rejects(client.query('SELECT * FROM elsewhere'), { code: status.INVALID_ARGUMENT, details: /^RAW_SQL_REJECTED/ })
})

t.test('statements that write are refused with statuses that drivers tolerate', async (t) => {
  for (const statement of [
    'DELETE FROM flights',
    'INSERT INTO flights VALUES (1)',
    'CREATE TABLE x (a int)',
    'BEGIN',
    'SET x = 1',
  ])
    await t.rejects(client.query(statement), { code: status.INVALID_ARGUMENT, details: /WRITE_OPERATION_REJECTED/ }, statement)
  const put = (name: string) => {
    const flightDescriptor = { type: flight.DESCRIPTOR_CMD, cmd: sql.named(name, Buffer.alloc(0)) }
    return client.calls.put([flight.flightData.encode({ flightDescriptor })])
  }
  for (const name of ['CommandStatementUpdate', 'CommandPreparedStatementUpdate', 'CommandStatementIngest'])
    await t.rejects(put(name), { code: status.INVALID_ARGUMENT, details: /WRITE_OPERATION_REJECTED/ }, name)
  const act = async (type: string) => {
    for await (const _ of client.calls.stream('DoAction', flight.action.encode({ type })));
  }
  for (const type of ['BeginTransaction', 'EndTransaction', 'BeginSavepoint', 'EndSavepoint', 'CreatePreparedSubstraitPlan', 'x'])
    await t.rejects(act(type), { code: status.UNIMPLEMENTED }, type)
})

t.test('a prepared statement is declared as read-only', async (t) => {
  const body = sql.named('ActionCreatePreparedStatementRequest', sql.createPreparedStatementRequest.encode({ query: BY_AIRPORT }))
  for await (const result of client.calls.stream('DoAction', flight.action.encode({ type: 'CreatePreparedStatement', body }))) {
    const { value } = sql.readNamed(flight.actionResult.decode(result as Buffer).body!)!
    const made = sql.createPreparedStatementResult.decode(value)
    t.equal(made.isUpdate, false)
    t.ok(made.datasetSchema!.length > 100)
  }
})

t.test('a polled query is complete in the first answer', async (t) => {
  const cmd = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query: BY_AIRPORT }))
  const answer = await client.calls.unary('PollFlightInfo', flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd }))
  const { info, progress, flightDescriptor } = flight.pollInfo.decode(answer)
  t.equal(progress, 1)
  t.equal(flightDescriptor, undefined, 'there is nothing to poll for any more')
  t.equal(info!.endpoint!.length, 1)
  t.equal(info!.endpoint![0]!.location, undefined, 'wherever the client is connected')
})

t.test('an endpoint can be renewed', async (t) => {
  const { info, ...answer } = await client.query(BY_AIRPORT)
  await answer.cancel()
  const again = await client.query(BY_AIRPORT)
  const [endpoint] = again.info.endpoint!
  const body = flight.renewFlightEndpointRequest.encode({ endpoint: endpoint! })
  for await (const result of client.calls.stream('DoAction', flight.action.encode({ type: 'RenewFlightEndpoint', body }))) {
    const renewed = flight.flightEndpoint.decode(flight.actionResult.decode(result as Buffer).body!)
    t.ok(renewed.expirationTime!.seconds! >= endpoint!.expirationTime!.seconds!)
  }
  t.equal((await rowsOf(again)).length, 3)
})

t.test('a query that was cancelled before it started does not run', async (t) => {
  const answer = await client.query(BY_AIRPORT)
  const { ticket } = answer.info.endpoint![0]!
  await answer.cancel()
  const parts = client.calls.stream('DoGet', flight.ticket.encode(ticket!))
  await t.rejects(
    (async () => {
      for await (const _ of parts);
    })(),
    { code: status.CANCELLED },
  )
})

t.test('invalid requests are refused and do not affect other clients', async (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('x'), Buffer.from([255, 255, 255]), Buffer.alloc(1000, 7)]) {
    await t.rejects(client.calls.unary('GetFlightInfo', bytes), { code: status.INVALID_ARGUMENT })
    await t.rejects(client.calls.unary('GetSchema', bytes), { code: status.INVALID_ARGUMENT })
    const parts = client.calls.stream('DoGet', bytes)
    await t.rejects(
      (async () => {
        for await (const _ of parts);
      })(),
      { code: status.INVALID_ARGUMENT },
    )
    await t.rejects(client.calls.put([bytes]), { code: status.INVALID_ARGUMENT })
  }
  const path = flight.flightDescriptor.encode({ type: 1, path: ['a'] })
  await t.rejects(client.calls.unary('GetFlightInfo', path), { code: status.INVALID_ARGUMENT, details: /path/ })
  t.equal((await rowsOf(await client.query(BY_AIRPORT))).length, 3)
})
