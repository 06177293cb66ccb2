/** Grainline as separate processes: the settings of Arrow Flight SQL from the environment, replicas, start and stop. */
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { connectFlightSql, flight } from '@grainline/flight-sql'
import { status } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { selfSigned } from '../host/certificate.js'
import { type Started, start } from '../host/process.js'
import { holds } from '../specification/holds.js'
import { rowsOf } from './rows-of.js'

const KEY = 'a_key_of_replicas_0123456789abcdef01234567'
const plugin = (name: string) => `@grainline/${name}`
const numbers = path.join(import.meta.dirname, 'numbers.yaml')
const init = [
  'CREATE TABLE numbers AS SELECT range AS id FROM range(10)',
  'CREATE VIEW endless AS SELECT range AS id FROM range(100000000000)',
]
const config = {
  plugins: [
    ...['dialect-duckdb', 'semantic-ql', 'surface-rest', 'surface-flight'].map(plugin),
    { use: plugin('vendor-duckdb'), with: { init } },
  ],
  preload: [{ session: 'numbers', model: numbers }],
}
const FILES = { 'config.yaml': JSON.stringify(config) }
const BASE = { PORT: '0', FLIGHT_ENABLED: 'true', FLIGHT_PORT: '0', LOG_FORMAT: 'json' }
const COUNT = 'SELECT "Count" FROM numbers'

function serve(t: Test, cwd: string, env: Record<string, string>): Started {
  return start(t, ['serve', '--config', 'config.yaml'], { cwd, env: { ...BASE, ...env } })
}
const portOf = async (server: Started) => Number((await server.shows(/listens on grpc:\/\/0\.0\.0\.0:(\d+)/))[1])

async function client(t: Test, port: number, options: Partial<Parameters<typeof connectFlightSql>[0]> = {}) {
  const made = await connectFlightSql({ host: '127.0.0.1', port, ...options })
  t.teardown(() => made.close())
  return made
}

t.setTimeout(300_000)

t.test('replicas with the same FLIGHT_TICKET_KEY accept tickets of each other', async (t) => {
  holds(t, 'flight.handshake')
  const shared = {
    AUTH_MODE: 'api_key',
    API_KEYS: KEY,
    FLIGHT_TICKET_KEY: 'the same for all replicas',
  }
  const cwd = t.testdir(FILES)
  const servers = [serve(t, cwd, shared), serve(t, cwd, shared)]
  const [first, second] = (await Promise.all(servers.map(portOf))) as [number, number]
  const credentials = { user: 'anybody', password: KEY }
  const [one, two] = await Promise.all([client(t, first, { credentials }), client(t, second, { credentials: { token: KEY } })])

  const body = flight.setSessionOptionsRequest.encode({ sessionOptions: new Map([['catalog', { stringValue: 'numbers' }]]) })
  const session = one!.calls.stream('DoAction', flight.action.encode({ type: 'SetSessionOptions', body }))
  const [cookie] = await new Promise<readonly unknown[]>((resolve) =>
    session.resume().on('metadata', (headers) => resolve(headers.get('set-cookie'))),
  )
  const chosen = await client(t, second, { credentials: { token: KEY }, headers: { cookie: String(cookie).split(';')[0]! } })
  t.same(await rowsOf(await chosen.query('SELECT "Count"')), [[10n]], 'the model that a session chose at the other one')

  const planned = await one!.query(COUNT)
  const ticket = flight.ticket.encode(planned.info.endpoint![0]!.ticket!)
  const parts: unknown[] = []
  for await (const part of two!.calls.stream('DoGet', ticket)) parts.push(part)
  t.equal(parts.length, 2, 'a ticket of the other one: a schema and rows')
  await planned.cancel()
})

t.test(
  'a served process listens on all addresses and reports it, stops a query at its time limit, and frees its port when it stops',
  async (t) => {
    holds(t, 'flight.port', 'flight.timeout', 'setting.FLIGHT_ENABLED', 'setting.FLIGHT_AUTH_MODE')
    const server = serve(t, t.testdir(FILES), {
      API_SERVER_HOST: '127.0.0.1',
      FLIGHT_API_TOKEN: 'protects-nothing',
      FLIGHT_QUERY_TIMEOUT_SECONDS: '4',
      DB_POOL_SIZE: '1',
    })
    const port = await portOf(server)
    t.match(
      server.stdout() + server.stderr(),
      /SURFACE FLIGHT LISTENS BEYOND THIS MACHINE .* WITHOUT AUTHENTICATION.*FLIGHT_HOST/,
    )
    t.match(server.stdout() + server.stderr(), /FLIGHT_API_TOKEN alone protects nothing/)
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address
    const own = await client(t, port, { host: outside ?? '127.0.0.1' })
    t.same(
      await rowsOf(await own.query(COUNT)),
      [[10n]],
      'FLIGHT_ENABLED turns execution on, and the token alone protects nothing',
    )
    await t.rejects(own.query('SELECT "Endless" FROM numbers'), {
      code: status.DEADLINE_EXCEEDED,
      details: /FLIGHT_QUERY_TIMEOUT_SECONDS/,
    })
    t.same(await rowsOf(await own.query(COUNT)), [[10n]], 'the one connection is free')

    const reading = await own.query('SELECT "Endless"."Id" FROM numbers')
    await reading[Symbol.asyncIterator]().next()
    server.signal('SIGTERM')
    t.equal(await server.ended, 0, 'though somebody reads an answer without an end')
    const taken = createServer()
    await new Promise<void>((resolve, reject) => taken.once('error', reject).listen(port, '0.0.0.0', resolve))
    t.pass('the port is free')
    taken.close()
  },
)

t.test('a served process accepts grpc+tls, with client certificates', async (t) => {
  holds(t, 'flight.tls')
  const [own, known] = [selfSigned(), selfSigned()]
  const cwd = t.testdir({ ...FILES, 'server.crt': own.cert, 'server.key': own.key, 'clients.crt': known.cert })
  const server = serve(t, cwd, {
    FLIGHT_TLS_CERT: path.join(cwd, 'server.crt'),
    FLIGHT_TLS_KEY: path.join(cwd, 'server.key'),
    FLIGHT_TLS_CLIENT_CA: path.join(cwd, 'clients.crt'),
  })
  const port = Number((await server.shows(/listens on grpc\+tls:\/\/0\.0\.0\.0:(\d+)/))[1])
  const options = { host: 'localhost', connectTimeoutMs: 3000 }
  const trusted = await client(t, port, { ...options, tls: { ca: own.cert, cert: known.cert, key: known.key } })
  t.same(await rowsOf(await trusted.query(COUNT)), [[10n]])
  const unknown = client(t, port, { ...options, tls: { ca: own.cert } }).then((other) => other.query(COUNT))
  await t.rejects(unknown, { code: status.UNAVAILABLE })
})
