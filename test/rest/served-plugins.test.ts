/**
 * Rows of the specification that need a third-party plugin, or a database with unusual behaviour, on a server as `grainline serve` starts
 * it.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { holds } from '../specification/holds.js'
import { collector } from './collector.js'
import { serve } from './serve.js'
import { shopModel, shopQuery } from './shop.js'

t.setTimeout(600_000)

/** A surface with a failing and a deprecated route, and a database whose statements wait until the file `go` exists. */
const PLUGIN = `
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, GrainlineError } from '@grainline/core'
import { batchFromRows } from '@grainline/core/vendor'

const surface = {
  kind: 'http',
  name: 'acme',
  async routes(app) {
    app.get('/acme/fails', async () => {
      throw new Error('the password of the database is hunter2')
    })
    app.get('/acme/old', { config: { deprecation: { since: '2026-01-01', sunset: '2026-06-01' } } }, async () => 'old')
    app.get('/acme/new', async () => 'new')
  },
}

async function* query(sql, { schema, signal }) {
  if (/LIMIT 503/.test(sql)) throw new GrainlineError('POOL_EXHAUSTED', 'All 3 connections are busy')
  if (/LIMIT 77/.test(sql)) {
    console.error('a statement began')
    try {
      while (!existsSync('go')) await sleep(10, undefined, { signal })
    } catch {
      console.error('a statement was cancelled: ' + signal.reason.code)
      throw signal.reason
    }
  }
  yield batchFromRows(schema, [['North', '30']])
}

const connection = {
  query,
  check: async () => ({ valid: true }),
  explain: async () => ({ format: 'text', output: 'a plan' }),
  timezone: async () => 'UTC',
  close: async () => {},
}

export default definePlugin({
  name: 'acme',
  host: '*',
  setup(host) {
    host.surfaces.register(surface)
    const connect = async ({ poolSize }) => {
      console.error('a pool of ' + poolSize)
      return connection
    }
    host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect })
  },
})
`
const plugins = [
  '@grainline/dialect-duckdb',
  '@grainline/semantic-ql',
  '@grainline/cache-memory',
  '@grainline/surface-rest',
  { use: '@grainline/traces', enabled: 'TRACES_ENABLED' },
  './acme.mjs',
]
const running = { QUERY_EXECUTE: 'true', MODEL_SQL: 'allow' }

/** A server with the plugin, in a separate folder, and the shop in a session. */
async function acme(t: Test, settings: Record<string, string>) {
  const folder = t.testdir({ 'acme.mjs': PLUGIN, 'grainline.yaml': JSON.stringify({ plugins }) })
  const served = await serve({ ...running, ...settings }, folder, path.join(folder, 'grainline.yaml'))
  const { session_id } = (await served.ask('POST', '/v1/sessions')).body
  const { model_id } = (await served.ask('POST', `/v1/sessions/${session_id}/models`, { model_json: shopModel })).body
  const execute = (limit: number) =>
    served.ask('POST', '/v1/query/execute', { session_id, model_id, query: { ...shopQuery, limit } })
  return { ...served, folder, session_id, model_id, execute, go: () => writeFileSync(path.join(folder, 'go'), '') }
}

t.test('on a served process a failing plugin causes an ordinary problem document, and a deprecated route says so', async (t) => {
  holds(t, 'status.500', 'error.plugin', 'error.deprecation')
  const { ask, process } = await acme(t, {})
  const failed = await ask('GET', '/acme/fails')
  t.match(failed, { status: 500, type: /problem\+json/, body: { code: 'INTERNAL_ERROR' } })
  t.equal(failed.body.request_id, failed.headers.get('x-request-id'))
  t.notMatch(failed.text, /hunter2|acme\.mjs/)
  t.match((await process.shows(/hunter2/))[0], 'hunter2', 'the log tells the operator')
  const old = await ask('GET', '/acme/old')
  t.equal(old.headers.get('deprecation'), '@1767225600')
  t.equal(old.headers.get('sunset'), 'Mon, 01 Jun 2026 00:00:00 GMT')
  t.equal((await ask('GET', '/acme/new')).headers.get('deprecation'), null)
})

t.test('a served process gives a database its pool size, and answers 503 when the pool is exhausted', async (t) => {
  holds(t, 'setting.DB_POOL_SIZE', 'status.503')
  const { execute, process } = await acme(t, { DB_POOL_SIZE: '3' })
  t.match(await execute(1), { status: 200, body: { row_count: 1 } })
  t.match((await process.shows(/a pool of (\d+)/))[1], '3')
  const busy = await execute(503)
  t.match(busy, { status: 503, body: { code: 'POOL_EXHAUSTED', detail: /All 3 connections are busy/ } })
  t.ok(Number(busy.headers.get('retry-after')) > 0)
})

t.test('on a served process a further statement of a client waits, is refused after 10 s, and succeeds later', async (t) => {
  holds(t, 'setting.CLIENT_MAX_STATEMENTS')
  const { execute, go, process } = await acme(t, { CLIENT_MAX_STATEMENTS: '1', CACHE_BACKEND: 'noop' })
  const first = execute(77)
  await process.shows(/a statement began/)
  const began = performance.now()
  t.match(await execute(2), { status: 429, body: { code: 'TOO_MANY_STATEMENTS', hint: /CLIENT_MAX_STATEMENTS/ } })
  t.ok(performance.now() - began >= 9900, 'it waited')
  const second = execute(2)
  go()
  t.match(await first, { status: 200 })
  t.match(await second, { status: 200 })
})

t.test(
  'when a client of a served process disconnects, its batch is cancelled in the database, and leaves no session',
  async (t) => {
    holds(t, 'route.batch.gone')
    const { address, ask, process } = await acme(t, {})
    const client = new AbortController()
    const asked = fetch(`${address}/v1/oneshot/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model_yaml: JSON.stringify(shopModel),
        execute: true,
        queries: [{ query: { ...shopQuery, limit: 77 } }],
      }),
      signal: client.signal,
    })
    await process.shows(/a statement began/)
    client.abort()
    await t.rejects(asked)
    t.match((await process.shows(/a statement was cancelled: (\w+)/))[1], 'QUERY_CANCELLED')
    while ((await ask('GET', '/v1/sessions')).body.sessions.length > 1) await new Promise((turn) => setImmediate(turn))
  },
)

t.test('a served process removes expired sessions every SESSION_CLEANUP_INTERVAL', async (t) => {
  holds(t, 'state.swept')
  const limits = { SESSION_TTL_SECONDS: '1', SESSION_CLEANUP_INTERVAL: '2', METRICS_ENABLED: 'true' }
  const { ask } = await acme(t, limits)
  const held = async () =>
    /^grainline_held\{what="sessions"\} (\d+)$/m.exec((await ask('GET', '/v1/telemetry/metrics')).text)?.[1]
  t.equal(await held(), '1')
  // No further request uses the session, so it expires.
  while ((await held()) !== '0') await new Promise((turn) => setTimeout(turn, 50))
})

t.test(
  'a served process traces a query as part of the trace of its caller, and sends nothing without TRACES_ENABLED',
  async (t) => {
    holds(t, 'trace.stages', 'setting.TRACES_ENABLED')
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    for (const enabled of ['false', 'true']) {
      const collected = await collector()
      t.teardown(collected.close)
      const to = { TRACES_ENABLED: enabled, OTEL_EXPORTER_OTLP_ENDPOINT: collected.url, CACHE_BACKEND: 'memory' }
      const { ask, session_id, model_id, process } = await acme(t, to)
      const asked = { session_id, model_id, query: shopQuery }
      const parent = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
      t.match(await ask('POST', '/v1/query/execute', asked, parent), { status: 200 })
      process.signal('SIGTERM')
      await process.ended
      const names = new Set(collected.spans.filter((span) => span.traceId === traceId).map(({ name }) => name))
      const stages = ['compile', 'cache', 'database', 'encode']
      t.same(
        stages.filter((name) => names.has(name)),
        enabled === 'true' ? stages : [],
        `TRACES_ENABLED=${enabled}`,
      )
      if (enabled === 'false') t.same(collected.bodies, [])
    }
  },
)
