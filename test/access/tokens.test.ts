/** Tokens (JWT): which are admitted, what their claims say, and what happens when one expires. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, definePlugin, type Logger, silentLogger } from '@grainline/core'
import { authenticatorConformance } from '@grainline/core/testing'
import { connectFlightSql, flight as flightMessages, sql } from '@grainline/flight-sql'
import flight from '@grainline/surface-flight'
import { status } from '@grpc/grpc-js'
import type { JWTPayload } from 'jose'
import { base64url, SignJWT } from 'jose'
import pg from 'pg'
import t, { type Test } from 'tap'
import jwt, { type JwtOptions, keySet, tokens } from '../../plugins/auth-jwt/src/index.js'
import { rowsOf } from '../flight/rows-of.js'
import {
  bind,
  connectRaw,
  cstring,
  errorOf,
  execute,
  message,
  parse,
  query,
  startup,
  sync,
  typesOf,
} from '../pgwire/raw-client.js'
import { startPgwire } from '../pgwire/server.js'
import { dialects, executing, startRest } from '../rest/server.js'
import { AUDIENCE, ISSUER, issuer, NOON, writeKeys } from './issuer.js'
import { MODEL, TABLES } from './shop.js'

const OPTIONS: JwtOptions = {
  ...{ issuer: ISSUER, audience: [AUDIENCE], keys: 'keys.json', algorithms: ['ES256'], leewaySeconds: 0 },
  roles: ['realm', 'roles'],
  models: 'models',
  attributes: { regions: 'https://example.com/regions' },
}

const ONE = await issuer()

async function folder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'grainline-tokens-'))
  t.teardown(() => rm(path, { recursive: true }))
  await writeKeys(ONE, join(path, 'keys.json'))
  return path
}

const dir = await folder(t)
const at = (seconds: number) => () => new Date(seconds * 1000)
const admitting = (options: Partial<JwtOptions> = {}, now = at(NOON + 1)) =>
  tokens({ ...OPTIONS, ...options }, keySet('keys.json', dir), now)
const judged = async (token: string, options: Partial<JwtOptions> = {}, now = at(NOON + 1)) =>
  admitting(options, now)
    .authenticate({ scheme: 'bearer', value: token })
    .catch(({ code, message }) => `${code} ${message}`)

authenticatorConformance(t, {
  authenticator: admitting(),
  good: { scheme: 'bearer', value: await ONE.token({ models: [] }) },
})

t.test('the claims are the name, the roles, the models and the attributes', async (t) => {
  const claims = { realm: { roles: ['sales'] }, 'https://example.com/regions': ['North'], models: 'shop', other: { a: 1 } }
  t.same(await judged(await ONE.token(claims)), {
    id: 'ann',
    name: 'ann',
    roles: ['sales'],
    models: ['shop'],
    attributes: { regions: ['North'] },
  })
  const one = await judged(await ONE.token({ 'https://example.com/regions': 5, upn: 'Ann B' }), { name: 'upn' })
  t.match(one, { id: 'Ann B', roles: [], models: [], attributes: { regions: 5 } }, 'a claim that is missing gives nothing')
  const { models: _models, ...all } = OPTIONS
  const unlimited = tokens(all, keySet('keys.json', dir), at(NOON + 1))
  t.notOk('models' in (await unlimited.authenticate({ scheme: 'bearer', value: await ONE.token() })), 'without the option all')
  t.same(Object(await judged(await ONE.token({ 'https://example.com/regions': null }))).attributes, {})
})

/** The same bytes as another text: the last character of a signature of 64 bytes has four bits that nothing reads. */
function withUnusedBit(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const other = `${token.slice(0, -1)}${letters[letters.indexOf(token.slice(-1)) + 1]}`
  const [bytes, same] = [token, other].map((text) => base64url.decode(text.split('.')[2] ?? ''))
  t.same(bytes, same)
  return other
}

t.test('a token that is not for this server is refused', async (t) => {
  const other = await issuer()
  const rsa = await issuer('RS256')
  const regions = 'https://example.com/regions'
  const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
    'of another issuer': [await ONE.token({ iss: 'https://evil.example.com' }), /claim 'iss'/],
    'for another audience': [await ONE.token({ aud: 'billing' }), /claim 'aud'/],
    expired: [await ONE.token({ exp: NOON }), /has expired/],
    'without an end': [await ONE.token({ exp: undefined as never }), /claim 'exp'/],
    'not valid yet': [await ONE.token({ nbf: NOON + 60 }), /claim 'nbf'/],
    'of another key': [await other.token(), /not valid/],
    'with another algorithm': [await rsa.token(), /not valid/],
    'signed with the public key as a secret': [
      await new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', exp: NOON + 60 })
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(new TextEncoder().encode(ONE.jwks)),
      /not valid/,
    ],
    'without a signature': [
      `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: 'a', exp: NOON + 60 }))}.`,
      /not valid/,
    ],
    'with unused bits after its signature': [withUnusedBit(await ONE.token()), /not valid/],
    'without a name': [await ONE.token({ sub: ' ' }), /no claim 'sub'/],
    'with nested roles': [await ONE.token({ realm: { roles: { admin: true } } }), /claim 'realm.roles'.*list of texts/],
    'with numbers as roles': [await ONE.token({ realm: { roles: [1] } }), /claim 'realm.roles'/],
    'with a nested attribute': [await ONE.token({ [regions]: { North: true } }), /regions' of the token is neither/],
    'with a list of lists': [await ONE.token({ [regions]: [['North']] }), /neither/],
    'with too many values': [await ONE.token({ [regions]: Array(10_001).fill('x') }), /10000/],
  }
  for (const [name, [token, message]] of Object.entries(refused)) {
    const said = String(await judged(token))
    t.match(said, /^AUTH_INVALID /, name)
    t.match(said, message, name)
    t.notOk(said.includes(token), `${name} is not shown`)
  }
  t.match(await judged(await ONE.token({ exp: NOON }), { leewaySeconds: 5 }), { id: 'ann' }, 'clocks may differ')
})

t.test('keys come from a file, which is read again, or from an address', async (t) => {
  const home = await folder(t)
  const keys = keySet('keys.json', home)
  const authenticator = tokens(OPTIONS, keys, at(NOON + 1))
  const next = await issuer()
  const isAdmitted = async (token: string) =>
    (await authenticator.authenticate({ scheme: 'bearer', value: token }).catch(() => undefined)) !== undefined
  const [old, young] = [await ONE.token(), await next.token()]
  t.same([await isAdmitted(old), await isAdmitted(young)], [true, false])
  await writeKeys(next, join(home, 'keys.json'))
  authenticator.reload?.()
  t.same([await isAdmitted(old), await isAdmitted(young)], [false, true])
  await writeFile(join(home, 'keys.json'), 'a mistake')
  t.throws(() => authenticator.reload?.(), { code: 'INVALID_OPTIONS' })
  t.same([await isAdmitted(old), await isAdmitted(young)], [false, true], 'a mistake changes nothing')
  await writeFile(join(home, 'keys.json'), JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] }))
  t.throws(() => keySet('keys.json', home), { message: /secret key/ })
  t.throws(() => keySet('http://login.example.com/keys', home), { message: /https/ })
  t.throws(() => keySet('nowhere.json', home), { code: 'INVALID_OPTIONS', message: /nowhere.json/ })

  let status = 503
  const server = createServer((_, response) => response.writeHead(status).end(ONE.jwks)).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((done) => server.once('listening', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  const fetching = () => tokens(OPTIONS, keySet(url, home), at(NOON + 1)).authenticate({ scheme: 'bearer', value: old })
  await t.rejects(fetching(), { code: 'AUTH_UNAVAILABLE' }, 'the issuer is at fault, not the token')
  status = 200
  t.match(await fetching(), { id: 'ann' })
})

t.test('an issuer changes its keys, and nobody restarts the server', async (t) => {
  const next = await issuer('ES256', 'two')
  let keys: readonly object[] = JSON.parse(ONE.jwks).keys
  let fetched = 0
  const server = createServer((_, response) => {
    fetched++
    response.end(JSON.stringify({ keys }))
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { now } = Date
  t.teardown(() => {
    Date.now = now
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  const authenticator = tokens(OPTIONS, keySet(url, '.'), at(NOON + 1))
  const isAdmitted = async (token: string) =>
    (await authenticator.authenticate({ scheme: 'bearer', value: token }).catch(() => undefined)) !== undefined
  const [old, young] = [await ONE.token(), await next.token()]
  t.same([await isAdmitted(old), await isAdmitted(young)], [true, false])
  keys = [...keys, ...JSON.parse(next.jwks).keys]
  t.same([await isAdmitted(young), fetched], [false, 1], 'strangers do not make the server ask again and again')
  Date.now = () => now() + 31_000
  t.same([await isAdmitted(young), await isAdmitted(old)], [true, true], 'a key that is new is fetched with its first token')
  keys = JSON.parse(next.jwks).keys
  t.equal(await isAdmitted(old), true)
  Date.now = () => now() + 31_000 + 601_000
  t.same([await isAdmitted(old), await isAdmitted(young)], [false, true], 'one that is gone counts for ten minutes at most')
})

const TOKEN = { realm: { roles: ['sales'] }, 'https://example.com/regions': ['North'], models: ['shop'] }

/** A server with the clock of the test. */
async function served(t: Test, clock: { now: number }) {
  const home = await folder(t)
  await writeFile(join(home, 'shop.yaml'), MODEL)
  const plugin = definePlugin({
    name: 'tokens-of-test',
    host: '*',
    setup(host) {
      host.authenticators.register(tokens(OPTIONS, keySet('keys.json', home), () => new Date(clock.now * 1000)))
    },
  })
  const wire = await startPgwire({
    preload: [{ session: 'shop', model: join(home, 'shop.yaml') }],
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init: [...TABLES] } }, plugin, flight],
    settings: { AUTH_MODE: 'jwt', PGWIRE_AUTH_MODE: 'password', FLIGHT_ENABLED: true, FLIGHT_PORT: 0 },
  })
  const surface = wire.host.surfaces.get('flight')
  if (surface.kind !== 'socket') throw new Error('the surface has no listener')
  const running = await surface.start(wire.host.contextFor(surface))
  t.teardown(async () => {
    await running.stop()
    await wire.close()
  })
  return { port: wire.port, flightPort: Number(new URL(running.address.replace(/^grpc/, 'http')).port) }
}

t.test('on the wires the token is the password, and a connection ends with it', async (t) => {
  const clock = { now: NOON + 1 }
  const { port, flightPort } = await served(t, clock)
  const token = await ONE.token(TOKEN)
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'anybody', password: token, database: 'shop' })
  await client.connect()
  t.teardown(() => client.end())
  const other = await connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token } })
  t.teardown(() => other.close())
  const statement = 'SELECT "Revenue" FROM shop'
  const asked = { text: statement, name: 'prepared', rowMode: 'array' }
  t.same((await client.query(asked)).rows, [['30']])
  t.equal(String(await rowsOf(await other.query(statement))), '30')
  clock.now = NOON + 3600
  await t.rejects(client.query(asked), /no longer valid/, 'a prepared statement')
  await t.rejects(client.query('SELECT "Revenue" FROM shop LIMIT 1'), /no longer valid/)
  await t.rejects(other.query(statement), /expired/)
  const late = new pg.Client({ host: '127.0.0.1', port, user: 'anybody', password: token, database: 'shop' })
  await t.rejects(late.connect(), /password authentication failed/)
})

t.test('what a token opened on the Postgres wire ends with it: cursors, portals, and the catalogue', async (t) => {
  const clock = { now: NOON + 1 }
  const { port } = await served(t, clock)
  const token = await ONE.token({ ...TOKEN, 'https://example.com/regions': ['North', 'South'] })
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'anybody', password: token, database: 'shop' })
  await client.connect()
  t.teardown(() => client.end())
  const ask = (text: string) => client.query({ text, rowMode: 'array' }).then(({ rows }) => rows)
  const customers = 'SELECT "Customer" FROM shop ORDER BY 1'
  await ask('BEGIN')
  await ask(`DECLARE held CURSOR WITH HOLD FOR ${customers}`)
  await ask('COMMIT')
  t.same(await ask('FETCH 1 FROM held'), [['Ann & Co']])
  await ask('BEGIN')
  await ask(`DECLARE open CURSOR FOR ${customers}`)
  t.same(await ask('FETCH 1 FROM open'), [['Ann & Co']])
  await ask('SAVEPOINT a')
  clock.now = NOON + 3600
  for (const text of [
    'FETCH 1 FROM open',
    'FETCH 1 FROM held',
    'MOVE 1 IN held',
    "SELECT relname FROM pg_class WHERE relname = 'shop'",
    'SHOW TABLES',
    'DESCRIBE shop',
    'COPY (SELECT "Customer" FROM shop) TO STDOUT',
    `EXPLAIN ${customers}`,
  ]) {
    await t.rejects(ask(text), /no longer valid/, text)
    await ask('ROLLBACK TO a')
  }
})

t.test('a portal that has given a part of its rows ends with its token', async (t) => {
  const clock = { now: NOON + 1 }
  const { port } = await served(t, clock)
  const client = await connectRaw(port)
  t.teardown(() => client.end())
  client.send(startup({ user: 'anybody', database: 'shop' }))
  await client.next()
  client.send(message('p', cstring(await ONE.token({ ...TOKEN, 'https://example.com/regions': ['North', 'South'] }))))
  await client.until('Z')
  client.send(query('BEGIN'))
  await client.until('Z')
  client.send(
    parse('SELECT "Customer" FROM shop ORDER BY 1', { name: 's' }),
    bind({ portal: 'p', name: 's' }),
    execute(1, 'p'),
    message('H'),
  )
  t.match(typesOf(await client.until('s')), /^12Ds$/)
  clock.now = NOON + 3600
  client.send(execute(1, 'p'), sync())
  const late = await client.until('Z')
  t.match(typesOf(late), /^EZ$/, 'no further row')
  t.match(errorOf(late).M, /no longer valid/)
})

t.test('over Flight SQL what a token opened has the rights of the token that uses it, and ends with it', async (t) => {
  const clock = { now: NOON + 1 }
  const { flightPort } = await served(t, clock)
  const connect = (token: string) => connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token } })
  const regions = (...names: readonly string[]) => ({ ...TOKEN, 'https://example.com/regions': names })
  const [north, south, bob] = [
    await connect(await ONE.token(TOKEN)),
    await connect(await ONE.token(regions('South'))),
    await connect(await ONE.token({ ...TOKEN, sub: 'bob' })),
  ]
  t.teardown(() => [north, south, bob].map((client) => client.close()))
  const cmd = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query: 'SELECT "Customer" FROM shop' }))
  const info = await north.calls.unary(
    'GetFlightInfo',
    flightMessages.flightDescriptor.encode({ type: flightMessages.DESCRIPTOR_CMD, cmd }),
  )
  const ticket = flightMessages.flightInfo.decode(info).endpoint![0]!.ticket!
  const bytesFor = async (client: typeof north) => {
    const pieces: Buffer[] = []
    for await (const piece of client.calls.stream('DoGet', flightMessages.ticket.encode(ticket))) pieces.push(piece as Buffer)
    return Buffer.concat(pieces).toString('latin1')
  }
  t.match(await bytesFor(north), /Ann & Co/)
  const seen = await bytesFor(south)
  t.match(seen, /Bob Ltd/, 'the same person with other rights reads the rows of these')
  t.notMatch(seen, /Ann & Co/)
  await t.rejects(bytesFor(bob), { code: status.PERMISSION_DENIED })
  const stop = flightMessages.action.encode({
    type: 'CancelFlightInfo',
    body: flightMessages.cancelFlightInfoRequest.encode({ info }),
  })
  const cancelled = async (client: typeof north) => {
    for await (const _ of client.calls.stream('DoAction', stop));
  }
  await t.rejects(cancelled(bob), { code: status.PERMISSION_DENIED }, 'nor does anybody else cancel it')
  clock.now = NOON + 3600
  await t.rejects(bytesFor(north), { code: status.UNAUTHENTICATED })
  await t.rejects(cancelled(north), { code: status.UNAUTHENTICATED })
})

t.test('over HTTP a token is a bearer, and only its roles make an administrator', async (t) => {
  const home = await folder(t)
  await writeFile(join(home, 'shop.yaml'), MODEL)
  const options = { issuer: ISSUER, audience: [AUDIENCE], keys: join(home, 'keys.json'), algorithms: ['ES256'], roles: 'roles' }
  const server = await startRest({
    plugins: [...(executing.plugins ?? []), { use: jwt, with: { ...options, attributes: { regions: 'regions' } } }],
    settings: { ...executing.settings, AUTH_MODE: 'jwt', MODEL_DIR: home, MODEL_FILES: 'shop.yaml' },
  })
  t.teardown(() => server.close())
  const seconds = Math.floor(Date.now() / 1000)
  const bearer = async (claims: JWTPayload) => ({
    authorization: `Bearer ${await ONE.token({ iat: seconds, exp: seconds + 3600, ...claims })}`,
  })
  t.equal((await server.get('/v1/models')).status, 401)
  t.equal((await server.get('/v1/models', await bearer({ exp: seconds - 1 }))).status, 401)
  t.equal((await server.get('/v1/models', await bearer({ regions: 'North' }))).status, 200)
  const cleared = async (claims: JWTPayload) => (await server.post('/v1/cache/clear', undefined, await bearer(claims))).status
  t.same([await cleared({ roles: 'sales' }), await cleared({ roles: ['admin'] })], [403, 200])
  const query = { select: { measures: ['Revenue'] } }
  const refused = await server.post('/v1/query/execute', { query }, await bearer({ regions: 5 }))
  t.match(refused.body, { code: 'ACCESS_ATTRIBUTE_MISSING' }, 'an attribute of another type')
})

t.test('without a model with access rules, too, no token is one of an administrator by itself', async (t) => {
  const home = await folder(t)
  const options = { issuer: ISSUER, audience: [AUDIENCE], keys: 'keys.json', algorithms: ['ES256'] }
  const plugins = [...dialects, { use: jwt, with: { ...options, keys: join(home, 'keys.json') } }]
  const server = await startRest({ plugins, settings: { AUTH_MODE: 'jwt' } })
  t.teardown(() => server.close())
  const seconds = Math.floor(Date.now() / 1000)
  const headers = { authorization: `Bearer ${await ONE.token({ exp: seconds + 60 })}` }
  t.equal((await server.post('/v1/cache/clear', undefined, headers)).status, 403)
  const warned: unknown[] = []
  const logger: Logger = { ...silentLogger, warn: (said) => void warned.push(said), child: () => logger }
  const host = await createHost({ plugins }, { environment: { process: {}, dotenv: {} }, logger })
  t.teardown(() => host.close())
  t.notOk(host.authenticators.has('jwt'), 'another mode reads no keys')
  t.match(warned, [/No token is asked for, because AUTH_MODE is none/])
})
