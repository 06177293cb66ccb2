/** `measure_per`: a measure for each row of a data object, in every clause of a statement. */
import t from 'tap'
import { fewFlightsHost } from './ask.js'
import { fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})

const PER = "measure_per('Flight Count', 'Planes')"
const PLANES = '(SELECT p.tailnum, count(f.tailnum) AS n FROM planes p LEFT JOIN flights f USING (tailnum) GROUP BY 1)'

for (const [name, sql, means] of [
  [
    'a group',
    `SELECT ${PER} AS n, "Plane Count" FROM flights GROUP BY 1 ORDER BY 1`,
    `SELECT n, count(*) FROM ${PLANES} GROUP BY 1 ORDER BY 1`,
  ],
  ['a condition', `SELECT "Plane Count" FROM flights WHERE ${PER} > 300`, `SELECT count(*) FROM ${PLANES} WHERE n > 300`],
  [
    'a part of an expression',
    `SELECT CASE WHEN ${PER} > 300 THEN 'often' ELSE 'seldom' END AS class, "Plane Count" FROM flights GROUP BY 1 ORDER BY 1`,
    `SELECT CASE WHEN n > 300 THEN 'often' ELSE 'seldom' END, count(*) FROM ${PLANES} GROUP BY 1 ORDER BY 1`,
  ],
  [
    'within a subselect',
    `SELECT n, sum(p) FROM (SELECT ${PER} AS n, "Plane Count" AS p FROM flights GROUP BY 1) AS t WHERE n > 390 GROUP BY n ORDER BY n`,
    `SELECT n, count(*) FROM ${PLANES} WHERE n > 390 GROUP BY 1 ORDER BY 1`,
  ],
  [
    'beside a join',
    `SELECT t.n, a."Airline" FROM (SELECT max(${PER}) AS n FROM flights) AS t JOIN flights a ON true ORDER BY 2 LIMIT 1`,
    `SELECT (SELECT max(n) FROM ${PLANES}), min(airline) FROM f`,
  ],
  [
    'with names in double quotes, and having',
    `SELECT measure_per("Flight Count", "Planes") AS n, count(*) FROM flights GROUP BY 1 HAVING count(*) > 500 ORDER BY n LIMIT 5`,
    `SELECT n, count(*) * n FROM ${PLANES} WHERE n > 0 GROUP BY n HAVING count(*) * n > 500 ORDER BY n LIMIT 5`,
  ],
] as const) {
  t.test(name, async (t) => {
    t.same((await flights.ask(sql)).rows, await tables.rows(means))
  })
}

t.test('a condition leaves the values as they are', async (t) => {
  const { rows } = await flights.ask(
    `SELECT ${PER} AS n, count(*) FROM flights WHERE "Month" = '2013-05' GROUP BY 1 ORDER BY 1 DESC LIMIT 3`,
  )
  t.same(
    rows,
    await tables.rows(
      `SELECT n, count(*) FROM f JOIN ${PLANES} AS p USING (tailnum) WHERE month(on_day) = 5 GROUP BY 1 ORDER BY 1 DESC LIMIT 3`,
    ),
  )
})

t.test('without an alias the column names both; * does not have it', async (t) => {
  t.same((await flights.ask(`SELECT ${PER} FROM flights LIMIT 1`)).columns, ['Flight Count per Planes'])
  const [all, more] = await Promise.all(
    ['*', `*, ${PER} AS n`].map((items) => flights.ask(`SELECT ${items} FROM flights LIMIT 0`)),
  )
  t.equal(more!.columns.length, all!.columns.length + 1)
})

t.test('what is not understood is refused at its place', async (t) => {
  for (const [sql, code, says] of [
    ["SELECT measure_per('Flights', 'Planes') FROM flights", 'UNKNOWN_MEASURE', 'did you mean'],
    ["SELECT measure_per('Flight Count', 'Plane') FROM flights", 'UNKNOWN_DATA_OBJECT', "did you mean 'Planes'"],
    ["SELECT measure_per('Flight Count') FROM flights", 'INVALID_QUERY', "write measure_per('Measure', 'Data Object')"],
    [`SELECT avg(${PER}) FROM flights`, 'UNSUPPORTED_SQL_FEATURE', `SELECT DISTINCT ${PER} AS v`],
  ] as const) {
    const error = await flights.refusalOf(sql)
    t.equal(error.code, code, sql)
    t.match(error.message, says)
    t.equal((error.details.context as { position?: number } | undefined)?.position, 8, sql)
  }
})
