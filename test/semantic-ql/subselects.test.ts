/** Subselects of a model: bare ones are rows of its main fact, closed ones are as in SQL, and nothing is summed silently. */
import t from 'tap'
import { fewFlightsHost } from './ask.js'
import { canonical, fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})

const [[FLIGHTS]] = (await tables.rows('SELECT count(*) FROM f')) as [[number]]
/** Two of the three airports have more. */
const MANY = Math.round(FLIGHTS * 0.32)
const HALF = `CASE WHEN "Scheduled Hour" < 12 THEN 'am' ELSE 'pm' END`

/** A statement over bare projections, and the same over the rows of the flights. */
const rowsOf: readonly (readonly [sql: string, means: string])[] = [
  [
    `SELECT half, COUNT(*) FROM (SELECT "Scheduled Hour", ${HALF} AS half FROM flights) s GROUP BY 1 ORDER BY 1`,
    "SELECT CASE WHEN hour < 12 THEN 'am' ELSE 'pm' END, count(*) FROM f GROUP BY 1 ORDER BY 1",
  ],
  ['SELECT COUNT(*) FROM (SELECT "Airline", "Origin Code" FROM flights) AS t', 'SELECT count(*) FROM f'],
  [
    `SELECT COUNT(*) FROM (SELECT "Airline", "Status" AS s FROM flights WHERE "Origin Code" = 'JFK') AS t WHERE t.s = 'late'`,
    "SELECT count(*) FROM f WHERE origin = 'JFK' AND status = 'late'",
  ],
  [
    `SELECT COUNT(m), COUNT(DISTINCT a), MAX(a) FROM (SELECT "Manufacturer" AS m, "Airline" AS a FROM flights) AS t`,
    'SELECT count(manufacturer), count(DISTINCT airline), max(airline) FROM f',
  ],
  [
    `SELECT o, SUM(CASE WHEN s = 'late' THEN 1 ELSE 0 END) AS late FROM (SELECT "Origin Code" AS o, "Status" AS s FROM flights) t
     GROUP BY o HAVING COUNT(*) > ${MANY} ORDER BY late DESC`,
    `SELECT origin, count(*) FILTER (status = 'late') FROM f GROUP BY 1 HAVING count(*) > ${MANY} ORDER BY 2 DESC`,
  ],
  // Names of a client that equal those of the relations with the answers of models.
  ...['model_query_1', 'model_query_2', 'Model_Query_1'].map(
    (name) =>
      [
        `WITH ${name} AS (SELECT "Origin Code" AS o, "Flight Count" AS c1 FROM flights GROUP BY 1), other AS (SELECT o, c1 AS n FROM ${name} WHERE c1 > ${MANY})
         SELECT ${name}.o, ${name}.c1, other.n, f.n FROM ${name} JOIN other ON other.o = ${name}.o
         JOIN (SELECT "Origin Code" AS o, "Flight Count" AS n FROM flights WHERE "Status" = 'late' GROUP BY 1) AS f ON f.o = ${name}.o ORDER BY 1`,
        `WITH x AS (SELECT origin AS o, count(*) AS n, count(*) FILTER (status = 'late') AS late FROM f GROUP BY 1)
         SELECT o, n, n, late FROM x WHERE n > ${MANY} ORDER BY 1`,
      ] as const,
  ),
  [
    `WITH t AS (SELECT "Origin Code" AS o, "Status" AS s FROM flights), late AS (SELECT o FROM t WHERE s = 'late')
     SELECT o, COUNT(*) AS n FROM late GROUP BY o ORDER BY n`,
    "SELECT origin, count(*) FROM f WHERE status = 'late' GROUP BY 1 ORDER BY 2",
  ],
  [
    `SELECT COUNT(*) FROM (SELECT "Airline" FROM flights WHERE "Origin Code" = 'JFK' UNION ALL SELECT "Origin Code" FROM flights WHERE "Date" = '2013-01-01') t`,
    "SELECT (SELECT count(*) FROM f WHERE origin = 'JFK') + (SELECT count(*) FROM f WHERE on_day = DATE '2013-01-01')",
  ],
  ['SELECT COUNT(*) FROM (SELECT "Airline" FROM flights LIMIT 1000) AS t', 'SELECT 1000'],
  [
    `SELECT COUNT(*) FROM flights a JOIN (SELECT 'late' AS s UNION ALL SELECT 'late') x ON a."Status" = x.s WHERE a."Origin Code" = 'JFK'`,
    "SELECT 2 * count(*) FROM f WHERE origin = 'JFK' AND status = 'late'",
  ],
  [
    `SELECT x.s, COUNT(a."Manufacturer"), COUNT(DISTINCT a."Airline") FROM flights a JOIN (SELECT 'late' AS s) x ON a."Status" = x.s GROUP BY 1`,
    "SELECT 'late', count(manufacturer), count(DISTINCT airline) FROM f WHERE status = 'late'",
  ],
  [
    `SELECT a."Status", a."Flight Count", COUNT(*) FROM flights a JOIN (SELECT 'late' AS s) x ON a."Status" = x.s GROUP BY 1, 2`,
    "SELECT 'late', count(*), 1 FROM f WHERE status = 'late'",
  ],
  [
    `SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY a) AS n FROM (SELECT "Airline" AS a FROM flights WHERE "Month" = '2013-02') b) c`,
    'SELECT max(n) FROM (SELECT count(*) AS n FROM f WHERE month = 2 GROUP BY airline)',
  ],
  ['SELECT COUNT(*) FROM (SELECT DISTINCT "Airline" FROM flights) AS t', 'SELECT count(DISTINCT airline) FROM f'],
  ['SELECT COUNT(*) FROM (SELECT "Airline" FROM flights GROUP BY "Airline") AS t', 'SELECT count(DISTINCT airline) FROM f'],
  ['SELECT COUNT(*) FROM (SELECT "Airline", "Flight Count" FROM flights) AS t', 'SELECT count(DISTINCT airline) FROM f'],
  [
    'SELECT t.* FROM (SELECT "Status" AS o FROM flights) AS t ORDER BY o LIMIT 2',
    'SELECT DISTINCT status FROM f ORDER BY 1 LIMIT 2',
  ],
  [
    `SELECT max(n), min(a) FROM (SELECT "Airline" AS a, "Flight Count" AS n, "Late Rate" AS r, "All Flights" AS x FROM flights) AS t WHERE n > 100`,
    'SELECT max(n), min(a) FROM (SELECT airline AS a, count(*) AS n FROM f GROUP BY 1) WHERE n > 100',
  ],
]

for (const [sql, means] of rowsOf) {
  t.test(sql.replaceAll(/\s+/g, ' '), async (t) => {
    const { rows } = await flights.ask(sql)
    t.same(
      rows.map((row) => row.map(canonical)),
      await tables.rows(means),
    )
  })
}

t.test('a subselect queries only the columns that the outer statement reads', async (t) => {
  const { compiled } = await flights.ask(
    'SELECT max(n) FROM (SELECT "Airline" AS a, "Flight Count" AS n, "Late Rate" AS r, "All Flights" AS x FROM flights) AS t',
  )
  t.same(compiled.modelQueries[0]!.query.select, { dimensions: ['Airline'], measures: ['Flight Count'] })
})

t.test('SUM and AVG of non-additive measures are refused, with two possible rewrites', async (t) => {
  for (const [sql, name] of [
    ['SELECT SUM(r) FROM (SELECT "Airline", "Late Rate" AS r FROM flights) AS t', 'Late Rate'],
    ['SELECT AVG(t.r) FROM (SELECT "Airline", "Late Rate" AS r FROM flights) AS t', 'Late Rate'],
    [
      'SELECT o, SUM("Planes Flown") FROM (SELECT "Airline", "Origin Code" o, "Planes Flown" FROM flights) t GROUP BY o',
      'Planes Flown',
    ],
    ['SELECT SUM(coalesce(r, 0) * 100) FROM (SELECT "Airline", round("Late Rate", 4) AS r FROM flights) AS t', 'Late Rate'],
    ['WITH t AS (SELECT "Airline", "Late Rate" AS r FROM flights) SELECT AVG(r) FROM t', 'Late Rate'],
    ['SELECT SUM(r) FROM (SELECT * FROM (SELECT "Airline", "Late Rate" AS r FROM flights) a WHERE r > 0) AS t', 'Late Rate'],
    ['SELECT SUM(q) FROM (SELECT "Airline", "Late Flights" * 1.0 / "Flight Count" AS q FROM flights) AS t', 'Late Flights'],
    [
      'SELECT SUM(a.r) FROM (SELECT "Airline" x, "Late Rate" AS r FROM flights) a JOIN (SELECT "Airline" x, "Flight Count" n FROM flights) b ON a.x = b.x',
      'Late Rate',
    ],
  ] as const) {
    const { code, message, details } = await flights.refusalOf(sql)
    t.equal(code, 'UNSUPPORTED_SQL_FEATURE', sql)
    t.match(message, `'${name}'`, message)
    t.match(String(details.hint), /MEASURE\(".*GROUP BY/s, 'both texts')
    t.ok(Number(details.context?.position) > 0)
  }
})

t.test('groups of a closed subselect can be summed, and the answer describes what that means', async (t) => {
  const finished = `SELECT AVG(r) FROM (SELECT "Airline", MEASURE("Late Rate") AS r FROM flights GROUP BY "Airline") AS t`
  const { compiled } = await flights.ask(finished)
  const told = compiled.warnings.at(-1)
  t.match(told, { code: 'GROUPS_ADDED_UP', path: 'sql', message: /'Late Rate'/ })
  const [advised] = /^MEASURE\("[^"]+"\)/.exec(told?.hint ?? '') ?? []
  const whole = await flights.ask(`SELECT ${advised} FROM flights`)
  t.same(whole.rows, (await flights.ask('SELECT "Late Rate" FROM flights')).rows)
  t.same(whole.compiled.warnings, [], 'what it says to do, done')
  const additive = await flights.ask(
    'SELECT SUM(n), AVG(n) FROM (SELECT "Airline", SUM("Flight Count") AS n FROM flights GROUP BY "Airline") AS t',
  )
  t.same(additive.compiled.warnings, [])
  const without = await flights.ask(
    'SELECT SUM(n), MIN(r) FROM (SELECT "Airline", "Flight Count" AS n, "Late Rate" AS r FROM flights) AS t',
  )
  t.equal(Number(without.rows[0]![0]), FLIGHTS)
  t.same(without.compiled.warnings, [])
})

t.test('the sum of a dimension is refused, and the suggested rewrite works', async (t) => {
  const { details } = await flights.refusalOf('SELECT SUM(h) FROM (SELECT "Scheduled Hour" AS h FROM flights) AS t')
  t.same(
    (await flights.ask(`SELECT ${details.hint}`)).rows,
    await tables.rows('SELECT sum(h) FROM (SELECT DISTINCT hour AS h FROM f)'),
  )
})

const within = (depth: number, expression: string, innermost: string): string =>
  Array.from({ length: depth }).reduce<string>(
    (inner, _, i) => `(SELECT ${expression} AS r FROM ${inner}) AS t${i}`,
    `(${innermost}) AS t`,
  )

t.test('nested subselects do not grow exponentially', async (t) => {
  const rate = 'SELECT "Airline", MEASURE("Late Rate") AS r FROM flights GROUP BY "Airline"'
  const { rows } = await flights.ask(`SELECT MAX(r) FROM (${rate}) AS t`)
  const doubled = await flights.ask(`SELECT MAX(r) FROM ${within(40, 'r + r', rate)}`)
  t.equal(Number(doubled.rows[0]![0]) / Number(rows[0]![0]), 2 ** 40)
  const written = await flights.refusalOf(`SELECT r FROM ${within(40, 'r || r', 'SELECT "Airline" AS r FROM flights')}`)
  t.match(written, { code: 'QUERY_TOO_LARGE', message: /subselects/ })
})

t.test('a period of NULL is NULL in an outer statement, in comparisons with a time that begins no period', async (t) => {
  const days = `(SELECT CASE WHEN "Origin Code" <> 'JFK' THEN "Date" END AS d, COUNT(*) AS n FROM flights GROUP BY 1 LIMIT 500) AS t`
  const hand = "(SELECT CASE WHEN origin <> 'JFK' THEN on_day END AS d, count(*) AS n FROM f GROUP BY 1) AS t"
  const conditions = ['%s <> %t', 'NOT (%s = %t)', '%s IS DISTINCT FROM %t', '(%s <> %t) IS NULL', '%s NOT IN (%t)']
  const of = (condition: string, shown: string) => condition.replace('%s', shown).replace('%t', "DATE '2013-02-04'")
  for (const unit of ['month', 'quarter', 'year'])
    for (const condition of conditions) {
      const { rows } = await flights.ask(
        `SELECT COUNT(*), SUM(n) FROM ${days} WHERE ${of(condition, `date_trunc('${unit}', d)`)}`,
      )
      // The months are computed apart from the comparison.
      const apart = `WITH m AS MATERIALIZED (SELECT date_trunc('${unit}', d) AS s, n FROM ${hand}) SELECT count(*), sum(n) FROM m`
      t.same(
        rows.map((row) => row.map(canonical)),
        await tables.rows(`${apart} WHERE ${of(condition, 's')}`),
        `${unit}: ${condition}`,
      )
    }
})

t.test('a dimension alone has the values that occur with rows of the fact', async (t) => {
  const same = async (sql: string, hand: string) =>
    t.same(
      (await flights.ask(sql)).rows.map((row) => row.map(canonical)),
      await tables.rows(hand),
      sql,
    )
  await same(
    'SELECT "Origin Code" FROM flights GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY 1',
    'SELECT DISTINCT origin FROM f ORDER BY 1',
  )
  await same('SELECT DISTINCT "Origin Code" FROM flights ORDER BY 1', 'SELECT DISTINCT origin FROM f ORDER BY 1')
  await same(
    'SELECT COUNT(DISTINCT "Tail Number"), COUNT(DISTINCT "Origin Code") FROM flights',
    'SELECT count(DISTINCT tailnum), count(DISTINCT origin) FROM f',
  )
  const { compiled } = await flights.ask('SELECT DISTINCT "Observed At" FROM flights LIMIT 3')
  t.match(compiled.warnings, [{ code: 'ROWS_NOT_OF_FACT', message: /'Flights' does not reach 'Observed At'/ }])
  const ofWeather = await flights.ask('SELECT COUNT(DISTINCT "Observed At") FROM flights__Weather')
  t.same(ofWeather.compiled.warnings, [], 'the relation of a fact that reaches it')
  t.same(
    ofWeather.rows.map((row) => row.map(canonical)),
    await tables.rows('SELECT count(DISTINCT time_hour) FROM weather'),
  )
})

t.test('an expression beside all columns is one more column, in a preview and in a subselect', async (t) => {
  const { columns, rows } = await flights.ask('SELECT *, lower("Origin Code") AS u, 2 * "Flight Count" AS n FROM flights LIMIT 2')
  t.equal(rows.length, 2)
  for (const row of rows) {
    const value = (name: string) => row[columns.indexOf(name)]
    t.equal(value('u'), String(value('Origin Code')).toLowerCase())
    t.equal(value('n'), 2 * Number(value('Flight Count')))
  }
  const virtual = `(SELECT *, lower("Origin Code") AS u FROM flights WHERE "Status" = 'late') AS v`
  const grouped = await flights.ask(
    `SELECT u, SUM("Flight Count"), MEASURE("Average Arrival Delay") FROM ${virtual} GROUP BY 1 ORDER BY 1`,
  )
  const wanted = await tables.rows(
    `SELECT lower(origin), count(*), avg(arr_delay) FROM f WHERE status = 'late' GROUP BY 1 ORDER BY 1`,
  )
  t.same(
    grouped.rows.map((row) => row.map(canonical)),
    wanted,
  )
})
