/** Connections of one address that all close at once, on every listener: what a server does for them is spread over turns. */
import t, { type Test } from 'tap'
import { flightsConfig } from '../load/flights.js'
import { startWatched, startWatchedCommand, type WatchedServer, WIRES } from '../load/server.js'
import { keepsTurns } from '../longest-turn.js'
import { FLIGHT_PREFACE, LOGIN } from './floods.js'
import { attacked, closeAtOnce, unfinished } from './misuse.js'
import { portOf } from './raw.js'

t.setTimeout(600_000)

const ATTACKER = '127.0.0.2'
const served = await startWatched(WIRES, flightsConfig)
const mcp = await startWatchedCommand(['mcp'], {
  env: { MCP_TRANSPORT: 'http', MCP_SERVER_PORT: '0', API_BASE_URL: served.url },
  listens: /(http:\S+)\/mcp/,
})
const page = await startWatchedCommand(['ui', '--port', '0'], {
  env: { API_BASE_URL: served.url },
  listens: /listens? on (http[^,]+), TLS/,
})
t.teardown(async () => {
  for (const server of [page, mcp, served]) {
    server.kill('SIGKILL')
    await server.ended
  }
})

interface Listener {
  readonly server: WatchedServer
  readonly port: number
  readonly probe: string
  readonly sends: string | Uint8Array
}

const half = (post: string) => unfinished('/health', post)['half a body']!
const LISTENERS: Readonly<Record<string, Listener>> = {
  REST: { server: served, port: portOf(served.url), probe: '/health', sends: half('/v1/query/sql') },
  'MCP over HTTP': { server: mcp, port: portOf(mcp.url), probe: '/health', sends: half('/mcp') },
  'the page alone': { server: page, port: portOf(page.url), probe: '/ui/', sends: half('/ui/api/v1/validate') },
  'the Postgres wire': { server: served, port: await served.wire(), probe: '/health', sends: LOGIN },
  'Arrow Flight SQL': { server: served, port: await served.flight(), probe: '/health', sends: FLIGHT_PREFACE },
}

for (const [name, { server, port, probe, sends }] of Object.entries(LISTENERS))
  t.test(`${name}: connections that close at once take short turns`, async (t: Test) => {
    const ask = async () => t.equal((await fetch(server.url + probe)).status, 200, 'others are served')
    const best = await attacked(server, async () => {
      await closeAtOnce(server, port, sends, { from: ATTACKER, ask })
    })
    keepsTurns(t, best)
  })
