/** Forty characters of a query must not request gigabytes: functions that make long texts are limited, on every engine, before execution. */
import t from 'tap'
import { compiling, executing, startRest } from './server.js'

const replaces = (depth: number): string =>
  depth === 0 ? '{[Region]}' : `replace(${replaces(depth - 1)}, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')`
const joins = (depth: number): string => (depth === 0 ? '{[Region]}' : `concat(${joins(depth - 1)}, ${joins(depth - 1)})`)

const HUNGRY = [
  "length(lpad({[Region]}, 50000000, 'x'))",
  "rpad({[Region]}, 10001, 'x')",
  replaces(3),
  joins(8),
  "concat(lpad({[Region]}, 6000, 'x'), rpad({[Region]}, 6000, 'x'))",
  "replace(replace({[Region]}, '', {[Region]}), '', {[Region]})",
  "case when {[Region]} = 'x' then lpad({[Region]}, 1000000, 'x') else 'y' end",
]
const FINE = ["lpad({[Region]}, 100, '.')", replaces(1), joins(3), "replace({[Region]}, 'a', 'b')"]

t.test('an expression whose text may become too long is refused in every dialect, and common ones are accepted', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const ask = (expression: string, dialect: string) =>
    server.post('/v1/query/sql', { query: { select: { dimensions: [{ expression, as: 'X' }] } }, dialect })
  for (const dialect of ['duckdb', 'postgres']) {
    for (const expression of HUNGRY)
      t.match(await ask(expression, dialect), { status: 422, body: { code: 'STATEMENT_TOO_LARGE' } }, expression.slice(0, 60))
    for (const expression of FINE) t.match(await ask(expression, dialect), { status: 200 }, expression.slice(0, 60))
  }
})

t.test('a length that comes from the data is bounded where it is read', async (t) => {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  await server.shop()
  const expression = "length(lpad({[Region]}, length({[Region]}) * 20000000, 'x'))"
  const query = { select: { dimensions: [{ expression, as: 'X' }] }, where: [{ field: 'Region', op: 'is_not_null' }] }
  const { status, body } = await server.post('/v1/query/execute', { query })
  t.equal(status, 200, JSON.stringify(body))
  t.same(body.rows, [[10_000]])
})

t.test('a list of texts adds few characters for each row', async (t) => {
  const list = async (column: object, delimiter: string) => {
    const server = await startRest(compiling)
    t.teardown(server.close)
    const { session } = await server.shop({
      measures: { List: { aggregation: 'listagg', delimiter, resultType: 'string', ...column } },
      metrics: {},
      examples: [],
    })
    const { status, text } = await server.post('/v1/query/sql', {
      session_id: session,
      query: { select: { measures: ['List'] } },
    })
    return `${status} ${text}`
  }
  const column = { columns: [{ dataObject: 'Shops', column: 'Region' }] }
  const padded = { expression: "lpad({[Shops].[Region]}, 9000, 'x')" }
  const joined = { expression: "concat({[Shops].[Region]}, ' of ', {[Shops].[Region]})" }
  t.match(await list(column, 'x'.repeat(101)), /^422 .*STATEMENT_TOO_LARGE.*delimiter of 'listagg' has 101 characters/)
  t.match(await list(padded, ','), /^422 .*STATEMENT_TOO_LARGE.*'listagg'/)
  t.match(await list(column, ' | '), /^200 /)
  t.match(await list(joined, ', '), /^200 /)
})

t.test('texts do not grow from one relation of the statement to the next', async (t) => {
  const server = await startRest(compiling)
  t.teardown(server.close)
  const times = (count: number, name: string) => `concat(${Array.from({ length: count }, () => `{[${name}]}`).join(', ')})`
  const text = { type: 'derived', resultType: 'string' }
  const { session } = await server.shop({
    measures: {
      Widest: { aggregation: 'max', resultType: 'string', expression: "lpad({[Shops].[Region]}, 9000, 'x')" },
      Last: { aggregation: 'max', resultType: 'string', columns: [{ dataObject: 'Shops', column: 'Region' }] },
    },
    metrics: {
      'Two Wide': { ...text, expression: times(2, 'Widest') },
      Ten: { ...text, expression: times(10, 'Last') },
      Hundred: { ...text, expression: times(10, 'Ten') },
      Thousand: { ...text, expression: times(10, 'Hundred') },
      'Length of Many': { type: 'derived', resultType: 'int', expression: `length(${times(10, 'Hundred')})` },
      'Widest of Regions': { type: 'aggregate', aggregation: 'max', measure: 'Hundred', per: ['Region'], resultType: 'string' },
      'Many of Widest': { ...text, expression: times(10, 'Widest of Regions') },
    },
    examples: [],
  })
  const compiled = async (measure: string) => {
    const query = { select: { dimensions: ['Region'], measures: [measure] } }
    const { status, text } = await server.post('/v1/query/sql', { session_id: session, query })
    return `${status} ${text}`
  }
  for (const measure of ['Widest', 'Last', 'Ten', 'Hundred', 'Widest of Regions'])
    t.match(await compiled(measure), /^200 /, measure)
  for (const measure of ['Two Wide', 'Thousand', 'Length of Many', 'Many of Widest'])
    t.match(await compiled(measure), /^422 .*STATEMENT_TOO_LARGE.*'concat'/, measure)
})
