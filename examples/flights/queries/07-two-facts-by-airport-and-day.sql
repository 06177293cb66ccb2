-- On which days was there weather but no flight, or flights but no weather, by airport, in the last days of the year?
WITH f AS (
  SELECT origin AS o, CAST(time_hour AT TIME ZONE 'America/New_York' AS DATE) AS d, count(*) AS n, avg(dep_delay) AS delay FROM flights GROUP BY 1, 2
), w AS (
  SELECT origin AS o, CAST(time_hour AT TIME ZONE 'America/New_York' AS DATE) AS d, count(*) AS n, avg(temp) AS t FROM weather GROUP BY 1, 2
)
SELECT coalesce(f.o, w.o) AS "Origin Code", coalesce(f.d, w.d) AS "Date", coalesce(f.n, 0) AS "Flight Count",
  coalesce(w.n, 0) AS "Weather Observations", f.delay / w.t AS "Delay per Degree"
FROM f FULL JOIN w ON f.o = w.o AND f.d = w.d
WHERE coalesce(f.d, w.d) >= DATE '2013-12-28' ORDER BY 1, 2
