import {
  type ColumnVector,
  definePlugin,
  GrainlineError,
  type RecordBatch,
  Type,
  type Vendor,
  type VendorConnection,
} from '@grainline/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { startRest, type TestOptions } from './server.js'
import { shopQuery } from './shop.js'

const dialects = ['@grainline/dialect-duckdb', '@grainline/dialect-postgres']
const compiling: TestOptions = { plugins: dialects }
const executing: TestOptions = { plugins: [...dialects, '@grainline/vendor-duckdb'], settings: { QUERY_EXECUTE: true } }

t.test('a query is compiled: in its session, by shortcut, and bare', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session, model } = await server.shop()
  const answer = await server.post(`/v1/sessions/${session}/query/sql`, { model_id: model, query: shopQuery })
  t.equal(answer.status, 200)
  t.match(answer.headers['server-timing'], /^compile;dur=/)
  t.match(answer.body, {
    sql: /SELECT/i,
    dialect: 'duckdb',
    resolved: { fact_tables: ['Sales'], dimensions: ['Region'], measures: ['Revenue'] },
    sql_valid: true,
    warnings: [{ code: 'SQL_NOT_VALIDATED', severity: 'warning' }],
    explain: { planner: String, plan: { op: String, children: Array } },
  })
  const same = [
    await server.post('/v1/query/sql', { query: shopQuery }),
    await server.post('/v1/query/sql', { modelId: model, query: shopQuery, dialect: null }),
    await server.post('/v1/query/sql', shopQuery),
    await server.post(`/v1/query/sql?dialect=duckdb&session_id=${session}`, {
      select: shopQuery.select,
      orderBy: shopQuery.order_by,
    }),
  ]
  for (const each of same) t.equal(each.body.sql, answer.body.sql)
  t.match((await server.post('/v1/query/sql?dialect=postgres', shopQuery)).body, { dialect: 'postgres' })
  t.match(await server.get('/v1/examples/by%20region'), {
    status: 200,
    body: { query: { select: {} }, compiled_sql_preview: /SELECT/i },
  })
})

t.test('the dialect is the explicit one, else the model’s, else that of DB_VENDOR, else postgres', async (t) => {
  const dialectOf = async (options: TestOptions, model: Record<string, unknown>, query: object) => {
    const server = await startRest(options)
    t.teardown(() => server.close())
    await server.shop(model)
    return (await server.post('/v1/query/sql', { query: shopQuery, ...query })).body.dialect
  }
  const settings = { defaultDialect: 'postgres' }
  t.equal(await dialectOf(compiling, { settings }, { dialect: 'duckdb' }), 'duckdb')
  t.equal(await dialectOf(compiling, { settings }, {}), 'postgres')
  t.equal(await dialectOf(compiling, {}, {}), 'duckdb')
  t.equal(await dialectOf({ plugins: ['@grainline/dialect-postgres'] }, {}, {}), 'postgres')
})

t.test('an unknown dialect is 400 and lists those there are', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/query/sql', { query: shopQuery, dialect: 'postgre' }), {
    status: 400,
    body: { code: 'UNSUPPORTED_DIALECT', detail: /duckdb, postgres/, suggestions: ['postgres'] },
  })
})

t.test('what is wrong with a query is named with its place and the nearest name', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session } = await server.shop()
  const ask = (query: unknown) => server.post('/v1/query/sql', { query })
  t.match(await ask({ select: { dimensions: ['Regoin'] } }), {
    status: 422,
    body: { errors: [{ path: 'select.dimensions[0]', suggestions: ['Region'] }], suggestions: ['Region'] },
  })
  t.match(await ask({ select: { measures: ['Revenue'] }, wher: [] }), {
    status: 422,
    body: { code: 'INVALID_QUERY', errors: [{ path: 'wher', suggestions: ['where'] }] },
  })
  t.match(await ask('Revenue'), { status: 422, body: { code: 'INVALID_REQUEST', errors: [{ path: 'query' }] } })
  t.match(await server.post(`/v1/sessions/${session}/query/sql`, { query: shopQuery }), {
    status: 422,
    body: { code: 'INVALID_REQUEST', detail: /model_id/ },
  })
  t.match(await server.post(`/v1/sessions/${session}/query/sql`, { model_id: 'none', query: shopQuery }), {
    status: 404,
    body: { code: 'MODEL_NOT_FOUND' },
  })
  t.match(await server.post('/v1/sessions/none/query/sql', { model_id: 'none', query: shopQuery }), {
    status: 404,
    body: { code: 'SESSION_NOT_FOUND' },
  })
})

t.test('an example that does not compile is a warning when the model loads', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session_id: id } = (await server.post('/v1/sessions')).body
  const { shopModel } = await import('./shop.js')
  const examples = [...shopModel.examples, { name: 'wrong', query: { select: { measures: ['Profit'] } } }]
  const { status, body } = await server.post(`/v1/sessions/${id}/models`, { model_json: { ...shopModel, examples } })
  t.equal(status, 201)
  t.match(body.warnings, [{ code: 'INVALID_EXAMPLE', path: 'examples[1].query.select.measures[0]', message: /'wrong'.*Profit/ }])
  t.match(await server.get('/v1/examples/wrong'), { status: 200, body: { compiled_sql_preview: null } })
})

t.test('a plan says how a query would be answered and runs nothing', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  await server.shop()
  const { status, body } = await server.post('/v1/query/plan', { query: shopQuery })
  t.equal(status, 200)
  t.match(body, { status: 'ok', planner: String, would_compile: true, compiled_sql_length_estimate: Number, filters_applied: 0 })
  t.match(body.join_path, [{ from_object: 'Sales', to_object: 'Shops', cardinality: 'many-to-one' }])
  t.match(await server.post('/v1/query/plan', { query: shopQuery, include_database_explain: true }), {
    status: 404,
    body: { code: 'EXECUTION_DISABLED' },
  })
})

t.test('execution is refused by name while it is off', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const { session } = await server.shop()
  for (const url of ['/v1/query/execute', `/v1/sessions/${session}/query/execute`]) {
    t.match(await server.post(url, { query: shopQuery }), { status: 404, body: { code: 'EXECUTION_DISABLED' } })
  }
})

t.test('a query is answered', async (t) => {
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
  const { paths } = (await server.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [path, answer] of [
    ['/v1/query/execute', body],
    ['/v1/query/sql', (await server.post('/v1/query/sql', shopQuery)).body],
    ['/v1/query/plan', (await server.post('/v1/query/plan', shopQuery)).body],
  ]) {
    const validate = ajv.compile(paths[path].post.responses['200'].content['application/json'].schema)
    t.ok(validate(answer), `${path} ${ajv.errorsText(validate.errors)}`)
  }
})

t.test('an answer without a limit of its own is cut at the default one, and says so', async (t) => {
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

t.test('a compiled statement is checked by the database where it is connected', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const { shopModel } = await import('./shop.js')
  await server.shop()
  t.match((await server.post('/v1/query/sql', shopQuery)).body, { sql_valid: true, warnings: [] })
  const nowhere = { ...shopModel.dataObjects, Sales: { ...shopModel.dataObjects.Sales, code: 'no_such_table' } }
  const broken = await server.shop({ dataObjects: nowhere })
  const query = { session_id: broken.session, query: shopQuery }
  t.match((await server.post('/v1/query/sql', query)).body, {
    sql_valid: false,
    warnings: [{ code: 'SQL_REJECTED', message: /no_such_table/ }],
  })
  t.match(await server.post('/v1/query/execute', query), {
    status: 502,
    body: { code: 'DATABASE_ERROR', detail: /no_such_table/ },
  })
})

t.test('a dialect that no connection runs is refused, naming those there are', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/query/execute', { query: shopQuery, dialect: 'postgres' }), {
    status: 400,
    body: { code: 'NO_CONNECTION', detail: /duckdb/, suggestions: ['duckdb'] },
  })
})

/** A vendor that does as the test says, for what a real database rarely does. */
function vendorThat(query: VendorConnection['query'], connect?: Vendor['connect']) {
  const seen = { connects: 0 }
  const connection: VendorConnection = {
    query,
    check: async () => ({ valid: true }),
    explain: async () => ({ format: 'text', output: 'a plan' }),
    timezone: async () => 'UTC',
    close: async () => {},
  }
  const plugin = definePlugin({
    name: 'test-vendor',
    host: '*',
    options: Type.Object({}),
    setup(host) {
      const open: Vendor['connect'] = async (context) => {
        seen.connects += 1
        return connect ? connect(context) : connection
      }
      host.vendors.register({ name: 'duckdb', dialect: 'duckdb', connect: open } as Vendor)
    },
  })
  return { seen, options: { plugins: [...dialects, plugin], settings: { QUERY_EXECUTE: true } } as TestOptions }
}

async function* nothing(): AsyncGenerator<RecordBatch> {}

for (const [code, status] of [
  ['DATABASE_ERROR', 502],
  ['RESULT_TYPE_MISMATCH', 502],
  ['POOL_EXHAUSTED', 503],
  ['QUERY_TIMEOUT', 504],
] as const) {
  t.test(`a database that answers ${code} is a ${status}`, async (t) => {
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

t.test('a database that cannot be reached is 503, is tried again, and does not stop compiling', async (t) => {
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

/** Batches without end, and how many were made. */
function endless() {
  const seen = { batches: 0, ended: deferred<void>() }
  const query: VendorConnection['query'] = async function* (_sql, { schema }) {
    const rowCount = 4096
    const values = new BigInt64Array(rowCount * 2)
    const bytes = Buffer.alloc(rowCount * 10, 'x')
    const offsets = Int32Array.from({ length: rowCount + 1 }, (_, i) => i * 10)
    try {
      for (;;) {
        seen.batches += 1
        await new Promise((turn) => setImmediate(turn))
        const columns: ColumnVector[] = schema.map(({ type }) =>
          type.kind === 'string'
            ? { kind: 'utf8', length: rowCount, validity: undefined, offsets, bytes }
            : { kind: 'decimal128', length: rowCount, validity: undefined, values },
        )
        yield { schema, rowCount, columns }
      }
    } finally {
      seen.ended.resolve()
    }
  }
  return { seen, query }
}

t.test('rows are made as fast as the client reads them, and no more once it is gone', async (t) => {
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

t.test('a service that stops cancels what runs', async (t) => {
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
  t.match(await running, { status: 503, body: { code: 'SHUTTING_DOWN' } })
  await server.close()
})

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
