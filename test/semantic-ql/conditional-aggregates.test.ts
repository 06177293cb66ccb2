/** Aggregates with a condition are the measure with that filter, in all groups. */
import t from 'tap'
import { fewFlightsHost } from './ask.js'
import { canonical, fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})

/** An aggregate over the model, and over the rows of the flights. */
const items: readonly (readonly [sql: string, means: string])[] = [
  [`SUM(CASE WHEN "Status" = 'late' THEN "Flight Count" END)`, "count(*) FILTER (status = 'late')"],
  [`SUM(CASE WHEN "Status" = 'late' THEN "Flight Count" ELSE 0 END)`, "count(*) FILTER (status = 'late')"],
  [`SUM("Departure Delay Minutes") FILTER (WHERE "Status" = 'late')`, "sum(dep_delay) FILTER (status = 'late')"],
  [`COUNT(*) FILTER (WHERE "Manufacturer" = 'BOEING')`, "count(*) FILTER (manufacturer = 'BOEING')"],
  [`COUNT(CASE WHEN "Status" = 'late' THEN 1 END)`, "count(*) FILTER (status = 'late')"],
  [`COUNT(CASE WHEN "Status" = 'late' THEN "Manufacturer" END)`, "count(CASE WHEN status = 'late' THEN manufacturer END)"],
  ['COUNT("Manufacturer")', 'count(manufacturer)'],
  [`SUM(CASE WHEN "Status" = 'late' THEN 1 ELSE 0 END)`, "count(*) FILTER (status = 'late')"],
  [`SUM(CASE WHEN "Tail Number" = 'N14228' THEN 3 END)`, "sum(CASE WHEN tailnum = 'N14228' THEN 3 END)"],
  [
    `SUM(CASE "Status" WHEN 'late' THEN 2 * "Flight Count" WHEN 'cancelled' THEN 1 ELSE 0 END)`,
    "sum(CASE status WHEN 'late' THEN 2 WHEN 'cancelled' THEN 1 ELSE 0 END)",
  ],
  [
    `SUM(CASE WHEN "Manufacturer" = 'BOEING' THEN 1 WHEN "Status" = 'late' THEN 10 ELSE 100 END)`,
    "sum(CASE WHEN manufacturer = 'BOEING' THEN 1 WHEN status = 'late' THEN 10 ELSE 100 END)",
  ],
  [
    `100.0 * SUM(CASE WHEN "Status" = 'late' THEN 1 ELSE 0 END) / COUNT(*)`,
    "100.0 * count(*) FILTER (status = 'late') / count(*)",
  ],
  [`AVG(CASE WHEN "Status" = 'late' THEN 1.0 ELSE 0 END)`, "avg(CASE WHEN status = 'late' THEN 1.0 ELSE 0 END)"],
  [`AVG(CASE WHEN "Status" = 'late' THEN "Average Departure Delay" END)`, "avg(dep_delay) FILTER (status = 'late')"],
  [`MAX("Longest Departure Delay") FILTER (WHERE "Distance Band" = 'short')`, 'max(dep_delay) FILTER (distance < 500)'],
]

t.test('each conditional value equals the value over the rows, in total and in groups', async (t) => {
  const [asked, meant] = [items.map(([sql]) => sql).join(', '), items.map(([, means]) => means).join(', ')]
  for (const [name, column, filter, where] of [
    ['', '', '', ''],
    ['"Origin Code", ', 'origin, ', '', ''],
    ['"Airline", ', 'airline, ', `WHERE "Month" = '2013-02'`, 'WHERE month = 2'],
  ] as const) {
    const order = name && 'GROUP BY 1 ORDER BY 1'
    const { rows } = await flights.ask(`SELECT ${name}${asked} FROM flights ${filter} ${order}`)
    const wanted = await tables.rows(`SELECT ${column}${meant} FROM f ${where} ${order}`)
    t.same(
      rows.map((row) => row.map(canonical)),
      wanted,
      `${name}${filter}`,
    )
  }
})

t.test('a metric with a FILTER is the metric of these rows, and so are CASE values', async (t) => {
  const { rows } = await flights.ask(
    `SELECT "Origin Code", MEASURE("Late Rate") FILTER (WHERE "Distance Band" = 'short') AS r FROM flights ORDER BY r DESC`,
  )
  const { rows: wanted } = await flights.ask(
    `SELECT "Origin Code", "Late Rate" FROM flights WHERE "Distance Band" = 'short' ORDER BY 2 DESC`,
  )
  t.same(rows, wanted)
  const values = await flights.ask(`SELECT COUNT(DISTINCT "Airline") FILTER (WHERE "Airline" LIKE 'A%') FROM flights`)
  t.same(values.rows, (await flights.ask(`SELECT COUNT(DISTINCT "Airline") FROM flights WHERE "Airline" LIKE 'A%'`)).rows)
})

t.test('order, limit, HAVING, levels and windows apply to them', async (t) => {
  const late = `SUM(CASE WHEN "Status" = 'late' THEN "Flight Count" ELSE 0 END)`
  const { rows } = await flights.ask(
    `SELECT "Airline", ${late} AS late FROM flights GROUP BY 1 HAVING ${late} > 1000 ORDER BY ${late} DESC LIMIT 3`,
  )
  const counted = "count(*) FILTER (status = 'late')"
  t.same(rows, await tables.rows(`SELECT airline, ${counted} FROM f GROUP BY 1 HAVING ${counted} > 1000 ORDER BY 2 DESC LIMIT 3`))
  const levels = await flights.ask(`SELECT "Origin Code", ${late} FROM flights GROUP BY ROLLUP ("Origin Code") ORDER BY 1`)
  t.same(levels.rows, await tables.rows(`SELECT origin, ${counted} FROM f GROUP BY ROLLUP (origin) ORDER BY 1 NULLS LAST`))
  const share = await flights.ask(
    `SELECT "Origin Code", round(100.0 * ${late} / SUM(${late}) OVER (), 3) FROM flights GROUP BY 1 ORDER BY 1`,
  )
  t.same(
    share.rows.map((row) => row.map(canonical)),
    await tables.rows(`SELECT origin, round(100.0 * ${counted} / SUM(${counted}) OVER (), 3) FROM f GROUP BY 1 ORDER BY 1`),
  )
  t.same((await flights.ask(`SELECT ${late}, COUNT(*) FILTER (WHERE "Status" = 'late') FROM flights WHERE 1 = 0`)).rows, [[0, 0]])
  t.same((await flights.ask(`SELECT ${late} FROM flights`)).columns, ['sum'])
})

t.test('a condition on a measure selects no rows', async (t) => {
  for (const sql of [
    'SUM(CASE WHEN "Flight Count" > 5 THEN "Flight Count" END)',
    'SUM("Flight Count") FILTER (WHERE "Flight Count" > 5)',
    'COUNT(*) FILTER (WHERE "Late Rate" > 0.5)',
  ]) {
    const error = await flights.refusalOf(`SELECT "Airline", ${sql} FROM flights GROUP BY 1`)
    t.match(error, { code: 'UNSUPPORTED_SQL_FEATURE', message: /chooses rows/, details: { hint: /./ } }, sql)
  }
})
