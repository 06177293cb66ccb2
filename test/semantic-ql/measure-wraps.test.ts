/** Aggregates around expressions of measures, as people and tools write them. */
import t from 'tap'
import { fewFlightsHost } from './ask.js'
import { canonical, fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})

const answered: readonly (readonly [sql: string, means: string])[] = [
  ['sum(cast("Flight Count" as decimal))', 'count(*)'],
  ['SUM("Flight Count" + 0)', 'count(*)'],
  ['sum(coalesce("Flight Count", 0))', 'count(*)'],
  ['sum("Flight Count" * 3)', '3 * count(*)'],
  ['sum("Flight Count" / 4.0)', 'count(*) / 4.0'],
  ['sum(-2.5 * "Departure Delay Minutes")', '-2.5 * sum(dep_delay)'],
  ['avg("Average Departure Delay" * 1.0)', 'avg(dep_delay)'],
  ['avg("Average Departure Delay" + 10)', 'avg(dep_delay) + 10'],
  ['max("Longest Departure Delay" * 2 - 1)', 'max(dep_delay) * 2 - 1'],
  ['sum(cast("Flight Count" as double precision)) / 2', 'count(*) / 2.0'],
]

for (const [sql, means] of answered) {
  t.test(sql, async (t) => {
    for (const [group, by] of [
      ['', ''],
      ['"Origin Code", ', ' GROUP BY "Origin Code" ORDER BY 1'],
    ] as const) {
      const { rows, columns } = await flights.ask(`SELECT ${group}${sql} FROM flights${by}`)
      const wanted = await tables.rows(
        `SELECT ${group ? 'origin, ' : ''}${means} FROM f${group ? ' GROUP BY origin ORDER BY 1' : ''}`,
      )
      t.same(
        rows.map((row) => row.map(canonical)),
        wanted,
        `${group}${means}`,
      )
      t.match(columns.at(-1), /^(sum|avg|max|\?column\?)$/, 'as SQL names it')
    }
  })
}

const refused = [
  'sum(coalesce("Late Rate", 0))',
  'sum("Late Rate" + 0)',
  'avg("Flight Count" * 1.0)',
  'sum("Planes Flown" + 0)',
  'sum("Flight Count" + 1)',
  'sum("Flight Count" / 2)',
  'max("Longest Departure Delay" * -1)',
  'sum("Flight Count" * "Late Flights")',
  'sum(round("Late Rate", 2))',
  'sum(cast("Departure Delay Minutes" as decimal(5, 1)))',
]

for (const sql of refused) {
  t.test(`${sql} is refused by name, with and without GROUP BY`, async (t) => {
    for (const by of ['', ' GROUP BY "Origin Code"']) {
      const error = await flights.refusalOf(`SELECT ${sql} FROM flights${by}`)
      t.match(error, { code: 'UNSUPPORTED_SQL_FEATURE', details: { hint: /MEASURE\("/, context: { position: 8 } } })
      t.notMatch(error.message, /Binder|model_query_|\bc1\b/)
    }
  })
}

t.test('no generated name, and no name of the engine, appears in an error', async (t) => {
  for (const sql of [
    'SELECT "Airline", sum(sum("Flight Count") OVER ()) OVER () FROM flights',
    `SELECT x FROM (SELECT "Airline" AS a, "Flight Count" AS n, rank() OVER () AS r FROM flights) AS t`,
  ]) {
    const { message } = await flights.refusalOf(sql)
    t.notMatch(message, /Binder|Catalog Error|model_query_\d|\bc\d\b/, message)
  }
})
