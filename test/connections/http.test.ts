/** Clients that misuse their connections to the REST server, over real sockets: others are answered, and the process ends at SIGTERM. */
import t, { type Test } from 'tap'
import { restConfig, startWatched, type WatchedServer } from '../load/server.js'
import { keepsTurns } from '../longest-turn.js'
import { holds } from '../specification/holds.js'
import { oneIn } from '../support/amount.js'
import { attacked, leaveUnfinished, MANY, MOST_SLOWDOWN, slowdownBy, unfinished } from './misuse.js'
import { connection, connections, portOf, type Raw, request } from './raw.js'

t.setTimeout(300_000)

const MB = 1024 * 1024

async function served(t: Test, env: Record<string, string> = {}): Promise<WatchedServer & { readonly port: number }> {
  const server = await startWatched(env)
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  return { ...server, port: portOf(server.url) }
}

const health = async (url: string) => (await fetch(`${url}/health`)).status

const floods = [
  ['large answers', {}, '/openapi.json'],
  ['refusals', { AUTH_MODE: 'api_key', API_KEYS: 'k'.repeat(32) }, '/v1/models'],
] as const
for (const [what, env, path] of oneIn(2, floods))
  t.test(`${MANY} pipelined requests for ${what} that are never read take few answers, short turns, and no exit`, async (t) => {
    const server = await served(t, env)
    const { rss: before } = await server.watch()
    const opened: Raw[] = []
    const best = await attacked(server, async () => {
      for (const { socket } of opened.splice(0)) socket.destroy()
      opened.push(...(await connections(2, server.port, request('GET', path).repeat(MANY))))
      t.equal(await health(server.url), 200, 'others are served')
      t.equal(await health(server.url), 200)
    })
    keepsTurns(t, best)
    t.ok(best.result.rss - before < 100 * MB, `unread answers are not made: ${(best.result.rss - before) / MB} MB`)
    for (const { socket } of opened) socket.destroy()
    await connections(2, server.port, request('GET', path).repeat(MANY))
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })

t.test('connections that close in bursts, with a thousand waiting requests each, take short turns', async (t) => {
  const server = await served(t)
  const best = await attacked(server, async () => {
    const opened = await connections(4, server.port, request('GET', '/health').repeat(MANY))
    t.equal(await health(server.url), 200)
    for (const { socket } of opened) socket.resetAndDestroy()
    t.equal(await health(server.url), 200)
  })
  keepsTurns(t, best)
})

t.test('an address that has many connections without a complete request is refused, and another one is not', async (t) => {
  holds(t, 'setting.HTTP_CLIENT_MAX_INCOMPLETE')
  const { port, url } = await served(t, { HTTP_CLIENT_MAX_INCOMPLETE: '5' })
  const texts = Object.values(unfinished('/health', '/v1/query/sql')).slice(0, 5)
  for (const bytes of texts) await connection(port, bytes, { from: '127.0.0.2' })
  const refused = await connection(port, LAST, { reads: true, from: '127.0.0.2' })
  await refused.closed
  t.match(refused.text(), /^HTTP\/1\.1 429 [\s\S]*"code":"TOO_MANY_CONNECTIONS"/)
  t.equal(await health(url), 200)
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

t.test('SIGTERM ends the process whatever its connections have sent, closed, half closed or open', async (t) => {
  const server = await startWatched({}, JSON.stringify({ ...JSON.parse(restConfig({})), closeTimeoutMs: 100 }))
  t.teardown(() => server.kill('SIGKILL'))
  const texts = { ...unfinished('/openapi.json', '/v1/sessions'), ...unfinished('/health', '/v1/query/sql') }
  await leaveUnfinished(portOf(server.url), texts, () => health(server.url))
  t.equal(await health(server.url), 200)
  server.kill('SIGTERM')
  t.equal(await server.ended, 0)
})

t.test('GET /health stays fast while other connections flood the server', async (t) => {
  const server = await served(t)
  const slowdown = await slowdownBy(
    async () => {
      const flood = request('GET', '/openapi.json').repeat(MANY)
      const opened = await connections(5, server.port, flood, { from: '127.0.0.2' })
      await health(server.url)
      for (const { socket } of opened) socket.destroy()
    },
    () => health(server.url),
  )
  t.comment(`p99 of GET /health is ${slowdown.toFixed(1)} times the calm one`)
  t.ok(slowdown < MOST_SLOWDOWN, `${slowdown}`)
})
