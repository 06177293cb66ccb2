/** What a server hands out on the wires is for one principal: keys that cancel, tickets, handles of prepared statements, and cookies of sessions. Others have them, guess them, change them, and send them again. */
import { connectFlightSql, type FlightSqlClient, flight, sql } from '@grainline/flight-sql'
import { status } from '@grpc/grpc-js'
import pg from 'pg'
import t from 'tap'
import { rowsOf as flightRowsOf } from '../flight/rows-of.js'
import { ask, connectRaw, errorOf, int32, packet, query, rowsOf, scram, startup, tagsOf } from '../pgwire/raw-client.js'
import { acted, bytesRead, ofHandle, openedBy } from './flight-handles.js'
import { KEYS, KEYS_FILE, MODEL, TABLES, type Who } from './shop.js'
import { served } from './wire-served.js'

const ROWS = 20_000
const MANY = TABLES.map((table) =>
  table.startsWith('CREATE TABLE orders')
    ? `CREATE TABLE orders AS SELECT i AS id, 2 AS customer_id, 1 AS referrer_id, i AS amount FROM range(${ROWS}) AS t(i)`
    : table,
)
const CANCEL = 80877102

/** A connection, and the number and the secret that cancel its statements. */
async function connected(port: number, who: Who, version?: number) {
  const client = await connectRaw(port)
  client.send(startup({ user: who, database: 'shop' }, version))
  await client.next()
  await scram(client, KEYS[who])
  const key = (await client.until('Z')).find(({ type }) => type === 'K')!.body
  return { client, number: key.subarray(0, 4), secret: key.subarray(4) }
}

t.test('a statement is cancelled by the key of its own connection only', async (t) => {
  const { port } = await served(t, MANY)
  const gone = await connected(port, 'south')
  gone.client.end()
  await gone.client.closed()
  for (const version of [undefined, (3 << 16) | 2]) {
    const [south, north] = [await connected(port, 'south', version), await connected(port, 'north', version)]
    t.notSame(south.secret, north.secret)
    const wrong = [
      [south.number, north.secret],
      [south.number, gone.secret],
      [gone.number, gone.secret],
      [north.number, south.secret],
      [north.number, north.secret],
      [south.number, south.secret.subarray(0, -1)],
      [south.number, Buffer.concat([south.secret, Buffer.alloc(1)])],
      [south.number, Buffer.alloc(south.secret.length)],
      [south.number, Buffer.alloc(0)],
      [int32(0), south.secret],
      [int32(-1), south.secret],
    ] as const
    south.client.send(query(`SELECT "Orders"."Id" FROM shop LIMIT ${ROWS}`))
    const seen = await south.client.until('D')
    for (const [number, secret] of wrong) {
      const other = await connectRaw(port)
      other.send(packet(CANCEL, number, secret))
      await other.closed()
    }
    for (const act of ['pg_cancel_backend', 'pg_terminate_backend'])
      await ask(north.client, `SELECT ${act}(${south.number.readInt32BE()})`)
    const rest = await south.client.until('Z')
    t.equal(rowsOf([...seen, ...rest]).length, ROWS, 'every row of the south')
    t.match(tagsOf(rest), [`SELECT ${ROWS}`])

    south.client.send(query(`SELECT "Orders"."Id", "Orders"."Referrer Id" FROM shop LIMIT ${ROWS}`))
    await south.client.until('D')
    const own = await connectRaw(port)
    own.send(packet(CANCEL, south.number, south.secret))
    await own.closed()
    t.equal(errorOf(await south.client.until('Z')).C, '57014', 'its own key cancels it')
    t.same(rowsOf(await ask(north.client, 'SELECT 1')), [['1']], 'the catalogue is there for all')
    for (const { client } of [south, north]) client.end()
  }
})

t.test('no function of the wire ends the statement or the connection of somebody else', async (t) => {
  const { port } = await served(t)
  const connect = async (who: Who) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: who, password: KEYS[who], database: 'shop' })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const [south, north] = [await connect('south'), await connect('north')]
  for (const call of [
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity',
    'SELECT pg_cancel_backend(pid) FROM pg_stat_activity',
    'SELECT pg_terminate_backend(pg_backend_pid())',
    'SELECT pg_reload_conf()',
    "SELECT set_config('grainline.on_behalf_of', '', false)",
  ])
    await north.query(call).catch(() => undefined)
  const revenue = async (client: pg.Client) => (await client.query({ text: 'SELECT "Revenue" FROM shop', rowMode: 'array' })).rows
  t.same(await revenue(south), [['100']])
  t.same(await revenue(north), [['30']])
  for (const client of [south, north]) await client.end()
})

const VAULT = `
version: 1
name: vault
settings: { defaultDialect: duckdb }
dataObjects: { Gems: { code: products, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }
measures: { Gems Count: { columns: [{ dataObject: Gems, column: Id }], aggregation: count } }
`
/** The north may use the shop, and not the vault. */
const keys = KEYS_FILE.replace('attributes: { regions: [North] } }', 'attributes: { regions: [North] }, models: [shop] }')
const REVENUE = 'SELECT "Revenue" FROM shop'

t.test('tickets and handles are for the principal that was given them, at each call that takes one', async (t) => {
  const { flightPort } = await served(t)
  const connect = (who: Who) => connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token: KEYS[who] } })
  const [north, also, south] = [await connect('north'), await connect('also'), await connect('south')]
  t.teardown(() => [north, also, south].map((client) => client.close()))
  const opened = await openedBy(north, REVENUE)
  const cmd = ofHandle(opened.handle)
  const descriptor = { type: flight.DESCRIPTOR_CMD, cmd }
  const asked = flight.flightDescriptor.encode(descriptor)
  const calls: Readonly<Record<string, (client: FlightSqlClient) => Promise<unknown>>> = {
    'DoGet of a ticket': (client) => bytesRead(client, opened.ticket),
    'DoGet of a handle': (client) => bytesRead(client, cmd),
    'GetFlightInfo of a handle': ({ calls: own }) => own.unary('GetFlightInfo', asked),
    'GetSchema of a handle': ({ calls: own }) => own.unary('GetSchema', asked),
    'PollFlightInfo of a handle': ({ calls: own }) => own.unary('PollFlightInfo', asked),
    RenewFlightEndpoint: (client) =>
      acted(client, 'RenewFlightEndpoint', flight.renewFlightEndpointRequest.encode({ endpoint: opened.endpoint })),
    CancelFlightInfo: (client) => acted(client, 'CancelFlightInfo', flight.cancelFlightInfoRequest.encode({ info: opened.info })),
    CancelQuery: (client) =>
      acted(client, 'CancelQuery', sql.named('ActionCancelQueryRequest', sql.cancelQueryRequest.encode({ info: opened.info }))),
  }
  for (const [name, call] of Object.entries(calls))
    for (const client of [also, south]) await t.rejects(call(client), { code: status.PERMISSION_DENIED }, name)
  t.ok((await bytesRead(north, opened.ticket)).length > 0, 'nobody has cancelled it')
  for (const [name, call] of Object.entries(calls)) await t.resolves(call(north), name)

  // What is changed, cut, or of another purpose is nothing, and all of it is refused alike.
  const sealed = opened.handle
  const changed = [0, 1, 13, 20, sealed.length - 1].map((at) => sealed.map((byte, i) => (i === at ? byte ^ 1 : byte)))
  const { ticket: other } = await openedBy(south, REVENUE)
  const inTicket = sql.ticketStatementQuery.decode(sql.readNamed(other)!.value!).statementHandle!
  const said = new Set<string>()
  for (const handle of [...changed, sealed.subarray(0, 28), sealed.subarray(0, -1), new Uint8Array(0), inTicket])
    await bytesRead(north, ofHandle(handle)).then(
      () => t.fail('it is answered'),
      ({ code, details }: { code: number; details: string }) => said.add(`${code} ${details}`),
    )
  t.equal(said.size, 1, [...said].join('\n'))
})

t.test('a cookie has the options of the principal that set them, and no option names a principal', async (t) => {
  const { flightPort } = await served(t, TABLES, MODEL, { keys, others: { vault: VAULT } })
  const connect = (who: Who, headers = {}) =>
    connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token: KEYS[who] }, headers })
  const [south, north] = [await connect('south'), await connect('north')]
  const sessionOptions = new Map([['catalog', { stringValue: 'vault' }]])
  const { cookie } = await acted(south, 'SetSessionOptions', flight.setSessionOptionsRequest.encode({ sessionOptions }))
  t.match(cookie, /^arrow_flight_session_id=./)
  const [again, stolen] = [await connect('south', { cookie }), await connect('north', { cookie })]
  t.teardown(() => [south, north, again, stolen].map((client) => client.close()))
  t.match(await again.sessionOptions(), new Map([['catalog', { stringValue: 'vault' }]]))
  t.equal((await stolen.sessionOptions()).size, 0, 'nobody else reads them')
  t.match(JSON.stringify(await flightRowsOf(await stolen.query(REVENUE)), plain), /30/, 'nor asks another model by them')

  for (const name of ['vault', 'nothing', 'south']) {
    const said = await north.setSessionOptions({ catalog: name, schema: name })
    t.same([...said].map(([option, code]) => [option, code]).sort(), [
      ['catalog', flight.SESSION_ERROR.invalidValue],
      ['schema', flight.SESSION_ERROR.invalidValue],
    ])
  }
  const app = await connect('app')
  t.teardown(() => app.close())
  for (const client of [app, north])
    for (const who of [
      { name: 'south', roles: ['sales'], attributes: { regions: ['South'] } },
      { name: 'nobody' },
      { name: 'ops' },
    ]) {
      const value = Buffer.from(JSON.stringify(who)).toString('base64')
      for (const option of ['grainline.on_behalf_of', 'x-on-behalf-of', 'GRAINLINE.ON_BEHALF_OF'])
        t.same([...(await client.setSessionOptions({ [option]: value }))], [[option, flight.SESSION_ERROR.invalidName]])
    }
  await t.rejects(app.query(REVENUE), { message: /ACCESS_ATTRIBUTE_MISSING|[Aa]ccess rules/ }, 'it is still the application')
  t.match(JSON.stringify(await flightRowsOf(await north.query(REVENUE)), plain), /30/)
})

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
