/** Authentication over Arrow Flight SQL, and the errors of clients that are refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSecureContext } from 'node:tls'
import { flight, sql } from '@grainline/flight-sql'
import { Client, credentials, Metadata, status } from '@grpc/grpc-js'
import t from 'tap'
import { selfSigned } from '../host/certificate.js'
import { holds } from '../specification/holds.js'
import { rowsOf } from './rows-of.js'
import { type FlightOptions, type FlightServer, startFlight } from './server.js'

const KEYS = ['first_key_0123456789abcdef0123456789abcdef', 'second_key_0123456789abcdef0123456789abcde'] as const
const withKeys = { AUTH_MODE: 'api_key', API_KEYS: [...KEYS] }
/** No database is queried: `SELECT 1` is answered by the service itself. */
const quiet: FlightOptions = {}

async function served(
  t: { teardown(run: () => Promise<void>): unknown },
  settings: Record<string, unknown>,
): Promise<FlightServer> {
  const server = await startFlight({ ...quiet, settings })
  t.teardown(() => server.close())
  return server
}

const asks = async (server: FlightServer, options: Parameters<FlightServer['connect']>[0]) => {
  const client = await server.connect(options)
  return rowsOf(await client.query('SELECT 1'))
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** A login by handshake: what the server returned in headers and in messages. */
function login(port: number, metadata: Record<string, string>, payload?: Uint8Array) {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const headers = new Metadata()
  for (const [name, value] of Object.entries(metadata)) headers.set(name, value)
  const { encode, decode } = flight.handshakeMessage
  return new Promise<{ readonly token: string; readonly payload: string }>((resolve, reject) => {
    const call = client.makeBidiStreamRequest(`/${flight.FLIGHT_SERVICE}/Handshake`, encode, decode, headers)
    let [token, said] = ['', '']
    call.on('metadata', (answered: Metadata) => {
      token = String(answered.get('authorization')[0] ?? '')
    })
    call.on('data', (message: { readonly payload?: Uint8Array }) => {
      said = Buffer.from(message.payload ?? []).toString()
    })
    call.on('error', reject)
    call.on('end', () => resolve({ token, payload: said }))
    if (payload) call.write({ payload })
    call.end()
  }).finally(() => client.close())
}

t.test('without keys every client is admitted, with or without a login', async (t) => {
  holds(t, 'flight.port')
  const server = await startFlight(quiet)
  t.teardown(() => server.close())
  t.match(server.address, /^grpc:\/\/0\.0\.0\.0:/, 'whatever API_SERVER_HOST says')
  t.same(await asks(server, {}), [[1n]])
  t.same(await asks(server, { credentials: { user: 'anybody', password: 'anything' } }), [[1n]])
  t.same(await asks(server, { credentials: { token: 'anything' } }), [[1n]])
})

t.test('a key can be a password, a bearer token, a header or a token in bytes; the user name is ignored', async (t) => {
  holds(t, 'flight.handshake')
  const server = await served(t, withKeys)
  for (const key of KEYS) {
    t.same(await asks(server, { credentials: { user: 'anybody', password: key } }), [[1n]])
    t.same(await asks(server, { credentials: { token: key } }), [[1n]])
    t.same(await asks(server, { headers: { 'x-api-key': key } }), [[1n]])
    t.same(await asks(server, { headers: { authorization: basic('', key) } }), [[1n]])
  }
  const { token } = await login(server.port, { authorization: basic('x', KEYS[0]) })
  t.match(token, /^Bearer glf1\./)
  t.same(await asks(server, { headers: { authorization: token } }), [[1n]])
  t.notMatch(
    Buffer.from(token.slice('Bearer glf1.'.length), 'base64url').toString('latin1'),
    KEYS[0],
    'the key is not in it to be read',
  )
})

t.test('older clients log in with a handshake message that contains a password or a token', async (t) => {
  const server = await served(t, withKeys)
  for (const payload of [flight.basicAuth.encode({ username: 'x', password: KEYS[0] }), Buffer.from(KEYS[0])]) {
    const { payload: token } = await login(server.port, {}, payload)
    t.match(token, /^glf1\./)
    t.same(await asks(server, { headers: { authorization: `Bearer ${token}` } }), [[1n]])
  }
  await t.rejects(login(server.port, {}, flight.basicAuth.encode({ username: 'x', password: 'y' })), {
    code: status.UNAUTHENTICATED,
  })
})

t.test('incomplete credentials fail at the login, with a message that says what is missing', async (t) => {
  const server = await served(t, withKeys)
  const refused = (metadata: Record<string, string>, details: RegExp) =>
    t.rejects(login(server.port, metadata), { code: status.UNAUTHENTICATED, details })
  await refused({ authorization: basic('me', '') }, /password is empty.*API key as the password/)
  await refused({ authorization: 'Basic' }, /password is empty/)
  await refused({ authorization: 'Bearer ' }, /API key is required/)
  await refused({}, /API key is required/)
  await refused({ authorization: basic('me', 'wrong') }, /not valid/)
  await refused({ authorization: 'Digest x' }, /not valid/)
  await refused({ authorization: 'Bearer glf1.AAAA' }, /connect again/)
  await t.rejects(asks(server, {}), { code: status.UNAUTHENTICATED, details: /API key is required/ })
})

t.test('every call is authenticated; the health service is open', async (t) => {
  const server = await served(t, withKeys)
  const { calls } = await server.connect({ credentials: { token: KEYS[0] } })
  calls.close()
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure())
  t.teardown(() => client.close())
  const raw = (bytes: Buffer) => bytes
  const call = (method: string) =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(method, raw, raw, Buffer.alloc(0), (error, answer) => (error ? reject(error) : resolve(answer)))
    })
  for (const method of ['GetFlightInfo', 'GetSchema', 'PollFlightInfo'])
    await t.rejects(call(`/${flight.FLIGHT_SERVICE}/${method}`), { code: status.UNAUTHENTICATED }, method)
  for (const method of ['DoGet', 'DoAction', 'ListActions', 'ListFlights', 'DoPut', 'DoExchange']) {
    const stream = client.makeBidiStreamRequest(`/${flight.FLIGHT_SERVICE}/${method}`, raw, raw)
    const failed = new Promise((_resolve, reject) => stream.on('error', reject).on('end', reject))
    stream.resume()
    stream.write(Buffer.alloc(0))
    stream.end()
    await t.rejects(failed, { code: status.UNAUTHENTICATED }, method)
  }
  t.same(await call('/grpc.health.v1.Health/Check'), Buffer.of(0x08, 1))
})

t.test('servers that share a key accept tokens and statements of each other; a key that was removed is refused', async (t) => {
  const shared = { FLIGHT_TICKET_KEY: 'a key of sixteen characters' }
  const one = await served(t, { ...withKeys, ...shared })
  const two = await served(t, { ...withKeys, ...shared })
  const without = await served(t, { ...withKeys, ...shared, API_KEYS: [KEYS[1]] })
  const stranger = await served(t, withKeys)
  const { token: authorization } = await login(one.port, { authorization: basic('x', KEYS[0]) })
  t.same(await asks(two, { headers: { authorization } }), [[1n]])
  await t.rejects(asks(without, { headers: { authorization } }), { code: status.UNAUTHENTICATED, details: /not valid/ })
  await t.rejects(asks(stranger, { headers: { authorization } }), { code: status.UNAUTHENTICATED, details: /another server/ })

  const mine = await one.connect({ credentials: { token: KEYS[0] } })
  const answer = await mine.query('SELECT 1')
  const { ticket } = answer.info.endpoint![0]!
  const get = async (server: FlightServer, key: string) => {
    const { calls } = await server.connect({ credentials: { token: key } })
    for await (const _ of calls.stream('DoGet', flight.ticket.encode(ticket!)));
  }
  await t.resolves(get(two, KEYS[0]), 'a ticket is good at every replica')
  await t.rejects(get(two, KEYS[1]), { code: status.PERMISSION_DENIED }, 'and for no other client')
  await t.rejects(get(stranger, KEYS[0]), { code: status.INVALID_ARGUMENT, details: /FLIGHT_TICKET_KEY/ })
})

t.test('the handle of a prepared statement is valid only for the key that prepared it', async (t) => {
  const server = await served(t, withKeys)
  const [mine, other] = [
    await server.connect({ credentials: { token: KEYS[0] } }),
    await server.connect({ credentials: { token: KEYS[1] } }),
  ]
  const body = sql.named('ActionCreatePreparedStatementRequest', sql.createPreparedStatementRequest.encode({ query: 'SELECT 1' }))
  let handle: Uint8Array | undefined
  for await (const result of mine.calls.stream('DoAction', flight.action.encode({ type: 'CreatePreparedStatement', body }))) {
    const { value } = sql.readNamed(flight.actionResult.decode(result as Buffer).body!)!
    handle = sql.createPreparedStatementResult.decode(value).preparedStatementHandle
  }
  const cmd = sql.named(
    'CommandPreparedStatementQuery',
    sql.commandPreparedStatementQuery.encode({ preparedStatementHandle: handle! }),
  )
  const rowsFor = async (client: typeof mine) => {
    for await (const _ of client.calls.stream('DoGet', flight.ticket.encode({ ticket: cmd })));
  }
  await t.resolves(rowsFor(mine))
  await t.rejects(rowsFor(other), { code: status.PERMISSION_DENIED })
})

t.test('sealed tickets and handles expire after FLIGHT_TICKET_SECONDS', async (t) => {
  const server = await served(t, { ...withKeys, FLIGHT_TICKET_SECONDS: 1 })
  const client = await server.connect({ credentials: { token: KEYS[0] } })
  const { token: authorization } = await login(server.port, { authorization: basic('x', KEYS[0]) })
  const prepared = await client.prepare('SELECT 1')
  const cmd = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query: 'SELECT 1' }))
  const info = await client.calls.unary('GetFlightInfo', flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd }))
  const [endpoint] = flight.flightInfo.decode(info).endpoint!
  const get = async () => {
    for await (const _ of client.calls.stream('DoGet', flight.ticket.encode(endpoint!.ticket!)));
  }
  const end = Number(endpoint!.expirationTime!.seconds) * 1000
  for (const [what, use, code] of [
    ['the ticket', get, status.NOT_FOUND],
    ['the prepared statement', async () => rowsOf(await prepared.query()), status.NOT_FOUND],
    ['the token', () => asks(server, { headers: { authorization } }), status.UNAUTHENTICATED],
  ] as const) {
    // Only the clock of the server decides about expiry.
    let refusal: { readonly code?: number; readonly details?: string } = {}
    while (refusal.code !== code)
      refusal = await use().then(
        () => ({}),
        (error) => error,
      )
    t.match(refusal.details, /has expired/, what)
  }
  t.ok(Date.now() >= end, 'as the endpoint said')
})

t.test('the deprecated token is sufficient if it is required, and AUTH_MODE overrides it', async (t) => {
  holds(t, 'setting.FLIGHT_AUTH_MODE')
  const token = 'a-token'
  const legacy = await served(t, { FLIGHT_AUTH_MODE: 'token', FLIGHT_API_TOKEN: token })
  t.same(await asks(legacy, { credentials: { user: 'x', password: token } }), [[1n]])
  t.same(await asks(legacy, { credentials: { token } }), [[1n]])
  await t.rejects(asks(legacy, { credentials: { token: 'b-token' } }), { code: status.UNAUTHENTICATED })
  await t.rejects(asks(legacy, {}), { code: status.UNAUTHENTICATED })
  const alone = await served(t, { FLIGHT_API_TOKEN: token })
  t.same(await asks(alone, {}), [[1n]], 'the token alone protects nothing')
  const both = await served(t, { ...withKeys, FLIGHT_AUTH_MODE: 'token', FLIGHT_API_TOKEN: token })
  await t.rejects(asks(both, { credentials: { token } }), { code: status.UNAUTHENTICATED })
  t.same(await asks(both, { credentials: { token: KEYS[0] } }), [[1n]])
  await t.rejects(startFlight({ ...quiet, settings: { FLIGHT_AUTH_MODE: 'token' } }), {
    code: 'INVALID_VARIABLE',
    path: 'FLIGHT_API_TOKEN',
  })
})

const folder = mkdtempSync(path.join(tmpdir(), 'grainline-flight-'))
t.teardown(() => rmSync(folder, { recursive: true }))
function certificate(name: string) {
  const made = selfSigned()
  const [cert, key] = ['crt', 'key'].map((kind) => path.join(folder, `${name}.${kind}`)) as [string, string]
  writeFileSync(cert, made.cert)
  writeFileSync(key, made.key)
  return { ...made, files: { FLIGHT_TLS_CERT: cert, FLIGHT_TLS_KEY: key } }
}

t.test('TLS works, with a certificate that can be replaced while the server runs', async (t) => {
  const own = certificate('own')
  const server = await served(t, own.files)
  t.match(server.address, /^grpc\+tls:/)
  t.same(await asks(server, { host: 'localhost', tls: { ca: own.cert } }), [[1n]])
  await t.rejects(server.connect({ connectTimeoutMs: 2000 }), { code: status.UNAVAILABLE }, 'no plain text')
  await t.rejects(server.connect({ host: 'localhost', tls: { ca: certificate('other').cert } }), { code: status.UNAVAILABLE })
  const renewed = certificate('own')
  server.reload()
  t.same(await asks(server, { host: 'localhost', tls: { ca: renewed.cert } }), [[1n]])
  await t.rejects(server.connect({ host: 'localhost', tls: { ca: own.cert } }), { code: status.UNAVAILABLE })
})

t.test('with a client authority, only clients with its certificate are admitted', async (t) => {
  holds(t, 'flight.tls')
  const own = certificate('server')
  const known = certificate('client')
  const foreign = certificate('foreign')
  const server = await served(t, { ...own.files, FLIGHT_TLS_CLIENT_CA: path.join(folder, 'client.crt') })
  const tls = (files: object) => ({ host: 'localhost', tls: { ca: own.cert, ...files }, connectTimeoutMs: 3000 })
  t.same(await asks(server, tls({ cert: known.cert, key: known.key })), [[1n]])
  await t.rejects(asks(server, tls({ cert: foreign.cert, key: foreign.key })), { code: status.UNAVAILABLE })
  await t.rejects(asks(server, tls({})), { code: status.UNAVAILABLE })
  t.ok(createSecureContext({ cert: foreign.cert, key: foreign.key }), 'which is a certificate for all that')
})

t.test(
  'the error for a port in use names the port, and a stopped server frees its port at once, even with open connections',
  async (t) => {
    const server = await startFlight(quiet)
    await t.rejects(startFlight({ ...quiet, settings: { FLIGHT_PORT: server.port } }), {
      code: 'INVALID_VARIABLE',
      message: /port is taken/,
    })
    const silent = net.connect(server.port, '127.0.0.1')
    await new Promise((resolve) => silent.once('connect', resolve))
    silent.on('error', () => {})
    await server.connect()
    await server.close()
    const again = await startFlight({ ...quiet, settings: { FLIGHT_PORT: server.port } })
    t.equal(again.port, server.port)
    await again.close()
    silent.destroy()
  },
)
