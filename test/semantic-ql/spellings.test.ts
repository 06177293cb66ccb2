/** Every spelling of a construct in SQL is understood. */
import t from 'tap'
import { fewFlightsHost } from './ask.js'
import { canonical, fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})

const NEW_YORK = `{JFK,"LGA"}`
const conditions: readonly (readonly [sql: string, means: string, parameters?: readonly string[]])[] = [
  [`"Origin Code" = ANY('{JFK,LGA}')`, `origin IN ('JFK', 'LGA')`],
  [`"Origin Code" = ANY('${NEW_YORK}'::text[])`, `origin IN ('JFK', 'LGA')`],
  ['"Origin Code" = ANY($1)', `origin IN ('JFK', 'LGA')`, [NEW_YORK]],
  ['"Origin Code" = ANY($1::varchar[])', `origin IN ('JFK', 'LGA')`, [NEW_YORK]],
  ['"Scheduled Hour" = ANY($1)', 'hour IN (5, 6)', ['{5,6}']],
  [`"Date" = ANY('{2013-01-05,2013-02-06}'::date[])`, `on_day IN (DATE '2013-01-05', DATE '2013-02-06')`],
  [`"Origin Code" <> ALL('{JFK,LGA}'::text[])`, `origin NOT IN ('JFK', 'LGA')`],
  [`"Origin Code" <> ALL(ARRAY['JFK'])`, `origin <> 'JFK'`],
  [`"Origin Code" = ANY('{}')`, 'false'],
  [`"Origin Code" <> ALL('{}'::text[])`, 'true'],
  [`"Origin Code" <> ALL('{JFK,NULL}')`, 'false'],
  [`"Airline" LIKE ANY('{A%,"U%"}')`, `airline LIKE 'A%' OR airline LIKE 'U%'`],
  [`"Scheduled Hour" > ALL(ARRAY[20, 21])`, 'hour > 21'],
  [`"Airline" LIKE 'JetBlue%' ESCAPE '\\'`, `airline LIKE 'JetBlue%'`],
  [`"Airline" LIKE '%!%%' ESCAPE '!'`, `contains(airline, '%')`],
  [`"Airline" LIKE 'J_t!Blue%' ESCAPE '!'`, `airline LIKE 'J_tBlue%'`],
  [`"Airline" LIKE '%Lines%' ESCAPE ''`, `airline LIKE '%Lines%'`],
  [`"Airline" ILIKE '%AIR lines%' ESCAPE '\\'`, `airline ILIKE '%air lines%'`],
  [`"Airline" NOT LIKE 'A%' ESCAPE '#'`, `airline NOT LIKE 'A%'`],
  [`"Airline" ~ '^(Jet|Delta)'`, `airline LIKE 'Jet%' OR airline LIKE 'Delta%'`],
  [`"Airline" !~ '^J'`, `airline NOT LIKE 'J%'`],
  [`"Airline" ~* '^j[E-T]{2}b'`, `airline LIKE 'JetB%'`],
  [`"Airline" !~* 'AIR\\s'`, `NOT regexp_matches(airline, 'air\\s', 'i')`],
  [`"Airline" SIMILAR TO '(Jet|Delta)%'`, `airline LIKE 'Jet%' OR airline LIKE 'Delta%'`],
  [`"Airline" NOT SIMILAR TO 'J%'`, `airline NOT LIKE 'J%'`],
  [`"Manufacturer" IS DISTINCT FROM 'BOEING'`, `manufacturer IS DISTINCT FROM 'BOEING'`],
  [`'BOEING' IS DISTINCT FROM "Manufacturer"`, `manufacturer IS DISTINCT FROM 'BOEING'`],
  [`"Manufacturer" IS NOT DISTINCT FROM 'BOEING'`, `manufacturer = 'BOEING'`],
  [`NOT ("Manufacturer" IS DISTINCT FROM 'BOEING')`, `manufacturer = 'BOEING'`],
  [`NOT ("Manufacturer" IS NOT DISTINCT FROM 'BOEING')`, `manufacturer IS DISTINCT FROM 'BOEING'`],
  [
    `NOT ("Manufacturer" IS NOT DISTINCT FROM 'BOEING' OR "Manufacturer" LIKE 'A%')`,
    `NOT (manufacturer IS NOT DISTINCT FROM 'BOEING' OR manufacturer LIKE 'A%')`,
  ],
  [`"Manufacturer" <> 'BOEING' OR "Manufacturer" IS NULL`, `manufacturer IS DISTINCT FROM 'BOEING'`],
  [`NOT ("Manufacturer" <> 'BOEING' OR "Manufacturer" IS NULL)`, `manufacturer = 'BOEING'`],
  [
    `"Manufacturer" IS NULL OR "Manufacturer" NOT LIKE 'B%' OR "Manufacturer" = 'BARKER JACK L'`,
    `(manufacturer LIKE 'B%') IS NOT TRUE OR manufacturer = 'BARKER JACK L'`,
  ],
  [`"Manufacturer" IS DISTINCT FROM NULL`, 'manufacturer IS NOT NULL'],
  // As drivers of Java write a date, with the zone of their machine.
  [`"Date" = '2013-06-01 +05:30'`, `on_day = DATE '2013-06-01'`],
  [`"Date" BETWEEN $1 AND $2`, `on_day BETWEEN DATE '2013-06-01' AND DATE '2013-06-02'`, ['2013-06-01 +00', '2013-06-02 +00']],
  ['EXTRACT(isoyear FROM "Date") = 2014', 'isoyear(on_day) = 2014'],
  ['EXTRACT(isoyear FROM "Date") = 2013 AND EXTRACT(isodow FROM "Date") = 7', 'isoyear(on_day) = 2013 AND isodow(on_day) = 7'],
  // A position before the text, and a negative count, as PostgreSQL reads them.
  [`substring("Airline", length("Airline") - length("Airline") - 1, 4) = 'De'`, `airline LIKE 'De%'`],
  [`substring("Airline" FROM length("Airline") - 30) = "Airline"`, 'length(airline) <= 31'],
  [`left("Airline", -5) = 'Delta Air Lines'`, `airline = 'Delta Air Lines Inc.'`],
  [`right("Airline", -6) = 'Air Lines Inc.'`, `airline = 'Delta Air Lines Inc.'`],
  [`right("Airline", 4) = 'Inc.'`, `airline LIKE '%Inc.'`],
  [`"Airline" SIMILAR TO 'Delta Air Lines Inc.'`, `airline = 'Delta Air Lines Inc.'`],
]

t.test('a zone after a day says nothing about a local time, and is that of an instant', async (t) => {
  const [[wanted]] = (await tables.rows(`SELECT count(*) FROM f WHERE on_day >= DATE '2013-06-01'`)) as [[unknown]]
  for (const time of ['"Scheduled Local"', '"Scheduled At"'])
    t.same((await flights.ask(`SELECT "Flight Count" FROM flights WHERE ${time} >= '2013-06-01 -04'`)).rows, [[wanted]], time)
})

for (const [sql, means, parameters = []] of conditions) {
  t.test(sql, async (t) => {
    const wanted = await tables.rows(`SELECT count(*) FROM f WHERE ${means}`)
    const given = parameters.map((value) => ({ value }))
    const over = await flights.ask(`SELECT "Flight Count" FROM flights WHERE ${sql}`, given)
    t.same(over.rows, wanted, 'on the model')
    const field = /"[^"]+"/.exec(sql)![0]
    const around = `SELECT coalesce(sum(n), 0) FROM (SELECT ${field}, "Flight Count" AS n, row_number() OVER () AS r FROM flights) AS t WHERE ${sql}`
    const answer = await flights.ask(around, given)
    t.same(
      answer.rows.map((row) => row.map(canonical)),
      wanted,
      'around it',
    )
  })
}

t.test('formatted timestamps are supported in outer statements, too', async (t) => {
  const { rows } = await flights.ask(
    `SELECT sum(n) FROM (SELECT "Date", "Flight Count" AS n, rank() OVER (ORDER BY "Date") FROM flights) AS t
     WHERE "Date" >= TO_DATE('2013-02-01', 'YYYY-MM-DD') AND "Date" < TO_TIMESTAMP($1, 'YYYY-MM-DD HH24:MI:SS.US')`,
    [{ value: '2013-02-03 00:00:00.000000' }],
  )
  const wanted = await tables.rows("SELECT count(*) FROM f WHERE on_day BETWEEN DATE '2013-02-01' AND DATE '2013-02-02'")
  t.same(
    rows.map((row) => row.map(canonical)),
    wanted,
  )
})

t.test('an instant with an offset is accepted in expressions as in plain conditions', async (t) => {
  const instant = { value: '2013-12-31 13:00:00+00', type: { kind: 'timestamp_tz' } } as const
  const { rows } = await flights.ask(`SELECT "Flight Count" FROM flights WHERE "Scheduled At" >= '2013-12-31 12:00:00+00'`)
  t.ok(Number(rows[0]![0]) > 0)
  for (const later of [`TIMESTAMPTZ '2013-12-31 08:00:00-05'`, `'2013-12-31T13:00Z'`, '$1'])
    t.same(
      (await flights.ask(`SELECT "Flight Count" FROM flights WHERE "Scheduled At" + INTERVAL '1 hour' >= ${later}`, [instant]))
        .rows,
      rows,
      later,
    )
})

t.test('values that are not arrays, and computed patterns, are refused with a rewrite', async (t) => {
  t.match(await flights.refusalOf(`SELECT "Flight Count" FROM flights WHERE "Origin Code" = ANY('JFK')`), {
    code: 'UNSUPPORTED_SQL_FEATURE',
    details: { hint: /IN \(/, context: { position: 56 } },
  })
  t.match(await flights.refusalOf(`SELECT "Flight Count" FROM flights WHERE "Airline" ~* "Origin Code"`), {
    code: 'UNSUPPORTED_SQL_FEATURE',
  })
})

t.test('a percentile of a dimension is refused, and the suggested statement has that of its values', async (t) => {
  const refusal = await flights.refusalOf('SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY "Scheduled Hour") FROM flights')
  const suggested = String(refusal.details.hint)
  t.same(
    (await flights.ask(`SELECT ${suggested.replace('…', '0.25')}`)).rows.map((row) => row.map(canonical)),
    await tables.rows('SELECT quantile_cont(hour, 0.25) FROM (SELECT DISTINCT hour FROM f)'),
    suggested,
  )
})
