-- How many flights and planes by airport and status, with the totals of each airport and of all?
-- The question does not select Origin Airport, by which the share is kept, so that it is the share of all.
WITH f AS (
  SELECT *, CASE WHEN dep_time IS NULL THEN 'cancelled' WHEN dep_delay > 15 THEN 'late' ELSE 'on time' END AS status FROM flights
)
SELECT origin AS "Origin Code", status AS "Status", count(*) AS "Flight Count", count(DISTINCT tailnum) AS "Planes Flown", avg(dep_delay) AS "Average Departure Delay",
  count(*)::DOUBLE / 336776 AS "Share of Airport", grouping(origin) = 1 AS "Origin Code is total", grouping(status) = 1 AS "Status is total"
FROM f GROUP BY ROLLUP (origin, status) ORDER BY 1 NULLS LAST, grouping(origin), 2 NULLS LAST, grouping(status)
