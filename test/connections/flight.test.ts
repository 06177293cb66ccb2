/** Clients that misuse their connections to Arrow Flight SQL: others are served, turns are short, and the process ends at SIGTERM. */
import { connectFlightSql } from '@grainline/flight-sql'
import { Server } from '@grpc/grpc-js'
import t from 'tap'
import { listen } from '../../plugins/surface-flight/src/server/listen.js'
import { flightsConfig } from '../load/flights.js'
import { startWatched } from '../load/server.js'
import { mostOfATurn } from '../longest-turn.js'
import { FLIGHT_PREFACE, resetCalls } from './floods.js'
import { connection, connections } from './raw.js'

t.setTimeout(300_000)

const key = 'k'.repeat(32)
const env = {
  AUTH_MODE: 'api_key',
  API_KEYS: key,
  FLIGHT_ENABLED: 'true',
  FLIGHT_HOST: '127.0.0.1',
  FLIGHT_PORT: '0',
}

t.test('one address cannot hold all connections, calls that are reset are not made, and SIGTERM ends the process', async (t) => {
  const server = await startWatched(env, flightsConfig)
  t.teardown(() => server.kill('SIGKILL'))
  const port = await server.flight()
  const held = await connections(150, port, FLIGHT_PREFACE, { reads: true, from: '127.0.0.2' })
  await Promise.all(held.slice(100).map(({ closed }) => closed))
  t.equal(held.filter(({ socket }) => !socket.destroyed).length, 100, 'an address has a hundred before it logs in')
  const client = await connectFlightSql({ host: '127.0.0.1', port, credentials: { token: key } })
  t.ok(await client.query('SELECT "Flight Count" FROM flights'), 'another one is served')

  let turn = Number.POSITIVE_INFINITY
  for (let i = 0; i < 4 && turn > mostOfATurn(); i++) {
    await server.watch()
    await resetCalls(port)
    turn = Math.min(turn, (await server.watch()).ownStallMs)
  }
  t.ok(turn <= mostOfATurn(), `the longest turn took ${turn} ms of processor time`)
  t.ok(await client.query('SELECT "Flight Count" FROM flights'))
  server.kill('SIGTERM')
  t.equal(await server.ended, 0, 'with connections that are open and calls under way')
  client.close()
})

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
