/** Clients that misuse their connections to the Postgres wire: others are served, turns are short, and the process ends at SIGTERM. */
import t, { type Test } from 'tap'
import { flightsConfig } from '../load/flights.js'
import { startWatched } from '../load/server.js'
import { keepsTurns } from '../longest-turn.js'
import { ask, connectReady, int32, packet, query, SSL_REQUEST } from '../pgwire/raw-client.js'
import { oneIn } from '../support/amount.js'
import { LOGIN, WIRE_FLOODS } from './floods.js'
import { attacked, MOST_SLOWDOWN, slowdownBy } from './misuse.js'
import { connections, type Raw } from './raw.js'

t.setTimeout(600_000)

const MB = 1024 * 1024
const ATTACKER = '127.0.0.2'
const env = { PGWIRE_ENABLED: 'true', PGWIRE_HOST: '127.0.0.1', PGWIRE_PORT: '0', PGWIRE_CATALOG: 'off', FLIGHT_ENABLED: 'false' }
const CANCEL = packet(80877102, int32(1), int32(2))

async function served(t: Test, more: Record<string, string> = {}) {
  const server = await startWatched({ ...env, ...more }, flightsConfig)
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const port = await server.wire()
  /** Another client logs in, asks, and leaves. */
  const other = async () => {
    const client = await connectReady(port)
    const answers = await ask(client, 'SELECT "Flight Count" FROM flights')
    client.end()
    return answers.some(({ type }) => type === 'D')
  }
  return { server, port, other }
}

t.test('floods on some connections take short turns and little memory, and others are served', async (t) => {
  const { server, other } = await served(t)
  const port = await server.wire()
  t.ok(await other())
  for (const [what, bytes] of oneIn(3, Object.entries(WIRE_FLOODS))) {
    const { rss: before } = await server.watch()
    const opened: Raw[] = []
    const best = await attacked(server, async () => {
      for (const { socket } of opened.splice(0)) socket.destroy()
      opened.push(...(await connections(4, port, bytes, { from: ATTACKER })))
      t.ok(await other(), `${what}: others are served`)
      t.ok(await other())
    })
    keepsTurns(t, best, `${what}: the event loop was held`)
    t.ok(best.result.rss - before < 100 * MB, `${what}: ${(best.result.rss - before) / MB} MB`)
    for (const { socket } of opened) socket.destroy()
  }
  server.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('connections that never log in do not keep others out, and bursts of them take short turns', async (t) => {
  const { server, port, other } = await served(t)
  for (const bytes of oneIn(2, [Buffer.alloc(0), LOGIN.subarray(0, 9), SSL_REQUEST, CANCEL])) {
    const opened: Raw[] = []
    const best = await attacked(server, async () => {
      for (const { socket } of opened.splice(0)) socket.resetAndDestroy()
      opened.push(...(await connections(300, port, bytes, { from: ATTACKER })))
      t.ok(await other(), 'another one is served')
    })
    keepsTurns(t, best, `${bytes.length} bytes: the event loop was held`)
    t.ok(best.result.sockets < 250, `${best.result.sockets} connections are open`)
    for (const { socket } of opened) socket.resetAndDestroy()
  }
  server.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('SIGTERM ends the process whatever its connections have sent, closed, half closed or open', async (t) => {
  const { server, port, other } = await served(t)
  const texts: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    'half a login': LOGIN.subarray(0, 9),
    'a request for TLS, and its start': Buffer.concat([SSL_REQUEST, Buffer.from('\x16\x03\x01\x02\x00\x01\x00', 'latin1')]),
    'a login': LOGIN,
    'half a statement': Buffer.concat([LOGIN, query('SELECT 1').subarray(0, 7)]),
    'a COPY that never ends': Buffer.concat([LOGIN, query('COPY flights FROM STDIN')]),
    ...WIRE_FLOODS,
  }
  for (const bytes of Object.values(texts)) {
    const [, half, gone] = await connections(3, port, bytes, { from: ATTACKER })
    half!.socket.end()
    t.ok(await other())
    gone!.socket.resetAndDestroy()
  }
  server.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('GET /health stays fast while other connections flood the wire', async (t) => {
  const { server, port } = await served(t)
  const health = async () => (await fetch(`${server.url}/health`)).status
  const slowdown = await slowdownBy(async () => {
    const opened = await connections(4, port, WIRE_FLOODS['statements that are never read']!, { from: ATTACKER })
    await health()
    for (const { socket } of opened) socket.destroy()
  }, health)
  t.ok(slowdown < MOST_SLOWDOWN, `${slowdown} times the calm p99`)
})
