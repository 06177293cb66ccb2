/** Clients that misuse their connections to Arrow Flight SQL: others are served, turns are short, and the process ends at SIGTERM. */
import { connectFlightSql } from '@grainline/flight-sql'
import { Server } from '@grpc/grpc-js'
import t from 'tap'
import { listen } from '../../plugins/surface-flight/src/server/listen.js'
import { flightsConfig } from '../load/flights.js'
import { startWatched } from '../load/server.js'
import { keepsTurns } from '../longest-turn.js'
import { oneIn } from '../support/amount.js'
import { FLIGHT_BEGINNINGS, FLIGHT_FLOODS, FLIGHT_PREFACE, resetCalls } from './floods.js'
import { attacked, MOST_SLOWDOWN, slowdownBy } from './misuse.js'
import { connection, connections, type Raw } from './raw.js'

t.setTimeout(300_000)

const key = 'k'.repeat(32)
const MB = 1024 * 1024
const ATTACKER = '127.0.0.2'
const OPEN = { FLIGHT_ENABLED: 'true', FLIGHT_HOST: '127.0.0.1', FLIGHT_PORT: '0' }
const env = { ...OPEN, AUTH_MODE: 'api_key', API_KEYS: key }

t.test('one address cannot hold all connections, calls that are reset are not made, and SIGTERM ends the process', async (t) => {
  const server = await startWatched(env, flightsConfig)
  t.teardown(() => server.kill('SIGKILL'))
  const port = await server.flight()
  const held = await connections(150, port, FLIGHT_PREFACE, { reads: true, from: ATTACKER })
  await Promise.all(held.slice(100).map(({ closed }) => closed))
  t.equal(held.filter(({ socket }) => !socket.destroyed).length, 100, 'an address has a hundred before it logs in')
  const client = await connectFlightSql({ host: '127.0.0.1', port, credentials: { token: key } })
  t.ok(await client.query('SELECT "Flight Count" FROM flights'), 'another one is served')

  keepsTurns(t, await attacked(server, () => resetCalls(port)))
  t.ok(await client.query('SELECT "Flight Count" FROM flights'))
  server.kill('SIGTERM')
  t.equal(await server.ended, 0, 'with connections that are open and calls under way')
  client.close()
})

t.test(
  'floods and unfinished frames take short turns and little memory, others are served, and SIGTERM ends the process',
  async (t) => {
    const server = await startWatched(OPEN, flightsConfig)
    t.teardown(async () => {
      server.kill('SIGKILL')
      await server.ended
    })
    const port = await server.flight()
    const client = await connectFlightSql({ host: '127.0.0.1', port })
    t.teardown(() => client.close())
    const isServed = async () => (await client.query('SELECT "Flight Count" FROM flights')) !== undefined
    t.ok(await isServed())
    for (const [what, bytes] of oneIn(4, Object.entries(FLIGHT_FLOODS))) {
      const { rss: before } = await server.watch()
      const opened: Raw[] = []
      const best = await attacked(server, async () => {
        for (const { socket } of opened.splice(0)) socket.destroy()
        opened.push(...(await connections(4, port, bytes, { from: ATTACKER })))
        t.ok(await isServed(), `${what}: others are served`)
        t.ok(await isServed())
      })
      keepsTurns(t, best, `${what}: the event loop was held`)
      t.ok(best.result.rss - before < 100 * MB, `${what}: ${(best.result.rss - before) / MB} MB`)
      for (const { socket } of opened) socket.destroy()
    }

    const health = async () => (await fetch(`${server.url}/health`)).status
    const slowdown = await slowdownBy(async () => {
      const opened = await connections(4, port, FLIGHT_FLOODS['calls whose answers are never read']!, { from: ATTACKER })
      await health()
      for (const { socket } of opened) socket.destroy()
    }, health)
    t.ok(slowdown < MOST_SLOWDOWN, `GET /health takes ${slowdown} times the calm p99`)

    for (const bytes of Object.values({ ...FLIGHT_BEGINNINGS, ...FLIGHT_FLOODS })) {
      const [, half, gone] = await connections(3, port, bytes, { from: ATTACKER })
      half!.socket.end()
      t.ok(await isServed(), 'another one is served')
      gone!.socket.resetAndDestroy()
    }
    server.kill('SIGTERM')
    t.equal(await server.ended, 0, 'with connections that are closed, half closed or open')
  },
)

t.test('a connection without an admitted call is closed, one with an admitted call is not', async (t) => {
  const listener = await listen({ host: '127.0.0.1', port: 0, tls: undefined, loginMs: 20 }, [])
  const port = Number(/:(\d+)$/.exec(listener.address)![1])
  const kept = await connection(port, FLIGHT_PREFACE, { reads: true })
  listener.admitted(`127.0.0.1:${kept.socket.localPort}`)
  const idle = await connection(port, FLIGHT_PREFACE, { reads: true })
  await idle.closed
  t.notOk(kept.socket.destroyed)
  await listener.stop()
  await kept.closed
})

t.test('gRPC has its servers where the listener looks for them', async (t) => {
  t.ok((new Server() as unknown as { http2Servers: unknown }).http2Servers instanceof Map)
})
