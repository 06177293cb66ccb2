import { GrainlineError } from '@grainline/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, executing, startRest } from './server.js'
import { shopModel, shopQuery } from './shop.js'
import { deferred, endless, nothing, vendorThat } from './vendor.js'

t.test('every answer has its duration', async (t) => {
  holds(t, 'error.timing')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const question = { model_id: model, query: shopQuery }
  const statement = { model_id: model, sql: 'SELECT "Revenue"' }
  const asked: readonly (readonly [path: string, body: object | undefined, name: string])[] = [
    ['query/sql', question, 'compile'],
    ['query/plan', question, 'plan'],
    ['query/execute', question, 'execute'],
    ['query/semantic-ql', statement, 'execute'],
    ['query/semantic-ql/compile', statement, 'compile'],
    [`models/${model}/values/Region`, undefined, 'values'],
  ]
  for (const [url, body, name] of [
    ...asked.map(([path, ...rest]) => [`/v1/sessions/${session}/${path}`, ...rest] as const),
    ['/v1/oneshot/batch', { session_id: session, model_id: model, queries: [{ query: shopQuery }] }, 'batch'] as const,
  ]) {
    const answer = body ? await server.post(url, body) : await server.get(url)
    t.equal(answer.status, 200, `${url} ${answer.text.slice(0, 200)}`)
    t.match(answer.headers['server-timing'], new RegExp(`^${name};dur=\\d+\\.\\d\\d$`), url)
  }
})

t.test('while execution is off, it is refused with the name of its setting', async (t) => {
  holds(t, 'route.query-execute')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session } = await server.shop()
  for (const url of ['/v1/query/execute', `/v1/sessions/${session}/query/execute`]) {
    t.match(await server.post(url, { query: shopQuery }), { status: 404, body: { code: 'EXECUTION_DISABLED' } })
  }
})

t.test('a query is answered', async (t) => {
  holds(t, 'route.query-execute', 'error.timing')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const { status, body, headers } = await server.post('/v1/query/execute', { query: shopQuery })
  t.equal(status, 200)
  t.match(headers['server-timing'], /^execute;dur=/)
  t.same(
    body.columns.map(({ name, role }: { name: string; role: string }) => [name, role]),
    [
      ['Region', 'dimension'],
      ['Revenue', 'measure'],
    ],
  )
  t.same(body.rows, [
    ['North', '30'],
    ['South', '5'],
    [null, '1'],
  ])
  t.match(body, {
    row_count: 3,
    truncated: false,
    cached: false,
    sql_valid: true,
    warnings: [],
    execution_time_ms: Number,
    timezone: 'UTC',
  })
  const { components, paths } = (await server.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [path, answer] of [
    ['/v1/query/execute', body],
    ['/v1/query/sql', (await server.post('/v1/query/sql', shopQuery)).body],
    ['/v1/query/plan', (await server.post('/v1/query/plan', shopQuery)).body],
  ]) {
    const validate = ajv.compile({ components, ...paths[path].post.responses['200'].content['application/json'].schema })
    t.ok(validate(answer), `${path} ${ajv.errorsText(validate.errors)}`)
  }
})

t.test('an answer without a limit is truncated at the default limit, and says so', async (t) => {
  holds(t, 'setting.QUERY_DEFAULT_LIMIT')
  const server = await startRest({ ...executing, settings: { QUERY_EXECUTE: true, QUERY_DEFAULT_LIMIT: 2 } })
  t.teardown(() => server.close())
  await server.shop()
  const run = async (query: object) => (await server.post('/v1/query/execute', { query })).body
  t.match(await run(shopQuery), {
    row_count: 2,
    truncated: true,
    rows: [
      ['North', '30'],
      ['South', '5'],
    ],
    warnings: [{ code: 'DEFAULT_LIMIT_APPLIED' }],
  })
  t.match(
    await run({ ...shopQuery, limit: 3 }),
    { row_count: 3, truncated: false, warnings: [] },
    'an explicit limit is never cut',
  )
  t.match(await run({ ...shopQuery, where: [{ field: 'Region', op: 'is_not_null' }] }), {
    row_count: 2,
    truncated: false,
    warnings: [],
  })
  t.notMatch((await server.post('/v1/query/sql', shopQuery)).body.sql, /limit/i, 'compiling adds none')
})

t.test('a dialect without a connection is refused, with the available ones', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/query/execute', { query: shopQuery, dialect: 'postgres' }), {
    status: 400,
    body: { code: 'NO_CONNECTION', detail: /duckdb/, suggestions: ['duckdb'] },
  })
})

for (const [code, status] of [
  ['DATABASE_ERROR', 502],
  ['RESULT_TYPE_MISMATCH', 502],
  ['POOL_EXHAUSTED', 503],
  ['QUERY_TIMEOUT', 504],
] as const) {
  t.test(`the database error ${code} becomes status ${status}`, async (t) => {
    holds(t, 'status.502', 'status.503', 'status.504')
    const server = await startRest(
      vendorThat(async function* () {
        yield* nothing()
        throw new GrainlineError(code, 'the message of the database')
      }).options,
    )
    t.teardown(() => server.close())
    await server.shop()
    t.match(await server.post('/v1/query/execute', { query: shopQuery }), {
      status,
      body: { code, detail: 'the message of the database' },
    })
  })
}

t.test('an unreachable database is 503, is tried again, and does not prevent compilation', async (t) => {
  let reachable = false
  const { options, seen } = vendorThat(nothing, async () => {
    if (!reachable) throw new GrainlineError('VENDOR_UNAVAILABLE', 'the driver is not installed')
    return {
      query: nothing,
      check: async () => ({ valid: true }),
      explain: async () => ({ format: 'text', output: '' }),
      timezone: async () => 'UTC',
      close: async () => {},
    }
  })
  const server = await startRest(options)
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/query/execute', { query: shopQuery }), { status: 503, body: { code: 'VENDOR_UNAVAILABLE' } })
  t.match((await server.post('/v1/query/sql', shopQuery)).body, { sql_valid: true, warnings: [{ code: 'SQL_NOT_VALIDATED' }] })
  reachable = true
  const both = await Promise.all([
    server.post('/v1/query/execute', { query: shopQuery }),
    server.post('/v1/query/execute', { query: shopQuery }),
  ])
  for (const answer of both) t.match(answer, { status: 200, body: { rows: [], row_count: 0 } })
  t.equal(seen.connects, 3, 'both shared one connection')
  t.match((await server.post('/v1/query/plan', { query: shopQuery, include_database_explain: true })).body, {
    database_explain: { dialect: 'duckdb', explain_format: 'text' },
  })
})

t.test('a client that goes away cancels its query in the database', async (t) => {
  holds(t, 'error.disconnect')
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
  const server = await startRest(options)
  t.teardown(() => server.close())
  await server.shop()
  const address = await server.app.listen({ port: 0 })
  const client = new AbortController()
  const request = fetch(`${address}/v1/query/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: shopQuery }),
    signal: client.signal,
  })
  await began.promise
  client.abort()
  await t.rejects(request)
  t.match(await cancelled.promise, { code: 'QUERY_CANCELLED' })
})

t.test('rows are produced at the speed of the client, and no more after it disconnects', async (t) => {
  const { seen, query } = endless()
  const server = await startRest(vendorThat(query).options)
  t.teardown(() => server.close())
  await server.shop()
  const address = await server.app.listen({ port: 0 })
  const client = new AbortController()
  const answer = await fetch(`${address}/v1/query/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { ...shopQuery, limit: 1e9 } }),
    signal: client.signal,
  })
  t.equal(answer.status, 200)
  let before = -1
  while (before !== seen.batches) {
    before = seen.batches
    await new Promise((later) => setTimeout(later, 200))
  }
  t.ok(seen.batches < 1000, `${seen.batches} batches wait for a client that does not read`)
  client.abort()
  await seen.ended.promise
})

t.test('a service that stops cancels running queries', async (t) => {
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
  const server = await startRest(options)
  await server.shop()
  const running = server.post('/v1/query/execute', { query: shopQuery })
  await began.promise
  await server.stop()
  t.match(await cancelled.promise, { code: 'SHUTTING_DOWN' })
  t.match(await running, {
    status: 503,
    body: { code: 'SHUTTING_DOWN', hint: /another server, or try again when this one has restarted/ },
  })
  await server.close()
  const again = await startRest(executing)
  t.teardown(() => again.close())
  await again.shop()
  t.equal((await again.post('/v1/query/execute', { query: shopQuery })).status, 200, 'when it runs again')
})

t.test('the database works no longer than the time limit, on every route that runs a query', async (t) => {
  holds(t, 'setting.REST_QUERY_TIMEOUT_SECONDS')
  let stopped = 0
  const { options } = vendorThat(async function* (_sql, { signal }) {
    yield* nothing()
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))).finally(() => {
      stopped += 1
    })
  })
  const server = await startRest({ ...options, settings: { ...options.settings, REST_QUERY_TIMEOUT_SECONDS: 1 } })
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const answers = await Promise.all([
    server.post('/v1/query/execute', { query: shopQuery }),
    server.post('/v1/query/semantic-ql', { sql: 'SELECT "Revenue"' }),
    server.get(`/v1/sessions/${session}/models/${model}/values/Region`),
  ])
  for (const answer of answers) {
    t.match(answer, { status: 504, body: { code: 'QUERY_TIMEOUT', hint: /REST_QUERY_TIMEOUT_SECONDS/ } })
  }
  t.equal(stopped, 3, 'and the statements are cancelled')
})

t.test('the rows behind a cell are returned per fact, with their total count', async (t) => {
  holds(t, 'route.query-rows')
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const rows = (cell: object, measure: string, more: object = {}, url = '') =>
    server.post(`/v1/query/rows${url}`, { query: shopQuery, cell, measure, ...more })
  const north = (await rows({ Region: 'North' }, 'Revenue')).body
  t.same(north.facts[0].rows, [
    ['North', 1, 10, 'a'],
    ['North', 2, 20, 'a'],
  ])
  const named = await rows({ Region: 'North' }, 'Revenue', { columns: ['Sales.Id'] })
  t.same(named.body.facts[0].rows, [[1], [2]], 'with chosen columns')
  t.ok(named.body.facts[0].offered_columns.includes('Sales.Id'))
  t.match((await rows({ Region: 'North' }, 'Revenue', { columns: ['Sales.Ids'] })).body, {
    code: 'RAW_FIELD_UNKNOWN_COLUMN',
    suggestions: ['Sales.Id'],
  })
  t.match(north, {
    value: '30',
    reconciled: true,
    facts: [
      { object: 'Sales', aggregated: '30', row_count: 2, truncated: false, columns: [{ name: 'Region' }, { name: 'Sales.Id' }] },
    ],
  })
  t.match((await rows({ Region: null }, 'Revenue')).body, { value: '1', facts: [{ row_count: 1, rows: [[null, 4, 1]] }] })
  t.match((await rows({ Region: 'East' }, 'Revenue')).body, {
    value: null,
    reconciled: true,
    facts: [{ row_count: 0, rows: [] }],
  })
  t.match((await rows({ Region: 'North' }, 'Revenue per Sale', { limit: 1 })).body, {
    reconciled: true,
    facts: [
      { measure: 'Revenue', truncated: true, row_count: 2 },
      { measure: 'Sales Count', aggregated: 2 },
    ],
  })
  const file = await rows({ Region: 'North' }, 'Revenue', {}, '?format=csv')
  t.match(file.text, /^Region,Sales\.Id,Sales\.Amount,Sales\.Shop Id\r?\nNorth,1,10,a/)
  const total = { query: { ...shopQuery, grouping: 'rollup' } }
  t.match((await rows({}, 'Revenue', total)).body, { value: '36', reconciled: true, facts: [{ row_count: 4 }] })
  t.match(await rows({}, 'Revenue'), { status: 422, body: { code: 'INVALID_QUERY', detail: /no value for 'Region'/ } })
  t.match(await rows({ Regio: 'North' }, 'Revenue'), { body: { code: 'UNKNOWN_DIMENSION', suggestions: ['Region'] } })
  t.match(await rows({ Region: 'North' }, 'Revenu'), { body: { code: 'UNKNOWN_MEASURE', suggestions: ['Revenue'] } })
  t.match(await rows({ Region: 'North' }, 'Revenue per Sale', {}, '?format=csv'), {
    status: 422,
    body: { code: 'INVALID_REQUEST', suggestions: ['Revenue', 'Sales Count'] },
  })
  const { components, paths } = (await server.get('/openapi.json')).body
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({
    components,
    ...paths['/v1/query/rows'].post.responses['200'].content['application/json'].schema,
  })
  t.ok(validate(north), JSON.stringify(validate.errors))
})

t.test('a cell that is computed from other cells has no rows, and the error names the measures that have rows', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { Sales } = shopModel.dataObjects
  await server.shop({
    dataObjects: {
      ...shopModel.dataObjects,
      Sales: { ...Sales, columns: { ...Sales.columns, Day: { code: 'day', abstractType: 'date' } } },
    },
    dimensions: { ...shopModel.dimensions, Day: { dataObject: 'Sales', column: 'Day', timeGrain: 'day' } },
    metrics: { 'Running Revenue': { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day' } },
  })
  const query = { select: { dimensions: ['Day'], measures: ['Running Revenue'] } }
  t.match(await server.post('/v1/query/rows', { query, cell: { Day: '2024-01-02' }, measure: 'Running Revenue' }), {
    status: 422,
    body: { code: 'NO_ROWS_BEHIND', suggestions: ['Revenue'], hint: "Ask for the rows of 'Revenue'." },
  })
})

t.test('a period without rows has its number in the answer, and no rows behind it', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { Sales } = shopModel.dataObjects
  const code = "(SELECT * FROM (VALUES (1, DATE '2024-01-01'), (2, DATE '2024-01-03')) t (id, day))"
  const columns = { Id: Sales.columns.Id, Day: { code: 'day', abstractType: 'date' } }
  await server.shop({
    dataObjects: { Sales: { code, columns } },
    dimensions: { Day: { dataObject: 'Sales', column: 'Day', timeGrain: 'day' } },
    measures: { Ids: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'Id' }] } },
    metrics: { 'Plus One': { expression: '{[Sales Count]} + 1' } },
    examples: [],
  })
  for (const filled of [{ fill_gaps: true }, { fill_gaps: true, grouping: 'rollup' }])
    for (const [measure, value] of [
      ['Sales Count', 0],
      ['Plus One', 1],
      ['Ids', null],
    ] as const) {
      const query = { select: { dimensions: ['Day'], measures: [measure] }, order_by: [{ field: 'Day' }], ...filled }
      const shown = (await server.post('/v1/query/execute', { query })).body.rows
      t.same(shown[1].slice(0, 2), ['2024-01-02', value], 'the answer')
      const { body } = await server.post('/v1/query/rows', { query, cell: { Day: '2024-01-02' }, measure })
      t.match(body, { value, reconciled: true, facts: [{ row_count: 0, rows: [] }] }, `${measure} ${JSON.stringify(filled)}`)
    }
  const beyond = { select: { dimensions: ['Day'], measures: ['Sales Count'] }, fill_gaps: true }
  t.match(
    (await server.post('/v1/query/rows', { query: beyond, cell: { Day: '2024-02-01' }, measure: 'Sales Count' })).body,
    {
      value: null,
      reconciled: true,
    },
    'not a row of the answer',
  )
})
