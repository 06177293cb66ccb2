/** A whole month or year is a value of a condition, as in a JSON query, in every form of the condition. */
import t from 'tap'
import { fewFlightsHost } from './ask.js'
import { fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})

const MAY = "on_day >= DATE '2013-05-01' AND on_day < DATE '2013-06-01'"
const conditions: readonly (readonly [sql: string, means: string])[] = [
  [`"Month" = '2013-05'`, MAY],
  [`"Month" = '2013'`, 'true'],
  [`"Month" IN ('2013-05', '2013-05-01')`, MAY],
  [`"Month" IS NOT DISTINCT FROM '2013-05'`, MAY],
  [`"Month" IS DISTINCT FROM '2013-05'`, `NOT (${MAY})`],
  [`CASE WHEN "Month" = '2013-05' THEN 1 ELSE 0 END = 1`, MAY],
  [`CASE "Month" WHEN '2013-05' THEN 1 ELSE 0 END = 1`, MAY],
  [`"Date:month" = '2013-05'`, MAY],
  [`"Date:month" IN ('2013-05', '2013-07')`, 'month(on_day) IN (5, 7)'],
  [`"Date:month" NOT IN ('2013-05', '2013-07')`, 'month(on_day) NOT IN (5, 7)'],
  [`"Date:month" BETWEEN '2013-05' AND '2013-06'`, 'month(on_day) BETWEEN 5 AND 6'],
  [`'2013-05' < "Date:month"`, 'month(on_day) > 5'],
  [`"Date:month" <> '2013-05'`, `NOT (${MAY})`],
  [`"Date:month" <= '2013-05'`, 'month(on_day) <= 5'],
  [`"Date:year" = '2013-05'`, 'false'],
  [`date_trunc('month', "Date") = '2013-05'`, MAY],
  [`"Date:year" = 2013`, 'true'],
  [`"Date:year" = '2013'`, 'true'],
  [`"Date:year" IN (2012, 2014)`, 'false'],
  [`"Date:year" BETWEEN 2012 AND 2013`, 'true'],
  [`"Date:year" <= 9999`, 'true'],
  [`"Date:year" > 9999`, 'false'],
  [`date_trunc('year', "Date") = 2013`, 'true'],
]
for (const [sql, means] of [
  [`CASE WHEN "Scheduled Local" = '2013-05-06' THEN 1 ELSE 0 END = 1`, "on_day = DATE '2013-05-06'"],
  [`CASE WHEN "Scheduled Local" = DATE '2013-05-06' THEN 1 ELSE 0 END = 1`, "on_day = DATE '2013-05-06'"],
  [`CASE WHEN "Scheduled Local" <= '2013-05-06' THEN 1 ELSE 0 END = 1`, "on_day <= DATE '2013-05-06'"],
  [`CASE WHEN "Scheduled At" > '2013-05-06' THEN 1 ELSE 0 END = 1`, "on_day > DATE '2013-05-06'"],
  [`CASE WHEN "Scheduled At" IN ('2013-05-06') THEN 1 ELSE 0 END = 1`, "on_day = DATE '2013-05-06'"],
] as const) {
  t.test(`a day within an expression: ${sql}`, async (t) => {
    const { rows } = await flights.ask(`SELECT "Flight Count" FROM flights WHERE ${sql}`)
    t.same(rows, await tables.rows(`SELECT count(*) FROM f WHERE ${means}`))
  })
}

for (const [sql, means] of conditions) {
  t.test(sql, async (t) => {
    const { rows } = await flights.ask(`SELECT "Flight Count" FROM flights WHERE ${sql}`)
    t.same(rows, await tables.rows(`SELECT count(*) FROM f WHERE ${means}`))
  })
}

t.test('a number is not accepted as a month, and not as a year if months are compared', async (t) => {
  for (const sql of [`"Date:month" = 2013`, `"Date:year" = 20130`, `"Date:year" IN (2013.5)`])
    t.match(await flights.refusalOf(`SELECT "Flight Count" FROM flights WHERE ${sql}`), { code: 'INVALID_FILTER_VALUE' }, sql)
})
