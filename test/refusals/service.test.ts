/**
 * Applies the advice of errors and warnings of the service: a request that is refused, and the one that the advice describes. If an error
 * names a setting, the request is repeated on a server with that setting.
 */
import path from 'node:path'
import t from 'tap'
import { type Answer, compiling, executing, startRest, type TestOptions, type TestServer } from '../rest/server.js'
import { shopModel, shopQuery } from '../rest/shop.js'

interface Served {
  readonly server: TestServer
  readonly session: string
  readonly model: string
  readonly ask: (query: object) => Promise<Answer>
  readonly sql: (sql: string, more?: object) => Promise<Answer>
}

interface Followed {
  readonly code: string
  readonly options?: TestOptions
  /** Additions to the model of the shop. */
  readonly model?: Record<string, unknown>
  readonly spoil: (served: Served) => Promise<Answer>
  /** A pattern for the advice in the error. */
  readonly advice: RegExp
  readonly follow?: (served: Served, refused: Answer) => Promise<Answer>
  /** The rows of the answer, if it has any. */
  readonly gives?: readonly (readonly unknown[])[]
  /** Settings that the error names, with which the same request is answered. */
  readonly raised?: Record<string, unknown>
}

const settings = (more: Record<string, unknown>): TestOptions => ({ ...executing, settings: { QUERY_EXECUTE: true, ...more } })
const revenue = { select: { measures: ['Revenue'] } }
const misspelt = { name: 'e', query: { select: { measures: ['Revenu'] } } }
const among = (...value: number[]) => ({ ...revenue, where: [{ field: 'Sale Id', op: 'in', value }] })
const expression = (text: string) => ({ select: { dimensions: [{ expression: text, as: 'X' }] } })
const { Sales } = shopModel.dataObjects
const withDay = {
  ...shopModel.dataObjects,
  Sales: {
    ...Sales,
    code: `(SELECT *, DATE '2024-01-01' AS day FROM ${Sales.code})`,
    columns: { ...Sales.columns, Day: { code: 'day', abstractType: 'date' } },
  },
}
const running = {
  dataObjects: withDay,
  dimensions: { ...shopModel.dimensions, Day: { dataObject: 'Sales', column: 'Day', timeGrain: 'day' } },
  metrics: { Running: { type: 'cumulative', measure: 'Revenue', timeDimension: 'Day' } },
}
const wrongColumn = {
  dataObjects: {
    ...shopModel.dataObjects,
    Sales: { ...Sales, columns: { ...Sales.columns, Amount: { code: 'amuont', abstractType: 'int' } } },
  },
}
const shopId = (abstractType: string) => ({
  dataObjects: {
    ...shopModel.dataObjects,
    Sales: { ...Sales, columns: { ...Sales.columns, 'Shop Id': { code: 'shop_id', abstractType } }, joins: [] },
  },
  dimensions: {},
  examples: [],
})
const converted = {
  ...shopId('date'),
  dataObjects: {
    ...shopModel.dataObjects,
    Sales: {
      ...shopId('date').dataObjects.Sales,
      code: `(SELECT id, CASE shop_id WHEN 'a' THEN DATE '2024-01-01' WHEN 'b' THEN DATE '2024-01-02' END AS shop_id, amount FROM ${Sales.code} AS s)`,
    },
  },
}
/** Only the model knows the result of a function outside the catalogue. */
const storedAs = (abstractType: string) => ({
  dataObjects: {
    ...shopModel.dataObjects,
    Sales: { ...Sales, columns: { ...Sales.columns, Storage: { expression: 'typeof({Amount})', abstractType } } },
  },
})
const byStorage = { select: { fields: ['Sales.Storage'] } }
const byShop = { select: { fields: ['Sales.Shop Id'] } }
const newModel = (served: Served, changes: Record<string, unknown>) =>
  served.server.post(`/v1/sessions/${served.session}/models`, { model_json: { ...shopModel, ...changes } })
const again = async (served: Served, changes: Record<string, unknown>, query: object): Promise<Answer> => {
  const { body } = await newModel(served, changes)
  return served.server.post(`/v1/sessions/${served.session}/query/execute`, { model_id: body.model_id, query })
}

const shopFile = path.join(t.testdir({ 'shop.yaml': JSON.stringify(shopModel) }), 'shop.yaml')

const REGIONS = [
  ['North', '30'],
  ['South', '5'],
  [null, '1'],
]

const CASES: readonly Followed[] = [
  {
    code: 'QUERY_TOO_LARGE',
    options: settings({ QUERY_MAX_VALUES: 2 }),
    spoil: ({ ask }) => ask(among(1, 2, 3)),
    advice: /in parts.*QUERY_MAX_VALUES/s,
    follow: ({ ask }) => ask(among(1, 2)),
    raised: { QUERY_MAX_VALUES: 3 },
    gives: [['30']],
  },
  {
    code: 'ANSWER_TOO_LARGE',
    options: settings({ ANSWER_MAX_ROWS: 2 }),
    spoil: ({ ask }) => ask({ ...shopQuery, limit: 100 }),
    advice: /limit.*ANSWER_MAX_ROWS/s,
    follow: ({ ask }) => ask({ ...shopQuery, limit: 2 }),
    raised: { ANSWER_MAX_ROWS: 3 },
    gives: REGIONS.slice(0, 2),
  },
  {
    code: 'ANSWER_TOO_LARGE',
    options: settings({ ANSWER_MAX_ROWS: 2 }),
    spoil: ({ ask }) => ask({ ...shopQuery, limit: 100 }),
    advice: /Filter, group/,
    follow: ({ ask }) => ask({ ...shopQuery, limit: 100, where: [{ field: 'Region', op: '=', value: 'North' }] }),
    gives: [['North', '30']],
  },
  {
    code: 'COMPILE_BUDGET',
    options: settings({ COMPILE_MAX_STEPS: 1000 }),
    spoil: ({ ask }) =>
      ask({
        select: { dimensions: ['Region'], measures: ['Revenue', 'Revenue per Sale'] },
        grouping: 'rollup',
        where: Array.from({ length: 100 }, (_, i) => ({ field: 'Sale Id', op: '!=', value: -i })),
      }),
    advice: /COMPILE_MAX_STEPS/,
    follow: ({ ask }) => ask(revenue),
    raised: { COMPILE_MAX_STEPS: 1_000_000 },
    gives: [['36']],
  },
  {
    code: 'STATEMENT_TOO_LARGE',
    spoil: ({ ask }) => ask(expression("lpad({[Region]}, 50000000, 'x')")),
    advice: /[Nn]arrow|shorter|fewer/,
    follow: ({ ask }) => ask(expression("lpad({[Region]}, 100, 'x')")),
    gives: ['North', 'South'].map((region) => [region.padStart(100, 'x')]),
  },
  {
    code: 'EXECUTION_DISABLED',
    options: compiling,
    spoil: ({ ask }) => ask(shopQuery),
    advice: /QUERY_EXECUTE=true/,
    raised: { QUERY_EXECUTE: true },
  },
  {
    code: 'DEFAULT_LIMIT_APPLIED',
    options: settings({ QUERY_DEFAULT_LIMIT: 1 }),
    spoil: ({ ask }) => ask(shopQuery),
    advice: /limit/,
    follow: ({ ask }) => ask({ ...shopQuery, limit: 3 }),
    raised: { QUERY_DEFAULT_LIMIT: 3 },
    gives: REGIONS,
  },
  {
    code: 'SQL_NOT_VALIDATED',
    options: { ...executing, plugins: [...executing.plugins!, '@grainline/dialect-trino'] },
    spoil: ({ server, session, model }) =>
      server.post(`/v1/sessions/${session}/query/sql`, { model_id: model, query: shopQuery, dialect: 'trino' }),
    advice: /connection/,
    follow: ({ server, session, model }) =>
      server.post(`/v1/sessions/${session}/query/sql`, { model_id: model, query: shopQuery }),
  },
  {
    code: 'SQL_REJECTED',
    spoil: async (served) => {
      const { body } = await newModel(served, wrongColumn)
      return served.server.post(`/v1/sessions/${served.session}/query/sql`, { model_id: body.model_id, query: shopQuery })
    },
    advice: /columns of the model/,
    follow: ({ server, session, model }) =>
      server.post(`/v1/sessions/${session}/query/sql`, { model_id: model, query: shopQuery }),
  },
  {
    code: 'DATABASE_ERROR',
    spoil: (served) => again(served, wrongColumn, shopQuery),
    advice: /amuont/,
    follow: ({ ask }) => ask(shopQuery),
    gives: REGIONS,
  },
  {
    code: 'NUMERIC_OVERFLOW',
    spoil: ({ ask }) => ask(expression('{[Sale Id]} * 9223372036854775807')),
    advice: /AS float/,
    follow: ({ ask }) => ask(expression('CAST({[Sale Id]} AS float) * 9223372036854775807')),
    gives: [1, 2, 3, 4].map((id) => [id * 2 ** 63]),
  },
  {
    code: 'NUMERIC_OVERFLOW',
    spoil: ({ ask }) => ask(expression('{[Sale Id]} * 4611686018427387903')),
    advice: /filter out the rows/,
    follow: ({ ask }) =>
      ask({ ...expression('{[Sale Id]} * 4611686018427387903'), where: [{ field: 'Sale Id', op: 'lte', value: 2 }] }),
    gives: [['4611686018427387903'], ['9223372036854775806']],
  },
  {
    code: 'TYPE_MISMATCH',
    spoil: (served) => again(served, shopId('date'), byShop),
    advice: /declare the type that the database has/,
    follow: (served) => again(served, shopId('string'), byShop),
    gives: [['a'], ['a'], ['b'], [null]],
  },
  {
    code: 'TYPE_MISMATCH',
    spoil: (served) => again(served, shopId('date'), byShop),
    advice: /or convert the column in a SELECT/,
    follow: (served) => again(served, converted, byShop),
    gives: [['2024-01-01'], ['2024-01-01'], ['2024-01-02'], [null]],
  },
  {
    code: 'RESULT_TYPE_MISMATCH',
    spoil: (served) => again(served, storedAs('int'), byStorage),
    advice: /'Sales.Storage' is planned as int, but the database returned VARCHAR.*Correct the type in the model/s,
    follow: (served) => again(served, storedAs('string'), byStorage),
    gives: [['BIGINT'], ['BIGINT'], ['BIGINT'], ['BIGINT']],
  },
  {
    code: 'SESSION_PROTECTED',
    options: { ...executing, preload: [{ session: 'kept', model: shopFile }] },
    spoil: ({ server }) => server.delete('/v1/sessions/kept'),
    advice: /session of your own/,
    follow: async ({ server }) => {
      const { session_id } = (await server.post('/v1/sessions')).body
      return server.delete(`/v1/sessions/${session_id}`)
    },
  },
  {
    code: 'NO_ROWS_BEHIND',
    model: running,
    spoil: ({ server }) =>
      server.post('/v1/query/rows', {
        query: { select: { dimensions: ['Day'], measures: ['Running'] } },
        cell: { Day: '2024-01-01' },
        measure: 'Running',
      }),
    advice: /'Revenue'/,
    follow: ({ server }, { body }) =>
      server.post('/v1/query/rows', {
        query: { select: { dimensions: ['Day'], measures: ['Revenue'] } },
        cell: { Day: '2024-01-01' },
        measure: body.suggestions[0],
      }),
  },
  {
    code: 'MODEL_SQL_DENIED',
    options: settings({ MODEL_SQL: 'deny' }),
    model: { dataObjects: { Sales: { ...Sales, code: 'sales', joins: [] } }, dimensions: {}, examples: [] },
    spoil: (served) => newModel(served, {}),
    advice: /MODEL_SQL=allow/,
    follow: (served) =>
      newModel(served, { dataObjects: { Sales: { ...Sales, code: 'sales', joins: [] } }, dimensions: {}, examples: [] }),
    raised: { MODEL_SQL: 'allow' },
  },
  {
    code: 'SESSION_LIMIT',
    options: { settings: { MAX_SESSIONS: 1 } },
    spoil: ({ server }) => server.post('/v1/sessions'),
    advice: /MAX_SESSIONS/,
    raised: { MAX_SESSIONS: 2 },
    follow: async ({ server, session }) => {
      await server.delete(`/v1/sessions/${session}`)
      return server.post('/v1/sessions')
    },
  },
  {
    code: 'RATE_LIMITED',
    options: { settings: { SESSION_RATE_LIMIT: 1 } },
    spoil: ({ server }) => server.post('/v1/sessions'),
    advice: /try again in 60 s.*SESSION_RATE_LIMIT/s,
    raised: { SESSION_RATE_LIMIT: 2 },
    follow: ({ server }, { headers }) => {
      server.pass(Number(headers['retry-after']))
      return server.post('/v1/sessions')
    },
  },
  {
    code: 'MODEL_LIMIT',
    options: { settings: { MAX_MODELS_PER_SESSION: 1 } },
    spoil: (served) => newModel(served, { name: 'other' }),
    advice: /[Dd]elete a model/,
    follow: async (served) => {
      await served.server.delete(`/v1/sessions/${served.session}/models/${served.model}`)
      return newModel(served, { name: 'other' })
    },
  },
  {
    code: 'MEMORY_LIMIT',
    options: { settings: { SESSION_MAX_MODEL_BYTES: 60_000 } },
    spoil: async (served) => {
      let answer = await newModel(served, { name: 'm' })
      for (let i = 0; i < 50 && answer.status === 201; i++) answer = await newModel(served, { name: `m${i}` })
      return answer
    },
    advice: /SESSION_MAX_MODEL_BYTES.*Delete a model/s,
    follow: async (served) => {
      await served.server.delete(`/v1/sessions/${served.session}/models/${served.model}`)
      return newModel(served, { name: 'after' })
    },
    raised: { SESSION_MAX_MODEL_BYTES: 100_000_000, MAX_MODELS_PER_SESSION: 100 },
  },
  {
    code: 'MEMORY_LIMIT',
    options: { settings: { SESSION_MAX_MODEL_BYTES: 60_000 } },
    spoil: async (served) => {
      let answer = await newModel(served, { name: 'm' })
      for (let i = 0; i < 50 && answer.status === 201; i++) answer = await newModel(served, { name: `m${i}` })
      return answer
    },
    advice: /or a session/,
    follow: async (served) => {
      await served.server.delete(`/v1/sessions/${served.session}`)
      const { session_id } = (await served.server.post('/v1/sessions')).body
      return newModel({ ...served, session: session_id }, { name: 'after' })
    },
  },
  {
    code: 'BATCH_PARALLELISM_CLAMPED',
    options: settings({ ONESHOT_BATCH_MAX_PARALLELISM: 1 }),
    spoil: ({ server, session, model }) =>
      server.post('/v1/oneshot/batch', {
        session_id: session,
        model_id: model,
        max_parallelism: 2,
        queries: [{ query: shopQuery }],
      }),
    advice: /ONESHOT_BATCH_MAX_PARALLELISM/,
    follow: ({ server, session, model }) =>
      server.post('/v1/oneshot/batch', {
        session_id: session,
        model_id: model,
        max_parallelism: 1,
        queries: [{ query: shopQuery }],
      }),
    raised: { ONESHOT_BATCH_MAX_PARALLELISM: 2 },
  },
  {
    code: 'SESSION_LIST_DISABLED',
    options: { settings: { DISABLE_SESSION_LIST: true } },
    spoil: ({ server }) => server.get('/v1/sessions'),
    advice: /session id/,
    follow: ({ server, session }) => server.get(`/v1/sessions/${session}`),
  },
  {
    code: 'INVALID_EXAMPLE',
    spoil: ({ server }) =>
      server.post('/v1/validate', {
        model_json: { ...shopModel, examples: [{ name: 'e', query: { select: { measures: ['Revenu'] } } }] },
      }),
    advice: /'Revenue'/,
    follow: ({ server }) =>
      server.post('/v1/validate', {
        model_json: { ...shopModel, examples: [{ name: 'e', query: { select: { measures: ['Revenue'] } } }] },
      }),
  },
  {
    code: 'INVALID_TEST',
    spoil: ({ server }) =>
      server.post('/v1/validate', {
        model_json: {
          ...shopModel,
          tests: [{ name: 'e', query: { select: { measures: ['Revenu'] } }, expect: { rows: [{ Revenu: 36 }] } }],
        },
      }),
    advice: /'Revenue'/,
    follow: ({ server }) =>
      server.post('/v1/validate', {
        model_json: {
          ...shopModel,
          tests: [{ name: 'e', query: { select: { measures: ['Revenue'] } }, expect: { rows: [{ Revenue: 36 }] } }],
        },
      }),
  },
  {
    code: 'INVALID_TEST',
    spoil: ({ server }) =>
      server.post('/v1/validate', { model_json: { ...shopModel, tests: [{ ...misspelt, expect: { rows: [{ Revenu: 36 }] } }] } }),
    advice: /or expect the error/,
    follow: ({ server }) =>
      server.post('/v1/validate', {
        model_json: { ...shopModel, tests: [{ ...misspelt, expect: { error: 'UNKNOWN_MEASURE' } }] },
      }),
  },
  {
    code: 'UNKNOWN_SELECT_ITEM',
    spoil: ({ sql }) => sql('SELECT "Revenu" FROM shop'),
    advice: /Revenue/,
    follow: ({ sql }, { body }) => sql(`SELECT "${body.suggestions[0]}" FROM shop`),
    gives: [['36']],
  },
  {
    code: 'SQL_SYNTAX_ERROR',
    spoil: ({ sql }) => sql('SELECT "Revenue" FROM shop WHERE'),
    advice: /./,
    follow: ({ sql }) => sql('SELECT "Revenue" FROM shop'),
    gives: [['36']],
  },
  {
    code: 'UNBOUND_PARAMETER',
    spoil: ({ sql }) => sql('SELECT "Revenue" FROM shop WHERE "Region" = $1'),
    advice: /\$n|\$1/,
    follow: ({ sql }) => sql(`SELECT "Revenue" FROM shop WHERE "Region" = 'North'`),
    gives: [['30']],
  },
  {
    code: 'RAW_SQL_REJECTED',
    spoil: ({ sql }) => sql('SELECT "Revenue" FROM sop'),
    advice: /shop/,
    follow: ({ sql }) => sql('SELECT "Revenue" FROM shop'),
    gives: [['36']],
  },
  {
    code: 'WRITE_OPERATION_REJECTED',
    spoil: ({ sql }) => sql('DELETE FROM shop'),
    advice: /reading/,
    follow: ({ sql }) => sql('SELECT "Region" FROM shop'),
    gives: [['North'], ['South'], [null]],
  },
  {
    code: 'NO_MODEL_SELECTED',
    spoil: async (served) => {
      await newModel(served, { name: 'other' })
      return served.server.post(`/v1/sessions/${served.session}/query/semantic-ql`, { sql: 'SELECT "Revenue"' })
    },
    advice: /shop/,
    follow: (served, { body }) =>
      served.server.post(`/v1/sessions/${served.session}/query/semantic-ql`, {
        sql: `SELECT "Revenue" FROM ${body.suggestions[0]}`,
      }),
    gives: [['36']],
  },
]

async function served(options: TestOptions, changes: Record<string, unknown> = {}): Promise<Served> {
  const server = await startRest(options)
  // A model with hand-written SQL cannot be sent if such models are what is refused.
  const { session, model } = await server.shop(changes)
  return {
    server,
    session,
    model,
    ask: (query) => server.post(`/v1/sessions/${session}/query/execute`, { model_id: model, query }),
    sql: (sql, more = {}) => server.post(`/v1/sessions/${session}/query/semantic-ql`, { model_id: model, sql, ...more }),
  }
}

const sorted = (rows: readonly (readonly unknown[])[] | undefined) => rows?.map((row) => JSON.stringify(row)).toSorted()

/** Every finding in the answer has its code. */
const saysCode = ({ text }: Answer, code: string): boolean => new RegExp(`"code":"${code}"`).test(text)

for (const { code, options = executing, model, spoil, advice, follow, gives, raised } of CASES)
  t.test(`${code}: the advice works`, async (t) => {
    const here = await served(options, model)
    t.teardown(() => here.server.close())
    const refused = await spoil(here)
    t.ok(saysCode(refused, code), refused.text.slice(0, 500))
    t.match(refused.text, advice)
    if (follow) {
      const answer = await follow(here, refused)
      t.ok(answer.status < 300 && !saysCode(answer, code), `${answer.status} ${answer.text.slice(0, 500)}`)
      t.same(sorted(answer.body?.rows), sorted(gives), 'the number that was meant')
    }
    if (raised === undefined) return
    const other = await served({ ...executing, settings: { ...options.settings, ...raised } }, model)
    t.teardown(() => other.server.close())
    const answer = await spoil(other)
    t.ok(answer.status < 300 && !saysCode(answer, code), `with ${JSON.stringify(raised)}: ${answer.text.slice(0, 500)}`)
  })

t.test('CURATED_MODE: the advice works', async (t) => {
  const server = await startRest({ ...executing, settings: { QUERY_EXECUTE: true, MODEL_FILES: [shopFile] } })
  t.teardown(() => server.close())
  const refused = await server.post('/v1/sessions/shop/models', { model_json: shopModel })
  t.match(refused, { status: 403, body: { code: 'CURATED_MODE', hint: /GET \/v1\/models lists.*MODEL_FILES/ } })
  const { models } = (await server.get('/v1/models')).body
  const { name } = models[0]
  t.equal((await server.post('/v1/query/execute', { session_id: name, query: shopQuery })).status, 200)
})
