/** The web page as a server returns it: its files, and its route to `/v1`. */
import http from 'node:http'
import { gzipSync } from 'node:zlib'
import { codeOf, type HostPlugin, messageOf } from '@grainline/core'
import ui from '@grainline/surface-ui'
import { tableFromIPC } from 'apache-arrow'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { signInRoutes } from '../../plugins/surface-ui/src/sign-in-routes.js'
import { compiling, executing, startRest, type TestOptions } from '../rest/server.js'
import { shopQuery } from '../rest/shop.js'
import { deferred, nothing, vendorThat } from '../rest/vendor.js'
import { holds } from '../specification/holds.js'

const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const OTHER = 'oth_pat_0123456789abcdef0123456789abcdef01234567'
const OWN = { 'x-grainline-ui': '1' }
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function serve(t: Test, { plugins = [], ...options }: TestOptions = {}) {
  const server = await startRest({ ...options, plugins: [...plugins, ui as HostPlugin] })
  t.teardown(() => server.close())
  return server
}

t.test('the page and its files are served', async (t) => {
  holds(t, 'route.ui')
  const server = await serve(t)

  t.test('/ui redirects to /ui/ by a relative address, which works behind any proxy', async (t) => {
    const answer = await server.get('/ui')
    t.match([answer.status, answer.headers.location], [302, 'ui/'])
  })

  t.test('scripts and styles come only from the page, and eval is not allowed', async (t) => {
    const [first, second] = [await server.get('/ui/'), await server.get('/ui/')]
    const policy = String(first.headers['content-security-policy'])
    t.equal(first.status, 200)
    t.match(policy, /default-src 'none'/)
    t.match(policy, /frame-ancestors 'none'/)
    t.notMatch(policy, /unsafe/)
    const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1]
    t.match(first.text, `content="${nonce}"`)
    t.notMatch(second.text, nonce, 'each answer has a nonce of its own')
    t.equal(first.headers['cache-control'], 'no-store')
    t.match(first.headers, { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' })
    t.notMatch(first.text, /<script(?![^>]*src=)|https?:\/\/(?!www\.w3\.org)/, 'no script in the page, and no other host')
  })

  t.test('its files are cached by browsers for ever, and sent compressed', async (t) => {
    const [file] = filesOf((await server.get('/ui/')).text)
    const plain = await server.get(`/ui/${file}`)
    t.equal(plain.status, 200)
    t.match(plain.headers['cache-control'], /immutable/)
    t.equal((await server.get(`/ui/${file}`, { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
    t.equal((await server.get(`/ui/${file}`, { 'accept-encoding': 'gzip, br' })).headers['content-encoding'], 'br')
    t.equal((await server.get(`/ui/${file}`, { 'if-none-match': String(plain.headers.etag) })).status, 304)
  })

  t.test('no other file is served', async (t) => {
    for (const path of ['assets/none.js', 'stamp', 'assets/..%2findex.html', '../package.json', 'assets/%2e%2e/stamp'])
      t.equal((await server.get(`/ui/${path}`)).status, 404, path)
  })

  t.test('the first load is smaller than 230 kB', async (t) => {
    const files = filesOf((await server.get('/ui/')).text)
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync((await server.get(`/ui/${file}`)).text, { level: 9 }).length),
    )
    const total = sizes.reduce((sum, size) => sum + size, 0)
    t.comment(`${files.length} files, ${total} bytes with gzip`)
    t.ok(files.length >= 2 && total <= 230_000, `${total} bytes`)
  })
})

t.test('GET / redirects browsers to the page, and lists the API for programs', async (t) => {
  const server = await serve(t, { prefix: '/semantic' })
  t.match(await server.get('/semantic/', browser), { status: 302, headers: { location: './ui/' } })
  t.match(await server.get('/semantic', browser), { status: 302, headers: { location: './semantic/ui/' } })
  t.match((await server.get('/semantic/')).body, { name: 'Grainline', links: [{ name: 'page', path: '/semantic/ui/' }] })
  t.equal((await server.get('/semantic/ui/')).status, 200)
  t.equal((await server.get('/semantic/ui/api/health', OWN)).status, 200)
})

t.test('ROOT_PATH is the prefix of the files of the page', async (t) => {
  holds(t, 'setting.ROOT_PATH')
  const server = await serve(t, { settings: { ROOT_PATH: '/bi/semantic' } })
  t.match((await server.get('/ui/')).text, '<base href="/bi/semantic/ui/">')
  t.match(await server.get('/ui'), { status: 302, headers: { location: '/bi/semantic/ui/' } })
  const unset = await serve(t)
  t.match((await unset.get('/ui/')).text, '<base href="./">')
})

t.test('the route from the page to the API', async (t) => {
  const server = await serve(t, compiling)

  t.test('is only for the page', async (t) => {
    const refused = { status: 403, body: { code: 'ORIGIN_REFUSED' } }
    t.match(await server.get('/ui/api/health'), refused, 'without the header of the page')
    t.match(await server.get('/ui/api/health', { ...OWN, 'sec-fetch-site': 'cross-site' }), refused)
    t.match(await server.get('/ui/api/health', { ...OWN, 'sec-fetch-site': 'same-site' }), refused)
    t.match(await server.post('/ui/api/v1/sessions', {}, { 'content-type': 'text/plain' }), refused, 'a form of another page')
    t.equal((await server.get('/ui/api/health', { ...OWN, 'sec-fetch-site': 'same-origin' })).status, 200)
    t.equal((await server.get('/ui/api/health', OWN)).status, 200, 'browsers on plain HTTP do not say where they are')
  })

  t.test('forwards only to the paths that the page uses', async (t) => {
    const outside = [
      '/ui/api/',
      '/ui/api/docs',
      '/ui/api/openapi.json',
      '/ui/api/v1/sessions',
      '/ui/api/v1/mcp',
      '/ui/api/v1/telemetry/metrics',
      '/ui/api/v1/../ui/',
      '/ui/api/v1/%2e%2e/ui/',
      '/ui/api/v1/sessions/..%2f..%2fdocs',
      '/ui/api/v1/sessions/a/models/%5c..%5cx',
      '/ui/api//v1/models',
    ]
    for (const path of outside) t.match(await server.get(path, OWN), { status: 404, body: { code: 'NOT_FOUND' } }, path)
    t.match(await server.post('/ui/api/v1/cache/clear', {}, OWN), { status: 404 })
    t.match(await server.post('/ui/api/v1/heartbeat', {}, OWN), { status: 404 })
  })

  t.test('forwards models, queries and errors unchanged', async (t) => {
    const { session, model } = await server.shop()
    const schema = await server.get(`/ui/api/v1/sessions/${session}/models/${model}/schema`, OWN)
    t.match(schema, { status: 200, body: { model_id: model } })
    t.equal(schema.headers['cache-control'], 'private, no-cache')
    const unchanged = { ...OWN, 'if-none-match': String(schema.headers.etag) }
    t.equal((await server.get(`/ui/api/v1/sessions/${session}/models/${model}/schema`, unchanged)).status, 304)
    const path = `/ui/api/v1/sessions/${session}/query/sql`
    t.match(await server.post(path, { model_id: model, query: shopQuery }, OWN), { status: 200, body: { sql: /SELECT/ } })
    const wrong = { model_id: model, query: { select: { measures: ['Revenu'] } } }
    t.match(await server.post(path, wrong, OWN), { status: 422, body: { suggestions: ['Revenue'] } })
  })
})

t.test('the key of the page stays on the server', async (t) => {
  holds(t, 'ui.key', 'setting.SVC_API_KEY')
  const settings = { AUTH_MODE: 'api_key', API_KEYS: [KEY, OTHER], SVC_API_KEY: KEY }
  const server = await serve(t, { settings })
  const answer = await server.get('/ui/api/v1/models', OWN)
  t.equal(answer.status, 200)
  const theirs = await server.get('/ui/api/v1/models', {
    ...OWN,
    'x-api-key': 'x'.repeat(40),
    authorization: 'Bearer nonsense',
    cookie: 'a=b',
  })
  t.equal(theirs.status, 200, 'what the browser brings counts for nothing')
  const named = await server.get('/ui/api/v1/models', { ...OWN, 'x-on-behalf-of': 'e30=' })
  t.match(named, { status: 403, body: { code: 'ON_BEHALF_REFUSED' } }, 'no user has the rights of the key by mistake')
  const page = await server.get('/ui/')
  for (const { text, headers } of [answer, theirs, page]) t.notMatch(text + JSON.stringify(headers), KEY)
  t.equal((await server.get('/v1/models')).status, 401, 'the API itself asks for a key as ever')
  t.equal((await server.get('/ui/api/v1/nothing', OWN)).status, 404)

  t.equal(answer.headers['x-grainline-sign-in'], undefined)
})

t.test('without a key of the page each person asks with their own', async (t) => {
  holds(t, 'ui.key')
  const keys = t.testdir({
    'keys.yaml': `- { name: ann, key: ${KEY}, roles: [sales] }\n- { name: portal, key: ${OTHER}, roles: [impersonate] }\n`,
  })
  const settings = { AUTH_MODE: 'api_key', API_KEYS_FILE: `${keys}/keys.yaml` }
  const server = await serve(t, { settings })
  const who = (headers: Record<string, string>) => server.get('/ui/api/v1/settings', { ...OWN, ...headers })

  const unknown = await who({})
  t.match(unknown, { status: 401, body: { code: 'AUTH_REQUIRED' } }, 'no key of the server is taken')
  t.equal(unknown.headers['x-grainline-sign-in'], '1', 'the page learns that somebody can sign in')
  t.equal(unknown.headers['www-authenticate'], undefined, 'and no browser asks in a window of its own')
  t.match(await who({ authorization: 'Bearer wrong' }), { status: 401, body: { code: 'AUTH_INVALID' } })
  const signedIn = await who({ authorization: `Bearer ${KEY}` })
  t.strictSame(signedIn.body.principal, { id: 'ann', name: 'ann', roles: ['sales'] })
  t.notMatch(signedIn.text + JSON.stringify(signedIn.headers), KEY)
  t.match((await who({ 'x-api-key': KEY })).body.principal, { name: 'ann' }, 'a proxy may set the header of keys')
  const user = Buffer.from(JSON.stringify({ name: 'bob' })).toString('base64')
  t.match((await who({ 'x-api-key': OTHER, 'x-on-behalf-of': user })).body.principal, { name: 'bob' })
  t.match(await who({ authorization: `Bearer ${KEY}`, 'x-on-behalf-of': user }), {
    status: 403,
    body: { code: 'ON_BEHALF_REFUSED' },
  })
  const foreign = await server.get('/ui/api/v1/settings', { authorization: `Bearer ${KEY}` })
  t.match(foreign, { status: 403, body: { code: 'ORIGIN_REFUSED' } }, 'still only for the page')
  t.equal((await server.get('/ui/')).status, 200)
})

t.test('a person comes back from an identity provider with a code', async (t) => {
  const issuer = 'https://login.example.com'
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
  const sent: string[] = []
  const provider =
    (described: object, answered: () => Response) =>
    async (url: unknown, init: RequestInit = {}) => {
      if (String(url).endsWith('/.well-known/openid-configuration')) return Response.json(described)
      sent.push(`${url} ${init.body} ${init.redirect}`)
      return answered()
    }
  const at = async (
    described: object,
    answered: () => Response = () => Response.json({ access_token: 'tok' }),
    wanted: Partial<Record<'refresh' | 'logout', boolean>> = {},
  ) => {
    const app = Fastify()
    app.setErrorHandler((error, _request, reply) => reply.code(418).send({ code: codeOf(error), message: messageOf(error) }))
    app.removeAllContentTypeParsers()
    signInRoutes(app, {
      issuer,
      signIn: { client: 'page', scopes: ['openid'], refresh: true, logout: true, ...wanted },
      ask: provider(described, answered) as typeof fetch,
    })
    return async (method: 'GET' | 'POST', payload?: object, headers: object = OWN, url = '/ui/sign-in') => {
      const answer = await app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })
      return answer.payload === '' ? answer.statusCode : answer.json()
    }
  }
  const returned = { code: 'c', verifier: 'v', redirect: 'https://here/ui/', client_secret: 'no' }

  const good = await at({ issuer, ...endpoints })
  t.strictSame(await good('GET'), { authorize: `${issuer}/authorize`, client: 'page', scopes: ['openid'] })
  t.strictSame(await good('POST', returned), { token: 'tok' })
  const form = 'grant_type=authorization_code&code=c&code_verifier=v&redirect_uri=https%3A%2F%2Fhere%2Fui%2F&client_id=page'
  t.strictSame(sent, [`${issuer}/token ${form} error`], 'nothing else is passed on, and no redirect is followed')
  t.match(await good('POST', returned, {}), { code: 'ORIGIN_REFUSED' })
  t.match(await good('POST', { code: 'c' }), { code: 'INVALID_REQUEST' })

  const refused = await at({ issuer, ...endpoints }, () =>
    Response.json({ error: 'invalid_grant', error_description: 'x' }, { status: 400 }),
  )
  t.match(await refused('POST', returned), { code: 'AUTH_INVALID', message: /refused the sign-in \(invalid_grant\)$/ })
  const unavailable = { code: 'AUTH_UNAVAILABLE' }
  for (const [described, answer] of [
    [{ issuer: 'https://evil.example.com', ...endpoints }, undefined],
    [{ issuer, ...endpoints, token_endpoint: 'http://login.example.com/token' }, undefined],
    [{ issuer, ...endpoints }, () => new Response('', { status: 502 })],
    [{ issuer, ...endpoints }, () => new Response('', { status: 429 })],
    [{ issuer, ...endpoints }, () => Response.json({})],
    [{ issuer, ...endpoints, end_session_endpoint: 'javascript:alert(1)' }, undefined],
    [{ issuer, ...endpoints, revocation_endpoint: 'http://login.example.com/revoke' }, undefined],
  ] as const)
    t.match(await (await at(described, answer))('POST', returned), unavailable)

  const all = { issuer, ...endpoints, end_session_endpoint: `${issuer}/logout`, revocation_endpoint: `${issuer}/revoke` }
  const gives = () => Response.json({ access_token: 'tok', refresh_token: 'r2', id_token: 'i' })
  const whole = await at(all, gives)
  t.strictSame((await whole('GET')).logout, `${issuer}/logout`)
  t.strictSame(await whole('POST', returned), { token: 'tok', refresh: 'r2', idToken: 'i' })
  sent.length = 0
  t.strictSame(await whole('POST', { refresh: 'r1', scope: 'more' }), { token: 'tok', refresh: 'r2', idToken: 'i' })
  t.equal(await whole('POST', { refresh: 'r2' }, OWN, '/ui/sign-out'), 204)
  t.match(await whole('POST', {}, OWN, '/ui/sign-out'), { code: 'INVALID_REQUEST' })
  t.match(await whole('POST', { refresh: 'r2' }, {}, '/ui/sign-out'), { code: 'ORIGIN_REFUSED' })
  t.strictSame(sent, [
    `${issuer}/token grant_type=refresh_token&refresh_token=r1&client_id=page error`,
    `${issuer}/revoke token=r2&token_type_hint=refresh_token&client_id=page error`,
  ])
  t.equal(await good('POST', { refresh: 'r2' }, OWN, '/ui/sign-out'), 204, 'without such an endpoint nothing is asked')
  t.equal(sent.length, 2)
  t.match(await refused('POST', { refresh: 'r1' }), { code: 'AUTH_INVALID', message: /has ended the login \(invalid_grant\)$/ })
  const local = await at(all, gives, { refresh: false, logout: false })
  t.strictSame(await local('GET'), { authorize: `${issuer}/authorize`, client: 'page', scopes: ['openid'] })
  t.strictSame(await local('POST', returned), { token: 'tok' }, 'what the settings do not want is not given to the page')
})

t.test('an application with a login of its own says who asks', async (t) => {
  const settings = { AUTH_MODE: 'api_key', API_KEYS: [KEY] }
  const users: Record<string, string> = { 'sid=1': KEY }
  const server = await serve(t, {
    settings,
    prepare: (app) => {
      app.addHook('onRequest', async ({ headers }) => {
        const key = users[headers.cookie ?? '']
        if (key !== undefined) headers['x-api-key'] = key
      })
    },
  })
  t.equal((await server.get('/ui/api/v1/models', { ...OWN, cookie: 'sid=1' })).status, 200)
  t.equal((await server.get('/ui/api/v1/models', { ...OWN, cookie: 'sid=2' })).status, 401)
  t.equal((await server.get('/ui/api/v1/models', { cookie: 'sid=1' })).status, 403, 'not for pages of other sites')
})

t.test('when a browser disconnects, its query is cancelled in the database', async (t) => {
  const cancelled = deferred<unknown>()
  const began = deferred<void>()
  const { options } = vendorThat(async function* (_sql, { signal }) {
    yield* nothing()
    began.resolve()
    await new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        cancelled.resolve(signal.reason)
        reject(signal.reason)
      })
    })
  })
  const server = await serve(t, options)
  const { session, model } = await server.shop()
  const address = await server.app.listen({ port: 0 })
  const request = http.request(`${address}/ui/api/v1/sessions/${session}/query/execute`, {
    method: 'POST',
    headers: { ...OWN, 'content-type': 'application/json' },
  })
  request.on('error', () => undefined)
  request.end(JSON.stringify({ model_id: model, query: shopQuery }))
  await began.promise
  request.destroy()
  t.match(await cancelled.promise, { code: 'QUERY_CANCELLED' })
})

t.test('an Arrow answer contains its metadata', async (t) => {
  const server = await serve(t, executing)
  const { session, model } = await server.shop()
  const reply = await server.app.inject({
    method: 'POST',
    url: `/ui/api/v1/sessions/${session}/query/execute?receipt=true`,
    headers: { ...OWN, accept: 'application/vnd.apache.arrow.stream' },
    payload: { model_id: model, query: shopQuery },
  })
  t.equal(reply.statusCode, 200)
  const { metadata } = tableFromIPC(reply.rawPayload).schema
  t.match(JSON.parse(metadata.get('receipt') ?? '{}'), {
    definitions: [{ name: 'Region' }, { name: 'Revenue' }],
    timezone: 'UTC',
  })
})

/** The files that a browser loads with the page: scripts, their static imports, and styles. */
function filesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, file]) => file!)
}
