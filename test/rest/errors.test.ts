import { gzipSync } from 'node:zlib'
import { definePlugin, Type } from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { type Answer, dialects, executing, startRest } from './server.js'
import { shopModel, shopQuery } from './shop.js'

const KEY = 'test_pat_0123456789abcdef0123456789abcdef01234567'

t.test('every error is a problem document with code, hint and request id', async (t) => {
  holds(t, 'error.problem', 'error.request-id', 'status.404')
  const server = await startRest()
  t.teardown(() => server.close())
  const { status, headers, body } = await server.get('/v1/nothing')
  t.equal(status, 404)
  t.match(headers['content-type'], /^application\/problem\+json/)
  t.match(body, {
    type: 'urn:grainline:error:NOT_FOUND',
    status: 404,
    code: 'NOT_FOUND',
    title: String,
    detail: String,
    hint: String,
  })
  t.equal(body.request_id, headers['x-request-id'])
})

t.test('a repeated body has the same answer or error as before', async (t) => {
  const server = await startRest({ plugins: dialects })
  t.teardown(() => server.close())
  const json = { 'content-type': 'application/json' }
  const { session_id: session } = (await server.post('/v1/sessions')).body
  await server.post(`/v1/sessions/${session}/models`, { model_json: shopModel })
  const question = JSON.stringify(shopQuery)
  const refused = [
    `{"query": ${question}, "__proto__": {"dialect": "postgres"}}`,
    `{"query": ${question}, "constructor": {"prototype": {"dialect": "postgres"}}}`,
    `{"query": ${question}`,
    `{"query": ${question}, "dialects": "postgres"}`,
    `{"query": ${question}, "model_id": null, "modelId": null}`,
    '{"query": {"select": {"dimensions": ["No Such Name"]}}}',
  ]
  for (const body of refused) {
    const [first, again] = [await server.post('/v1/query/sql', body, json), await server.post('/v1/query/sql', body, json)]
    t.ok(first.status >= 400 && first.status < 500, body)
    t.equal(again.status, first.status)
    t.same({ ...again.body, request_id: '' }, { ...first.body, request_id: '' })
  }
  const text = `{"query": ${question}}`
  const answers = []
  for (const path of [
    '/v1/query/sql',
    '/v1/query/sql?dialect=postgres',
    '/v1/query/plan',
    '/v1/query/sql',
    '/v1/query/sql?dialect=postgres',
  ]) {
    answers.push(await server.post(path, text, json))
  }
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  const [sql, postgres, plan, sqlAgain, postgresAgain] = answers.map(({ body }) => body)
  t.same([sqlAgain, postgresAgain], [sql, postgres], 'and says the same on each route')
  t.equal(postgres.dialect, 'postgres')
  t.equal(plan.status, 'ok')
})

t.test('bodies that are not JSON get 400, those of another type 415, those too large 413', async (t) => {
  holds(t, 'status.400.json', 'status.413', 'status.415')
  const server = await startRest()
  t.teardown(() => server.close())
  const json = { 'content-type': 'application/json' }
  t.match(await server.post('/v1/validate', '{', json), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await server.post('/v1/validate'), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await server.post('/v1/validate', '', json), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await server.post('/v1/validate', 'a=1', { 'content-type': 'text/plain' }), {
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  })
  t.match(await server.post('/v1/validate', gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }), {
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE', detail: /is compressed; send it uncompressed/ },
  })
  const large = JSON.stringify({ query: { select: { measures: ['x'.repeat(1024 * 1024)] } } })
  t.match(await server.post('/v1/query/sql', large, json), { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  t.equal(
    (await server.post('/v1/validate', JSON.stringify({ model_yaml: 'x'.repeat(2 * 1024 * 1024) }), json)).status,
    200,
    'a model may be larger',
  )
})

t.test('a key like __proto__ is refused by its name and position, on every route with a body', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  const json = { 'content-type': 'application/json' }
  const { paths } = (await server.get('/openapi.json')).body as {
    paths: Record<string, Record<string, { requestBody?: unknown }>>
  }
  const routes = Object.entries(paths).flatMap(([path, { post }]) => (post?.requestBody ? [path.replace(/\{\w+\}/g, 'x')] : []))
  t.ok(routes.length > 15)
  for (const route of routes)
    t.match(
      await server.post(route, '{"query": {"where": [{}, {"__proto__": {"a": 1}}]}}', json),
      {
        status: 422,
        body: {
          code: 'INVALID_REQUEST',
          detail: /'__proto__' at query\.where\[1\]\.__proto__/,
          errors: [{ path: 'query.where[1].__proto__' }],
          hint: /another name/,
        },
      },
      route,
    )
  const built = '{"model_json": {"constructor": {"prototype": {"a": 1}}}}'
  t.match((await server.post('/v1/validate', built, json)).body, { detail: /'constructor' at model_json\.constructor/ })
  const padded = `{"query": {"__proto__": 1}, "model_yaml": "${'x'.repeat(300_000)}"}`
  t.match((await server.post('/v1/validate', padded, json)).body, { detail: /'__proto__' at query/ }, 'a large body')
  const deep = `${'['.repeat(100_000)}{"__proto__": 1}${']'.repeat(100_000)}`
  t.match((await server.post('/v1/validate', deep, json)).body.code, 'INVALID_REQUEST')
  t.equal(Object.hasOwn(Object.prototype, 'a'), false)
  // The advice works.
  const asText = { model_yaml: 'dataObjects: { A: { code: a, columns: { __proto__: { code: x, abstractType: int } } } }' }
  t.match((await server.post('/v1/validate', asText)).body, { valid: true })
})

t.test('a known path with another method is 405 and lists its methods', async (t) => {
  holds(t, 'status.405')
  const server = await startRest()
  t.teardown(() => server.close())
  const refused = await server.delete('/v1/sessions')
  t.match(refused, { status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
  t.equal(refused.headers.allow, 'GET, HEAD, POST')
  t.equal((await server.get('/v1/sessions/x/models/y/z')).status, 404)
  const text = { 'content-type': 'text/plain' }
  for (const method of ['PUT', 'QUERY'] as const) {
    const put = await server.app.inject({
      method: method as 'PUT',
      url: '/v1/sessions',
      headers: method === 'PUT' ? text : {},
      payload: 'a',
    })
    t.equal(put.statusCode, 405, `${method}, whatever its body`)
  }
  t.equal((await server.post('/v1/nothing', 'a', text)).status, 404, 'the body of a request to nowhere does not matter')
})

t.test('an unknown key is reported, with the nearest known one', async (t) => {
  holds(t, 'field.unknown')
  const server = await startRest()
  t.teardown(() => server.close())
  const { status, body } = await server.post('/v1/sessions', { metadat: {}, metadata: { a: 1 } })
  t.equal(status, 422)
  t.equal(body.code, 'INVALID_REQUEST')
  t.match(body.errors, [
    { path: 'metadat', suggestions: ['metadata'] },
    { path: 'metadata.a', message: /string/ },
  ])
  t.match(await server.post('/v1/sessions', [1]), { status: 422 })
  t.match(await server.post('/v1/validate', { model_yaml: 'a: 1', modelYaml: 'a: 1' }), {
    status: 422,
    body: { errors: [{ path: 'model_yaml' }] },
  })
})

t.test('with keys, every route except the open ones answers 401 without one', async (t) => {
  holds(t, 'auth.every-route', 'status.401', 'route.health', 'route.robots', 'route.openapi', 'route.schema')
  const server = await startRest({ settings: { AUTH_MODE: 'api_key', API_KEYS: KEY } })
  t.teardown(() => server.close())
  for (const open of ['/health', '/ready', '/robots.txt', '/openapi.json']) t.equal((await server.get(open)).status, 200, open)
  t.match((await server.get('/health')).body, { status: 'ok', auth_mode: 'api_key' })

  const { paths } = (await server.get('/openapi.json')).body as { paths: Record<string, object> }
  const routes = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
  const closed = routes.filter(({ path }) => path !== '/health' && path !== '/ready')
  t.ok(closed.length > 30)
  const everything = [
    ...closed,
    { path: '/v1/query/execute', method: 'post' },
    { path: '/v1/unknown', method: 'get' },
    { path: '/v1/sessions', method: 'put' },
  ]
  for (const { path, method } of everything) {
    const answer = await server.app.inject({ method: method.toUpperCase() as 'GET', url: path.replace(/\{\w+\}/g, 'x') })
    t.equal(answer.statusCode, 401, `${method} ${path}`)
    t.ok(answer.headers['www-authenticate'])
    t.equal(answer.json().code, 'AUTH_REQUIRED')
  }
})

t.test('the key comes from its header, or else from a bearer token', async (t) => {
  holds(t, 'auth.header', 'status.401')
  const server = await startRest({ settings: { AUTH_MODE: 'api_key', API_KEYS: KEY, API_KEY_HEADER: 'X-My-Key' } })
  t.teardown(() => server.close())
  t.equal((await server.get('/v1/dialects', { 'x-my-key': KEY })).status, 200)
  t.equal((await server.get('/v1/dialects', { authorization: `Bearer ${KEY}` })).status, 200)
  t.match(await server.get('/v1/dialects', { 'x-api-key': KEY }), { status: 401, body: { code: 'AUTH_REQUIRED' } })
  const wrong = await server.get('/v1/dialects', { 'x-my-key': `${KEY}x` })
  t.match(wrong, { status: 401, body: { code: 'AUTH_INVALID' } })
  t.notMatch(wrong.text, KEY)
})

t.test('an unexpected error is 500 with the request id and no details', async (t) => {
  holds(t, 'status.500', 'error.plugin')
  const secret = 'postgres://user:hunter2@db'
  const broken = definePlugin({
    name: 'broken',
    host: '*',
    options: Type.Object({}),
    setup: (host) => {
      const faulty = {
        name: 'faulty',
        get capabilities(): never {
          throw new Error(secret)
        },
      }
      host.dialects.register(faulty as unknown as Dialect)
    },
  })
  const server = await startRest({ plugins: [broken] })
  t.teardown(() => server.close())
  const { status, text, body, headers } = await server.get('/v1/dialects')
  t.match(body, { code: 'INTERNAL_ERROR', status: 500, request_id: headers['x-request-id'] })
  t.match(body.hint, /Report the request id to the operator/)
  t.equal(status, 500)
  t.notMatch(text, 'hunter2')
})

t.test('the advice of each error works', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const base = `/v1/sessions/${session}/models/${model}`
  const json = { 'content-type': 'application/json' }
  const ask = (more: object, headers = {}) =>
    server.post(`/v1/sessions/${session}/query/execute`, { model_id: model, query: shopQuery, ...more }, headers)
  const only = (names: readonly string[]) => names[0]!
  const cases: readonly (readonly [string, () => Promise<Answer>, (refused: Answer) => Promise<Answer>])[] = [
    // First, while there is only one session.
    [
      'CONFLICT',
      async () => {
        await server.post(`/v1/sessions/${session}/models`, { model_json: { ...shopModel, name: 'other' } })
        return server.get('/v1/schema')
      },
      ({ body }) => server.get(`/v1/schema?model_id=${only(body.suggestions)}`),
    ],
    [
      'BAD_REQUEST',
      () => server.post('/v1/validate', '{', json),
      () => server.post('/v1/validate', '{"model_yaml":"name: a"}', json),
    ],
    [
      'INVALID_REQUEST',
      () => server.post('/v1/sessions', { metadat: {} }),
      ({ body }) => server.post('/v1/sessions', { [only(body.errors[0].suggestions)]: {} }),
    ],
    ['NOT_FOUND', () => server.get('/v1/nothing'), () => server.get('/openapi.json')],
    ['METHOD_NOT_ALLOWED', () => server.delete('/v1/dialects'), () => server.get('/v1/dialects')],
    [
      'UNSUPPORTED_MEDIA_TYPE',
      () => server.post('/v1/sessions', 'a=1', { 'content-type': 'text/plain' }),
      () => server.post('/v1/sessions', '{}', json),
    ],
    ['PAYLOAD_TOO_LARGE', () => ask({ model_id: 'x'.repeat(2 ** 20) }), () => ask({ model_id: model })],
    ['NOT_ACCEPTABLE', () => ask({}, { accept: 'image/png' }), () => ask({}, { accept: 'text/csv' })],
    ['NOT_ACCEPTABLE', () => ask({}, { accept: 'image/png' }), () => ask({}, { accept: 'application/json' })],
    ['SESSION_NOT_FOUND', () => server.get('/v1/sessions/none/models'), () => server.get(`/v1/sessions/${session}/models`)],
    ['MODEL_NOT_FOUND', () => server.get(`/v1/sessions/${session}/models/none`), () => server.get(base)],
    [
      'FIELD_NOT_FOUND',
      () => server.get(`${base}/explain/Regon`),
      ({ body }) => server.get(`${base}/explain/${only(body.suggestions)}`),
    ],
    [
      'EXAMPLE_NOT_FOUND',
      () => server.get(`${base}/examples/by-region`),
      ({ body }) => server.get(`${base}/examples/${encodeURIComponent(only(body.suggestions))}`),
    ],
    ['UNSUPPORTED_DIALECT', () => ask({ dialect: 'duckdbb' }), ({ body }) => ask({ dialect: only(body.suggestions) })],
    ['NO_CONNECTION', () => ask({ dialect: 'postgres' }), ({ body }) => ask({ dialect: only(body.suggestions) })],
    [
      'MODEL_INVALID',
      () =>
        server.post('/v1/oneshot/batch', {
          model_yaml: JSON.stringify({ ...shopModel, dimensions: { A: {} } }),
          queries: [{ query: shopQuery }],
        }),
      () => server.post('/v1/oneshot/batch', { model_yaml: JSON.stringify(shopModel), queries: [{ query: shopQuery }] }),
    ],
  ]
  for (const [code, spoiled, corrected] of cases) {
    const refused = await spoiled()
    t.match(refused.body, { code, detail: String, hint: String }, code)
    const answer = await corrected(refused)
    t.ok(answer.status < 300, `${code}: ${answer.text.slice(0, 200)}`)
  }
})

t.test('the public settings contain no secret', async (t) => {
  holds(t, 'route.settings')
  const server = await startRest({ settings: { HEARTBEAT_AUTH_TOKEN: 'token-of-the-heart', MODEL_DIR: '/secret/place' } })
  t.teardown(() => server.close())
  const { body, text } = await server.get('/v1/settings')
  t.match(body, { max_sessions: 500, query_default_limit: 1000, execution_enabled: false, curated: false })
  t.notMatch(text, /token-of-the-heart|secret/)
})
