/** Statements over HTTP and on the command line: the same numbers as the equivalent query object. */
import evaluator from '@grainline/evaluator-duckdb'
import duckdb from '@grainline/vendor-duckdb'
import t from 'tap'
import { dialects, type Json, startRest } from '../rest/server.js'
import { holds } from '../specification/holds.js'

const folder = new URL('../../examples/flights/', import.meta.url).pathname
const tables = Object.fromEntries(
  ['flights', 'weather', 'hours', 'airports', 'planes', 'airlines'].map((name) => [name, `${folder}data/${name}.parquet`]),
)
const vendor = { use: duckdb, with: { tables } } as never
const preload = [
  { session: 'flights', model: `${folder}model.yaml` },
  { session: 'again', model: `${folder}model.yaml` },
]

const start = (settings: Record<string, unknown> = {}) =>
  startRest({ plugins: [...dialects, vendor, evaluator as never], settings: { QUERY_EXECUTE: true, ...settings }, preload })

const server = await start()
t.teardown(() => server.close())

const sql = async (text: string, more: object = {}): Promise<Json> =>
  (await server.post('/v1/sessions/flights/query/semantic-ql', { sql: text, ...more })).body
const rest = async (query: object): Promise<Json> =>
  (await server.post('/v1/query/execute', { session_id: 'flights', model_id: 'flights', query })).body

t.test('a statement over one model has the rows of the query object, with its own names and order of columns', async (t) => {
  const asked = await sql(
    `SELECT MEASURE("Flight Count") AS n, "Origin Code" AS code FROM flights WHERE "Status" = 'late' ORDER BY n DESC LIMIT 2`,
  )
  const same = await rest({
    select: { dimensions: ['Origin Code'], measures: ['Flight Count'] },
    where: [{ field: 'Status', op: '=', value: 'late' }],
    order_by: [{ field: 'Flight Count', direction: 'desc' }],
    limit: 2,
  })
  t.equal(asked.sql, same.sql, 'the same bytes')
  t.same(
    asked.columns.map((column: Json) => column.name),
    ['n', 'code'],
  )
  t.same(
    asked.rows,
    same.rows.map(([code, n]: Json[]) => [n, code]),
  )
  t.match(asked.model_queries, [{ name: 'model_query_1', model: 'flights', sql: same.sql, dialect: 'duckdb' }])
  t.equal(asked.outer_sql, null)
})

t.test('the answer of an outer statement names the SQL of each model query', async (t) => {
  const body = await sql(
    'SELECT "Origin Code", "Flight Count" * 2 AS twice, RANK() OVER (ORDER BY "Flight Count" DESC) AS place FROM flights ORDER BY place',
  )
  const same = await rest({
    select: { dimensions: ['Origin Code'], measures: ['Flight Count'] },
    order_by: [{ field: 'Flight Count', direction: 'desc' }],
  })
  t.same(
    body.rows,
    same.rows.map(([code, n]: Json[], i: number) => [code, n * 2, i + 1]),
  )
  t.equal(body.model_queries.length, 1)
  t.match(body.outer_sql, /RANK\(\) OVER/)
})

t.test('compiling runs nothing and returns the query object', async (t) => {
  const { status, body } = await server.post('/v1/query/semantic-ql/compile', {
    session_id: 'flights',
    sql: 'SELECT "Origin Code", "Flight Count" FROM flights WHERE "Distance Band" IN ($1, $2)',
    parameters: ['short', 'long'],
  })
  t.equal(status, 200)
  t.same(body.query, {
    select: { dimensions: ['Origin Code'], measures: ['Flight Count'] },
    where: [{ field: 'Distance Band', op: 'in', value: ['short', 'long'] }],
  })
  t.same(
    body.columns.map(({ name, type }: Json) => [name, type]),
    [
      ['Origin Code', 'string'],
      ['Flight Count', 'int'],
    ],
  )
  const around = await server.post('/v1/query/semantic-ql/compile', {
    session_id: 'flights',
    sql: 'SELECT "Flight Count" / 7 AS seventh, avg("Flight Count") OVER () AS mean FROM flights GROUP BY "Origin Code"',
  })
  t.same(
    around.body.columns.map(({ name, type }: Json) => [name, type]),
    [
      ['seventh', 'float'],
      ['mean', 'float'],
    ],
  )
})

t.test('the forms of SQL that keep rows without a value are one filter', async (t) => {
  const whereOf = async (condition: string): Promise<Json> => {
    const text = `SELECT "Flight Count" FROM flights WHERE ${condition}`
    return (await server.post('/v1/query/semantic-ql/compile', { session_id: 'flights', sql: text })).body.query.where
  }
  const field = 'Manufacturer'
  const other = { field, op: '<>', value: 'BOEING', or_missing: true }
  t.same(await whereOf(`"Manufacturer" IS DISTINCT FROM 'BOEING'`), [other])
  t.same(await whereOf(`"Manufacturer" <> 'BOEING' OR "Manufacturer" IS NULL`), [other])
  t.same(await whereOf(`NOT ("Manufacturer" IS NOT DISTINCT FROM 'BOEING')`), [other])
  t.same(await whereOf(`"Manufacturer" IS NOT DISTINCT FROM 'BOEING'`), [{ field, op: '=', value: 'BOEING' }])
  t.same(await whereOf(`"Manufacturer" IS NULL OR "Manufacturer" NOT IN ('BOEING', 'CESSNA') OR "Status" = 'late'`), [
    {
      logic: 'or',
      filters: [
        { field, op: 'not_in', value: ['BOEING', 'CESSNA'], or_missing: true },
        { field: 'Status', op: '=', value: 'late' },
      ],
    },
  ])
  t.match(await whereOf(`"Manufacturer" = 'BOEING' OR "Manufacturer" IS NULL`), [{ logic: 'or', filters: [{}, {}] }])
  t.match(await whereOf(`"Manufacturer" <> 'BOEING' OR "Airline" IS NULL`), [{ logic: 'or', filters: [{}, {}] }])
})

t.test('the default limit applies only to the outermost answer', async (t) => {
  const small = await start({ QUERY_DEFAULT_LIMIT: 2 })
  const ask = async (text: string): Promise<Json> =>
    (await small.post('/v1/sessions/flights/query/semantic-ql', { sql: text })).body
  const cut = await ask('SELECT "Origin Code" || \'!\' AS code, "Flight Count" FROM flights GROUP BY "Origin Code"')
  t.match(cut, { row_count: 2, truncated: true, warnings: [{ code: 'DEFAULT_LIMIT_APPLIED' }] })
  const whole = await ask(
    'SELECT count(*) AS n, sum(c) AS flights FROM (SELECT "Origin Code", "Flight Count" AS c FROM flights) AS t',
  )
  t.same(whole.rows, [[3, '336776']], 'the model query inside is whole')
  const asked = await ask('SELECT x.c FROM (SELECT "Origin Code" AS c FROM flights) AS x LIMIT 3')
  t.match(asked, { row_count: 3, truncated: false })
  await small.close()
})

t.test('models are distinguished by name, and one of several must be named', async (t) => {
  const none = await server.post('/v1/query/semantic-ql', { sql: 'SELECT "Flight Count"' })
  t.match(none, { status: 422, body: { code: 'NO_MODEL_SELECTED', suggestions: ['flights', 'again'] } })
  const chosen = await server.post('/v1/query/semantic-ql', { sql: 'SELECT "Flight Count"', model: 'again' })
  t.same(chosen.body.rows, [[336776]])
})

t.test('an unknown language is refused with the loaded ones', async (t) => {
  for (const language of ['', 'semantic-qi', 'x'.repeat(1000)])
    t.match(await server.post('/v1/sessions/flights/query/semantic-ql/compile', { sql: 'SELECT 1', language }), {
      status: 422,
      body: { code: 'INVALID_REQUEST', errors: [{ path: 'language' }], suggestions: ['semantic-ql'] },
    })
})

t.test('queries on the catalogue are answered from the models', async (t) => {
  t.match(await sql('SHOW TABLES'), { columns: [{ name: 'name' }, {}, {}, {}, {}], rows: [['flights'], ['again']] })
  const described = await sql('DESCRIBE flights')
  t.ok(described.rows.some(([name, type, kind]: Json[]) => name === 'Flight Count' && type === 'int' && kind === 'measure'))
  t.same((await sql("SELECT 1 AS one, 'a' AS two")).rows, [[1, 'a']])
  t.match((await sql('SELECT version()')).rows, [[/Grainline/]])
})

t.test('a ping needs no evaluator, and has the same answer as with one', async (t) => {
  const bare = await startRest({ plugins: [...dialects, vendor], settings: { QUERY_EXECUTE: true }, preload })
  const ping = async (text: string) => (await bare.post('/v1/sessions/flights/query/semantic-ql', { sql: text })).body
  for (const text of [
    'SELECT 1',
    'SELECT -7, 2147483647 AS n',
    "SELECT 'it''s' AS text, TRUE, FALSE AS no",
    'SELECT version(), current_schema() AS "s"',
  ]) {
    const { columns, rows } = await ping(text)
    const evaluated = await sql(`${text} LIMIT 1`)
    t.same({ columns, rows }, { columns: evaluated.columns, rows: evaluated.rows }, text)
  }
  for (const text of [
    'SELECT 1.5',
    'SELECT NULL',
    'SELECT 1 LIMIT 0',
    'SELECT 1 WHERE FALSE',
    'SELECT version(1)',
    'SELECT 2147483648',
    'SELECT toString()',
  ])
    t.match(await ping(text), { code: 'UNSUPPORTED_SQL', detail: /No evaluator/ }, text)
  await bare.close()
})

t.test('without execution only the compile route exists', async (t) => {
  const compiling = await startRest({ plugins: dialects, preload })
  const ask = (path: string) =>
    compiling.post(`/v1/query/semantic-ql${path}`, { sql: 'SELECT "Flight Count"', session_id: 'flights' })
  t.match(await ask(''), { status: 404, body: { code: 'EXECUTION_DISABLED' } })
  t.match(await ask('/compile'), { status: 200, body: { query: { select: { measures: ['Flight Count'] } } } })
  await compiling.close()
})

t.test('strict mode accepts only queries of one model', async (t) => {
  holds(t, 'setting.SEMANTIC_QL_STRICT')
  const strict = await start({ SEMANTIC_QL_STRICT: true })
  const ask = (text: string) => strict.post('/v1/sessions/flights/query/semantic-ql', { sql: text })
  t.match(await ask('SELECT "Flight Count" FROM flights'), { status: 200, body: { rows: [[336776]] } })
  t.match(await ask('SELECT "Flight Count" * 2 FROM flights'), { status: 422, body: { code: 'UNSUPPORTED_SQL_FEATURE' } })
  await strict.close()
})

t.test('every example of the flights that SQL can express gives the rows of its query', async (t) => {
  const pairs: readonly (readonly [string, object])[] = [
    [
      `SELECT "Origin Code", "Status", "Flight Count" FROM flights GROUP BY GROUPING SETS (("Origin Code"), ("Status"), ()) ORDER BY 1, 2`,
      {
        select: { dimensions: ['Origin Code', 'Status'], measures: ['Flight Count'] },
        grouping: { sets: [['Origin Code'], ['Status'], []] },
        order_by: [{ field: 'Origin Code' }, { field: 'Status' }],
      },
    ],
    [
      `SELECT "Origin Code", "Status", "Flight Count", "Cancellation Rate" FROM flights GROUP BY ROLLUP("Origin Code", "Status") ORDER BY 1, 2`,
      {
        select: { dimensions: ['Origin Code', 'Status'], measures: ['Flight Count', 'Cancellation Rate'] },
        grouping: 'rollup',
        order_by: [{ field: 'Origin Code' }, { field: 'Status' }],
      },
    ],
    [
      `SELECT "Scheduled At:month", "Late Rate" FROM flights WHERE "Date" BETWEEN '2013-01-01' AND '2013-03-31' AND NOT ("Airline" LIKE 'U%' OR "Airline" IS NULL) ORDER BY 1`,
      {
        select: { dimensions: ['Scheduled At:month'], measures: ['Late Rate'] },
        where: [
          { field: 'Date', op: 'between', value: ['2013-01-01', '2013-03-31'] },
          {
            logic: 'and',
            negated: true,
            filters: [
              {
                logic: 'or',
                filters: [
                  { field: 'Airline', op: 'like', value: 'U%' },
                  { field: 'Airline', op: 'is_null' },
                ],
              },
            ],
          },
        ],
        order_by: [{ field: 'Scheduled At:month' }],
      },
    ],
    [
      `SELECT "Date":: date, "Flights a Period Before" AS before, "Flight Count" FROM flights WHERE "Date" >= DATE '2013-12-25' AND "Flight Count" > 800 ORDER BY 1`,
      {
        select: { dimensions: ['Date'], measures: ['Flights a Period Before', 'Flight Count'] },
        where: [{ field: 'Date', op: '>=', value: '2013-12-25' }],
        having: [{ field: 'Flight Count', op: '>', value: 800 }],
        order_by: [{ field: 'Date' }],
      },
    ],
  ]
  for (const [text, query] of pairs) {
    const [asked, same] = [await sql(text), await rest(query)]
    t.equal(asked.sql, same.sql, text)
    const shown = asked.rows[0].length
    t.same(
      asked.rows,
      same.rows.map((row: Json[]) => row.slice(0, shown)),
    )
  }
})
