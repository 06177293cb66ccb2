import { readFileSync } from 'node:fs'
import path from 'node:path'
import memory from '@grainline/cache-memory'
import type { HostPlugin } from '@grainline/core'
import rest from '@grainline/surface-rest'
import traces from '@grainline/traces'
import Fastify from 'fastify'
import t from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { hostOf } from '../host/support.js'
import { holds } from '../specification/holds.js'
import { collector } from './collector.js'
import { dialects, executing, startRest } from './server.js'
import { shopQuery } from './shop.js'

const KEY = 'test_pat_0123456789abcdef0123456789abcdef01234567'
const keyed = { AUTH_MODE: 'api_key', API_KEYS: KEY }
const withKey = { 'x-api-key': KEY }

t.test('metrics are off by default', async (t) => {
  const server = await startRest()
  t.teardown(() => server.close())
  t.equal((await server.get('/v1/telemetry/metrics')).status, 404)
})

t.test('metrics count requests by route and queries by outcome, and require the key', async (t) => {
  holds(t, 'route.metrics')
  const settings = { ...keyed, QUERY_EXECUTE: true, METRICS_ENABLED: true }
  const server = await startRest({ ...executing, settings })
  t.teardown(() => server.close())
  t.equal((await server.get('/v1/telemetry/metrics')).status, 401)
  const { session_id: id } = (await server.post('/v1/sessions', {}, withKey)).body
  const { shopModel } = await import('./shop.js')
  await server.post(`/v1/sessions/${id}/models`, { model_json: shopModel }, withKey)
  await server.post('/v1/query/execute', { query: shopQuery }, withKey)
  await server.post('/v1/query/sql', { query: { select: { measures: ['Revenu'] } } }, withKey)
  await server.get(`/v1/sessions/${'x'.repeat(30)}`, withKey)
  const { text, headers } = await server.get('/v1/telemetry/metrics', withKey)
  t.match(headers['content-type'], /^text\/plain/)
  for (const line of [
    'grainline_question_seconds_count{verb="execute",surface="rest",outcome="ok"} 1',
    'grainline_question_seconds_count{verb="compile",surface="rest",outcome="UNKNOWN_MEASURE"} 1',
    'grainline_rows_total{surface="rest"} 3',
    'grainline_held{what="sessions"} 1',
    'grainline_held{what="models"} 1',
    'grainline_http_request_seconds_count{method="GET",route="/v1/sessions/:session_id",status="404"} 1',
    'process_cpu_seconds_total',
  ])
    t.match(text, line)
  t.notMatch(text, /xxxxx/, 'no path of a client')
  t.notMatch(text, KEY)
})

t.test('the audit file gets a line per query: who, what, rows and time', async (t) => {
  holds(t, 'log.audit')
  const file = path.join(t.testdir(), 'audit.jsonl')
  const server = await startRest({ ...executing, settings: { ...keyed, QUERY_EXECUTE: true, AUDIT_FILE: file } })
  const { session_id: id } = (await server.post('/v1/sessions', {}, withKey)).body
  const { shopModel } = await import('./shop.js')
  const { model_id: model } = (await server.post(`/v1/sessions/${id}/models`, { model_json: shopModel }, withKey)).body
  const answer = await server.post('/v1/query/execute', { query: shopQuery }, withKey)
  await server.post('/v1/query/sql', { query: { select: { measures: ['Revenu'] } } }, withKey)
  await server.get('/v1/values/Region?search=o', withKey)
  await server.close()
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(lines, [
    {
      verb: 'execute',
      outcome: 'ok',
      rows: 3,
      principal: /^key:[0-9a-f]{12}$/,
      surface: 'rest',
      request_id: answer.headers['x-request-id'],
      session_id: id,
      model_id: model,
      dialect: 'duckdb',
      query: shopQuery,
      milliseconds: Number,
      time: '2026-01-01T00:00:00.000Z',
    },
    { verb: 'compile', outcome: 'UNKNOWN_MEASURE', session_id: id, model_id: model },
    { verb: 'values', outcome: 'ok', rows: 2, query: { dimension: 'Region', search: 'o' } },
  ])
  t.equal(lines.length, 3)
  t.notMatch(readFileSync(file, 'utf8'), KEY)
})

t.test('an audit file that cannot be written prevents the start', async (t) => {
  const host = await hostOf({ plugins: [], settings: { AUDIT_FILE: path.join(t.testdir(), 'absent', 'audit.jsonl') } })
  t.teardown(() => host.close())
  await t.rejects(host.start(), { code: 'INVALID_VARIABLE', path: 'AUDIT_FILE', message: /^AUDIT_FILE cannot be written/ })
})

t.test(
  'a query is traced through compile, cache, database and encode, as part of the trace of its caller, without any key',
  async (t) => {
    holds(t, 'trace.stages', 'auth.secret', 'log.request')
    const collected = await collector()
    t.teardown(() => collected.close())
    const lines: string[] = []
    const app = Fastify({ logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } })
    const file = path.join(t.testdir(), 'audit.jsonl')
    const settings = {
      ...keyed,
      QUERY_EXECUTE: true,
      MODEL_SQL: 'allow',
      CACHE_BACKEND: 'memory',
      METRICS_ENABLED: true,
      AUDIT_FILE: file,
      OTEL_EXPORTER_OTLP_ENDPOINT: collected.url,
    }
    const plugins = [
      ...dialects,
      '@grainline/vendor-duckdb',
      '@grainline/semantic-ql',
      memory,
      rest as HostPlugin,
      traces as HostPlugin,
    ]
    const host = await hostOf({ plugins, settings, base: import.meta.dirname }, { logger: app.log })
    mountSurfaces(app, host)
    await app.ready()
    await host.start()
    const address = await app.listen({ port: 0 })
    const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const headers = { 'content-type': 'application/json', ...withKey, traceparent: `00-${caller.traceId}-${caller.spanId}-01` }
    const send = (url: string, body: object, more = headers) =>
      fetch(`${address}${url}`, { method: 'POST', headers: more, body: JSON.stringify(body) })
    const { session_id: id } = (await (await send('/v1/sessions', {})).json()) as { session_id: string }
    const { shopModel } = await import('./shop.js')
    await send(`/v1/sessions/${id}/models`, { model_json: shopModel })
    t.match(await (await send('/v1/query/execute', { query: shopQuery })).json(), { row_count: 3 })

    const wrong = `${KEY.slice(0, -1)}X`
    const refused: Promise<Response>[] = [
      send('/v1/sessions', {}, { ...headers, 'x-api-key': wrong }),
      fetch(`${address}/v1/sessions`, { headers: { authorization: `Bearer ${wrong}` } }),
      fetch(`${address}/v1/dialects?api_key=${KEY}`),
      send('/v1/query/sql', { query: { select: { measures: [1] } } }),
    ]
    const answers = await Promise.all(refused.map(async (answer) => (await answer).text()))
    const metrics = await (await fetch(`${address}/v1/telemetry/metrics`, { headers: withKey })).text()
    await app.close()
    await host.close()

    const ofExecution = collected.spans.find(({ name }) => name === 'POST /v1/query/execute')
    t.match(ofExecution, { traceId: caller.traceId, parentSpanId: caller.spanId })
    for (const stage of ['compile', 'cache', 'database', 'encode']) {
      t.match(
        collected.spans.find(({ name, parentSpanId }) => name === stage && parentSpanId === ofExecution?.spanId),
        { traceId: caller.traceId },
        stage,
      )
    }
    const written = {
      logs: lines.join(''),
      spans: collected.bodies.join(''),
      answers: answers.join(''),
      metrics,
      audit: readFileSync(file, 'utf8'),
    }
    for (const [where, text] of Object.entries(written)) {
      t.ok(text.length > 0, where)
      if (where !== 'logs') t.notMatch(text, KEY.slice(0, 30), where)
    }
    t.notMatch(lines.filter((line) => !line.includes('?api_key=')).join(''), KEY.slice(0, 30), 'logs')
  },
)
