/**
 * Single settings on the stock server as `grainline serve` starts it: budgets, SQL in models of clients, authentication, time limits, the
 * web page, files.
 */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { coreVariables } from '@grainline/core/unstable'
import t from 'tap'
import { run } from '../host/process.js'
import { holds } from '../specification/holds.js'
import { type Reply, serve } from './serve.js'
import { shopModel, shopQuery } from './shop.js'

t.setTimeout(600_000)

const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const ADMIN = 'svc_pat_fedcba9876543210fedcba9876543210fedcba98'
const known = { 'x-api-key': KEY }
const config = path.resolve(import.meta.dirname, '../../config/default.yaml')
const memory = { QUERY_EXECUTE: 'true', DUCKDB_DATABASE: ':memory:' }
/** A statement over its rows runs until it is stopped. */
const endless = {
  version: 1,
  name: 'endless',
  dataObjects: {
    Pairs: {
      code: '(SELECT a.range AS n, b.range AS m FROM range(1000000) a CROSS JOIN range(1000000) b)',
      columns: { N: { code: 'n', abstractType: 'int' }, M: { code: 'm', abstractType: 'int' } },
    },
    // More than the buffers between a server and a client that does not read.
    Long: {
      code: "(SELECT range AS n, repeat('x', 2000) AS t FROM range(50000))",
      columns: { N: { code: 'n', abstractType: 'int' }, Text: { code: 't', abstractType: 'string' } },
    },
  },
  dimensions: { N: { dataObject: 'Pairs', column: 'N' } },
  measures: { Highest: { aggregation: 'max', expression: '{[Pairs].[N]} + {[Pairs].[M]}' } },
}
const slow = (limit: number) => ({ select: { measures: ['Highest'] }, limit })
const modelOver = (code: string, more: object = {}) => ({
  version: 1,
  name: 'things',
  dataObjects: { Things: { code, columns: { V: { code: 'v', abstractType: 'string' } }, ...more } },
  dimensions: { V: { dataObject: 'Things', column: 'V' } },
})
const folder = t.testdir({
  'shop.yaml': JSON.stringify(shopModel),
  'endless.yaml': JSON.stringify(endless),
  '.env': 'MAX_SESSIONS=2\nMAX_MODELS_PER_SESSION=1\n',
})
const other = path.join(folder, 'shop.yaml')

/** Sent by hand, because fetch sets `Host` and `Sec-Fetch-Site` itself. */
const asks = (address: string, method: string, path: string, headers: Record<string, string>) =>
  new Promise<{ readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly text: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(address)
      const setHost = headers['host'] === undefined
      const request = http.request({ host: hostname, port, method, path, headers, setHost }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      })
      request.on('error', reject).end()
    },
  )

t.test('a served process enforces budgets and accepts no SQL of clients by default', async (t) => {
  holds(t, 'setting.MODEL_SQL', 'setting.MODEL_SCHEMAS', 'setting.SESSION_MAX_MODEL_BYTES', 'setting.PORT')
  holds(t, 'setting.MODEL_MAX_ENTRIES')
  holds(t, 'setting.API_SERVER_HOST', 'setting.SEMANTIC_QL_STRICT', 'setting.ANSWER_MAX_BYTES', 'settings.order')
  const settings = {
    ...memory,
    API_SERVER_HOST: '127.0.0.2',
    API_SERVER_PORT: '1',
    MODEL_SCHEMAS: 'main',
    MAX_SESSIONS: '3',
    SESSION_MAX_MODEL_BYTES: '60000',
    MODEL_MAX_ENTRIES: '400',
    ANSWER_MAX_BYTES: '40',
    SEMANTIC_QL_STRICT: 'true',
  }
  const { ask, address } = await serve(settings, folder)
  const { hostname, port } = new URL(address)
  t.equal(hostname, '127.0.0.2')
  t.not(port, '1', 'PORT overrides API_SERVER_PORT')
  await t.rejects(asks(`http://127.0.0.1:${port}`, 'GET', '/health', {}), { code: 'ECONNREFUSED' })
  const open = async () => (await ask('POST', '/v1/sessions')).body.session_id
  const load = (session: string, model_json: object): Promise<Reply> =>
    ask('POST', `/v1/sessions/${session}/models`, { model_json })
  const session = await open()
  for (const [model, code] of [
    [shopModel, 'MODEL_SQL_DENIED'],
    [modelOver('sales'), 'MODEL_SQL_DENIED'],
    [modelOver('sales', { schema: 'private' }), 'MODEL_SQL_DENIED'],
  ] as const)
    t.match(await load(session, model), { status: 422, body: { code } })
  const allowed = modelOver('sales', { schema: 'main' })
  t.equal((await load(session, allowed)).status, 201, 'MODEL_SCHEMAS lists it')
  t.match(await load(session, { ...allowed, name: 'second' }), { status: 429, body: { code: 'MODEL_LIMIT' } }, 'of .env')
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, { code: `c${i}`, abstractType: 'string' }]))
  const large = { ...allowed, dataObjects: { Things: { ...allowed.dataObjects.Things, columns: wide } }, dimensions: {} }
  t.match(await load(await open(), large), { status: 429, body: { code: 'MEMORY_LIMIT', detail: /SESSION_MAX_MODEL_BYTES/ } })
  const wider = await open()
  const columns = Object.fromEntries(Array.from({ length: 401 }, (_, i) => [`c${i}`, { code: `c${i}` }]))
  const tooWide = { ...allowed, dataObjects: { Things: { ...allowed.dataObjects.Things, columns } }, dimensions: {} }
  const refusal = { status: 422, body: { code: 'MODEL_INVALID' }, text: /more than 400 entries; MODEL_MAX_ENTRIES/ }
  t.match(await load(wider, tooWide), refusal)
  const yaml = JSON.stringify(tooWide)
  t.match(await ask('POST', `/v1/sessions/${wider}/models`, { model_yaml: yaml }), refusal, 'as text, too')
  t.equal((await ask('POST', '/v1/sessions')).status, 429, 'the environment beats .env')
  const statement = (sql: string) => ask('POST', `/v1/sessions/${session}/query/semantic-ql`, { sql })
  t.match(await statement('SELECT "Things Count" * 2 FROM things'), {
    status: 422,
    body: { code: 'UNSUPPORTED_SQL_FEATURE' },
  })
})

t.test('a served process without a connection believes declared types, or casts every column', async (t) => {
  holds(t, 'setting.COMPILE_UNKNOWN_TYPES')
  const compiled = async (settings: Record<string, string>) => {
    const { ask } = await serve({ ...settings, QUERY_EXECUTE: 'false', MODEL_FILES: 'shop.yaml' }, folder)
    return (
      await ask('POST', '/v1/query/sql', {
        query: { select: { dimensions: ['Region'], measures: ['Revenue'] } },
        dialect: 'duckdb',
      })
    ).body
  }
  const believed = await compiled({})
  t.match(JSON.stringify(believed.warnings), 'TYPES_NOT_CHECKED')
  const cast = await compiled({ COMPILE_UNKNOWN_TYPES: 'cast' })
  t.notMatch(JSON.stringify(cast.warnings), 'TYPES_NOT_CHECKED')
  t.not(cast.sql, believed.sql)
})

t.test('a served process with MODEL_SQL=allow accepts listed functions, and answers within its limit of bytes', async (t) => {
  holds(t, 'setting.MODEL_FUNCTIONS', 'setting.ANSWER_MAX_BYTES', 'field.model-load.extends', 'status.429.rate')
  const limits = { MODEL_FUNCTIONS: 'getenv', ANSWER_MAX_BYTES: '60', SESSION_RATE_LIMIT: '1', MAX_MODELS_PER_SESSION: '9' }
  const { ask } = await serve({ ...memory, MODEL_SQL: 'allow', ...limits }, folder)
  const { session_id } = (await ask('POST', '/v1/sessions')).body
  const again = await ask('POST', '/v1/sessions')
  t.match(again, { status: 429, body: { code: 'RATE_LIMITED' } })
  t.ok(Number(again.headers.get('retry-after')) > 0)
  const models = `/v1/sessions/${session_id}/models`
  const valid = async (code: string) => (await ask('POST', '/v1/validate', { model_json: modelOver(code) })).body.valid
  t.same(await Promise.all(["(SELECT getenv('HOME') AS v)", '(SELECT our_own(1) AS v)'].map(valid)), [true, false])
  const fragment = 'measures:\n  Smallest: { aggregation: min, columns: [{ dataObject: Sales, column: Amount }] }\n'
  const loaded = await ask('POST', models, { model_json: shopModel, extends: [fragment] })
  t.match(loaded, { status: 201, body: { measures: 4 } })
  const child = 'measures:\n  Biggest: { aggregation: max, columns: [{ dataObject: Sales, column: Amount }] }\n'
  const { model_id } = loaded.body
  t.match(await ask('POST', models, { model_yaml: child, inherits: model_id }), { status: 201, body: { measures: 5 } })
  const run = (query: object) => ask('POST', `/v1/sessions/${session_id}/query/execute`, { model_id, query })
  t.match(await run({ select: { measures: ['Revenue'] } }), { status: 200 })
  t.match(await run({ select: { dimensions: ['Region', 'Sale Id'], measures: ['Revenue', 'Smallest'] } }), {
    status: 422,
    body: { code: 'ANSWER_TOO_LARGE', hint: /ANSWER_MAX_BYTES/ },
  })
})

t.test(
  'a served process without execution refuses only the executed query of a batch, and removes sessions in time',
  async (t) => {
    holds(t, 'route.batch.execute', 'route.batch.session', 'state.idle-expired', 'state.age-expired')
    const short = { SESSION_TTL_SECONDS: '4', SESSION_MAX_AGE_SECONDS: '6', MAX_SESSIONS: '1' }
    const { ask } = await serve({ MODEL_SQL: 'allow', ...short }, folder)
    const model_yaml = JSON.stringify(shopModel)
    const batch = () =>
      ask('POST', '/v1/oneshot/batch', { model_yaml, queries: [{ query: shopQuery, execute: true }, { query: shopQuery }] })
    const { body } = await batch()
    t.match(body.results, [
      { status: 'error', error: { code: 'EXECUTION_DISABLED' } },
      { status: 'ok', executed: false },
    ])
    const { session_id } = (await ask('POST', '/v1/sessions')).body
    t.match(await batch(), { status: 429, body: { code: 'SESSION_LIMIT' } }, 'its session counts')
    const there = async () => (await ask('GET', '/v1/sessions')).body.sessions.length
    while ((await there()) > 0) await wait(50)
    t.equal((await ask('GET', `/v1/sessions/${session_id}`)).status, 404, 'a list moves no deadline')
    const old = (await ask('POST', '/v1/sessions')).body
    let last = await ask('GET', `/v1/sessions/${old.session_id}`)
    for (; last.status === 200; last = await ask('GET', `/v1/sessions/${old.session_id}`)) await wait(50)
    t.equal(last.status, 404, 'though it was accessed all the time')
  },
)

t.test('a served process stops statements that take too long or whose client has disconnected', async (t) => {
  holds(t, 'setting.REST_QUERY_TIMEOUT_SECONDS', 'setting.ONESHOT_BATCH_DEFAULT_TIMEOUT_MS', 'status.504')
  holds(
    t,
    'setting.ONESHOT_BATCH_BATCH_TIMEOUT_MS',
    'setting.ONESHOT_BATCH_MAX_PARALLELISM',
    'error.disconnect',
    'route.backpressure',
  )
  holds(t, 'log.audit')
  const audit = path.join(folder, 'audit.jsonl')
  const limits = {
    REST_QUERY_TIMEOUT_SECONDS: '4',
    ONESHOT_BATCH_DEFAULT_TIMEOUT_MS: '500',
    ONESHOT_BATCH_BATCH_TIMEOUT_MS: '1200',
    ONESHOT_BATCH_MAX_PARALLELISM: '1',
    DB_POOL_SIZE: '1',
    ANSWER_MAX_ROWS: '1000000000',
    ANSWER_MAX_BYTES: '1000000000000',
    AUDIT_FILE: audit,
  }
  const { ask, address } = await serve({ ...memory, ...limits, MODEL_FILES: `${folder}/endless.yaml,${other}` }, folder)
  const run = (session_id: string, query: object) => ask('POST', '/v1/query/execute', { session_id, query })
  t.match(await run('endless', slow(1)), { status: 504, body: { code: 'QUERY_TIMEOUT', hint: /REST_QUERY_TIMEOUT_SECONDS/ } })
  t.match(await run('shop', shopQuery), { status: 200 }, 'the one connection is free again')
  const narrow = { ...slow(1), where: [{ field: 'N', op: '=', value: 1 }] }
  t.match(await run('endless', narrow), { status: 200, body: { rows: [[1_000_000]] } }, 'a narrower question')
  const at = { session_id: 'endless', execute: true, max_parallelism: 9 }
  const late = { status: 'cancelled', error: { code: 'QUERY_TIMEOUT' } }
  const queries = Array.from({ length: 5 }, (_, i) => ({ query: slow(i + 1) }))
  const { body } = await ask('POST', '/v1/oneshot/batch', { ...at, queries })
  t.match(body.results, [late, late, late, late, late])
  t.match(body.batch_warnings, [{ code: 'BATCH_PARALLELISM_CLAMPED' }])
  t.notMatch(body.results[0].error.message, /batch/, 'its own time')
  t.match(body.results[4].error.message, /batch/, 'that of the batch')

  const client = new AbortController()
  const all = { session_id: 'endless', query: { select: { fields: ['Long.N', 'Long.Text'] }, limit: 50_000 } }
  const streaming = await fetch(`${address}/v1/query/execute?format=ndjson`, { ...post(all), signal: client.signal })
  t.equal(streaming.status, 200)
  t.equal((await streaming.body!.getReader().read()).done, false, 'rows come')
  client.abort()
  t.match(await run('shop', shopQuery), { status: 200 }, 'the connection of a client that went away is free for the next')
  t.ok(lines(audit).some(({ outcome }) => outcome === 'QUERY_CANCELLED'))
  t.match(lines(audit), [
    { verb: 'execute', outcome: 'QUERY_TIMEOUT', query: slow(1) },
    { verb: 'execute', outcome: 'ok', rows: 3, surface: 'rest', query: shopQuery, time: String },
  ])
})

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

t.test('a served process on a loopback address answers probes and forwarded requests under every host name', async (t) => {
  holds(t, 'setting.ALLOWED_HOSTS')
  const [host, forwarded] = ['shop.example', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'localhost' }]
  const statusOf = async (address: string, url: string, headers: Record<string, string>) =>
    (await asks(address, 'GET', url, headers)).status
  const { address } = await serve({}, folder)
  for (const url of ['/health', '/ready', '/robots.txt']) t.equal(await statusOf(address, url, { host }), 200, url)
  for (const url of ['/v1/models', '/openapi.json', '/ui', '/nothing'])
    t.equal(await statusOf(address, url, { host, ...forwarded }), 403, url)
  const { address: proxied, process } = await serve({ TRUSTED_PROXY_COUNT: '1' }, folder)
  await process.shows(/Set ALLOWED_HOSTS to the names that clients use/)
  t.equal(await statusOf(proxied, '/v1/models', { host, ...forwarded }), 200)
  t.equal(await statusOf(proxied, '/v1/models', { host }), 403, 'not forwarded')
})

t.test('a served process accepts the configured host names, origins and administrators', async (t) => {
  holds(t, 'setting.ALLOWED_HOSTS', 'setting.ALLOWED_ORIGINS', 'setting.ADMIN_API_KEYS', 'setting.LOG_LEVEL')
  const origin = 'https://app.example'
  const keys = { AUTH_MODE: 'api_key', API_KEYS: KEY, ADMIN_API_KEYS: ADMIN }
  const { address, process } = await serve(
    { ...keys, ALLOWED_HOSTS: 'api.example', ALLOWED_ORIGINS: origin, LOG_LEVEL: 'INFO' },
    folder,
  )
  const status = async (method: string, url: string, headers: Record<string, string>) =>
    (await asks(address, method, url, headers)).status
  const refused = async (method: string, url: string, headers: Record<string, string>) =>
    JSON.parse((await asks(address, method, url, headers)).text)
  t.equal(await status('GET', '/v1/sessions', { ...known, host: 'api.example' }), 200)
  t.equal(await status('GET', '/health', { host: 'evil.example' }), 200, 'a probe')
  t.match(await refused('GET', '/v1/sessions', { ...known, host: 'evil.example' }), {
    code: 'HOST_REFUSED',
    hint: /ALLOWED_HOSTS/,
  })
  const foreign = { ...known, origin: 'https://evil.example' }
  t.match(await refused('POST', '/v1/sessions', foreign), { code: 'ORIGIN_REFUSED', hint: /ALLOWED_ORIGINS/ })
  const asked = { origin, 'access-control-request-method': 'POST' }
  t.match(await asks(address, 'OPTIONS', '/v1/sessions', asked), {
    status: 204,
    headers: { 'access-control-allow-origin': origin },
  })
  t.equal(await status('POST', '/v1/sessions', { ...known, origin }), 201)
  t.equal(await status('POST', '/v1/cache/clear', known), 403)
  t.equal(await status('POST', '/v1/cache/clear', { 'x-api-key': ADMIN }), 200)
  t.notMatch(process.stdout() + process.stderr(), /\bDEBUG\b|"debug"/)
})

t.test('a served process admits the keys of a file', async (t) => {
  holds(t, 'setting.API_KEYS_FILE')
  const dir = t.testdir({ 'keys.yaml': `- { name: ann, key: ${KEY} }\n- { name: ops, key: ${ADMIN}, roles: [admin] }\n` })
  const { address } = await serve({ AUTH_MODE: 'api_key', API_KEYS_FILE: `${dir}/keys.yaml` }, folder)
  const status = async (url: string, key: string) => (await asks(address, 'POST', url, { 'x-api-key': key })).status
  t.equal(await status('/v1/sessions', KEY), 201)
  t.equal(await status('/v1/sessions', `${KEY}0`), 401)
  t.equal(await status('/v1/cache/clear', KEY), 403)
  t.equal(await status('/v1/cache/clear', ADMIN), 200)
})

t.test('a served process shows the web page, with a key that no browser sees, or does not serve it', async (t) => {
  holds(t, 'route.ui', 'ui.key', 'setting.SVC_API_KEY', 'setting.ROOT_PATH', 'setting.UI_ENABLED')
  const own = { 'x-grainline-ui': '1' }
  const { ask, process } = await serve({ AUTH_MODE: 'api_key', API_KEYS: KEY, SVC_API_KEY: KEY, ROOT_PATH: '/bi' }, folder)
  const page = await ask('GET', '/ui/')
  t.match(page, { status: 200, text: '<base href="/bi/ui/">' })
  const answer = await ask('GET', '/ui/api/v1/models', undefined, own)
  t.equal(answer.status, 200, answer.text)
  t.equal((await ask('GET', '/v1/models')).status, 401)
  t.match(await ask('GET', '/bi/ui/'), { status: 200, text: '<base href="/bi/ui/">' }, 'a balancer may keep its prefix')
  t.equal((await ask('GET', '/bi/ui/api/v1/models', undefined, own)).status, 200)
  t.equal((await ask('GET', '/bi/v1/models')).status, 401)
  t.equal((await ask('GET', '/bi/v1/models', undefined, { 'x-api-key': KEY })).status, 200)
  t.equal((await ask('GET', '/bill/ui/')).status, 401, 'only whole segments are a prefix')
  for (const text of [page.text, answer.text, process.stdout(), process.stderr()]) t.notMatch(text, KEY)
  const without = await serve({ UI_ENABLED: 'false' }, folder)
  t.equal((await without.ask('GET', '/ui/')).status, 404)
})

t.test('a served process reads rollup tables as ROLLUPS says, and a query may say otherwise', async (t) => {
  holds(t, 'setting.ROLLUPS')
  const { ask } = await serve({ ...memory, MODEL_SQL: 'allow', ROLLUPS: 'require', ROLLUPS_REFRESH_SECONDS: '1' }, folder)
  const { session_id } = (await ask('POST', '/v1/sessions')).body
  const loaded = await ask('POST', `/v1/sessions/${session_id}/models`, { model_json: shopModel })
  t.equal(loaded.status, 201, loaded.text)
  const { model_id } = loaded.body
  const compiled = (more: object) =>
    ask('POST', `/v1/sessions/${session_id}/query/sql`, { model_id, query: { ...shopQuery, ...more } })
  const refused = await compiled({})
  t.match(refused, { status: 422, body: { code: 'ROLLUP_REQUIRED' } }, refused.text)
  t.match(await compiled({ rollups: 'never' }), { status: 200 })
})

t.test('a process without configuration uses the default of each setting, and reports it as a default', async (t) => {
  holds(t, 'default.*')
  const cwd = t.testdir()
  const { code, stdout, stderr } = await run(t, ['plugins', '--json', '--config', config], { cwd })
  t.equal(code, 0, stderr)
  const { settings } = JSON.parse(stdout) as { settings: readonly { name: string; value: unknown; origin: string }[] }
  for (const [name, variable] of Object.entries(coreVariables)) {
    const found = settings.find((setting) => setting.name === name)
    t.equal(found?.origin, 'default', name)
    if (!variable.secret) t.same(found?.value, variable.default, name)
  }
})
