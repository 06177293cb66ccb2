import t from 'tap'
import { oneIn } from '../support/amount.js'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const db = await database(
  'CREATE TABLE facts (id BIGINT, word VARCHAR, amount BIGINT)',
  "INSERT INTO facts SELECT i, 'w' || i % 7, i FROM range(1, 101) t(i)",
)

/** One fact of a hundred rows whose amounts sum to 5050, with these metrics and computed columns. */
const modelOf = (metrics: Readonly<Record<string, unknown>>, columns: Readonly<Record<string, unknown>> = {}, measures = {}) =>
  loadText(
    JSON.stringify({
      version: 1,
      dataObjects: {
        Facts: {
          code: 'facts',
          columns: {
            ID: { code: 'id', abstractType: 'int', primaryKey: true },
            Word: { code: 'word', abstractType: 'string' },
            Amount: { code: 'amount', abstractType: 'int' },
            ...columns,
          },
        },
      },
      dimensions: { Word: { dataObject: 'Facts', column: 'Word' }, ID: { dataObject: 'Facts', column: 'ID' } },
      measures: { Total: { aggregation: 'sum', columns: [{ dataObject: 'Facts', column: 'Amount' }] }, ...measures },
      metrics,
    }),
  )

const steps = (count: number, expression: (previous: string) => string): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`m${i + 1}`, { expression: expression(i === 0 ? '{[Total]}' : `{[m${i}]}`) }]),
  )

t.test('a chain of a thousand metrics is one statement of bounded size with the correct number', async (t) => {
  const model = modelOf(steps(1000, (previous) => `${previous} + 1`))
  const { sql } = compileFor(
    { select: { dimensions: ['Word'], measures: ['m1000', 'm1'] }, order_by: [{ field: 'Word' }], limit: 1 },
    model,
  )
  t.ok(sql.length < 60_000, `${sql.length} characters`)
  const sum = Array.from({ length: 100 }, (_, i) => i + 1)
    .filter((i) => i % 7 === 0)
    .reduce((a, b) => a + b)
  t.same(await db.rows(sql), [['w0', String(sum + 1000), String(sum + 1)]])
})

t.test('in a chain of forty metrics that each double the last, the number doubles and the statement does not', async (t) => {
  const model = modelOf(steps(40, (previous) => `${previous} + ${previous}`))
  const { sql } = compileFor({ select: { measures: ['m40'] } }, model)
  t.ok(sql.length < 20_000, `${sql.length} characters`)
  t.same(await db.rows(sql), [[String(5050n * 2n ** 40n)]])
})

t.test('having and order on that chain read computed columns, and select nothing more', async (t) => {
  const model = modelOf(steps(30, (previous) => `${previous} + ${previous}`))
  const asked = {
    select: { dimensions: ['Word'], measures: ['Total'] },
    having: [{ field: 'm30', op: 'gt', value: String(700n * 2n ** 30n) }],
    order_by: [{ field: 'm29', direction: 'desc' }],
  }
  const compiled = compileFor(asked, model)
  t.same(
    compiled.columns.map((c) => c.name),
    ['Word', 'Total'],
  )
  t.ok(compiled.sql.length < 20_000, `${compiled.sql.length} characters`)
  const totals = await db.rows(
    'SELECT word, CAST(sum(amount) AS VARCHAR) FROM facts GROUP BY 1 HAVING sum(amount) > 700 ORDER BY sum(amount) DESC',
  )
  t.same(await db.rows(compiled.sql), totals)
})

const ladder = (levels: number) =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, i) => {
      const below = i === 0 ? '{Amount}' : `{c${i}}`
      return [`c${i + 1}`, { expression: `${below} + ${below}`, abstractType: 'int' }]
    }),
  )
const top = (levels: number) => ({ Top: { aggregation: 'sum', columns: [{ dataObject: 'Facts', column: `c${levels}` }] } })

t.test('a chain of computed columns is written inline while it is short and refused when it is long', async (t) => {
  const { sql } = compileFor({ select: { measures: ['Top'] } }, modelOf({}, ladder(8), top(8)))
  t.same(await db.rows(sql), [[String(5050 * 2 ** 8)]])
  const error = refusalOf({ select: { dimensions: ['Word'], measures: ['Total', 'Top'] } }, modelOf({}, ladder(40), top(40)))
  t.same([error.code, error.path], ['INVALID_EXPRESSION', 'select.measures[1]'])
  t.match(error.message, /'Facts\.c\d+' grows to more than 20000 terms/)
})

t.test('a list of ten thousand values is one IN list', async (t) => {
  const value = Array.from({ length: 10_000 }, (_, i) => i * 2)
  const { sql, explain } = compileFor({ select: { measures: ['Total'] }, where: [{ field: 'ID', op: 'in', value }] }, modelOf({}))
  t.equal(sql.match(/ IN \(/g)?.length, 1)
  t.notMatch(sql, / OR /)
  t.ok(sql.length < 80_000, `${sql.length} characters`)
  t.ok(JSON.stringify(explain()).length < 5_000, 'the explanation does not repeat them')
  t.same(await db.rows(sql), [['2550']])
})

t.test('a list of ten thousand texts and NULL is one flat condition', async (t) => {
  const value = [null, ...Array.from({ length: 10_000 }, (_, i) => `word ${i}`), 'w3']
  const { sql } = compileFor({ select: { measures: ['Total'] }, where: [{ field: 'Word', op: 'not_in', value }] }, modelOf({}))
  t.equal(sql.match(/NOT IN \(/g)?.length, 1)
  t.same(await db.rows(sql), await db.rows("SELECT sum(amount) FROM facts WHERE word <> 'w3'"))
})

const nested = (levels: number): unknown =>
  levels === 0
    ? { field: 'ID', op: 'lte', value: 10 }
    : {
        logic: levels % 2 ? 'or' : 'and',
        negated: true,
        filters: [nested(levels - 1), { field: 'ID', op: levels % 2 ? 'lt' : 'gt', value: 0 }],
      }

t.test('a filter of sixty levels is compiled completely, and a deeper one is refused', async (t) => {
  const { sql } = compileFor({ select: { measures: ['Total'] }, where: [nested(60)] }, modelOf({}))
  // Every level is NOT (x OR false) or NOT (x AND true): sixty negations do not change the innermost condition.
  t.same(await db.rows(sql), [['55']])
  t.equal(refusalOf({ select: { measures: ['Total'] }, where: [nested(66)] }, modelOf({})).code, 'INVALID_QUERY')
})

t.test('two thousand conditions on one level neither nest nor overflow the stack', async (t) => {
  const filters = Array.from({ length: 2_000 }, (_, i) => ({ field: 'ID', op: 'neq', value: i + 2 }))
  const { sql } = compileFor({ select: { measures: ['Total'] }, where: filters }, modelOf({}))
  t.same(await db.rows(sql), [['1']])
  const either = { logic: 'or', filters: filters.map(({ value }) => ({ field: 'ID', op: 'gt', value })) }
  t.same(await db.rows(compileFor({ select: { measures: ['Total'] }, where: [either] }, modelOf({})).sql), [['5047']])
})

t.test('a list of ten thousand buckets is one flat condition for every operator', async (t) => {
  const day = (i: number) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10)
  const model = modelOf({}, { At: { expression: "CAST('2010-05-05' AS timestamp)", abstractType: 'timestamp' } })
  const within = {
    select: { measures: ['Total'] },
    where: [{ field: 'Facts.At', op: 'in', value: Array.from({ length: 10_000 }, (_, i) => day(i)) }],
  }
  const { sql } = compileFor(within, model)
  t.equal(sql.match(/ OR /g)?.length, 9_999)
  t.notMatch(sql, /\(\(/)
})

t.test('twenty thousand conditions on one level cause no deep recursion', async (t) => {
  for (const logic of oneIn(2, ['and', 'or'])) {
    const filters = Array.from({ length: 20_000 }, (_, i) => ({ field: 'ID', op: logic === 'and' ? 'neq' : 'eq', value: i + 3 }))
    const { sql } = compileFor({ select: { measures: ['Total'] }, where: [{ logic, filters, negated: true }] }, modelOf({}))
    t.equal(sql.match(logic === 'and' ? / AND /g : / OR /g)?.length, 19_999)
  }
})

t.test('an unknown name among four thousand is refused with the nearest name', async (t) => {
  const metrics = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`Metric Number ${i}`, { expression: '{[Total]}' }]))
  const model = modelOf(metrics)
  const unknown = Array.from({ length: 50 }, (_, i) => ({ field: 'Total', op: 'gt', value: i }))
  const error = refusalOf({ select: { measures: ['Metric Nunber 3123'] }, having: unknown }, model)
  t.same([error.code, error.details.suggestions?.[0]], ['UNKNOWN_MEASURE', 'Metric Number 3123'])
  t.equal(
    compileFor({ select: { measures: ['metric number 777'] } }, model).columns[0]?.name,
    'Metric Number 777',
    'case alone is forgiven',
  )
})

t.test('three thousand filters of a query become one condition', async (t) => {
  const where = Array.from({ length: 3000 }, (_, i) => ({ field: 'ID', op: '!=', value: i + 2 }))
  const { sql, explain } = compileFor({ select: { measures: ['Total'] }, where }, modelOf({}))
  t.equal(sql.split(' AND ').length, 3000)
  t.ok(JSON.stringify(explain()).includes('3000 conditions'))
})

t.test('a pattern that ends in a single backslash is refused, in a filter and in an expression', async (t) => {
  const model = modelOf({})
  const like = (value: string, op = 'like') => ({ select: { measures: ['Total'] }, where: [{ field: 'Word', op, value }] })
  for (const op of ['like', 'not_like'])
    t.match(refusalOf(like('a\\', op), model), { code: 'INVALID_FILTER_VALUE', path: 'where[0].value' })
  t.same(await db.rows(compileFor(like('a\\\\'), model).sql), [[null]])
  t.match(refusalOf({ select: { measures: ['Total'] }, where: [{ expression: "{[Word]} LIKE 'a\\'" }] }, model), {
    code: 'INVALID_EXPRESSION',
  })
})
