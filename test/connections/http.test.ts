/** Clients that misuse their connections to the REST server, over real sockets: others are answered, and the process ends at SIGTERM. */
import t, { type Test } from 'tap'
import { restConfig, startWatched, type Watched, type WatchedServer } from '../load/server.js'
import { mostOfATurn } from '../longest-turn.js'
import { connection, connections, portOf, type Raw, request } from './raw.js'

t.setTimeout(300_000)

const MB = 1024 * 1024
/** As many as fit in one read of a socket. */
const MANY = 1400
const ATTEMPTS = 4

async function served(t: Test, env: Record<string, string> = {}): Promise<WatchedServer & { readonly port: number }> {
  const server = await startWatched(env)
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  return { ...server, port: portOf(server.url) }
}

const health = async (url: string) => (await fetch(`${url}/health`)).status

/** The server after the best of some attempts, because code is slow at first and garbage is collected at any time. */
async function attacked(server: WatchedServer, attack: () => Promise<void>): Promise<Watched> {
  const seen: Watched[] = []
  while (seen.length < ATTEMPTS && !(seen[0] && seen[0].ownStallMs <= mostOfATurn())) {
    await server.watch()
    await attack()
    seen.push(await server.watch())
    seen.sort((a, b) => a.ownStallMs - b.ownStallMs)
  }
  return seen[0]!
}

for (const [what, env, path] of [
  ['large answers', {}, '/openapi.json'],
  ['refusals', { AUTH_MODE: 'api_key', API_KEYS: 'k'.repeat(32) }, '/v1/models'],
] as const)
  t.test(`${MANY} pipelined requests for ${what} that are never read take few answers, short turns, and no exit`, async (t) => {
    const server = await served(t, env)
    const { rss: before } = await server.watch()
    const opened: Raw[] = []
    const { rss, ownStallMs } = await attacked(server, async () => {
      for (const { socket } of opened.splice(0)) socket.destroy()
      opened.push(...(await connections(2, server.port, request('GET', path).repeat(MANY))))
      t.equal(await health(server.url), 200, 'others are served')
      t.equal(await health(server.url), 200)
    })
    t.ok(ownStallMs <= mostOfATurn(), `the longest turn took ${ownStallMs} ms of processor time`)
    t.ok(rss - before < 100 * MB, `unread answers are not made: ${(rss - before) / MB} MB`)
    for (const { socket } of opened) socket.destroy()
    await connections(2, server.port, request('GET', path).repeat(MANY))
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })

t.test('pipelined requests are answered in order, all of them', async (t) => {
  const { port } = await served(t)
  const paths = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? '/robots.txt' : `/nothing/${i}`))
  const client = await connection(port, `${paths.map((path) => request('GET', path)).join('')}${LAST}`, { reads: true })
  await client.closed
  const heard = client.text().split('HTTP/1.1 ').slice(1)
  t.equal(heard.length, paths.length + 1)
  for (const [i, path] of paths.entries()) {
    if (path === '/robots.txt') t.match(heard[i], /^200 [\s\S]*User-agent/)
    else if (!heard[i]!.includes(`There is no GET ${path} here`)) t.fail(`answer ${i}: ${heard[i]}`)
  }
})

const LAST = request('GET', '/health', ['Connection: close'])

const UNFINISHED: Readonly<Record<string, string>> = {
  nothing: '',
  'half a header': 'GET /health HTTP/1.1\r\nHost: loc',
  'headers without a body': request('POST', '/v1/sessions', ['Content-Type: application/json', 'Content-Length: 100']),
  'half a body': `${request('POST', '/v1/sessions', ['Content-Type: application/json', 'Content-Length: 100'])}{"metadata":`,
  'an answered request': request('GET', '/health'),
  'more answers than are read': request('GET', '/openapi.json').repeat(MANY),
}

t.test('SIGTERM ends the process whatever its connections have sent, closed, half closed or open', async (t) => {
  const server = await startWatched({}, JSON.stringify({ ...JSON.parse(restConfig({})), closeTimeoutMs: 100 }))
  t.teardown(() => server.kill('SIGKILL'))
  for (const bytes of Object.values(UNFINISHED)) {
    const [, half, gone] = await connections(3, portOf(server.url), bytes)
    half!.socket.end()
    await health(server.url)
    gone!.socket.resetAndDestroy()
  }
  t.equal(await health(server.url), 200)
  server.kill('SIGTERM')
  t.equal(await server.ended, 0)
})
