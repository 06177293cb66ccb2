import t from 'tap'
import { holds } from '../specification/holds.js'
import { compiling, executing, startRest, type TestOptions } from './server.js'
import { shopModel, shopQuery } from './shop.js'

t.test('a query is compiled in its session, by shortcut, and as a bare body', async (t) => {
  holds(t, 'route.query-sql', 'route.query-sql.shortcut', 'field.compile', 'error.timing')
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

t.test('the dialect is that of the request, or else of the model, or else of DB_VENDOR, or else postgres', async (t) => {
  holds(t, 'field.dialect.order')
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

t.test('an unknown dialect is 400 and lists the available ones', async (t) => {
  holds(t, 'status.400.dialect')
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  await server.shop()
  t.match(await server.post('/v1/query/sql', { query: shopQuery, dialect: 'postgre' }), {
    status: 400,
    body: { code: 'UNSUPPORTED_DIALECT', detail: /duckdb, postgres/, suggestions: ['postgres'] },
  })
  // Of a dialect that is not loaded, the refusal names the package.
  t.match(await server.post('/v1/query/sql', { query: shopQuery, dialect: 'snowflake' }), {
    status: 400,
    body: { code: 'UNSUPPORTED_DIALECT', hint: /add '@grainline\/dialect-snowflake' to the plugins/ },
  })
})

t.test('a model whose default dialect is not loaded is told so when it is loaded', async (t) => {
  const server = await startRest(compiling)
  t.teardown(() => server.close())
  const warningsOf = async (defaultDialect: string) =>
    (await server.post('/v1/validate', { model_json: { ...shopModel, settings: { defaultDialect } } })).body.warnings
  t.match(await warningsOf('postgre'), [
    {
      code: 'UNSUPPORTED_DIALECT',
      path: 'settings.defaultDialect',
      message: /so queries that name no dialect are refused.*did you mean 'postgres'/,
    },
  ])
  t.match(await warningsOf('snowflake'), [{ code: 'UNSUPPORTED_DIALECT', hint: /@grainline\/dialect-snowflake/ }])
  t.same(
    (await warningsOf('postgres')).filter(({ code }: { code: string }) => code === 'UNSUPPORTED_DIALECT'),
    [],
  )
})

t.test('the error of an invalid query has the path and the nearest name', async (t) => {
  holds(t, 'status.422.query')
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
  const examples = [...shopModel.examples, { name: 'wrong', query: { select: { measures: ['Profit'] } } }]
  const { status, body } = await server.post(`/v1/sessions/${id}/models`, { model_json: { ...shopModel, examples } })
  t.equal(status, 201)
  t.match(body.warnings, [{ code: 'INVALID_EXAMPLE', path: 'examples[1].query.select.measures[0]', message: /'wrong'.*Profit/ }])
  t.match(await server.get('/v1/examples/wrong'), { status: 200, body: { compiled_sql_preview: null } })
})

t.test('a plan describes how a query would be answered, without running it', async (t) => {
  holds(t, 'route.query-plan')
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

t.test('a compiled statement is checked by the database if one is connected', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
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
