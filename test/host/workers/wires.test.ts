/** The Postgres wire and Arrow Flight SQL of a server with two workers: a connection reaches either of them, without a visible difference. */
import { type Answer, connectFlightSql, flight, sql } from '@grainline/flight-sql'
import t, { type Test } from 'tap'
import { rowsOf as flightRowsOf } from '../../flight/rows-of.js'
import { ask, connectRaw, connectReady, errorOf, type Message, packet, query, rowsOf, startup } from '../../pgwire/raw-client.js'
import { shopModel } from '../../rest/shop.js'
import { holds } from '../../specification/holds.js'
import { type Crowd, serveWorkers } from './served.js'

const CANCEL = 80877102
const ROWS = [
  ['North', '30'],
  ['South', '5'],
  [null, '1'],
]
const STATEMENT = 'SELECT "Region", "Revenue" FROM shop ORDER BY 1 NULLS LAST'
/** More bytes than the buffers hold while the client does not read. */
const LONG = 'SELECT "Numbers"."N", "Numbers"."Text" FROM numbers LIMIT 1000000'

/** A million rows without a table. */
const DIGITS = ['a', 'b', 'c', 'd', 'e', 'f']
const numbers = {
  version: 1,
  name: 'numbers',
  dataObjects: {
    Numbers: {
      code: `(SELECT ${DIGITS.map((digit) => `${digit}.i * 1e${DIGITS.indexOf(digit)}`).join(' + ')} AS n, '${'x'.repeat(40)}' AS text FROM ${DIGITS.map((digit) => `(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)) ${digit}(i)`).join(' CROSS JOIN ')})`,
      columns: { N: { code: 'n', abstractType: 'float', primaryKey: true }, Text: { code: 'text', abstractType: 'string' } },
    },
  },
  dimensions: { N: { dataObject: 'Numbers', column: 'N' }, Text: { dataObject: 'Numbers', column: 'Text' } },
  measures: {},
}

async function sessionWith(crowd: Crowd, ...models: readonly object[]): Promise<string> {
  const { session_id: session } = (await crowd.ask('POST', '/v1/sessions')).body
  for (const model of models) {
    const { status, text } = await crowd.ask('POST', `/v1/sessions/${session}/models`, { model_json: model })
    if (status !== 201) throw new Error(text)
  }
  return session
}

async function wireOf(crowd: Crowd): Promise<number> {
  const [, port] = await crowd.shows(/Surface pgwire listens on postgres:\/\/[^:]+:(\d+)/)
  return Number(port)
}

const WIRE = { PGWIRE_ENABLED: 'true', PGWIRE_HOST: '127.0.0.1', PGWIRE_PORT: '0', PGWIRE_CATALOG: 'off' }
const served = (t: Test, env: Record<string, string> = {}, files: Record<string, string> = {}) =>
  serveWorkers(t, { ...WIRE, ...env }, { files })

/** The worker that serves a connection, decoded from its cancel key. */
const workerOf = (greeting: readonly Message[]): number => keyOf(greeting).readInt32BE(0) >>> 19
const keyOf = (greeting: readonly Message[]): Buffer => greeting.find(({ type }) => type === 'K')!.body

t.test('a session is a database on every connection, with its current models', async (t) => {
  holds(t, 'workers.wires')
  const crowd = await served(t)
  const port = await wireOf(crowd)
  const session = await sessionWith(crowd, shopModel)
  const clients = []
  for (let i = 0; i < 4; i++) clients.push(await connectReady(port, { user: 'x', database: session }))
  for (const client of clients) t.same(rowsOf(await ask(client, STATEMENT)), ROWS)
  await crowd.ask('POST', `/v1/sessions/${session}/models`, { model_json: { ...shopModel, name: 'second' } })
  for (const client of clients) t.same(rowsOf(await ask(client, STATEMENT.replace('shop', 'second'))), ROWS)
  t.equal((await crowd.ask('DELETE', `/v1/sessions/${session}`)).status, 204)
  for (const client of clients) {
    t.match(errorOf(await ask(client, STATEMENT)), { S: 'ERROR' }, 'and nothing once it is closed')
    client.end()
  }
})

t.test('a cancel request reaches the worker that runs the statement', async (t) => {
  const crowd = await served(t, { PGWIRE_QUERY_TIMEOUT_SECONDS: '600' })
  const port = await wireOf(crowd)
  const session = await sessionWith(crowd, numbers)
  const clients = []
  for (let i = 0; i < 2; i++) {
    const client = await connectRaw(port)
    client.send(startup({ user: 'x', database: session }))
    const greeting = await client.until('Z')
    clients.push({ client, key: keyOf(greeting), worker: workerOf(greeting) })
  }
  t.same(clients.map(({ worker }) => worker).sort(), [1, 2], 'the two are served by different workers')
  for (const { client } of clients) {
    client.send(query(LONG))
    await client.next()
    // The rest of the rows is pending, so the statement runs until it is cancelled.
    client.socket.pause()
  }
  // Connections are assigned in turn: the next one reaches the first worker, so it cancels a statement of the second.
  for (const { client, key } of clients.toReversed()) {
    const other = await connectRaw(port)
    other.send(packet(CANCEL, key.subarray(0, 4), Buffer.alloc(4)), '')
    await other.closed()
    const even = await connectRaw(port)
    even.end()
    const right = await connectRaw(port)
    right.send(packet(CANCEL, key.subarray(0, 4), key.subarray(4)))
    await right.closed()
    client.socket.resume()
    t.match(errorOf(await client.until('Z')), { C: '57014', M: /user request/ })
    t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']], 'and the connection goes on')
    client.end()
  }
})

t.test('connections are counted for all workers together', async (t) => {
  const env = { PGWIRE_MAX_CONNECTIONS: '4', MODEL_FILES: 'shop.json' }
  const crowd = await served(t, env, { 'shop.json': JSON.stringify(shopModel) })
  const port = await wireOf(crowd)
  const parameters = { user: 'x', database: 'shop' }
  const enter = async (from?: string) => {
    const client = await connectRaw(port, from)
    client.send(startup(parameters))
    const heard = await client.until('Z')
    return { client, told: heard.at(-1)?.type === 'Z' ? 'in' : errorOf(heard) }
  }
  const own = []
  for (let i = 0; i < 4; i++) own.push(await enter())
  t.same(
    own.map(({ told }) => told),
    ['in', 'in', 'in', 'in'],
    'a client has all of them while no other one connects',
  )
  for (let i = 0; i < 2; i++) t.match((await enter('127.0.0.2')).told, { C: '53300', H: /PGWIRE_MAX_CONNECTIONS/ })
  own[0]!.client.end()
  let other = await enter('127.0.0.2')
  for (; other.told !== 'in'; other = await enter('127.0.0.2')) t.match(other.told, { C: '53300' })
  other.client.end()
  let again = await enter()
  while (/PGWIRE_MAX_CONNECTIONS/.test(JSON.stringify(again.told))) again = await enter()
  t.match(again.told, { C: '53300', H: /PGWIRE_CLIENT_MAX_CONNECTIONS/ }, 'one is kept for the other client')
  process.kill(crowd.workers().get(1)!, 'SIGKILL')
  await crowd.shows(/Worker 3 serves/)
  let next = await enter('127.0.0.4').catch(() => undefined)
  while (next?.told !== 'in') next = await enter('127.0.0.4').catch(() => undefined)
  t.equal(next.told, 'in', 'the seats of a worker that has ended are free')
})

t.test(
  'Flight SQL: a statement that one worker prepares, plans or runs can be run, read and cancelled through another',
  async (t) => {
    const crowd = await serveWorkers(t, { FLIGHT_ENABLED: 'true', FLIGHT_PORT: '0' })
    const [, found] = await crowd.shows(/Surface flight listens on grpc:\/\/[^:]+:(\d+)/)
    const port = Number(found)
    const session = await sessionWith(crowd, shopModel, numbers)
    const headers = { database: session }
    const clients = []
    for (let i = 0; i < 2; i++) {
      const client = await connectFlightSql({ host: '127.0.0.1', port, headers })
      t.teardown(() => client.close())
      const answer = await client.query(STATEMENT)
      t.same(await textsOf(answer), ROWS)
      clients.push(client)
    }
    const [one, two] = clients
    const body = sql.named(
      'ActionCreatePreparedStatementRequest',
      sql.createPreparedStatementRequest.encode({ query: STATEMENT }),
    )
    const prepared = await lastOf(one!.calls.stream('DoAction', flight.action.encode({ type: 'CreatePreparedStatement', body })))
    const { value } = sql.readNamed(flight.actionResult.decode(prepared).body!)!
    const { preparedStatementHandle } = sql.createPreparedStatementResult.decode(value)
    const command = sql.named(
      'CommandPreparedStatementQuery',
      sql.commandPreparedStatementQuery.encode({ preparedStatementHandle }),
    )
    const descriptor = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd: command })
    const info = flight.flightInfo.decode(await two!.calls.unary('GetFlightInfo', descriptor))
    t.ok(info.endpoint?.[0]?.ticket, 'a handle of one worker is planned by the other')
    t.ok(
      await lastOf(one!.calls.stream('DoGet', flight.ticket.encode(info.endpoint![0]!.ticket!))),
      'and its ticket is good at both',
    )

    const long = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query: LONG }))
    const planned = await one!.calls.unary(
      'GetFlightInfo',
      flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd: long }),
    )
    const [endpoint] = flight.flightInfo.decode(planned).endpoint!
    const rows = one!.calls.stream('DoGet', flight.ticket.encode(endpoint!.ticket!))
    const iterator = rows[Symbol.asyncIterator]()
    await iterator.next()
    const cancel = flight.action.encode({
      type: 'CancelFlightInfo',
      body: flight.cancelFlightInfoRequest.encode({ info: planned }),
    })
    await lastOf(two!.calls.stream('DoAction', cancel))
    const rest = async () => {
      while (!(await iterator.next()).done);
    }
    await t.rejects(rest(), { message: /cancelled/i })
  },
)

async function lastOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  let last: unknown
  for await (const each of stream) last = each
  return last as Buffer
}

const textsOf = async (answer: Answer): Promise<unknown[][]> =>
  (await flightRowsOf(answer)).map((row) => row.map((value) => (value === null ? null : String(value))))
