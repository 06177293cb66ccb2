/** The rows of the specification that a client can observe over HTTP, on the stock server as `grainline serve` starts it. */
import t from 'tap'
import { holds } from '../specification/holds.js'
import { serve as serveIn } from './serve.js'
import type { Json } from './server.js'
import { shopModel, shopQuery } from './shop.js'

const key = 'a-key-of-thirty-two-characters-00'
const folder = t.testdir()
const model = JSON.stringify(shopModel)
const serve = async (settings: Record<string, string>) => (await serveIn(settings, folder)).ask

const [open, locked] = await Promise.all([
  serve({ QUERY_EXECUTE: 'true', DUCKDB_DATABASE: ':memory:', MODEL_SQL: 'allow', CACHE_BACKEND: 'memory' }),
  serve({ AUTH_MODE: 'api_key', API_KEYS: key, API_KEY_HEADER: 'x-own-key', DISABLE_SESSION_LIST: 'true' }),
])
const session = (await open('POST', '/v1/sessions', { metadata: { camelKey: 'kept' } })).body
const loaded = (await open('POST', `/v1/sessions/${session.session_id}/models`, { model_json: model })).body
const inSession = `/v1/sessions/${session.session_id}`
const inModel = `${inSession}/models/${loaded.model_id}`

t.test('a served process opens, shows, lists and closes sessions', async (t) => {
  holds(t, 'route.ready')
  t.match((await open('GET', '/ready')).body, { status: 'ready' })
  holds(t, 'route.health', 'route.sessions.post', 'route.sessions.list', 'route.sessions.get', 'route.sessions.delete')
  holds(t, 'field.session', 'auth.none', 'status.404', 'error.problem', 'error.request-id', 'state.unguessable')
  t.match((await open('GET', '/health')).body, { status: 'ok', version: /\d/, auth_mode: 'none' })
  t.match(session, { session_id: /^.{16,}$/, created_at: String, last_accessed_at: String, model_count: 0 })
  t.match(session, { metadata: { camelKey: 'kept' }, expires_at: String, max_expires_at: String })
  const other = await open('POST', '/v1/sessions')
  t.equal(other.status, 201, 'no body')
  t.ok((await open('GET', '/v1/sessions')).body.sessions.length >= 2)
  const its = `/v1/sessions/${other.body.session_id}`
  t.equal((await open('GET', its)).status, 200)
  const gone = await open('DELETE', its)
  t.same([gone.status, gone.text], [204, ''])
  const missing = await open('GET', its)
  t.match(missing, { status: 404, type: /^application\/problem\+json/ })
  t.match(missing.body, {
    type: String,
    title: String,
    status: 404,
    detail: String,
    code: 'SESSION_NOT_FOUND',
    request_id: String,
  })
  t.equal(missing.headers.get('x-request-id'), missing.body.request_id)
  const listed = await locked('GET', '/v1/sessions', undefined, { 'x-own-key': key })
  t.equal(listed.status, 403, 'DISABLE_SESSION_LIST')
})

t.test('a served process loads, describes, validates and removes models', async (t) => {
  holds(t, 'route.models.post', 'route.models.list', 'route.models.get', 'route.models.delete', 'route.models.source')
  holds(t, 'route.session-validate', 'route.validate', 'field.model-load', 'field.model-load.json', 'field.model-summary')
  holds(t, 'field.model-description', 'state.reused', 'status.422.model', 'field.error-detail', 'field.unknown')
  t.match(loaded, { model_id: String, data_objects: 2, dimensions: 2, measures: Number, warnings: [], model_load: 'fresh' })
  t.match(loaded.health, { status: String, joins: 1 })
  const again = (await open('POST', `${inSession}/models`, { model_json: shopModel })).body
  t.match(again, { model_load: 'reused', model_id: loaded.model_id })
  t.match((await open('GET', `${inSession}/models`)).body, [{ model_id: loaded.model_id }])
  t.match((await open('GET', inModel)).body, { data_objects: [{ label: 'Sales' }, { label: 'Shops' }], health: {} })
  t.match((await open('GET', `${inModel}/source`)).text, /Sales of two shops/)
  const wrong = { ...shopModel, dimensions: { Region: { dataObject: 'Shop', column: 'Region' } } }
  const refused = await open('POST', `${inSession}/models`, { model_json: wrong })
  t.equal(refused.status, 422)
  t.match(refused.body.errors, [{ code: 'UNKNOWN_DATA_OBJECT', path: 'dimensions.Region.dataObject', message: /Shop/ }])
  for (const url of ['/v1/validate', `${inSession}/validate`])
    t.match(await open('POST', url, { model_json: wrong }), { status: 200, body: { valid: false } })
  t.match((await open('POST', '/v1/validate', { model_jsno: wrong })).text, /model_json/, 'the nearest key')
  const fresh = (await open('POST', `${inSession}/models`, { model_json: shopModel, dedup: false })).body
  t.equal((await open('DELETE', `${inSession}/models/${fresh.model_id}`)).status, 204)
  t.equal((await open('GET', `${inSession}/models/${fresh.model_id}`)).status, 404)
})

t.test('a served process compiles, plans and answers queries, in JSON and in semantic QL', async (t) => {
  holds(t, 'route.query-sql', 'route.query-sql.shortcut', 'route.query-plan', 'route.query-execute', 'route.semantic-ql')
  holds(t, 'route.batch', 'route.formats', 'field.compile', 'field.dialect.order', 'field.case', 'error.timing')
  holds(t, 'status.400.dialect', 'status.422.query')
  const body = { model_id: loaded.model_id, query: shopQuery, dialect: 'duckdb' }
  const compiled = await open('POST', `${inSession}/query/sql`, body)
  t.match(compiled.body, { sql: /sum\(/i, dialect: 'duckdb', resolved: { measures: ['Revenue'] }, warnings: [], sql_valid: true })
  t.match(compiled.body, { explain: { planner: String }, physical_tables: [] })
  t.ok(compiled.headers.get('server-timing'))
  t.equal(
    (await open('POST', '/v1/query/sql?dialect=duckdb', shopQuery)).body.sql,
    compiled.body.sql,
    'the only model, a bare query',
  )
  const { order_by: orderBy, ...query } = shopQuery
  t.equal((await open('POST', '/v1/query/sql', { dialect: 'duckdb', query: { ...query, orderBy } })).body.sql, compiled.body.sql)
  t.match((await open('POST', '/v1/query/sql', { query: shopQuery })).body, { dialect: 'duckdb' })
  t.match((await open('POST', `${inSession}/query/plan`, body)).body, { would_compile: true, filters_applied: 0 })
  const expected = [
    ['North', 30],
    ['South', 5],
    [null, 1],
  ]
  const answered = (await open('POST', `${inSession}/query/execute`, body)).body
  t.match(answered, { rows: expected, row_count: 3, truncated: false })
  const statement = { sql: 'SELECT "Region", "Revenue" FROM shop ORDER BY "Region"', dialect: 'duckdb' }
  t.match((await open('POST', `${inSession}/query/semantic-ql`, statement)).body.rows, expected)
  t.match((await open('POST', `${inSession}/query/semantic-ql/compile`, statement)).body, {
    sql: /sum\(/i,
    query: { select: {} },
  })
  t.match((await open('POST', '/v1/query/execute?format=csv', body)).text, /Region,Revenue/)
  t.equal((await open('POST', '/v1/query/execute?format=xml', body)).status, 406)
  const batch = { session_id: session.session_id, model_id: loaded.model_id, queries: [{ query: shopQuery }, { query: {} }] }
  t.match((await open('POST', '/v1/oneshot/batch', batch)).body.results, [
    { id: 'q0', status: 'ok' },
    { id: 'q1', status: 'error' },
  ])
  const unknown = await open('POST', '/v1/query/sql', { ...body, dialect: 'oracle' })
  t.match(unknown, { status: 400, body: { code: 'UNSUPPORTED_DIALECT' } })
  t.match(unknown.text, /duckdb/)
  const misspelt = await open('POST', '/v1/query/sql', { ...body, query: { select: { measures: ['Revenu'] } } })
  t.equal(misspelt.status, 422)
  t.match(misspelt.text, /Revenue/)
})

t.test('a served process describes its models and itself', async (t) => {
  holds(t, 'route.schema', 'route.fields', 'route.explain', 'route.find', 'route.join-graph', 'route.diagram', 'route.examples')
  holds(
    t,
    'route.composables',
    'route.values',
    'route.cache',
    'route.dialects',
    'route.settings',
    'route.reference',
    'error.etag',
  )
  holds(t, 'route.robots', 'route.docs', 'route.openapi', 'route.models.published', 'field.dialect.capabilities', 'status.405')
  const shows = async (url: string, shape: Json) => t.match((await open('GET', url)).body, shape, url)
  for (const prefix of [inModel, '/v1']) {
    await shows(`${prefix}/schema`, {
      model_id: loaded.model_id,
      version: String,
      data_objects: [{ name: 'Sales' }, { name: 'Shops' }],
    })
    await shows(`${prefix}/dimensions`, [{ name: 'Region' }, { name: 'Sale Id' }])
    await shows(`${prefix}/measures/Revenue`, { name: 'Revenue', aggregation: 'sum' })
    await shows(`${prefix}/metrics`, [{ name: 'Revenue per Sale' }])
    await shows(`${prefix}/explain/Revenue`, { name: 'Revenue', type: 'measure' })
    await shows(`${prefix}/join-graph`, { edges: [{ from_object: 'Sales', to_object: 'Shops' }] })
    await shows(`${prefix}/diagram/er`, { mermaid: /erDiagram/ })
    await shows(`${prefix}/examples`, { examples: [{ name: 'by region' }] })
    await shows(`${prefix}/composables`, { measures: Array })
  }
  t.match((await open('POST', `${inModel}/find`, { query: 'turnover' })).body, { synonym_matches: [{ name: 'Revenue' }] })
  t.match((await open('GET', `${inModel}/values/Region?dialect=duckdb`)).text, /North/)
  await shows('/v1/cache/stats', { backend: 'memory', hit_rate: Number })
  await shows('/v1/models', { models: [], count: 0 })
  await shows('/v1/settings', { single_model_mode: false })
  await shows('/v1/reference', { pages: Array })
  await shows('/openapi.json', { openapi: '3.1.0', components: { schemas: { QueryObject: { type: 'object' } } } })
  const dialects = (await open('GET', '/v1/dialects')).body.dialects as readonly { readonly capabilities: object }[]
  t.equal(dialects.length, 12)
  for (const { capabilities } of dialects) t.ok(Object.values(capabilities).every((can) => typeof can === 'boolean'))
  t.equal((await open('GET', '/robots.txt')).status, 200)
  for (const url of ['/docs', '/redoc']) t.match((await open('GET', url)).text, /<html/i, url)
  const etag = (await open('GET', `${inModel}/schema`)).headers.get('etag') ?? ''
  t.equal((await open('GET', `${inModel}/schema`, undefined, { 'if-none-match': etag })).status, 304)
  const wrongMethod = await open('PUT', '/v1/dialects')
  t.equal(wrongMethod.status, 405)
  t.match(wrongMethod.headers.get('allow'), /GET/)
})

t.test('a served process accepts no request without a key, on known routes, unknown ones and other methods', async (t) => {
  holds(t, 'auth.every-route', 'auth.header', 'status.401', 'route.health', 'route.openapi', 'route.docs', 'route.robots')
  for (const [method, url] of [
    ['GET', '/v1/sessions'],
    ['POST', '/v1/query/sql'],
    ['GET', '/v1/nothing/of/the/kind'],
    ['GET', '/v1'],
    ['PUT', '/v1/dialects'],
    ['GET', '/v1/telemetry/metrics'],
  ] as const) {
    const answer = await locked(method, url)
    t.match(answer, { status: 401, body: { code: 'AUTH_REQUIRED' } }, `${method} ${url}`)
    t.ok(answer.headers.get('www-authenticate'), url)
  }
  t.match(await locked('GET', '/v1/dialects', undefined, { 'x-own-key': 'another-key-of-the-same-length-00' }), {
    status: 401,
    body: { code: 'AUTH_INVALID' },
  })
  for (const headers of [{ 'x-own-key': key }, { authorization: `Bearer ${key}` }])
    t.equal((await locked('GET', '/v1/dialects', undefined, headers)).status, 200)
  for (const url of ['/health', '/ready', '/robots.txt', '/openapi.json', '/docs', '/redoc'])
    t.equal((await locked('GET', url)).status, 200, `${url} needs no key`)
  t.match((await locked('POST', '/v1/query/execute', {}, { 'x-own-key': key })).body, { code: 'EXECUTION_DISABLED' })
})
