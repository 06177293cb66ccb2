import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, executing, startRest } from './server.js'
import { shopModel, shopQuery } from './shop.js'
import { deferred, nothing, vendorThat } from './vendor.js'

const url = '/v1/oneshot/batch'
const yaml = JSON.stringify(shopModel)
const total = { select: { measures: ['Revenue'] } }
const broken = { select: { measures: ['Revenu'] } }
const sessions = async (server: Awaited<ReturnType<typeof startRest>>) => (await server.get('/v1/sessions')).body.sessions.length

t.test('a batch with a model is answered, and leaves no session', async (t) => {
  holds(t, 'route.batch', 'route.batch.model')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { status, body } = await server.post(url, {
    model_yaml: yaml,
    execute: true,
    queries: [{ query: shopQuery }, { id: 'sum', query: total }, { query: broken }, { query: total, execute: false }],
  })
  t.equal(status, 200)
  t.match(body, { session_id: null, model_id: null, model_persisted: false, model_load: 'fresh', batch_warnings: [] })
  t.match(body.results, [
    {
      id: 'q0',
      status: 'ok',
      executed: true,
      row_count: 3,
      rows: [
        ['North', '30'],
        ['South', '5'],
        [null, '1'],
      ],
      cached: false,
      sql: /SELECT/,
    },
    { id: 'sum', status: 'ok', executed: true, rows: [['36']] },
    {
      id: 'q2',
      status: 'error',
      executed: true,
      error: { code: /UNKNOWN/, path: 'select.measures[0]', suggestions: ['Revenue'] },
    },
    { id: 'q3', status: 'ok', executed: false, sql: /SELECT/, sql_valid: true },
  ])
  t.notOk('rows' in body.results[3])
  t.equal(await sessions(server), 0)
})

t.test('a model that the batch keeps exists afterwards, and a second batch uses it', async (t) => {
  holds(t, 'route.batch.model')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const first = (await server.post(url, { model_yaml: yaml, persist_model: true, queries: [{ query: total }] })).body
  t.match(first, { session_id: String, model_id: String, model_persisted: true, model_load: 'fresh' })
  const { session_id, model_id } = first
  const again = (await server.post(url, { session_id, model_yaml: yaml, queries: [{ query: total }] })).body
  t.match(again, { session_id, model_id, model_load: 'reused' }, 'and does not remove what was there')
  const named = (await server.post(url, { session_id, model_id, queries: [{ query: total }] })).body
  t.match(named, { session_id, model_id, model_load: 'referenced', results: [{ status: 'ok' }] })
  t.match((await server.post(url, { queries: [{ query: total }] })).body, { model_load: 'referenced' }, 'the only model there is')
  const other = (await server.post(url, { session_id, model_yaml: yaml, dedup: false, queries: [{ query: total }] })).body
  t.match(other, { model_load: 'fresh', model_id: null })
  t.equal((await server.get(`/v1/sessions/${session_id}/models`)).body.length, 1)
})

t.test('an error of the batch itself refuses the whole batch', async (t) => {
  holds(t, 'route.batch.refused', 'setting.ONESHOT_BATCH_MAX_QUERIES')
  const server = await startRest({ ...compiling, settings: { ONESHOT_BATCH_MAX_QUERIES: 2 } })
  t.teardown(() => server.close())
  const query = { query: total }
  const cases: readonly (readonly [body: object, status: number, match: object])[] = [
    [{ model_yaml: yaml, queries: [] }, 422, { errors: [{ path: 'queries' }] }],
    [{ model_yaml: yaml, queries: [query, query, query] }, 422, { detail: /2 queries at most/ }],
    [
      {
        model_yaml: yaml,
        queries: [
          { id: 'a', ...query },
          { id: 'a', ...query },
        ],
      },
      422,
      { errors: [{ path: 'queries[1].id' }] },
    ],
    [{ model_yaml: yaml, queries: [query, { id: 'q0', ...query }] }, 422, { errors: [{ path: 'queries[1].id' }] }],
    [{ model_yaml: yaml, model_id: 'x', queries: [query] }, 422, { code: 'INVALID_REQUEST' }],
    [{ model_yaml: 'version: [', queries: [query] }, 422, { code: 'MODEL_INVALID' }],
    [{ model_yaml: yaml, querys: [query] }, 422, { code: 'INVALID_REQUEST' }],
    [{ model_id: 'none', queries: [query] }, 404, { code: 'MODEL_NOT_FOUND' }],
    [{ queries: [query] }, 404, { code: 'SESSION_NOT_FOUND' }],
    [{ session_id: 'none', model_yaml: yaml, queries: [query] }, 404, { code: 'SESSION_NOT_FOUND' }],
  ]
  for (const [body, status, match] of cases) t.match(await server.post(url, body), { status, body: match }, JSON.stringify(match))
  t.equal(await sessions(server), 0, 'no refusal leaves a session')
})

t.test('a batch that opens a session counts as a client that opens one', async (t) => {
  holds(t, 'route.batch.session')
  const server = await startRest({ ...compiling, settings: { MAX_SESSIONS: 1, SESSION_RATE_LIMIT: 3 } })
  t.teardown(() => server.close())
  const ask = () => server.post(url, { model_yaml: yaml, queries: [{ query: total }] })
  t.equal((await ask()).status, 200)
  const { session_id } = (await server.post('/v1/sessions')).body
  t.match(await ask(), { status: 429, body: { code: 'SESSION_LIMIT' } })
  await server.delete(`/v1/sessions/${session_id}`)
  t.match(await ask(), { status: 429, body: { code: 'RATE_LIMITED' } })
})

t.test('in curated mode a batch contains no model, and queries the existing ones', async (t) => {
  holds(t, 'route.batch.model')
  const server = await startRest({ ...compiling, settings: { MODEL_FILES: path.resolve('examples/flights/model.yaml') } })
  t.teardown(() => server.close())
  t.match(await server.post(url, { model_yaml: yaml, queries: [{ query: total }] }), {
    status: 403,
    body: { code: 'CURATED_MODE', hint: /Leave model_yaml out/ },
  })
  const query = { select: { measures: ['Flight Count'] } }
  t.match((await server.post(url, { queries: [{ query }] })).body, { model_load: 'referenced', results: [{ status: 'ok' }] })
})

t.test('without execution only the query that would run is refused', async (t) => {
  holds(t, 'route.batch.execute')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { body } = await server.post(url, { model_yaml: yaml, queries: [{ query: total, execute: true }, { query: total }] })
  t.match(body.results, [
    { status: 'error', error: { code: 'EXECUTION_DISABLED' } },
    { status: 'ok', executed: false },
  ])
})

t.test('no more queries run in parallel than requested and allowed', async (t) => {
  holds(t, 'setting.ONESHOT_BATCH_MAX_PARALLELISM')
  const seen = { now: 0, most: 0, all: 0, wanted: 0 }
  const { options } = vendorThat(async function* () {
    seen.all += 1
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    // Until as many run as should, or none is left; then long enough for one too many to start.
    while (seen.now < seen.wanted && seen.all < queries.length) await turn()
    for (let i = 0; i < 50; i++) await turn()
    seen.now -= 1
    yield* nothing()
  })
  const server = await startRest({ ...options, settings: { QUERY_EXECUTE: true, ONESHOT_BATCH_MAX_PARALLELISM: 3 } })
  t.teardown(() => server.close())
  const queries = Array.from({ length: 9 }, (_, i) => ({ query: { ...total, limit: i + 1 } }))
  const ask = async (wanted: number, max_parallelism?: number) => {
    Object.assign(seen, { most: 0, all: 0, wanted })
    return (await server.post(url, { model_yaml: yaml, execute: true, queries, ...(max_parallelism && { max_parallelism }) }))
      .body
  }
  t.match(await ask(2, 2), { batch_warnings: [] })
  t.match(seen, { most: 2, all: 9 })
  t.match(await ask(3, 50), { batch_warnings: [{ code: 'BATCH_PARALLELISM_CLAMPED', path: 'max_parallelism' }] })
  t.match(seen, { most: 3, all: 9 })
  await ask(3)
  t.equal(seen.most, 3)
})

t.test('equal queries run once, unless the option is off', async (t) => {
  holds(t, 'route.batch.dedup')
  const seen: string[] = []
  const { options } = vendorThat(async function* (sql) {
    seen.push(sql)
    yield* nothing()
  })
  const server = await startRest(options)
  t.teardown(() => server.close())
  const queries = [{ query: total }, { query: shopQuery }, { query: total }, { query: total, execute: false }]
  const { results } = (await server.post(url, { model_yaml: yaml, execute: true, queries })).body
  t.match(results, [{ id: 'q0', executed: true }, { id: 'q1' }, { id: 'q2', executed: true }, { id: 'q3', executed: false }])
  t.equal(seen.length, 2)
  await server.post(url, { model_yaml: yaml, execute: true, dedup: false, queries })
  t.equal(seen.length, 5)
})

/** A database in which one statement, identified by its limit, never ends. */
function stuck(limit: number, settings: Record<string, unknown>) {
  const [began, cancelled] = [deferred<void>(), deferred<unknown>()]
  const { options } = vendorThat(async function* (sql, { signal }) {
    if (sql.includes(`LIMIT ${limit}`)) {
      began.resolve()
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => {
          cancelled.resolve(signal.reason)
          reject(signal.reason)
        }),
      )
    }
    yield* nothing()
  })
  return { began, cancelled, options: { ...options, settings: { QUERY_EXECUTE: true, ...settings } } }
}
const three = [1, 77, 3].map((limit) => ({ query: { ...total, limit } }))

t.test('a query that exceeds its time is cancelled in the database, and the others continue', async (t) => {
  holds(t, 'route.batch', 'setting.ONESHOT_BATCH_DEFAULT_TIMEOUT_MS')
  const { cancelled, options } = stuck(77, { ONESHOT_BATCH_DEFAULT_TIMEOUT_MS: 1000, ONESHOT_BATCH_MAX_PARALLELISM: 1 })
  const server = await startRest(options)
  t.teardown(() => server.close())
  const { status, body } = await server.post(url, { model_yaml: yaml, execute: true, queries: three })
  t.equal(status, 200)
  t.match(body.results, [{ status: 'ok' }, { status: 'cancelled', error: { code: 'QUERY_TIMEOUT' } }, { status: 'ok' }])
  t.match(await cancelled.promise, { code: 'QUERY_TIMEOUT' })
})

t.test('at the deadline of the batch, running and waiting queries are cancelled, and the rest is answered', async (t) => {
  holds(t, 'setting.ONESHOT_BATCH_BATCH_TIMEOUT_MS')
  const { cancelled, options } = stuck(77, { ONESHOT_BATCH_BATCH_TIMEOUT_MS: 1500, ONESHOT_BATCH_MAX_PARALLELISM: 1 })
  const server = await startRest(options)
  t.teardown(() => server.close())
  const { status, body } = await server.post(url, { model_yaml: yaml, execute: true, queries: three })
  t.equal(status, 200)
  const late = { status: 'cancelled', error: { code: 'QUERY_TIMEOUT', message: /batch/ } }
  t.match(body.results, [{ status: 'ok' }, late, late])
  t.match(await cancelled.promise, { code: 'QUERY_TIMEOUT' })
})

t.test('with the option, the rest is cancelled after the first failure', async (t) => {
  holds(t, 'route.batch.fail-fast')
  const { cancelled, options } = stuck(77, { ONESHOT_BATCH_MAX_PARALLELISM: 2 })
  const server = await startRest(options)
  t.teardown(() => server.close())
  const queries = [{ query: { ...total, limit: 77 } }, { query: broken }, { query: total }]
  const { body } = await server.post(url, { model_yaml: yaml, execute: true, fail_fast: true, queries })
  t.match(body.results, [
    { status: 'cancelled', error: { code: 'QUERY_CANCELLED' } },
    { status: 'error' },
    { status: 'cancelled', error: { code: 'QUERY_CANCELLED' } },
  ])
  t.match(await cancelled.promise, { code: 'QUERY_CANCELLED' })
})

t.test('when the client disconnects, its batch is cancelled and leaves no session', async (t) => {
  holds(t, 'route.batch.gone')
  const { began, cancelled, options } = stuck(77, {})
  const server = await startRest(options)
  t.teardown(() => server.close())
  const address = await server.app.listen({ port: 0 })
  const client = new AbortController()
  const asked = fetch(`${address}${url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model_yaml: yaml, execute: true, queries: three }),
    signal: client.signal,
  })
  await began.promise
  client.abort()
  await t.rejects(asked)
  t.match(await cancelled.promise, { code: 'QUERY_CANCELLED' })
  while ((await sessions(server)) > 0) await new Promise((turn) => setImmediate(turn))
})
