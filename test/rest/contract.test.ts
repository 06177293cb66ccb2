/** Sentences of the interface specification that no other test covers. */
import { GrainlineError } from '@grainline/core'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { executing, startRest } from './server.js'
import { shopModel, shopQuery } from './shop.js'
import { nothing, vendorThat } from './vendor.js'

t.test('the example queries are listed, and an example is shown with its SQL', async (t) => {
  holds(t, 'route.examples')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const base = `/v1/sessions/${session}/models/${model}/examples`
  const example = { name: 'by region', description: 'Revenue of every region.', intent_tags: ['revenue'] }
  t.same((await server.get(base)).body, { examples: [example] })
  t.same((await server.get('/v1/examples')).body, { examples: [example] })
  t.match((await server.get(`${base}/By%20Region`)).body, { ...example, query: Object, compiled_sql_preview: /^SELECT/ })
  t.match(await server.get(`${base}/by-region`), { status: 404, body: { code: 'EXAMPLE_NOT_FOUND', suggestions: ['by region'] } })
})

t.test('every dialect is listed with its seven capabilities', async (t) => {
  holds(t, 'route.dialects', 'field.dialect.capabilities')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { dialects } = (await server.get('/v1/dialects')).body as {
    dialects: {
      name: string
      capabilities: Record<string, boolean>
      supported_functions: string[]
      supported_aggregations: string[]
    }[]
  }
  t.same(dialects.map(({ name }) => name).sort(), ['duckdb', 'postgres'])
  const words = ['cte', 'qualify', 'arrays', 'window_filters', 'ilike', 'time_travel', 'semi_structured']
  for (const { name, capabilities, supported_aggregations, supported_functions } of dialects) {
    for (const word of words) t.type(capabilities[`supports_${word}`], 'boolean', `${name} supports_${word}`)
    t.ok(supported_aggregations.includes('sum') && supported_functions.length > 10, name)
  }
})

t.test('fields of requests are accepted in snake_case and camelCase; metadata and names are unchanged', async (t) => {
  holds(t, 'field.case')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session_id: id } = (await server.post('/v1/sessions', { metadata: { someKey: 'a', some_key: 'b' } })).body
  t.same((await server.get(`/v1/sessions/${id}`)).body.metadata, { someKey: 'a', some_key: 'b' })
  const loaded = await server.post(`/v1/sessions/${id}/models`, { modelJson: JSON.stringify(shopModel) })
  t.match(loaded, { status: 201, body: { model_load: 'fresh' } })
  const { order_by: order, ...rest } = shopQuery
  const ask = (query: object, name: string) =>
    server.post(`/v1/sessions/${id}/query/sql`, { [name]: loaded.body.model_id, query })
  const [snake, camel] = [await ask({ ...rest, order_by: order }, 'model_id'), await ask({ ...rest, orderBy: order }, 'modelId')]
  t.equal(snake.status, 200)
  t.equal(camel.body.sql, snake.body.sql)
})

t.test('ids of sessions and models are random and unique', async (t) => {
  holds(t, 'state.unguessable')
  const server = await startRest({ ...executing, settings: { SESSION_RATE_LIMIT: 200 } })
  t.teardown(() => server.close())
  const ids: string[] = []
  for (let i = 0; i < 100; i++) ids.push((await server.post('/v1/sessions')).body.session_id)
  ids.push((await server.post(`/v1/sessions/${ids[0]}/models`, { model_json: shopModel })).body.model_id)
  t.equal(new Set(ids).size, 101)
  // Version 4: 122 random bits (RFC 9562).
  for (const id of ids) t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

t.test('a database gets the configured pool size', async (t) => {
  holds(t, 'setting.DB_POOL_SIZE')
  const sizes: number[] = []
  const { options } = vendorThat(nothing, async ({ poolSize }) => {
    sizes.push(poolSize)
    throw new GrainlineError('VENDOR_UNAVAILABLE', 'not here')
  })
  const server = await startRest({ ...options, settings: { QUERY_EXECUTE: true, DB_POOL_SIZE: 3 } })
  t.teardown(() => server.close())
  await server.shop()
  t.equal((await server.post('/v1/query/execute', { query: shopQuery })).status, 503)
  t.ok(sizes.length > 0 && sizes.every((size) => size === 3))
})

t.test('a model is verified against its data, and its description shows the last result', async (t) => {
  holds(t, 'route.verify')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const url = `/v1/sessions/${session}/models/${model}`
  const before = await server.get(url)
  t.equal(before.body.health.verification, undefined)
  const report = await server.post(`${url}/verify`)
  t.match(report, { status: 200, body: { objects: Array, edges: Array, findings: Array } })
  const after = await server.get(url, { 'if-none-match': String(before.headers.etag) })
  t.equal(after.status, 200, 'the tag of before does not stand for it')
  t.same(after.body.health.verification, {
    checked_at: report.body.checked_at,
    status: report.body.status,
    findings: report.body.findings.length,
  })
  t.equal((await server.get(url, { 'if-none-match': String(after.headers.etag) })).status, 304)
})

t.test('the absolute deadline ends a session, whatever requests it had', async (t) => {
  holds(t, 'state.age-expired', 'state.idle')
  const server = await startRest({ settings: { SESSION_TTL_SECONDS: 60, SESSION_MAX_AGE_SECONDS: 150 } })
  t.teardown(() => server.close())
  const { session_id: id, max_expires_at: last } = (await server.post('/v1/sessions')).body
  for (let passed = 50; passed < 150; passed += 50) {
    server.pass(50)
    t.match(await server.get(`/v1/sessions/${id}`), { status: 200, body: { max_expires_at: last } })
  }
  server.pass(49)
  t.match((await server.get(`/v1/sessions/${id}`)).body, { expires_at: last }, 'an access moves nothing past the last deadline')
  server.pass(1)
  t.match(await server.get(`/v1/sessions/${id}`), { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
})
