/** Clients that begin TLS and do not finish, on every listener that has TLS: others are served, turns are short, and SIGTERM ends the process. */
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { connect } from 'node:tls'
import { connectFlightSql } from '@grainline/flight-sql'
import t, { type Test } from 'tap'
import { selfSigned } from '../host/certificate.js'
import { flightsConfig } from '../load/flights.js'
import { startWatched, startWatchedCommand, type WatchedServer } from '../load/server.js'
import { keepsTurns } from '../longest-turn.js'
import { SSL_REQUEST } from '../pgwire/raw-client.js'
import { oneIn } from '../support/amount.js'
import { helloOf } from './hello.js'
import { attacked } from './misuse.js'
import { connections, portOf, type Raw } from './raw.js'

t.setTimeout(600_000)

const MB = 1024 * 1024
const ATTACKER = '127.0.0.2'
const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-tls-'))
const { cert, key } = selfSigned()
const files = Object.entries({ cert, key }).map(([name, text]) => {
  const file = path.join(folder, `${name}.pem`)
  writeFileSync(file, text)
  return file
})
const tls = (prefix: string) => ({ [`${prefix}_TLS_CERT`]: files[0]!, [`${prefix}_TLS_KEY`]: files[1]! })

interface Listener {
  readonly start: () => Promise<WatchedServer>
  readonly port: (server: WatchedServer) => number | Promise<number>
  /** What a client sends before TLS. */
  readonly before: Buffer
  readonly protocol: string
  /** True if a client that finishes its handshake is served. */
  readonly serves: (port: number, localAddress?: string) => Promise<boolean>
}

const agent = () => new https.Agent({ ca: cert, keepAlive: false })
const get = (path: string) => async (port: number, localAddress?: string) => {
  const request = https.get({ host: 'localhost', port, path, agent: agent(), family: 4, localAddress })
  const [answer] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }]
  answer.resume()
  return answer.statusCode === 200
}

const LISTENERS: Readonly<Record<string, Listener>> = {
  REST: {
    start: () => startWatched({ ...tls('API'), API_SERVER_HOST: '127.0.0.1' }),
    port: ({ url }) => portOf(url),
    before: Buffer.alloc(0),
    protocol: 'http/1.1',
    serves: get('/health'),
  },
  'the page alone': {
    start: () =>
      startWatchedCommand(['ui', '--port', '0'], {
        env: { API_BASE_URL: 'http://127.0.0.1:9', ...tls('API') },
        listens: /listens? on (http[^,]+), TLS/,
      }),
    port: ({ url }) => portOf(url),
    before: Buffer.alloc(0),
    protocol: 'http/1.1',
    serves: get('/ui/'),
  },
  'the Postgres wire': {
    start: () =>
      startWatched(
        { PGWIRE_ENABLED: 'true', PGWIRE_HOST: '127.0.0.1', PGWIRE_PORT: '0', PGWIRE_CATALOG: 'off', ...tls('PGWIRE') },
        flightsConfig,
      ),
    port: (server) => server.wire(),
    before: SSL_REQUEST,
    protocol: 'postgresql',
    serves: async (port, localAddress) => {
      const socket = net.connect({ host: '127.0.0.1', port, localAddress })
      socket.write(SSL_REQUEST)
      await once(socket, 'data')
      const secured = connect({ socket, servername: 'localhost', ca: cert, ALPNProtocols: ['postgresql'] })
      await once(secured, 'secureConnect')
      secured.destroy()
      return true
    },
  },
  'Arrow Flight': {
    start: () =>
      startWatched({ FLIGHT_ENABLED: 'true', FLIGHT_HOST: '127.0.0.1', FLIGHT_PORT: '0', ...tls('FLIGHT') }, flightsConfig),
    port: (server) => server.flight(),
    before: Buffer.alloc(0),
    protocol: 'h2',
    serves: async (port) => {
      const client = await connectFlightSql({ host: 'localhost', port, tls: { ca: Buffer.from(cert) } })
      const answer = await client.query('SELECT "Flight Count" FROM flights')
      for await (const _ of answer) {
        // The rows are not compared here.
      }
      client.close()
      return true
    },
  },
}

for (const [name, { start, port: portIn, before, protocol, serves }] of oneIn(2, Object.entries(LISTENERS))) {
  t.test(`${name}: handshakes that begin and do not end`, async (t: Test) => {
    const server = await start()
    t.teardown(async () => {
      server.kill('SIGKILL')
      await server.ended
    })
    const port = await portIn(server)
    const hello = await helloOf([protocol])
    const texts: Readonly<Record<string, Buffer>> = {
      'half a handshake': hello.subarray(0, hello.length >> 1),
      'a handshake without its end': hello,
      'a handshake that goes on wrongly': Buffer.concat([hello, Buffer.alloc(20_000, 7)]),
    }
    t.ok(await serves(port))
    for (const [what, bytes] of Object.entries(texts)) {
      const { rss: calm } = await server.watch()
      const opened: Raw[] = []
      const best = await attacked(server, async () => {
        for (const { socket } of opened.splice(0)) socket.resetAndDestroy()
        opened.push(...(await connections(COUNT, port, before, { from: ATTACKER })))
        // All at once, so that one turn of the server could have to answer all of them.
        for (const { socket } of opened) socket.write(bytes)
        t.ok(await serves(port), `${what}: another client is served`)
      })
      keepsTurns(t, best, `${what}: the event loop was held`)
      t.ok(best.result.rss - calm < 100 * MB, `${what}: ${(best.result.rss - calm) / MB} MB`)
      for (const { socket } of opened.splice(0, COUNT - 10)) socket.resetAndDestroy()
      t.ok(await servedAtLast(() => serves(port, ATTACKER)), 'the address itself is served once its connections are closed')
    }
    server.kill('SIGTERM')
    t.equal(await server.ended, 0, 'with handshakes that are not finished')
  })
}

const COUNT = 400

/** The server looks after closed connections in turns, and until it has, an address has too many. */
async function servedAtLast(serves: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await serves()
    } catch (error) {
      if (tries === 100) throw error
    }
  }
}
