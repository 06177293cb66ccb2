/** Every error has its code and its position, and the rewrite that it suggests works. */

import { GrainlineError } from '@grainline/core'
import fc from 'fast-check'
import t from 'tap'
import { amount } from '../support/amount.js'
import { flightsHost } from './ask.js'

const { ask, refusalOf, close, service } = await flightsHost()
t.teardown(close)

const at = (error: GrainlineError): unknown => error.details.context?.position

t.test('a condition on a window function is refused in WHERE and in HAVING, and works in an outer statement', async (t) => {
  for (const clause of ['WHERE', 'GROUP BY 1 HAVING']) {
    const refused = await refusalOf(
      `SELECT "Airline", "Flight Count" FROM flights ${clause} rank() OVER (ORDER BY "Flight Count" DESC) = 1`,
    )
    t.equal(refused.code, 'UNSUPPORTED_SQL_FEATURE')
    t.match(refused.details.hint, /SELECT … FROM \(SELECT …, rank\(…\) OVER \(…\) AS n FROM …\) AS t WHERE/)
  }
  const around = `SELECT * FROM (SELECT "Airline", rank() OVER (ORDER BY "Flight Count" DESC) AS place FROM flights GROUP BY 1) AS t WHERE place = 1`
  t.same((await ask(around)).rows, [['United Air Lines Inc.', 1]])
})

t.test('FILTER after the name of a measure shows the measure that takes it', async (t) => {
  const refused = await refusalOf(`SELECT "Flight Count" FILTER (WHERE "Airline" = 'Envoy Air') FROM flights`)
  t.match(refused, { code: 'SQL_SYNTAX_ERROR', details: { hint: 'MEASURE("Flight Count") FILTER (…)' } })
  const { rows } = await ask(`SELECT MEASURE("Flight Count") FILTER (WHERE "Airline" = 'Envoy Air') FROM flights`)
  t.same(rows, (await ask(`SELECT "Flight Count" FROM flights WHERE "Airline" = 'Envoy Air'`)).rows)
})

t.test('errors have a position', async (t) => {
  const table: readonly (readonly [string, string, number | undefined])[] = [
    ['SELEC 1', 'SQL_SYNTAX_ERROR', 1],
    ['SELECT "Flight Count" FROM flights WHERE', 'SQL_SYNTAX_ERROR', 41],
    ['', 'SQL_SYNTAX_ERROR', 1],
    ['SELECT "Flight Cout" FROM flights', 'UNKNOWN_SELECT_ITEM', 8],
    ['SELECT \'é\', "Nothing" FROM flights', 'UNKNOWN_SELECT_ITEM', 13],
    ['SELECT "Flight Count"\nFROM flight', 'RAW_SQL_REJECTED', 28],
    ['SELECT AVG("Flight Count") FROM flights', 'UNSUPPORTED_SQL_FEATURE', 8],
    ['SELECT SUM("Late Rate") FROM flights', 'UNSUPPORTED_SQL_FEATURE', 8],
    ['SELECT soundex("Airline") FROM flights', 'UNSUPPORTED_SQL_FEATURE', 8],
    ['SELECT upper("Airline", 1) FROM flights', 'WRONG_FUNCTION_ARITY', 8],
    ['SELECT "Origin Code" FROM flights GROUP BY "Flight Count"', 'UNSUPPORTED_SQL_FEATURE', 44],
    ['SELECT "Origin Code" FROM flights ORDER BY 3', 'UNSUPPORTED_SQL_FEATURE', 44],
    ['SELECT "Origin Code" FROM flights LIMIT -1', 'UNSUPPORTED_SQL_FEATURE', 41],
    ['SELECT "Origin Code" FROM flights WHERE "Airline" IN (SELECT "Airline" FROM flights)', 'UNSUPPORTED_SQL_FEATURE', 51],
    ['SELECT "Flights"."Carrier", "Flight Count" FROM flights', 'MIXED_RAW_AND_AGGREGATE_MODE', 29],
    ['SELECT "Origin Code" || "Flight Count" FROM flights', 'UNSUPPORTED_SQL_FEATURE', 8],
    ['SELECT "Flight Count" FROM flights WHERE "Airline" = $1', 'UNBOUND_PARAMETER', 54],
    ['SELECT MEASURE("Airline") FROM flights', 'UNKNOWN_SELECT_ITEM', 8],
  ]
  for (const [sql, code, position] of table) {
    const error = await refusalOf(sql)
    t.equal(error.code, code, sql)
    t.equal(at(error), position, `${sql}: ${error.message}`)
  }
})

t.test('a correlated subquery is refused, and the suggested IN works', async (t) => {
  const inner = (condition: string) => `SELECT 1 FROM flights g WHERE ${condition} g."Month" = '2013-02'`
  const outer = (condition: string) => `SELECT "Airline", "Flight Count" FROM flights f WHERE ${condition} ORDER BY 1`
  const error = await refusalOf(outer(`EXISTS (${inner('g."Airline" = f."Airline" AND')})`))
  t.equal(error.code, 'UNKNOWN_SELECT_ITEM')
  t.match(
    error.message,
    /'f' is not a relation of this SELECT.*"Airline" IN \(SELECT "Airline" FROM "flights" WHERE …\) in place of EXISTS/,
  )
  const { rows } = await ask(
    outer(`"Airline" IN (SELECT "Airline" FROM flights WHERE "Month" = '2013-02' AND "Flight Count" > 0)`),
  )
  t.equal(rows.length, 15, 'SkyWest did not fly in February')
})

t.test('the rewrite that an error suggests works', async (t) => {
  const error = await refusalOf('SELECT AVG("Flight Count") FROM flights')
  t.same((await ask(`SELECT ${error.details.hint} FROM flights`)).rows, [[336776]])
})

t.test('a measure that is not additive is never summed over joined rows', async (t) => {
  const joined = 'FROM flights AS a JOIN again AS b ON a."Origin Code" = b."Origin Code"'
  t.equal((await refusalOf(`SELECT SUM(a."Flight Count") ${joined}`)).code, 'UNSUPPORTED_SQL_FEATURE')
})

// A query in SQL is equal to the query object.

const DIMENSIONS = ['Origin Code', 'Airline', 'Distance Band', 'Date', 'Month', 'Scheduled At:week', 'Scheduled Hour']
const MEASURES = ['Flight Count', 'Late Rate', 'Planes Flown', 'Average Speed', 'Airport Flights']
const name = (text: string): string => `"${text}"`
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const TEXTS = ['EWR', "O'Hare", '100%', '', 'é', '{[Airline]}']

const leaf = fc.oneof(
  fc.tuple(fc.constantFrom('=', '<>', '<', '>='), fc.constantFrom(...TEXTS)).map(([op, value]) => ({
    json: { field: 'Airline', op, value },
    sql: `"Airline" ${op} ${text(value)}`,
  })),
  fc.uniqueArray(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 3 }).map((value) => ({
    json: { field: 'Origin Code', op: 'in', value },
    sql: `"Origin Code" IN (${value.map(text).join(', ')})`,
  })),
  fc.constant({ json: { field: 'Manufacturer', op: 'is_null' }, sql: '"Manufacturer" IS NULL' }),
  fc
    .integer({ min: -5, max: 30 })
    .map((value) => ({ json: { field: 'Scheduled Hour', op: '>', value }, sql: `"Scheduled Hour" > ${value}` })),
  fc.constant({
    json: { field: 'Date', op: 'between', value: ['2013-02-01', '2013-03-31'] },
    sql: `"Date" BETWEEN '2013-02-01' AND DATE '2013-03-31'`,
  }),
)
const group = fc
  .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(leaf, { minLength: 2, maxLength: 3 }), fc.boolean())
  .map(([logic, parts, negated]) => {
    const inner = { logic, filters: parts.map((part) => part.json) }
    const sql = `(${parts.map((part) => part.sql).join(` ${logic.toUpperCase()} `)})`
    return negated ? { json: { logic: 'and', filters: [inner], negated: true }, sql: `NOT ${sql}` } : { json: inner, sql }
  })
const question = fc.record({
  dimensions: fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { maxLength: 3 }),
  measures: fc.uniqueArray(fc.constantFrom(...MEASURES), { minLength: 1, maxLength: 3 }),
  where: fc.array(fc.oneof(leaf, group), { maxLength: 3 }),
  having: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
  descending: fc.boolean(),
  limit: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
})

t.test('a query written as SQL compiles to the same bytes as the query object', async (t) => {
  const target = { sessionId: 'flights' }
  await fc.assert(
    fc.asyncProperty(question, async ({ dimensions, measures, where, having, descending, limit }) => {
      const [first] = measures as [string]
      const query = {
        select: { dimensions, measures },
        where: where.map((part) => part.json),
        having: having === undefined ? [] : [{ field: first, op: '>', value: having }],
        order_by: [{ field: first, direction: descending ? 'desc' : 'asc' }],
        ...(limit !== undefined && { limit }),
      }
      const conditions = where.map((part) => part.sql)
      const sql = [
        `SELECT ${[...dimensions, ...measures].map(name).join(', ')} FROM flights`,
        ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
        ...(having === undefined ? [] : [`HAVING ${name(first)} > ${having}`]),
        `ORDER BY ${name(first)}${descending ? ' DESC' : ''}`,
        ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
      ].join(' ')
      const [asked, same] = [
        await service.compileSql({ asker: undefined, target, sql }),
        await service.compile({ asker: undefined, target, query }),
      ]
      if (asked.sql !== same.sql) throw new Error(`${sql}\n${asked.sql}\n${same.sql}`)
    }),
    { numRuns: amount(50, 150) },
  )
  t.pass('150 questions')
})

// Every text is answered or refused quickly.

const WORDS = [
  'SELECT',
  'FROM',
  'flights',
  '"Flight Count"',
  '"Origin Code"',
  'WHERE',
  '(',
  ')',
  ',',
  'GROUP BY',
  'ROLLUP',
  'ORDER BY',
  '1',
  "'x'",
  '=',
  'AND',
  'OVER',
  'sum',
  'count(*)',
  'JOIN',
  'ON',
  'true',
  'WITH',
  'AS',
  't',
  'UNION',
  'LIMIT',
  'CASE',
  'WHEN',
  'THEN',
  'END',
  '$1',
  '*',
  '/',
  '::date',
  'INTERVAL',
  '"',
  "'",
  ';',
  '--',
  '\u0000',
  '\ud800',
  '[',
  '{',
  'VALUES',
  'IN',
  'NOT',
  'NULL',
  'DISTINCT',
  'EXTRACT(year',
  'LATERAL',
]
const BASE = [
  'SELECT "Origin Code", MEASURE("Flight Count") FROM flights WHERE "Airline" LIKE \'U%\' GROUP BY ROLLUP("Origin Code") ORDER BY 2 DESC LIMIT 3',
  'WITH a AS (SELECT "Origin Code" AS o, "Flight Count" AS n FROM flights) SELECT o, sum(n) OVER (PARTITION BY o ORDER BY n ROWS 1 PRECEDING) FROM a JOIN flights f ON f."Origin Code" = a.o WHERE n IN (SELECT 1)',
]

t.test('a misplaced window function is refused before execution, and the suggestion works', async (t) => {
  const window = 'rank() OVER (ORDER BY "Flight Count" DESC)'
  for (const sql of [
    `SELECT "Status" FROM flights WHERE ${window} < 2`,
    `SELECT "Status" FROM flights GROUP BY 1 HAVING ${window} < 2`,
    `SELECT "Status", sum(${window}) OVER () FROM flights`,
    `SELECT "Status", rank() OVER (ORDER BY ${window}) FROM flights`,
    `SELECT n FROM (SELECT "Status", "Flight Count" AS n FROM flights) AS t WHERE rank() OVER (ORDER BY n) = 1`,
  ]) {
    const found = await service.classifySql({ asker: undefined, target: { sessionId: 'flights' }, sql })
    if (found.kind !== 'refused') return void t.fail(sql)
    t.match(
      found.error,
      { code: 'UNSUPPORTED_SQL_FEATURE', message: /window function.* RANK\(…\) OVER is one; write a subselect/s },
      sql,
    )
    t.ok(Number((found.error as GrainlineError).details.context?.position) > 0)
  }
  for (const sql of [
    `SELECT t."Status" FROM (SELECT "Status", ${window} AS n FROM flights) AS t WHERE t.n <= 1`,
    `SELECT "Status", sum(t.n) OVER () FROM (SELECT "Status", ${window} AS n FROM flights) AS t`,
  ])
    t.equal((await service.classifySql({ asker: undefined, target: { sessionId: 'flights' }, sql })).kind, 'outer', sql)
  const nothing = await service.classifySql({ asker: undefined, target: { sessionId: 'flights' }, sql: 'SELECT FROM flights' })
  t.match(nothing, { kind: 'refused', error: { message: /shows no column; write SELECT 1 FROM "flights"/ } })
})

t.test('errors of the evaluator are reported without its internal names, and the corrected expression works', async (t) => {
  const over = (value: string) =>
    `SELECT t.o, ${value} AS v FROM (SELECT "Origin Code" AS o, "Flight Count" AS n FROM flights) AS t GROUP BY t.o`
  const error = await refusalOf(over('t.n'))
  t.match(error, { code: 'EVALUATION_REFUSED', path: 'sql' })
  t.notMatch(error.message, /Binder|Error:|model_query_\d|\bc\d\b/)
  t.same(
    (await ask(`${over('max(t.n)')} ORDER BY 1`)).rows.map((row) => row.map(String)),
    [
      ['EWR', '120835'],
      ['JFK', '111279'],
      ['LGA', '104662'],
    ],
  )
})

t.test('random and mutated statements cause no crash and no delay', async (t) => {
  const random = fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' '))
  const mutated = fc
    .tuple(fc.constantFrom(...BASE), fc.nat(), fc.nat(40), fc.constantFrom(...WORDS, ''))
    .map(([base, from, length, put]) => {
      const start = from % base.length
      return base.slice(0, start) + put + base.slice(start + length)
    })
  // Processor time, so that other load on the machine does not count.
  let slowest = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(random, mutated, fc.string({ maxLength: 60 })), async (sql) => {
      const started = process.cpuUsage()
      const found = await service.classifySql({ asker: undefined, target: { sessionId: 'flights' }, sql })
      if (found.kind === 'refused' && !(found.error instanceof GrainlineError)) throw found.error
      const { user, system } = process.cpuUsage(started)
      slowest = Math.max(slowest, (user + system) / 1000)
    }),
    { numRuns: amount(500, 1500) },
  )
  t.ok(slowest < 5000, `the slowest took ${slowest} ms of processor`)
})

t.test('very long statements are refused', async (t) => {
  const giants = [
    `SELECT ${'1+'.repeat(20_000)}1, "Flight Count" FROM flights`,
    `SELECT "Flight Count" FROM flights WHERE ${'NOT '.repeat(5000)}TRUE`,
    `SELECT ${"'x', ".repeat(50_000)}1`,
    Array.from({ length: 3000 }, () => 'SELECT "Flight Count" FROM flights').join(' UNION ALL '),
  ]
  for (const sql of giants) {
    const { kind } = await service.classifySql({ asker: undefined, target: { sessionId: 'flights' }, sql })
    t.equal(kind, 'refused', sql.slice(0, 40))
  }
})
