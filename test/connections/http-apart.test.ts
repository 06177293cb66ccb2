/** Clients that misuse their connections to the processes beside the server: MCP over HTTP, and the web page alone. */
import t, { type Test } from 'tap'
import { startWatched, startWatchedCommand, type WatchedServer } from '../load/server.js'
import { keepsTurns } from '../longest-turn.js'
import { oneIn } from '../support/amount.js'
import { attacked, leaveUnfinished, MANY, MOST_SLOWDOWN, slowdownBy, unfinished } from './misuse.js'
import { connection, connections, portOf, type Raw, request } from './raw.js'

t.setTimeout(600_000)

const MB = 1024 * 1024
const api = await startWatched()
t.teardown(async () => {
  api.kill('SIGKILL')
  await api.ended
})

const JSON_RPC = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']
const post = (path: string, body: unknown): string => {
  const text = JSON.stringify(body)
  return request('POST', path, [...JSON_RPC, `Content-Length: ${text.length}`]) + text
}
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

interface Listener {
  readonly start: (t: Test) => Promise<WatchedServer>
  /** A path that is answered at once. */
  readonly probe: string
  readonly post: string
  /** Requests whose answers are large, or much work. */
  readonly floods: Readonly<Record<string, string>>
}

const started = async (t: Test, starting: Promise<WatchedServer>) => {
  const server = await starting
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  return server
}

const LISTENERS: Readonly<Record<string, Listener>> = {
  'MCP over HTTP': {
    start: (t) =>
      started(
        t,
        startWatchedCommand(['mcp'], {
          env: { MCP_TRANSPORT: 'http', MCP_SERVER_PORT: '0', API_BASE_URL: api.url },
          listens: /(http:\S+)\/mcp/,
        }),
      ),
    probe: '/health',
    post: '/mcp',
    floods: { probes: request('GET', '/health'), 'lists of tools': post('/mcp', LIST), refusals: request('GET', '/nothing') },
  },
  'the page alone': {
    start: (t) =>
      started(
        t,
        startWatchedCommand(['ui', '--port', '0'], { env: { API_BASE_URL: api.url }, listens: /listens? on (http[^,]+), TLS/ }),
      ),
    probe: '/ui/',
    post: '/ui/api/v1/validate',
    floods: {
      pages: request('GET', '/ui/'),
      'requests for the API': request('GET', '/ui/api/v1/settings', ['X-Grainline-UI: 1']),
      refusals: request('GET', '/nothing'),
    },
  },
}

for (const [name, { start, probe, post, floods }] of oneIn(2, Object.entries(LISTENERS))) {
  t.test(`${name}: pipelined requests that are never read take few answers, short turns, and no exit`, async (t) => {
    const server = await start(t)
    const [port, ask] = [portOf(server.url), async () => (await fetch(server.url + probe)).status]
    t.equal(await ask(), 200)
    for (const [what, text] of oneIn(2, Object.entries(floods))) {
      const { rss: before } = await server.watch()
      const opened: Raw[] = []
      const best = await attacked(server, async () => {
        for (const { socket } of opened.splice(0)) socket.destroy()
        opened.push(...(await connections(2, port, text.repeat(MANY))))
        t.equal(await ask(), 200, 'others are served')
        t.equal(await ask(), 200)
      })
      keepsTurns(t, best, `${what}: the event loop was held`)
      t.ok(best.result.rss - before < 100 * MB, `${what}: unread answers are not made: ${(best.result.rss - before) / MB} MB`)
    }
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })

  t.test(`${name}: SIGTERM ends the process whatever its connections have sent`, async (t) => {
    const server = await start(t)
    const [port, ask] = [portOf(server.url), async () => (await fetch(server.url + probe)).status]
    // No request is under way at the end: one of those that wait for their body would be waited for.
    const texts = Object.entries(unfinished(probe, post)).filter(([what]) => !/body|chunks/.test(what))
    await leaveUnfinished(port, Object.fromEntries(texts), ask)
    const many = await connections(200, port, '', { from: '127.0.0.2' })
    t.equal(await ask(), 200, 'another one is served')
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
    for (const { socket } of many) socket.destroy()
  })

  t.test(`${name}: a request that waits for its body does not keep the process for longer than its limit`, async (t) => {
    const server = await start(t)
    const port = portOf(server.url)
    for (const [what, bytes] of Object.entries(unfinished(probe, post)))
      if (/body|chunks/.test(what)) await connections(2, port, bytes)
    t.equal((await fetch(server.url + probe)).status, 200)
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })

  t.test(`${name}: a request that names two hosts is refused, and so is a name of another machine`, async (t) => {
    const server = await start(t)
    for (const host of ['Host: localhost\r\nHost: evil.example', 'Host: [::1].evil.example', 'Host: evil.example']) {
      const client = await connection(portOf(server.url), `GET ${post} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`, {
        reads: true,
      })
      await client.closed
      t.match(client.text(), /^HTTP\/1\.1 40[03] /, host)
    }
  })

  t.test(`${name}: probes stay fast while other connections flood it`, async (t) => {
    const server = await start(t)
    const ask = async () => (await fetch(server.url + probe)).status
    const slowdown = await slowdownBy(async () => {
      const opened = await connections(5, portOf(server.url), Object.values(floods)[1]!.repeat(MANY), { from: '127.0.0.2' })
      await ask()
      for (const { socket } of opened) socket.destroy()
    }, ask)
    t.comment(`p99 is ${slowdown.toFixed(1)} times the calm one`)
    t.ok(slowdown < MOST_SLOWDOWN, `${slowdown}`)
  })
}
