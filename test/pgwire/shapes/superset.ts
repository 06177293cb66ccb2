import { FLIGHTS, type Tool } from './shape.js'

const BY_MONTH = `SELECT date_trunc('month', on_day)::DATE, airline, count(*) FROM ${FLIGHTS} f`

export const superset: Tool = {
  tool: 'Superset',
  source:
    'superset/db_engine_specs/postgres.py (time grains, convert_dttm, epoch_to_dttm), superset/models/helpers.py (series limit)',
  shapes: [
    {
      says: 'a chart by month, of a range of days',
      sql: `SELECT DATE_TRUNC('month', "Date") AS "Date", "Airline" AS "Airline", sum("Flight Count") AS "SUM(Flight Count)"
        FROM flights.flights WHERE "Date" >= TO_DATE('2013-02-01', 'YYYY-MM-DD') AND "Date" < TO_DATE('2013-04-01', 'YYYY-MM-DD')
        GROUP BY DATE_TRUNC('month', "Date"), "Airline" ORDER BY "SUM(Flight Count)" DESC LIMIT 10000`,
      means: `${BY_MONTH} WHERE on_day >= DATE '2013-02-01' AND on_day < DATE '2013-04-01' GROUP BY 1, 2 ORDER BY 3 DESC`,
    },
    {
      says: 'a range of moments',
      sql: `SELECT DATE_TRUNC('day', "Scheduled Local") AS d, COUNT(*) AS count FROM flights.flights
        WHERE "Scheduled Local" >= TO_TIMESTAMP('2013-02-01 12:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
          AND "Scheduled Local" < TO_TIMESTAMP('2013-02-03 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
        GROUP BY DATE_TRUNC('day', "Scheduled Local") ORDER BY d LIMIT 50000`,
      means: `SELECT on_day, count(*) FROM ${FLIGHTS} f WHERE (on_day = DATE '2013-02-01' AND hour >= 12) OR on_day = DATE '2013-02-02'
        GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'the ten largest series, here two',
      sql: `SELECT DATE_TRUNC('month', "Date") AS "Date", "Airline" AS "Airline", sum("Flight Count") AS "SUM(Flight Count)"
        FROM flights.flights JOIN (SELECT "Airline" AS "Airline__", sum("Flight Count") AS mme_inner__ FROM flights.flights
          GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON "Airline" = "Airline__"
        GROUP BY DATE_TRUNC('month', "Date"), "Airline" ORDER BY "SUM(Flight Count)" DESC LIMIT 10000`,
      means: `${BY_MONTH} WHERE carrier IN (SELECT carrier FROM flights GROUP BY 1 ORDER BY count(*) DESC LIMIT 2)
        GROUP BY 1, 2 ORDER BY 3 DESC`,
    },
    {
      says: 'the two largest series, and all others as one',
      sql: `SELECT CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END AS "Airline",
          DATE_TRUNC('month', "Date") AS "Date", sum("Flight Count") AS "SUM(Flight Count)", COUNT(*) AS count
        FROM flights.flights LEFT OUTER JOIN (SELECT "Airline" AS "Airline__", sum("Flight Count") AS mme_inner__ FROM flights.flights
          WHERE "Origin Code" = 'JFK' GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON "Airline" = "Airline__"
        WHERE "Origin Code" = 'JFK'
        GROUP BY CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END, DATE_TRUNC('month', "Date")
        ORDER BY "SUM(Flight Count)" DESC LIMIT 10000`,
      means: `SELECT CASE WHEN carrier IN (SELECT carrier FROM flights WHERE origin = 'JFK' GROUP BY 1 ORDER BY count(*) DESC LIMIT 2)
          THEN airline ELSE 'Others' END, date_trunc('month', on_day)::DATE, count(*), count(*) FROM ${FLIGHTS} f WHERE origin = 'JFK'
        GROUP BY 1, 2 ORDER BY 3 DESC`,
    },
    {
      says: 'all others as one, of a measure that does not add up',
      sql: `SELECT CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END AS "Airline",
          "Planes Flown" AS planes, sum("Flight Count") AS flights
        FROM flights.flights LEFT OUTER JOIN (SELECT "Airline" AS "Airline__", sum("Flight Count") AS mme_inner__ FROM flights.flights
          WHERE "Origin Code" = 'JFK' GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON "Airline" = "Airline__"
        WHERE "Origin Code" = 'JFK'
        GROUP BY CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END ORDER BY planes DESC LIMIT 10000`,
      means: `SELECT CASE WHEN carrier IN (SELECT carrier FROM flights WHERE origin = 'JFK' GROUP BY 1 ORDER BY count(*) DESC LIMIT 2)
          THEN airline ELSE 'Others' END, count(DISTINCT tailnum), count(*) FROM ${FLIGHTS} f WHERE origin = 'JFK'
        GROUP BY 1 ORDER BY 2 DESC`,
    },
    {
      says: 'the smallest series beside all others, by month, of a ratio',
      sql: `SELECT DATE_TRUNC('month', "Date") AS "Date", CASE WHEN series_limit."Airline__" IS NOT NULL THEN "Airline" ELSE 'the rest' END AS who,
          "Cancellation Rate" AS rate
        FROM flights.flights LEFT OUTER JOIN (SELECT "Airline" AS "Airline__", "Flight Count" AS n FROM flights.flights
          GROUP BY "Airline" ORDER BY n LIMIT 3) AS series_limit ON series_limit."Airline__" = "Airline"
        GROUP BY 1, 2 ORDER BY 1, 3 DESC LIMIT 4`,
      means: `SELECT date_trunc('month', on_day)::DATE, CASE WHEN carrier IN (SELECT carrier FROM flights GROUP BY 1 ORDER BY count(*) LIMIT 3)
          THEN airline ELSE 'the rest' END, count(*) FILTER (WHERE dep_time IS NULL) / count(*) FROM ${FLIGHTS} f
        GROUP BY 1, 2 ORDER BY 1, 3 DESC LIMIT 4`,
    },
    {
      says: 'all others as one in the order of their names, of a ratio',
      sql: `SELECT CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END AS "Airline", AGG("Late Rate") AS "Late Rate"
        FROM flights.flights LEFT OUTER JOIN (SELECT "Airline" AS "Airline__", sum("Flight Count") AS mme_inner__ FROM flights.flights
          GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON "Airline" = "Airline__"
        GROUP BY CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END ORDER BY 1`,
      means: `SELECT CASE WHEN carrier IN (SELECT carrier FROM flights GROUP BY 1 ORDER BY count(*) DESC LIMIT 2) THEN airline ELSE 'Others' END,
        count(*) FILTER (WHERE dep_delay > 15) / count(dep_time) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'the ten largest of a field that the chart does not show, here three, of a sum and a ratio',
      sql: `SELECT "Origin Code", sum("Flight Count") AS n, AGG("Late Rate") AS rate FROM flights.flights JOIN (SELECT "Airline" AS "Airline__",
          sum("Late Flights") AS mme_inner__ FROM flights.flights GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 3) AS series_limit
          ON "Airline" = "Airline__" GROUP BY "Origin Code" ORDER BY n DESC`,
      means: `SELECT origin, count(*), count(*) FILTER (WHERE dep_delay > 15) / count(dep_time) FROM ${FLIGHTS} f WHERE carrier IN
        (SELECT carrier FROM flights GROUP BY 1 ORDER BY count(*) FILTER (WHERE dep_delay > 15) DESC LIMIT 3) GROUP BY 1 ORDER BY 2 DESC`,
    },
    {
      says: 'a metric over a virtual dataset that groups',
      sql: `SELECT "Origin Code", MEASURE("Late Rate") AS rate, MEASURE("Planes Flown") AS planes FROM (SELECT "Airline", "Origin Code",
        COUNT(*) AS n FROM flights.flights GROUP BY 1, 2) AS virtual_table GROUP BY "Origin Code" ORDER BY 1 LIMIT 1000`,
      means: `SELECT origin, count(*) FILTER (WHERE dep_delay > 15) / count(dep_time), count(DISTINCT tailnum) FROM flights GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'all others as one in the order of their names, of a measure that does not add up',
      sql: `SELECT CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END AS "Airline", "Planes Flown"
        FROM flights.flights LEFT OUTER JOIN (SELECT "Airline" AS "Airline__", sum("Flight Count") AS mme_inner__ FROM flights.flights
          GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON "Airline" = "Airline__"
        GROUP BY CASE WHEN (series_limit."Airline__" IS NOT NULL) THEN "Airline" ELSE 'Others' END ORDER BY 1`,
      refused: { code: '0A000', hint: /^the compared field into SELECT and GROUP BY, JOIN for LEFT JOIN/ },
      instead: {
        sql: `SELECT "Airline", COUNT(*) FROM flights.flights JOIN (SELECT "Airline" AS "Airline__", sum("Flight Count") AS mme_inner__ FROM flights.flights
          GROUP BY "Airline" ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON "Airline" = "Airline__" GROUP BY "Airline" ORDER BY 2 DESC`,
        means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 2 DESC LIMIT 2`,
      },
    },
    ...(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).map((grain) => ({
      says: `the time grain ${grain}`,
      sql: `SELECT DATE_TRUNC('${grain}', "Scheduled Local") AS t, COUNT(*) AS count FROM flights.flights WHERE "Date" < '2013-02-01'
        GROUP BY DATE_TRUNC('${grain}', "Scheduled Local") ORDER BY t`,
      means: `SELECT date_trunc('${grain}', on_day + to_hours(hour::INT)), count(*) FROM ${FLIGHTS} f WHERE on_day < DATE '2013-02-01'
        GROUP BY 1 ORDER BY 1`,
    })),
    ...([5, 10, 15, 30] as const).map((minutes) => ({
      says: `the time grain of ${minutes} minutes`,
      sql: `SELECT DATE_TRUNC('hour', "Scheduled Local") + INTERVAL '${minutes} minutes' * FLOOR(EXTRACT(MINUTE FROM "Scheduled Local") / ${minutes}) AS t,
        COUNT(*) AS count FROM flights.flights WHERE "Date" = '2013-03-01' GROUP BY 1 ORDER BY t`,
      means: `SELECT on_day + to_hours(hour::INT), count(*) FROM ${FLIGHTS} f WHERE on_day = DATE '2013-03-01' GROUP BY 1 ORDER BY 1`,
    })),
    {
      says: 'seconds since 1970 as a moment',
      sql: `SELECT COUNT(*) FROM flights.flights WHERE "Scheduled Local" >= (timestamp 'epoch' + 1359676800 * interval '1 second')`,
      means: `SELECT count(*) FROM ${FLIGHTS} f WHERE on_day >= DATE '2013-02-01'`,
    },
    {
      says: 'the values of a filter',
      sql: 'SELECT DISTINCT "Airline" AS "Airline" FROM flights.flights LIMIT 1000',
      means: 'SELECT name FROM airlines ORDER BY 1',
    },
    {
      says: 'the range of a time filter',
      sql: 'SELECT MIN("Date") AS min, MAX("Date") AS max FROM flights.flights',
      means: `SELECT min(on_day), max(on_day) FROM ${FLIGHTS} f`,
    },
    {
      says: 'a big number of distinct values',
      sql: `SELECT COUNT(DISTINCT "Airline") AS "COUNT_DISTINCT(Airline)" FROM flights.flights WHERE "Airline" LIKE 'A%' LIMIT 50000`,
      means: "SELECT count(*) FROM airlines WHERE name LIKE 'A%'",
    },
    {
      says: 'how many rows a drill has',
      sql: 'SELECT COUNT(*) AS rowcount FROM (SELECT "Airline" AS "Airline", "Origin Code" AS o FROM flights.flights WHERE "Flight Count" > 0) AS rowcount_qry',
      means: 'SELECT count(*) FROM (SELECT DISTINCT carrier, origin FROM flights)',
    },
    {
      says: 'the columns of a virtual dataset',
      sql: 'SELECT * FROM (SELECT "Airline", "Flight Count" FROM flights.flights) AS virtual_table LIMIT 0',
      means: 'SELECT name, 0 FROM airlines WHERE false',
    },
    {
      says: 'a page of a virtual dataset',
      sql: `SELECT * FROM (SELECT "Airline" AS "Airline", SUM("Flight Count") AS n FROM flights.flights GROUP BY "Airline" ORDER BY n DESC LIMIT 10000) AS inner_qry LIMIT 3`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
    },
    {
      says: 'a condition on a metric',
      sql: `SELECT "Airline" AS "Airline", sum("Flight Count") AS n FROM flights.flights GROUP BY "Airline" HAVING ((sum("Flight Count") > 50000)) ORDER BY n DESC LIMIT 100`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 HAVING count(*) > 50000 ORDER BY 2 DESC`,
    },
    {
      says: 'an average that would change a measure',
      sql: 'SELECT AVG("Flight Count") AS "AVG(Flight Count)" FROM flights.flights',
      refused: { code: '0A000', hint: /^MEASURE\("Flight Count"\)$/ },
      instead: { sql: 'SELECT MEASURE("Flight Count") FROM flights.flights', means: 'SELECT count(*) FROM flights' },
    },
  ],
}
