/** Models of clients contain no text that a database executes: attacks on the data and on the engine, through every surface. */
import path from 'node:path'
import { coreVariables } from '@grainline/core/unstable'
import vendor from '@grainline/vendor-duckdb'
import t, { type Test } from 'tap'
import { holds } from '../specification/holds.js'
import { dialects, startRest, type TestOptions, type TestServer } from './server.js'

const executing = (settings: Record<string, unknown> = {}): TestOptions => ({
  plugins: [
    ...dialects,
    { use: vendor, with: { init: ['CREATE TABLE sales (id INTEGER, kind VARCHAR)', "INSERT INTO sales VALUES (1, 'a')"] } },
  ],
  settings: { QUERY_EXECUTE: true, SESSION_RATE_LIMIT: 1000, MODEL_SQL: coreVariables.MODEL_SQL.default, ...settings },
})

const modelOver = (code: string, more: Record<string, unknown> = {}) => ({
  version: 1,
  dataObjects: { Things: { code, columns: { V: { code: 'v', abstractType: 'string' } }, ...more } },
  dimensions: { V: { dataObject: 'Things', column: 'V' } },
})

/** SQL that reads or changes data of others. */
const ATTACKS: Readonly<Record<string, Record<string, unknown>>> = {
  'a log that breaks everybody': modelOver(
    "(SELECT 'x' AS v FROM enable_logging('QueryLog', storage := 'file', storage_path := '/nope'))",
  ),
  'statements of others': modelOver('(SELECT message AS v FROM duckdb_logs())'),
  'a file that is overwritten': modelOver("(SELECT 'x' AS v FROM enable_profiling(save_location := '/tmp/nope.json'))"),
  'settings of the engine': modelOver('(SELECT name AS v FROM duckdb_settings())'),
  'settings, by a view of the system': modelOver('duckdb_settings'),
  'a view of the system in its schema': modelOver('tables', { schema: 'information_schema' }),
  'a view of the system in its database': modelOver('duckdb_tables', { database: 'system', schema: 'main' }),
  'roles of another engine': modelOver('pg_shadow'),
  'a file by its name': modelOver('/etc/passwd'),
  'a file that the server reads': modelOver('secret.csv'),
  'a plain SELECT': modelOver("(SELECT 'x' AS v)"),
  'a function outside the catalogue': {
    ...modelOver('sales'),
    dimensions: { V: { dataObject: 'Things', expression: 'getenv({[Things].[V]})', resultType: 'string' } },
  },
}

t.test('no surface accepts SQL in a model of a client', async (t) => {
  holds(t, 'setting.MODEL_SQL')
  const server = await serving(t, executing())
  const session = await sessionOf(server)
  const fine = {
    ...modelOver('sales'),
    dataObjects: { Things: { code: 'sales', columns: { V: { code: 'kind', abstractType: 'string' } } } },
  }
  const { dataObjects, ...empty } = fine
  for (const [what, model] of Object.entries(ATTACKS)) {
    const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: model })
    t.match(loaded, { status: 422, body: { code: 'MODEL_SQL_DENIED' } }, `${what}: load`)
    for (const path of ['/v1/validate', `/v1/sessions/${session}/validate`]) {
      const { body } = await server.post(path, { model_json: model })
      t.match(body, { valid: false, errors: [{ code: 'MODEL_SQL_DENIED' }] }, `${what}: ${path}`)
    }
    const batch = await server.post('/v1/oneshot/batch', {
      model_yaml: JSON.stringify(model),
      queries: [{ query: { select: { dimensions: ['V'] } } }],
      execute: true,
    })
    t.match(batch, { status: 422, body: { code: 'MODEL_SQL_DENIED' } }, `${what}: batch`)
  }
  const parent = await server.post(`/v1/sessions/${session}/models`, { model_json: fine })
  t.equal(parent.status, 201, parent.text)
  const heir = { ...empty, name: 'heir', dataObjects: { More: { code: "(SELECT 'x' AS v)", columns: { V: { code: 'v' } } } } }
  const inherited = await server.post(`/v1/sessions/${session}/models`, {
    model_json: { ...heir, dimensions: {} },
    inherits: parent.body.model_id,
  })
  t.match(inherited, { status: 422, body: { code: 'MODEL_SQL_DENIED' } }, 'inherits')
  const fragment = 'dimensions: {Env: {dataObject: Things, expression: "getenv(\'HOME\')", resultType: string}}'
  const extended = await server.post(`/v1/sessions/${session}/models`, { model_json: fine, extends: [fragment] })
  t.match(extended, { status: 422, body: { code: 'MODEL_SQL_DENIED' } }, 'extends')
})

t.test('the error names the setting, the position and an alternative', async (t) => {
  const server = await serving(t, executing())
  const yaml =
    'version: 1\ndataObjects:\n  Things:\n    code: (SELECT 1 AS v)\n    columns: {V: {code: v, abstractType: int}}\ndimensions: {V: {dataObject: Things, column: V}}\n'
  const { body } = await server.post(`/v1/sessions/${await sessionOf(server)}/models`, { model_yaml: yaml })
  t.match(body, { code: 'MODEL_SQL_DENIED', detail: /MODEL_SQL=deny/, hint: /MODEL_SQL=allow.*MODEL_FILES/ })
  t.match(body.errors, [{ code: 'MODEL_SQL_DENIED', path: 'dataObjects.Things.code', line: 4 }])
})

t.test('MODEL_SCHEMAS lists the readable schemas, including listed system schemas', async (t) => {
  holds(t, 'setting.MODEL_SCHEMAS')
  const server = await serving(t, executing({ MODEL_SCHEMAS: ['main', 'lake.Public', 'information_schema'] }))
  const outcomeOf = async (code: string, more: Record<string, unknown> = {}) =>
    (await server.post('/v1/validate', { model_json: modelOver(code, more) })).body.valid
  t.equal(await outcomeOf('sales', { schema: 'main' }), true)
  t.equal(await outcomeOf('sales', { database: 'LAKE', schema: 'public' }), true)
  t.equal(await outcomeOf('tables', { schema: 'information_schema' }), true)
  t.equal(await outcomeOf('sales', { schema: 'private' }), false)
  t.equal(await outcomeOf('sales', { database: 'lake', schema: 'main' }), false)
  t.equal(await outcomeOf('private.sales', { schema: 'main' }), false)
  t.equal(await outcomeOf('sales'), false)
})

t.test('MODEL_SQL=allow accepts a SELECT with listed functions over tables of the data, and nothing with effects', async (t) => {
  holds(t, 'setting.MODEL_FUNCTIONS')
  const server = await serving(t, executing({ MODEL_SQL: 'allow', MODEL_FUNCTIONS: ['getenv', 'list_sum'] }))
  const outcomeOf = async (model: object) => (await server.post('/v1/validate', { model_json: model })).body
  const { 'a plain SELECT': plain, 'a function outside the catalogue': outside, ...attacks } = ATTACKS
  for (const [what, model] of Object.entries({ 'a plain SELECT': plain, 'a listed function': outside }))
    t.match(await outcomeOf(model!), { valid: true }, what)
  const more = {
    'a system table within SQL': modelOver('(SELECT usename AS v FROM pg_shadow)'),
    'a setting of the connection': modelOver("(SELECT set_config('search_path', 'old', false) AS v)"),
    'two statements': modelOver("(SELECT 'x' AS v; ROLLBACK)"),
    'a parenthesis too many': modelOver("(SELECT 'x' AS v) t, (SELECT 1)"),
    'a function in an expression': {
      ...modelOver('sales'),
      dimensions: { V: { dataObject: 'Things', expression: 'pg_sleep({[Things].[V]})', resultType: 'string' } },
    },
  }
  for (const [what, model] of Object.entries({ ...attacks, ...more }))
    t.match(await outcomeOf(model), { valid: false, errors: [{ code: 'MODEL_SQL_DENIED' }] }, what)
  const listed = await outcomeOf(modelOver('(SELECT our_own(1) AS v)'))
  t.match(listed.errors[0], { message: /'our_own' is not one/, hint: /MODEL_FUNCTIONS.*MODEL_FILES/ })
})

t.test('models of the operator are not restricted', async (t) => {
  const folder = t.testdir({ 'own.yaml': JSON.stringify(modelOver("(SELECT 'x' AS v)")) })
  const server = await serving(t, { ...executing(), preload: [{ session: 'own', model: path.join(folder, 'own.yaml') }] })
  const { status, body } = await server.post('/v1/query/execute', { query: { select: { dimensions: ['V'] } } })
  t.match({ status, rows: body.rows }, { status: 200, rows: [['x']] })
})

async function serving(t: Test, options: TestOptions): Promise<TestServer> {
  const server = await startRest(options)
  t.teardown(() => server.close())
  return server
}

const sessionOf = async (server: TestServer): Promise<string> => (await server.post('/v1/sessions')).body.session_id
