/**
 * Further rows of the specification on the stock server as `grainline serve` starts it: limits, curated models, errors, batches, caches,
 * keys and the Postgres wire.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { connectRaw, cstring, message, query, SSL_REQUEST, startup } from '../pgwire/raw-client.js'
import { holds } from '../specification/holds.js'
import { serve } from './serve.js'
import { shopModel, shopQuery } from './shop.js'

t.setTimeout(600_000)

const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const OTHER = 'svc_pat_fedcba9876543210fedcba9876543210fedcba98'
const WEAK = 'twenty-letters-long!'
const folder = t.testdir({
  'shop.yaml': JSON.stringify({ ...shopModel, name: 'North Shop' }),
  'second.yaml': JSON.stringify({ ...shopModel, name: undefined }),
})
const running = { QUERY_EXECUTE: 'true', DUCKDB_DATABASE: ':memory:', MODEL_SQL: 'allow' }

t.test('a served process limits sessions, models, answers and statements, and names the setting', async (t) => {
  holds(t, 'status.429.sessions', 'status.429.models', 'status.413', 'status.415', 'status.400.json', 'status.406', 'status.502')
  holds(
    t,
    'field.model-load.dedup',
    'field.model-load.length',
    'state.model-count',
    'setting.UNKNOWN',
    'setting.QUERY_DEFAULT_LIMIT',
  )
  holds(t, 'setting.ANSWER_MAX_ROWS', 'setting.ONESHOT_BATCH_MAX_QUERIES', 'route.batch.refused', 'state.idle', 'status.409')
  const limits = { MAX_SESSIONS: '2', MAX_MODELS_PER_SESSION: '2', QUERY_DEFAULT_LIMIT: '1', ANSWER_MAX_ROWS: '2' }
  const { ask } = await serve({ ...running, ...limits, ONESHOT_BATCH_MAX_QUERIES: '1', NOT_A_SETTING: 'x' }, folder)
  const opened = (await ask('POST', '/v1/sessions')).body
  const at = `/v1/sessions/${opened.session_id}`
  const load = (more: object = {}) => ask('POST', `${at}/models`, { model_json: shopModel, ...more })
  const first = (await load()).body
  t.match((await load()).body, { model_load: 'reused', model_id: first.model_id })
  t.match((await load({ dedup: false })).body, { model_load: 'fresh' })
  const seen = (await ask('GET', at)).body
  t.match(seen, { model_count: 2, max_expires_at: opened.max_expires_at })
  t.ok(seen.expires_at > opened.expires_at, 'an access moves the deadline')
  t.match(await load({ dedup: false }), { status: 429, body: { code: 'MODEL_LIMIT' } })
  t.match(await ask('GET', '/v1/schema'), { status: 409, body: { code: 'CONFLICT', suggestions: [String, String] } })
  t.match(await ask('POST', '/v1/validate', { model_yaml: 'é'.repeat(5_000_001) }), { status: 422 })
  t.equal((await ask('POST', '/v1/sessions')).status, 201)
  const full = await ask('POST', '/v1/sessions')
  t.match(full, { status: 429, body: { code: 'SESSION_LIMIT' } })
  t.ok(Number(full.headers.get('retry-after')) > 0)
  const execute = (asked: object, headers = {}) =>
    ask('POST', `${at}/query/execute`, { model_id: first.model_id, query: asked }, headers)
  t.match((await execute(shopQuery)).body, { row_count: 1, truncated: true, warnings: [{ code: 'DEFAULT_LIMIT_APPLIED' }] })
  t.match((await execute({ ...shopQuery, limit: 2 })).body, { row_count: 2, truncated: false })
  t.match(await execute({ ...shopQuery, limit: 3 }), { status: 422, body: { code: 'ANSWER_TOO_LARGE', hint: /ANSWER_MAX_ROWS/ } })
  t.match(await execute(shopQuery, { accept: 'image/png' }), { status: 406, body: { code: 'NOT_ACCEPTABLE' } })
  t.match(await ask('POST', '/v1/validate', '{'), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await ask('POST', '/v1/validate', 'a', { 'content-type': 'text/plain' }), { status: 415 })
  t.match(await ask('POST', '/v1/query/sql', { query: 'x'.repeat(2 ** 20) }), { status: 413 })
  const twice = { session_id: opened.session_id, model_id: first.model_id, queries: [{ query: shopQuery }, { query: shopQuery }] }
  t.match(await ask('POST', '/v1/oneshot/batch', twice), { status: 422 })
  await ask('DELETE', `${at}/models/${first.model_id}`)
  t.match((await ask('GET', at)).body, { model_count: 1 })
  const { Sales } = shopModel.dataObjects
  const wrong = { ...Sales, columns: { ...Sales.columns, Amount: { code: 'amuont', abstractType: 'int' } } }
  const { model_id } = (await load({ model_json: { ...shopModel, dataObjects: { ...shopModel.dataObjects, Sales: wrong } } }))
    .body
  t.match(await ask('POST', `${at}/query/execute`, { model_id, query: shopQuery }), { status: 502, body: { detail: /amuont/ } })
})

t.test('a served process runs batches, shows rows behind a cell, formats, compresses, verifies and caches answers', async (t) => {
  holds(t, 'route.batch.model', 'route.batch.dedup', 'route.batch.fail-fast', 'route.query-rows', 'route.format-values')
  holds(
    t,
    'route.compression',
    'route.verify',
    'route.metrics',
    'route.heartbeat',
    'cache.size',
    'cache.hit',
    'route.openapi.truth',
  )
  const more = { CACHE_BACKEND: 'memory', METRICS_ENABLED: 'true', HEARTBEAT_AUTH_TOKEN: 'a-token-of-the-heart-of-32-chars' }
  const { ask } = await serve({ ...running, ...more, CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl' }, folder)
  const { session_id } = (await ask('POST', '/v1/sessions')).body
  const at = `/v1/sessions/${session_id}`
  const { model_id } = (await ask('POST', `${at}/models`, { model_json: shopModel })).body
  const faulty = { id: 'wrong', query: { select: { measures: ['Nothing'] } } }
  const batch = (queries: object[], rest: object = {}) =>
    ask('POST', '/v1/oneshot/batch', { session_id, model_id, queries, max_parallelism: 1, ...rest })
  const good = { id: 'good', query: shopQuery, execute: true }
  t.match((await batch([faulty, good])).body.results, [{ status: 'error' }, { status: 'ok' }])
  t.match((await batch([faulty, good], { fail_fast: true })).body.results, [{ status: 'error' }, { status: 'cancelled' }])
  t.match((await batch([good, { ...good, id: 'again' }])).body.results, [{ status: 'ok' }, { status: 'ok' }])
  const brought = { model_yaml: JSON.stringify(shopModel), queries: [good] }
  t.match((await ask('POST', '/v1/oneshot/batch', brought)).body.results, [{ status: 'ok' }])
  t.equal((await ask('GET', '/v1/sessions')).body.sessions.length, 1, 'its model is gone, and its session')

  const rows = { model_id, query: shopQuery, cell: { Region: 'North' }, measure: 'Revenue' }
  t.match((await ask('POST', `${at}/query/rows`, rows)).body, { value: '30', reconciled: true, facts: [{ row_count: 2 }] })
  const executed = await ask('POST', `${at}/query/execute?format_values=true&locale=de`, { model_id, query: shopQuery })
  t.match(executed.text, /30,00/)
  t.match((await ask('POST', `${at}/models/${model_id}/verify`)).body, { findings: Array })
  t.match((await ask('GET', `${at}/models/${model_id}`)).text, /verif/)
  t.match((await ask('GET', '/v1/telemetry/metrics')).text, /^# HELP /m)
  t.match((await ask('GET', '/v1/cache/stats')).body, { backend: 'memory' })
  const beat = (token: string) => ask('POST', '/v1/heartbeat', { tables: ['sales'] }, { authorization: `Bearer ${token}` })
  t.equal((await beat('another')).status, 401)
  t.not((await beat(more.HEARTBEAT_AUTH_TOKEN)).status, 401)
  const { components, paths } = (await ask('GET', '/openapi.json')).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const shape = paths['/v1/query/execute'].post.responses['200'].content['application/json'].schema
  const plain = await ask('POST', `${at}/query/execute`, { model_id, query: shopQuery })
  t.ok(ajv.compile({ components, ...shape })(plain.body), plain.text)
})

t.test('a served process with models from files publishes them, and ignores changes by clients', async (t) => {
  holds(t, 'curated.names', 'curated.refuses', 'curated.named-routes', 'state.protected', 'status.403', 'setting.MODEL_DIR')
  holds(t, 'auth.many', 'auth.weak', 'auth.alias', 'auth.secret', 'status.401')
  const keys = { AUTH_ENABLED: 'true', API_KEYS: `${KEY},${OTHER},${WEAK}` }
  const { ask, process } = await serve({ ...keys, MODEL_DIR: folder, MODEL_FILES: 'shop.yaml,second.yaml' }, folder)
  const known = { 'x-api-key': KEY }
  for (const key of [KEY, OTHER, WEAK]) t.equal((await ask('GET', '/v1/models', undefined, { 'x-api-key': key })).status, 200)
  const wrong = await ask('GET', '/v1/models', undefined, { 'x-api-key': `${KEY}x` })
  t.match(wrong, { status: 401, body: { code: 'AUTH_INVALID' } })
  const { body } = await ask('GET', '/v1/models', undefined, known)
  t.match(body, { count: 2, models: [{ name: 'North_Shop' }, { name: 'second' }] })
  const forever = { expires_at: '9999-12-31T23:59:59Z', max_expires_at: '9999-12-31T23:59:59Z', model_count: 1 }
  t.match((await ask('GET', '/v1/sessions/North_Shop', undefined, known)).body, forever)
  t.match((await ask('GET', '/v1/schema?model=second', undefined, known)).body, { model_id: 'second' })
  t.match(await ask('GET', '/v1/schema', undefined, known), { status: 409, body: { code: 'CONFLICT' } })
  t.match(await ask('DELETE', '/v1/sessions/second', undefined, known), { status: 403, body: { code: 'SESSION_PROTECTED' } })
  t.match(await ask('POST', '/v1/sessions/second/models', { model_json: shopModel }, known), {
    status: 403,
    body: { code: 'CURATED_MODE' },
  })
  t.match(process.stderr() + process.stdout(), /fewer than 32 characters/)
  t.match(process.stderr() + process.stdout(), /AUTH_ENABLED/)
  for (const secret of [KEY, OTHER, WEAK]) t.notMatch(process.stderr() + process.stdout() + wrong.text, secret)
})

t.test('a served process answers the Postgres wire', async (t) => {
  holds(t, 'pgwire.no-tls', 'pgwire.trust', 'pgwire.database', 'pgwire.simple', 'setting.PGWIRE_ENABLED', 'pgwire.execution')
  const wire = { PGWIRE_ENABLED: 'true', PGWIRE_PORT: '0', MODEL_DIR: folder, MODEL_FILES: 'shop.yaml' }
  for (const [QUERY_EXECUTE, outcome] of [
    ['true', 'D'],
    ['false', 'E'],
  ] as const) {
    const { process } = await serve({ ...running, ...wire, QUERY_EXECUTE }, folder)
    const [, port] = await process.shows(/postgres:\/\/[^:\s]+:(\d+)/)
    const client = await connectRaw(Number(port))
    client.send(SSL_REQUEST)
    t.equal((await client.bytes(1)).toString(), 'N', 'no certificate, no TLS')
    client.send(startup({ user: 'anybody', database: 'North_Shop' }))
    t.equal((await client.until('Z')).at(-1)?.type, 'Z', 'let in')
    client.send(query('SELECT "Region", "Revenue" FROM "North_Shop" ORDER BY 1'))
    const answer = await client.until('Z')
    t.ok(
      answer.some(({ type }) => type === outcome),
      answer.map(({ type, body }) => `${type} ${body}`).join(),
    )
    client.end()
  }
})

t.test('a served process with keys requires one on the Postgres wire', async (t) => {
  holds(t, 'pgwire.password', 'pgwire.scram', 'pgwire.secret')
  const wire = {
    PGWIRE_ENABLED: 'true',
    PGWIRE_PORT: '0',
    MODEL_DIR: folder,
    MODEL_FILES: 'shop.yaml',
  }
  const keys = { AUTH_MODE: 'api_key', API_KEYS: KEY }
  const { process } = await serve({ ...running, ...wire, ...keys, PGWIRE_AUTH_MODE: 'password' }, folder)
  const [, port] = await process.shows(/postgres:\/\/[^:\s]+:(\d+)/)
  const start = startup({ user: 'anybody', database: 'North_Shop' })
  const enter = async (key: string) => {
    const client = await connectRaw(Number(port))
    client.send(start)
    const asked = await client.next()
    if (asked?.type !== 'R') return { client, told: asked }
    t.equal(asked.body.readInt32BE(0), 3, 'in clear text')
    client.send(message('p', cstring(key)))
    return { client, told: await client.next() }
  }
  const right = await enter(KEY)
  t.equal(right.told?.type, 'R')
  t.equal(right.told?.body.readInt32BE(0), 0)
  const wrong = await enter(`${KEY}x`)
  t.match(wrong.told?.body.toString(), /28P01/)
  for (const { client } of [right, wrong]) client.end()
  t.notMatch(process.stderr() + process.stdout(), KEY)
  const scram = await serve({ ...running, ...wire, ...keys }, folder)
  const [, other] = await scram.process.shows(/postgres:\/\/[^:\s]+:(\d+)/)
  const client = await connectRaw(Number(other))
  client.send(start)
  const asked = await client.next()
  t.equal(asked?.body.readInt32BE(0), 10, 'by SASL')
  t.match(asked?.body.toString(), /SCRAM-SHA-256/)
  client.end()
})
