-- How do flights, cancellations, temperature and rain go together by month?
-- Two facts: each is counted on its own rows before they meet.
WITH f AS (
  SELECT CAST(date_trunc('month', time_hour AT TIME ZONE 'America/New_York') AS DATE) AS m, count(*) AS n, count(*) FILTER (WHERE dep_time IS NULL) AS c
  FROM flights GROUP BY 1
), w AS (
  SELECT CAST(date_trunc('month', time_hour AT TIME ZONE 'America/New_York') AS DATE) AS m, avg(temp) AS t, sum(precip) AS r, count(*) AS n
  FROM weather GROUP BY 1
)
SELECT coalesce(f.m, w.m) AS "Month", coalesce(f.n, 0) AS "Flight Count", f.c::DOUBLE / f.n AS "Cancellation Rate",
  w.t AS "Average Temperature", w.r AS "Rainfall", coalesce(w.n, 0) AS "Weather Observations"
FROM f FULL JOIN w ON f.m = w.m ORDER BY 1
