/** The checks of every request before a surface gets it: host names, origins, keys, routes. */
import http from 'node:http'
import os from 'node:os'
import { definePlugin, type HostPlugin } from '@grainline/core'
import rest from '@grainline/surface-rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { startServer } from '../../core/src/host/server.js'
import { hostOf } from '../host/support.js'
import { holds } from '../specification/holds.js'

const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const ADMIN = 'svc_pat_fedcba9876543210fedcba9876543210fedcba98'
const keyed = { AUTH_MODE: 'api_key', API_KEYS: KEY }

/** A third-party surface, which does not know about keys and has its own error responses. */
const foreign = definePlugin({
  name: 'foreign',
  host: '*',
  setup: (host) =>
    host.surfaces.register({
      name: 'foreign',
      kind: 'http',
      open: ['GET /foreign/open'],
      async routes(app) {
        app.setErrorHandler((_error, _request, reply) => reply.code(200).send('never mind'))
        app.get('/foreign/open', async () => 'open')
        app.get('/foreign/secret', async () => 'secret')
        app.post('/foreign/open', async () => 'secret')
      },
    }),
})
const config = {
  plugins: ['@grainline/dialect-duckdb', '@grainline/vendor-duckdb', rest as HostPlugin, foreign],
  base: import.meta.dirname,
}

async function served(t: Test, env: Record<string, string> = {}) {
  const server = await startServer(config, { process: { PORT: '0', LOG_LEVEL: 'CRITICAL', ...env }, dotenv: {} })
  t.teardown(() => server.close())
  const { port } = server.app.server.address() as { port: number }
  /** Sent by hand, because fetch sets `Host` and `Sec-Fetch-Site` itself. */
  return (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port, method, path, headers, setHost: headers.host === undefined },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (piece: string) => {
            text += piece
          })
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
        },
      )
      request.on('error', reject).end()
    })
}

t.test('every route of every surface requires a key, unless it is on the list of open routes', async (t) => {
  const settings = { ...keyed, QUERY_EXECUTE: true, METRICS_ENABLED: true, HEARTBEAT_AUTH_TOKEN: 'a token of its own' }
  const host = await hostOf({ ...config, settings })
  const app = Fastify()
  const routes: { readonly method: string; readonly url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url })
  })
  mountSurfaces(app, host, { standalone: true })
  t.teardown(async () => {
    await app.close()
    await host.close()
  })
  await app.ready()
  const open = new Set(Object.values(host.inspect().open).flat())
  t.ok(routes.length > 60, `${routes.length} routes`)
  for (const { method, url } of routes) {
    const { statusCode, headers } = await app.inject({ method: method as 'GET', url: url.replaceAll(/:\w+|\*/g, 'x') })
    const name = `${method === 'HEAD' ? 'GET' : method} ${url}`
    if (name === 'POST /v1/heartbeat') t.equal(statusCode, 401, 'the heartbeat has a token of its own')
    else if (open.has(name)) t.not(statusCode, 401, name)
    else t.equal(statusCode, 401, name)
    if (statusCode === 401 && !open.has(name)) t.ok(headers['x-request-id'], `${name} has an id`)
  }
  t.match(host.prettyPrint(), /Open without a key\n {2}rest +GET \/, GET \/health, .*\n {2}foreign +GET \/foreign\/open/)
})

t.test('the served process requires a key for unknown routes and wrong methods, too', async (t) => {
  holds(t, 'auth.every-route')
  const ask = await served(t, { ...keyed })
  const known = { 'x-api-key': KEY }
  const cases: readonly (readonly [string, string, number])[] = [
    ['GET', '/v1/nothing', 404],
    ['PATCH', '/v1/sessions', 405],
    ['DELETE', '/v1/dialects', 405],
    ['GET', '/nothing', 404],
    ['POST', '/health', 405],
    ['GET', '/foreign/nothing', 404],
    ['GET', '/foreign/secret', 200],
    ['POST', '/foreign/open', 200],
    ['PROPFIND', '/v1/sessions', 405],
  ]
  for (const [method, path, status] of cases) {
    const refused = await ask(method, path)
    t.match(refused, { status: 401, headers: { 'www-authenticate': /Bearer/ }, text: /AUTH_REQUIRED/ }, `${method} ${path}`)
    t.match(await ask(method, path, { 'x-api-key': `${KEY}x` }), { status: 401, text: /AUTH_INVALID/ })
    t.equal((await ask(method, path, known)).status, status, `${method} ${path} with a key`)
  }
  const both = { 'x-api-key': `${KEY}x`, authorization: `Bearer ${KEY}` }
  t.equal((await ask('GET', '/foreign/secret', both)).status, 200, 'of two keys, the right one counts')
  t.equal((await ask('GET', '/foreign/secret', { ...known, authorization: `Bearer ${KEY}x` })).status, 200)
  t.match(await ask('GET', '/foreign/open'), { status: 200, text: 'open' })
})

t.test('on a loopback address only host names of this machine are answered, as a defence against DNS rebinding', async (t) => {
  holds(t, 'setting.ALLOWED_HOSTS')
  const ask = await served(t)
  for (const host of ['localhost', '127.0.0.1:8000', '[::1]:80', 'LOCALHOST.', 'api.localhost', os.hostname()])
    t.equal((await ask('GET', '/v1/sessions', { host })).status, 200, host)
  for (const host of [
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'x:y:z',
    '[::1].evil.example',
    '[::1]x',
  ]) {
    t.match(await ask('GET', '/v1/sessions', { host }), { status: 403, text: /HOST_REFUSED/ }, host)
    const claims = { host, 'x-forwarded-host': 'localhost', 'x-forwarded-for': '203.0.113.9', forwarded: 'host=localhost' }
    t.match(await ask('GET', '/v1/sessions', claims), { status: 403, text: /HOST_REFUSED/ }, `${host}, forwarded`)
    t.match(await ask('GET', '/v1/nothing', { host }), { status: 403, text: /HOST_REFUSED/ }, `${host}, an unknown route`)
  }
})

t.test('probes are answered whatever host they name, and nothing else is', async (t) => {
  const ask = await served(t)
  const host = 'shop.example'
  for (const path of ['/health', '/ready', '/robots.txt']) {
    t.equal((await ask('GET', path, { host })).status, 200, path)
    t.equal((await ask('HEAD', path, { host })).status, 200, `HEAD ${path}`)
    t.equal((await ask('POST', path, { host })).status, 403, `POST ${path}`)
    t.equal((await ask('GET', path, { host, 'sec-fetch-site': 'cross-site' })).status, 403, 'not for a page of another origin')
  }
  for (const path of ['/', '/openapi.json', '/docs', '/v1/models', '/foreign/open', '/health/', '/health/x', '//health'])
    t.equal((await ask('GET', path, { host })).status, 403, path)
})

t.test('the host names of forwarded requests are those of the trusted proxies, unless ALLOWED_HOSTS lists names', async (t) => {
  const host = 'shop.example'
  const ask = await served(t, { TRUSTED_PROXY_COUNT: '2' })
  const through = (...addresses: readonly string[]) => ({ host, 'x-forwarded-for': addresses.join(', ') })
  t.equal((await ask('GET', '/v1/sessions', through('203.0.113.9', '10.0.0.1'))).status, 200)
  t.equal((await ask('GET', '/v1/sessions', through('203.0.113.9'))).status, 403, 'through one proxy of two')
  t.equal((await ask('GET', '/v1/sessions', { host })).status, 403, 'through none')
  const listed = await served(t, { TRUSTED_PROXY_COUNT: '1', ALLOWED_HOSTS: host })
  t.equal((await listed('GET', '/v1/sessions', through('203.0.113.9'))).status, 200)
  t.equal((await listed('GET', '/v1/sessions', { ...through('203.0.113.9'), host: 'evil.example' })).status, 403)
})

t.test('names that are left to proxies cause a warning where clients need no key', async (t) => {
  const { memoryLogger } = await import('../host/support.js')
  const { warnOfUnlistedHosts } = await import('../../core/src/host/warn-when-open.js')
  const left = { AUTH_MODE: 'none', TRUSTED_PROXY_COUNT: 1, ALLOWED_HOSTS: [], API_SERVER_HOST: 'localhost' }
  const said = (settings: Partial<Parameters<typeof warnOfUnlistedHosts>[0]>) => {
    const { logger, at } = memoryLogger()
    warnOfUnlistedHosts({ ...left, ...settings }, logger)
    return at('warn').join()
  }
  t.match(said({}), /TRUSTED_PROXY_COUNT=1 .* Set ALLOWED_HOSTS/)
  const fixed: readonly Parameters<typeof said>[0][] = [
    { AUTH_MODE: 'api_key' },
    { TRUSTED_PROXY_COUNT: 0 },
    { ALLOWED_HOSTS: ['shop.example'] },
    { API_SERVER_HOST: '0.0.0.0' },
  ]
  for (const settings of fixed) t.equal(said(settings), '')
})

t.test('ALLOWED_HOSTS adds host names, and is checked on every address if it is set', async (t) => {
  const env = { API_SERVER_HOST: '0.0.0.0', AUTH_MODE: 'api_key', API_KEYS: KEY }
  const free = await served(t, env)
  const known = { 'x-api-key': KEY }
  t.equal((await free('GET', '/v1/sessions', { ...known, host: 'any.example' })).status, 200, 'not checked')
  const ask = await served(t, { ...env, ALLOWED_HOSTS: 'api.example, *.shop.example' })
  for (const host of ['api.example', 'API.example:443', 'a.b.shop.example', 'localhost'])
    t.equal((await ask('GET', '/v1/sessions', { ...known, host })).status, 200, host)
  for (const host of ['shop.example', 'other.example', 'xapi.example'])
    t.equal((await ask('GET', '/v1/sessions', { ...known, host })).status, 403, host)
})

t.test('a page from another origin is refused', async (t) => {
  const ask = await served(t)
  const hostile: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000', host: 'localhost:8000' },
    { origin: 'http://localhost:3000', host: 'localhost:8000' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://evil.example' },
  ]
  for (const headers of hostile) {
    for (const path of ['/v1/cache/clear', '/v1/sessions', '/v1/verify', '/foreign/open'])
      t.match(await ask('POST', path, headers), { status: 403, text: /ORIGIN_REFUSED/ }, `${path} ${JSON.stringify(headers)}`)
  }
  t.match(await ask('GET', '/v1/sessions', { origin: 'https://evil.example' }), { status: 403 })
  t.same(JSON.parse((await ask('GET', '/v1/sessions')).text), { sessions: [] })
  const own: readonly Record<string, string>[] = [
    {},
    { origin: 'http://localhost:8000', host: 'localhost:8000' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of own) t.equal((await ask('POST', '/v1/sessions', headers)).status, 201, JSON.stringify(headers))
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  t.equal((await ask('GET', '/health', link)).status, 200, 'a link leads in')
})

t.test('ALLOWED_ORIGINS lists origins whose pages can send requests, including preflights', async (t) => {
  holds(t, 'setting.ALLOWED_ORIGINS')
  const origin = 'https://app.example'
  const ask = await served(t, { ...keyed, ALLOWED_ORIGINS: origin, API_KEY_HEADER: 'X-Acme-Key' })
  const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-acme-key' }
  t.match(await ask('OPTIONS', '/v1/sessions', asks), {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': /POST/,
      'access-control-allow-headers': /x-acme-key/,
      vary: /origin/i,
    },
  })
  t.match(await ask('POST', '/v1/sessions', { origin, 'x-acme-key': KEY, 'sec-fetch-site': 'cross-site' }), {
    status: 201,
    headers: { 'access-control-allow-origin': origin, 'access-control-expose-headers': /x-request-id/ },
  })
  t.match(await ask('POST', '/v1/sessions', { origin }), { status: 401, headers: { 'access-control-allow-origin': origin } })
  const other = { ...asks, origin: 'https://app.example.evil' }
  t.match(await ask('OPTIONS', '/v1/sessions', other), { status: 403, headers: { 'access-control-allow-origin': undefined } })
})

t.test('an invalid origin is refused at the start', async (t) => {
  for (const ALLOWED_ORIGINS of ['*', 'app.example', 'https://app.example/'])
    await t.rejects(hostOf({ ...config, settings: { ALLOWED_ORIGINS } }), { code: 'INVALID_VARIABLE', path: 'ALLOWED_ORIGINS' })
})

t.test(
  'administration is for ADMIN_API_KEYS, for every key if none is listed, and for this machine if there are no keys',
  async (t) => {
    holds(t, 'setting.ADMIN_API_KEYS')
    const every = await served(t, { ...keyed })
    t.equal((await every('POST', '/v1/cache/clear', { 'x-api-key': KEY })).status, 200)
    const some = await served(t, { ...keyed, ADMIN_API_KEYS: ADMIN })
    t.equal((await some('POST', '/v1/cache/clear', { 'x-api-key': ADMIN })).status, 200)
    t.equal((await some('POST', '/v1/sessions', { 'x-api-key': ADMIN })).status, 201, 'an administrator is a client, too')
    for (const path of ['/v1/cache/clear', '/v1/cache/sweep', '/v1/verify'])
      t.match(await some('POST', path, { 'x-api-key': KEY }), { status: 403, text: /ADMIN_REQUIRED/ }, path)
    t.equal((await some('GET', '/v1/cache/stats', { 'x-api-key': KEY })).status, 200)
    const nobody = await served(t)
    t.equal((await nobody('POST', '/v1/cache/clear')).status, 200)
    t.equal((await nobody('POST', '/v1/cache/clear', { 'x-forwarded-for': '203.0.113.9' })).status, 403, 'through a proxy')
    const proxied = await served(t, { TRUSTED_PROXY_COUNT: '1' })
    t.equal((await proxied('POST', '/v1/cache/clear', { 'x-forwarded-for': '203.0.113.9' })).status, 403)
    t.equal((await proxied('POST', '/v1/cache/clear', { 'x-forwarded-for': '127.0.0.1' })).status, 200)
  },
)

t.test('a surface that the network can use without a key causes a loud warning', async (t) => {
  const { memoryLogger } = await import('../host/support.js')
  const { warnWhenOpen } = await import('../../core/src/host/warn-when-open.js')
  const said = (address: string, isOpen = true) => {
    const { logger, at } = memoryLogger()
    warnWhenOpen({ surface: 'pgwire', address, isOpen, hostSetting: 'PGWIRE_HOST' }, logger)
    return at('warn').join()
  }
  for (const address of ['0.0.0.0', 'postgres://0.0.0.0:5432', 'postgres://[::]:5432', 'http://192.168.0.7:80', '::'])
    t.match(said(address), /SURFACE PGWIRE LISTENS BEYOND THIS MACHINE .* WITHOUT AUTHENTICATION/, address)
  for (const address of ['localhost', 'postgres://127.0.0.1:5432', 'postgres://[::1]:5432']) t.equal(said(address), '', address)
  t.match(said('0.0.0.0'), /PGWIRE_HOST=127\.0\.0\.1/)
  t.equal(said('0.0.0.0', false), '')
})
