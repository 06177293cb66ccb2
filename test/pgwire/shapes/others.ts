import { FLIGHTS, type Tool } from './shape.js'

const T = '"flights"."flights" "flights"'

const tableau: Tool = {
  tool: 'Tableau',
  source: 'help.tableau.com, "Performance Recording" and the logs that its community shows',
  shapes: [
    {
      says: 'a sum by a field',
      sql: `SELECT CAST("flights"."Airline" AS TEXT) AS "Airline", SUM("flights"."Flight Count") AS "sum:Flight Count:ok" FROM ${T}
        WHERE ((NOT ("flights"."Airline" IS NULL)) AND ("flights"."Date" >= (DATE '2013-06-01'))) GROUP BY 1 HAVING (COUNT(1) > 0) ORDER BY 1`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f WHERE on_day >= DATE '2013-06-01' GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'a level of detail: each group beside the number of a coarser one',
      sql: `SELECT "flights"."Airline" AS "Airline", SUM("flights"."Flight Count") AS "sum:Flight Count:ok", MIN("t0"."X__0") AS "min:all:ok",
          SUM("t0"."X__0") AS "sum:all:ok" FROM ${T}
        INNER JOIN (SELECT "flights"."Origin Code" AS "Origin Code", MAX("flights"."Longest Departure Delay") AS "X__0" FROM ${T} GROUP BY 1) "t0"
          ON ("flights"."Origin Code" IS NOT DISTINCT FROM "t0"."Origin Code") GROUP BY 1 ORDER BY 1`,
      means: `SELECT airline, count(*), min(x), sum(x) FROM ${FLIGHTS} f JOIN (SELECT origin, max(dep_delay) AS x FROM flights GROUP BY 1) t
        USING (origin) GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'a number of days as text and as an interval',
      sql: `SELECT ("flights"."Date" + (CAST((-1 * (EXTRACT(DAY FROM "flights"."Date") - 1)) AS TEXT) || ' DAY')::INTERVAL) AS "mn:Date:ok",
          COUNT(1) AS "cnt" FROM ${T} WHERE ("flights"."Date" < (DATE '2013-02-10' + (4 || ' DAY')::INTERVAL)) GROUP BY 1 ORDER BY 1`,
      means: `SELECT date_trunc('month', on_day)::DATE, count(*) FROM ${FLIGHTS} f WHERE on_day < DATE '2013-02-14' GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'the number of records',
      sql: `SELECT SUM(1) AS "cnt:flights:ok" FROM ${T} HAVING (COUNT(1) > 0)`,
      means: 'SELECT count(*) FROM flights',
    },
    {
      says: 'the domain of a quantitative filter',
      sql: `SELECT COUNT(1) AS "COL", MIN("flights"."Year Built") AS "min", MAX("flights"."Year Built") AS "max" FROM ${T} HAVING (COUNT(1) > 0)`,
      means: 'SELECT (SELECT count(*) FROM flights), min(year), max(year) FROM planes',
    },
    {
      says: 'years',
      sql: `SELECT CAST(TRUNC(EXTRACT(YEAR FROM "flights"."Date")) AS INTEGER) AS "yr:Date:ok", SUM("flights"."Flight Count") AS "x" FROM ${T} GROUP BY 1`,
      means: 'SELECT year, count(*) FROM flights GROUP BY 1',
    },
    {
      says: 'months',
      sql: `SELECT DATE_TRUNC( 'MONTH', CAST("flights"."Date" AS DATE) ) AS "tmn:Date:ok", SUM("flights"."Flight Count") AS "x" FROM ${T} GROUP BY 1 ORDER BY 1`,
      means: 'SELECT make_date(2013, month::INT, 1), count(*) FROM flights GROUP BY 1 ORDER BY 1',
    },
    ...[
      '("flights"."Airline" IS NOT DISTINCT FROM "t0"."Airline")',
      '(("flights"."Airline" = "t0"."Airline") OR (("flights"."Airline" IS NULL) AND ("t0"."Airline" IS NULL)))',
    ].map((condition) => ({
      says: 'the three largest',
      sql: `SELECT "flights"."Airline" AS "Airline", SUM("flights"."Flight Count") AS "x" FROM ${T} INNER JOIN (SELECT "flights"."Airline" AS "Airline",
        SUM("flights"."Flight Count") AS "$__alias__0" FROM ${T} GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 3) "t0" ON ${condition} GROUP BY 1 ORDER BY 2 DESC`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 2 DESC LIMIT 3`,
    })),
    {
      says: 'a look at custom SQL',
      sql: 'SELECT "Custom SQL Query"."Airline" AS "Airline" FROM (SELECT * FROM "flights"."flights") "Custom SQL Query" ORDER BY 1 LIMIT 3',
      means: 'SELECT name FROM airlines ORDER BY 1 LIMIT 3',
    },
  ],
}

const powerBi: Tool = {
  tool: 'Power BI',
  source: 'learn.microsoft.com, "Power Query PostgreSQL connector" and what its query folding shows',
  shapes: [
    {
      says: 'a folded group',
      sql: `select "_"."Airline", sum(cast("_"."Flight Count" as decimal)) as "a0" from (select "_"."Airline","_"."Flight Count" from "flights"."flights" "_"
        where "_"."Airline" = 'JetBlue Airways' and "_"."Airline" is not null) "_" group by "_"."Airline" limit 1000001`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f WHERE airline = 'JetBlue Airways' GROUP BY 1`,
    },
    {
      says: 'a preview of two columns',
      sql: 'select "$Table"."Airline" as "Airline", "$Table"."Flight Count" as "Flight Count" from "flights"."flights" "$Table" order by 1 limit 4096',
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 1`,
    },
    { says: 'a count', sql: 'select count(*) as "a0" from "flights"."flights" "_"', means: 'SELECT count(*) FROM flights' },
  ],
}

const grafana: Tool = {
  tool: 'Grafana',
  source: 'grafana.com/docs, "PostgreSQL query editor": macros',
  shapes: [
    {
      // A date that is compared with a timestamp is compared with its day, because PostgreSQL reads such a text as a date.
      says: '$__timeGroup of a week, with $__timeFilter',
      sql: `SELECT floor(extract(epoch from "Date")/604800)*604800 AS "time", "Origin Code"::text AS metric, sum("Flight Count") FROM flights
        WHERE "Date" BETWEEN '2013-01-01T00:00:00Z' AND '2013-03-31T00:00:00Z' GROUP BY 1,2 ORDER BY 1,2`,
      means: `SELECT floor(epoch(on_day) / 604800) * 604800, origin, count(*) FROM ${FLIGHTS} f WHERE on_day BETWEEN DATE '2013-01-01' AND DATE '2013-03-31'
        GROUP BY 1, 2 ORDER BY 1, 2`,
    },
    {
      says: '$__timeGroup of an instant',
      sql: `SELECT floor(extract(epoch from "Scheduled At")/3600)*3600 AS "time", sum("Flight Count") FROM flights GROUP BY 1 ORDER BY 1`,
      refused: { code: '0A000', hint: /^date_trunc\('hour', …\)/ },
      instead: {
        sql: `SELECT date_trunc('hour', "Scheduled At") AS "time", sum("Flight Count") FROM flights WHERE "Date" = '2013-03-01' GROUP BY 1 ORDER BY 1`,
        means: `SELECT (on_day + to_hours(hour::INT)) AT TIME ZONE 'America/New_York', count(*) FROM ${FLIGHTS} f WHERE on_day = DATE '2013-03-01' GROUP BY 1 ORDER BY 1`,
      },
    },
  ],
}

const looker: Tool = {
  tool: 'Looker',
  source: 'cloud.google.com/looker/docs, "Generated SQL"',
  shapes: [
    {
      says: 'an explore',
      sql: `SELECT flights."Airline" AS "flights.airline", COALESCE(SUM(flights."Flight Count"), 0) AS "flights.count" FROM flights.flights AS flights
        GROUP BY 1 ORDER BY 2 DESC FETCH NEXT 2 ROWS ONLY`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 2 DESC LIMIT 2`,
    },
    {
      says: 'months as texts',
      sql: `SELECT TO_CHAR(DATE_TRUNC('month', flights."Date" ), 'YYYY-MM') AS m, COALESCE(SUM(flights."Flight Count"), 0) AS n FROM flights.flights AS flights
        GROUP BY DATE_TRUNC('month', flights."Date" ) ORDER BY 1`,
      means: `SELECT strftime(make_date(2013, month::INT, 1), '%Y-%m'), count(*) FROM flights GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'days',
      sql: 'SELECT DATE(flights."Date") AS d, COUNT(*) AS n FROM flights.flights AS flights GROUP BY 1 ORDER BY 1',
      means: `SELECT on_day, count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 1`,
    },
  ],
}

const editors: Tool = {
  tool: 'DBeaver, postgres_fdw and other readers of tables',
  source: 'dbeaver.com/docs, "Data View and Format"; postgresql.org, "postgres_fdw"',
  shapes: [
    {
      says: 'the values of a column with their counts',
      sql: `SELECT "Airline", count(*) FROM flights.flights WHERE "Airline" ILIKE '%jet%' GROUP BY "Airline" ORDER BY "Airline" LIMIT 200`,
      means: `SELECT airline, count(*) FROM ${FLIGHTS} f WHERE airline ILIKE '%jet%' GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'rows of which no column is read',
      sql: 'SELECT NULL FROM flights.flights LIMIT 3',
      means: 'SELECT NULL FROM range(3)',
    },
    {
      says: 'whether there is a row',
      sql: `SELECT 1 FROM flights WHERE "Airline" = 'nobody' LIMIT 1`,
      means: 'SELECT 1 WHERE false',
    },
    {
      says: 'rows of which no column is read, counted',
      sql: `SELECT count(*) FROM (SELECT 1 FROM flights WHERE "Origin Code" = 'EWR') AS t`,
      means: "SELECT count(*) FROM flights WHERE origin = 'EWR'",
    },
    {
      says: 'a range for every group, beside a measure',
      sql: 'SELECT "Airline", MIN("Date") AS first, COUNT(DISTINCT "Origin Code") AS origins, "Flight Count" FROM flights GROUP BY 1 ORDER BY MIN("Date"), 1',
      means: `SELECT airline, min(on_day), count(DISTINCT origin), count(*) FROM ${FLIGHTS} f GROUP BY 1 ORDER BY 2, 1`,
    },
    {
      says: 'groups that a subquery names',
      sql: `SELECT "Airline", "Late Rate" FROM flights WHERE "Airline" IN (SELECT "Airline" FROM (SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC LIMIT 3) t)
        ORDER BY 1`,
      means: `SELECT airline, count(*) FILTER (dep_delay > 15) / (count(*) - count(*) FILTER (dep_time IS NULL))::DOUBLE FROM ${FLIGHTS} f
        WHERE carrier IN (SELECT carrier FROM flights GROUP BY 1 ORDER BY count(*) DESC LIMIT 3) GROUP BY 1 ORDER BY 1`,
    },
    {
      says: 'groups above the average',
      sql: 'SELECT "Airline" FROM flights WHERE "Flight Count" > (SELECT avg(n) FROM (SELECT "Airline", "Flight Count" AS n FROM flights) t) ORDER BY 1',
      means: `SELECT airline FROM ${FLIGHTS} f GROUP BY 1 HAVING count(*) > 336776 / 16.0 ORDER BY 1`,
    },
    {
      says: 'rows that a subquery names',
      sql: 'SELECT "Flight Count" FROM flights WHERE "Airline" IN (SELECT "Airline" FROM flights LIMIT 3)',
      refused: { code: '0A000', hint: /^SELECT sum\(t\.n\) FROM \(SELECT "Airline", … AS n FROM "flights" WHERE …\) AS t/ },
      instead: {
        sql: `SELECT sum(t.n) FROM (SELECT "Airline", "Flight Count" AS n FROM flights WHERE "Airline" IN (SELECT "Airline" FROM flights WHERE "Airline" LIKE 'J%')) AS t`,
        means: `SELECT count(*) FROM ${FLIGHTS} f WHERE airline LIKE 'J%'`,
      },
    },
    {
      says: 'a share of all rows, of groups that a subquery names',
      sql: 'SELECT "Airline", "Share of Flights" FROM flights WHERE "Airline" IN (SELECT "Airline" FROM flights LIMIT 2)',
      refused: { code: '0A000', hint: /^the values themselves/ },
      instead: {
        sql: `SELECT "Airline", "Share of Flights" FROM flights WHERE "Airline" IN ('JetBlue Airways') ORDER BY 1`,
        means: `SELECT 'JetBlue Airways', 1.0`,
      },
    },
    {
      says: 'the sum of a dimension',
      sql: 'SELECT AVG("Year Built") FROM flights',
      refused: { code: '0A000', hint: /^AVG\(t\.v\) FROM \(SELECT DISTINCT "Year Built" AS v FROM "flights"\) AS t$/ },
      instead: {
        sql: 'SELECT AVG(t.v) FROM (SELECT DISTINCT "Year Built" AS v FROM "flights") AS t',
        means: 'SELECT avg(DISTINCT year) FROM planes',
      },
    },
    {
      says: 'a count of a dimension',
      sql: 'SELECT COUNT("Airline") FROM flights',
      means: `SELECT count(airline) FROM ${FLIGHTS} f`,
    },
  ],
}

export const others: readonly Tool[] = [tableau, powerBi, grafana, looker, editors]
