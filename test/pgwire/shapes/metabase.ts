import { FLIGHTS, type Tool } from './shape.js'

const T = '"flights"."flights"'
const day = (expression: string) => `SELECT ${expression}, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 1`

export const metabase: Tool = {
  tool: 'Metabase',
  source: 'metabase/driver/postgres.clj and sql/query_processor.clj (truncations, relative dates, nested questions)',
  shapes: [
    {
      says: 'whether a table may be read',
      sql: `SELECT TRUE AS "_" FROM ${T} WHERE 1 <> 1 LIMIT 0`,
      means: 'SELECT true WHERE false',
    },
    {
      says: 'a sum by a field',
      sql: `SELECT ${T}."Airline" AS "Airline", SUM(${T}."Flight Count") AS "sum" FROM ${T} GROUP BY ${T}."Airline"
        ORDER BY "sum" DESC, ${T}."Airline" ASC LIMIT 3`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
    },
    { says: 'the number of rows', sql: `SELECT COUNT(*) AS "count" FROM ${T}`, means: 'SELECT count(*) FROM flights' },
    {
      says: 'the number of rows by a field',
      sql: `SELECT ${T}."Origin Code" AS o, COUNT(*) AS "count" FROM ${T} GROUP BY ${T}."Origin Code" ORDER BY ${T}."Origin Code" ASC`,
      means: 'SELECT origin, count(*) FROM flights GROUP BY 1 ORDER BY 1',
    },
    {
      says: 'days as dates',
      sql: `SELECT CAST(${T}."Scheduled At" AS date) AS d, COUNT(*) AS "count" FROM ${T} GROUP BY CAST(${T}."Scheduled At" AS date)
        ORDER BY CAST(${T}."Scheduled At" AS date) ASC`,
      means: day('on_day'),
    },
    {
      says: 'months as dates',
      sql: `SELECT CAST(DATE_TRUNC('month', ${T}."Date") AS date) AS "Date", SUM(${T}."Flight Count") AS "sum" FROM ${T}
        GROUP BY CAST(DATE_TRUNC('month', ${T}."Date") AS date) ORDER BY CAST(DATE_TRUNC('month', ${T}."Date") AS date) ASC`,
      means: day("date_trunc('month', on_day)::DATE"),
    },
    {
      says: 'weeks that begin on Sunday',
      sql: `SELECT CAST((CAST(DATE_TRUNC('week', (CAST(${T}."Date" AS timestamp) + INTERVAL '1 day')) AS timestamp) + INTERVAL '-1 day') AS date) AS w,
        COUNT(*) AS "count" FROM ${T} GROUP BY 1 ORDER BY 1`,
      means: day("(date_trunc('week', on_day + 1) - INTERVAL 1 DAY)::DATE"),
    },
    {
      says: 'days of the week',
      sql: `SELECT (CAST(extract(dow from ${T}."Date") AS integer) + 1) AS d, COUNT(*) AS "count" FROM ${T}
        GROUP BY (CAST(extract(dow from ${T}."Date") AS integer) + 1) ORDER BY 1`,
      means: day('dayofweek(on_day) + 1'),
    },
    ...(['hour', 'day', 'doy', 'month', 'quarter'] as const).map((part) => ({
      says: `the ${part} of a moment`,
      sql: `SELECT CAST(extract(${part} from ${T}."Scheduled Local") AS integer) AS p, COUNT(*) AS "count" FROM ${T}
        GROUP BY CAST(extract(${part} from ${T}."Scheduled Local") AS integer) ORDER BY 1`,
      means: day(`date_part('${part}', on_day + to_hours(hour::INT))`),
    })),
    {
      says: 'the last months, which are long after the data',
      sql: `SELECT COUNT(*) AS "count" FROM ${T} WHERE ${T}."Date" >= DATE_TRUNC('month', (NOW() + INTERVAL '-3 month')) AND ${T}."Date" < DATE_TRUNC('month', NOW())`,
      means: 'SELECT 0',
    },
    {
      says: 'everything before the last thirty days',
      sql: `SELECT COUNT(*) AS "count" FROM ${T} WHERE ${T}."Date" < CAST((CAST(NOW() AS timestamp) + (INTERVAL '-30 day')) AS date)`,
      means: 'SELECT count(*) FROM flights',
    },
    {
      says: 'one day, by its bounds',
      sql: `SELECT COUNT(*) AS "count" FROM ${T} WHERE ${T}."Date" >= date '2013-03-01' AND ${T}."Date" < date '2013-03-02'`,
      means: `SELECT count(*) FROM ${FLIGHTS} f WHERE on_day = DATE '2013-03-01'`,
    },
    {
      says: 'a question on a question',
      sql: `SELECT "source"."Airline" AS "Airline", SUM("source"."Flight Count") AS "sum" FROM (SELECT ${T}."Airline" AS "Airline",
        ${T}."Flight Count" AS "Flight Count" FROM ${T}) AS "source" WHERE "source"."Airline" LIKE 'J%' OR "source"."Flight Count" > 58000
        GROUP BY "source"."Airline" ORDER BY "source"."Airline" ASC LIMIT 1048575`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 HAVING airline LIKE 'J%' OR count(*) > 58000 ORDER BY 1`,
    },
    {
      says: 'a question on a question by month',
      sql: `SELECT AVG("source"."sum") AS "avg" FROM (SELECT CAST(DATE_TRUNC('month', ${T}."Date") AS date) AS "Date", SUM(${T}."Flight Count") AS "sum"
        FROM ${T} GROUP BY CAST(DATE_TRUNC('month', ${T}."Date") AS date)) AS "source"`,
      means: 'SELECT avg(n) FROM (SELECT count(*) AS n FROM flights GROUP BY month)',
    },
    {
      says: 'a running total',
      sql: `SELECT CAST(DATE_TRUNC('month', ${T}."Date") AS date) AS "Date", SUM(SUM(${T}."Flight Count")) OVER (ORDER BY CAST(DATE_TRUNC('month', ${T}."Date") AS date)
        ASC ROWS UNBOUNDED PRECEDING) AS "sum" FROM ${T} GROUP BY CAST(DATE_TRUNC('month', ${T}."Date") AS date) ORDER BY 1`,
      means: 'SELECT make_date(2013, month::INT, 1), sum(count(*)) OVER (ORDER BY month) FROM flights GROUP BY month ORDER BY 1',
    },
    {
      says: 'bins of a number',
      sql: `SELECT ((FLOOR(((${T}."Year Built" - 1950.0) / 10.0)) * 10.0) + 1950.0) AS b, COUNT(*) AS "count" FROM ${T}
        WHERE ${T}."Year Built" IS NOT NULL GROUP BY 1 ORDER BY 1`,
      means: `SELECT floor((p.year - 1950) / 10.0) * 10 + 1950, count(*) FROM flights f JOIN planes p ON p.tailnum = f.tailnum
        WHERE p.year IS NOT NULL GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'everything but one value, NULL included',
      sql: `SELECT COUNT(*) AS "count" FROM ${T} WHERE (${T}."Airline" <> 'JetBlue Airways' OR ${T}."Airline" IS NULL) AND (LOWER(${T}."Airline") LIKE '%air%')`,
      means: `SELECT count(*) FROM ${FLIGHTS} f WHERE airline <> 'JetBlue Airways' AND lower(airline) LIKE '%air%'`,
    },
    {
      says: 'the values of a field',
      sql: `SELECT ${T}."Airline" AS "Airline" FROM ${T} GROUP BY ${T}."Airline" ORDER BY ${T}."Airline" ASC LIMIT 1000`,
      means: 'SELECT name FROM airlines ORDER BY 1',
    },
    {
      says: 'the fingerprint of a text',
      sql: `SELECT substring(${T}."Airline", 1, 1234) AS "substring1" FROM ${T} LIMIT 10000`,
      means: 'SELECT name FROM airlines ORDER BY 1',
    },
    {
      says: 'how many values a field has',
      sql: `SELECT count(distinct ${T}."Airline") AS "count" FROM ${T}`,
      means: 'SELECT count(*) FROM airlines',
    },
  ],
}
