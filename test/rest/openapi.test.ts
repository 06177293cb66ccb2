import swagger from '@fastify/swagger'
import { grainline } from '@grainline/core/fastify'
import rest from '@grainline/surface-rest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Fastify from 'fastify'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, startRest } from './server.js'

t.test('the document is OpenAPI 3.1, lists every route and has a schema for every answer', async (t) => {
  holds(t, 'route.openapi')
  const server = await startRest()
  t.teardown(() => server.close())
  const { body } = await server.get('/openapi.json')
  t.equal(body.openapi, '3.1.0')
  for (const path of [
    '/health',
    '/v1/sessions/{session_id}/models/{model_id}',
    '/v1/query/sql',
    '/v1/dimensions/{name}',
    '/v1/models',
  ]) {
    t.ok(body.paths[path], path)
  }
  t.notOk(body.paths['/v1/query/execute'], 'execution is off')
  t.notOk(body.paths['/v1/sessions/{session_id}/query/execute'])
  for (const [path, methods] of Object.entries<Record<string, { summary?: string; responses: object }>>(body.paths)) {
    for (const operation of Object.values(methods)) t.ok(operation.summary && 'default' in operation.responses, path)
  }
})

t.test('it lists the execution routes if execution is on', async (t) => {
  const server = await startRest({ settings: { QUERY_EXECUTE: true }, plugins: ['@grainline/vendor-duckdb'] })
  t.teardown(() => server.close())
  const { paths } = (await server.get('/openapi.json')).body
  t.ok(paths['/v1/query/execute']?.post)
  t.ok(paths['/v1/sessions/{session_id}/query/execute']?.post)
})

t.test('a query has the schema of the query language, and the query parser still validates requests', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session } = await server.shop()
  const { components, paths } = (await server.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false })
  const bodyOf = (path: string) => ajv.compile({ components, ...paths[path].post.requestBody.content['application/json'].schema })
  const body = bodyOf('/v1/query/sql')
  const query = {
    select: { dimensions: ['Country', { coalesce: ['A', 'B'], as: 'C' }], measures: ['Revenue'] },
    where: [{ logic: 'or', negated: true, filters: [{ field: 'Country', op: 'in', value: ['DE'] }, { segment: 'Large' }] }],
    order_by: [{ field: 1, direction: 'desc' }],
    limit: 5,
  }
  t.ok(body({ query, dialect: 'postgres' }), ajv.errorsText(body.errors))
  t.ok(body(query), `a bare query: ${ajv.errorsText(body.errors)}`)
  t.notOk(body({ query: { ...query, limits: 5 } }), 'an unknown key')
  t.notOk(
    body({ query: { ...query, where: [{ logic: 'or', filters: [{ field: 'Country', op: 'near' }] }] } }),
    'deep in a filter',
  )
  for (const path of ['/v1/query/plan', '/v1/sessions/{session_id}/query/sql', '/v1/composables', '/v1/oneshot/batch'])
    t.ok(bodyOf(path), `${path} has no reference that leads nowhere`)

  const answer = await server.post('/v1/query/sql', {
    session_id: session,
    query: { select: { measures: ['Revenue'] }, limits: 5 },
  })
  t.equal(answer.status, 422)
  t.match(JSON.stringify(answer.body), /limit/, 'the parser names the nearest key')
  const folded = { select: { measures: ['Revenue'] }, orderBy: [{ field: '1' }] }
  t.equal(
    (await server.post('/v1/query/sql', { session_id: session, query: folded })).status,
    200,
    'camelCase and positions as text',
  )
})

t.test('it can be switched off', async (t) => {
  const server = await startRest({ settings: { EXPOSE_OPENAPI_SCHEMA: false } })
  t.teardown(() => server.close())
  t.equal((await server.get('/openapi.json')).status, 404)
})

t.test('answers match the OpenAPI document', async (t) => {
  holds(t, 'route.openapi.truth')
  const server = await startRest()
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const { components, paths } = (await server.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const compile = (schema: object) => ajv.compile({ components, ...schema })
  const cases = [
    ['/health', '/health'],
    ['/v1/sessions', '/v1/sessions'],
    ['/v1/sessions/{session_id}', `/v1/sessions/${session}`],
    ['/v1/sessions/{session_id}/models', `/v1/sessions/${session}/models`],
    ['/v1/sessions/{session_id}/models/{model_id}', `/v1/sessions/${session}/models/${model}`],
    ['/v1/sessions/{session_id}/models/{model_id}/schema', `/v1/sessions/${session}/models/${model}/schema`],
    ['/v1/schema', '/v1/schema'],
    ['/v1/dimensions', '/v1/dimensions'],
    ['/v1/measures/{name}', '/v1/measures/Revenue'],
    ['/v1/metrics', '/v1/metrics'],
    ['/v1/examples', '/v1/examples'],
    ['/v1/models', '/v1/models'],
    ['/v1/dialects', '/v1/dialects'],
    ['/v1/settings', '/v1/settings'],
    ['/v1/reference/schemas/model', '/v1/reference/schemas/model'],
  ] as const
  for (const [path, url] of cases) {
    const answer = await server.get(url)
    t.equal(answer.status, 200, url)
    const validate = compile(paths[path].get.responses['200'].content['application/json'].schema)
    t.ok(validate(answer.body), `${url} ${ajv.errorsText(validate.errors)}`)
  }
  const problem = compile(paths['/v1/schema'].get.responses.default.content['application/problem+json'].schema)
  t.ok(problem((await server.get('/v1/schema?session_id=none')).body))
})

t.test('inside an application, its document is extended and its own routes are unchanged', async (t) => {
  const app = Fastify()
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'App', version: '1' } } })
  await app.register(grainline, { config: { plugins: [rest] }, prefix: '/semantic', environment: { process: {}, dotenv: {} } })
  app.post('/hello', { schema: { summary: 'Hello' } }, async ({ body }) => ({ body }))
  await app.ready()
  t.teardown(() => app.close())
  const document = app.swagger()
  t.same(Object.keys(document.paths ?? {}).filter((path) => path === '/hello' || path === '/semantic/v1/dialects').length, 2)
  t.same((await app.inject('/semantic/openapi.json')).json().info, { title: 'App', version: '1' })
  t.equal((await app.inject('/semantic/v1/nothing')).json().code, 'NOT_FOUND')
  t.equal((await app.inject('/semantic/health')).json().status, 'ok')
  const outside = await app.inject('/nothing')
  t.match(outside.headers['content-type'], /^application\/json/, "the application's own 404")
  t.notOk(outside.headers['x-request-id'], 'no hook leaks')
  const text = await app.inject({ method: 'POST', url: '/hello', headers: { 'content-type': 'text/plain' }, payload: 'hi' })
  t.equal(text.json().body, 'hi', "the application's parsers stay")
})
