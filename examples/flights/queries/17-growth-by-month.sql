-- How do the months of each airport compare with the month before and the quarter before?
-- February and December of the year before are outside the question; February still serves March.
WITH g AS (
  SELECT f.origin AS o, CAST(date_trunc('month', f.time_hour AT TIME ZONE 'America/New_York') AS DATE) AS m, count(*) AS n,
    count(*) FILTER (WHERE f.dep_delay > 15)::DOUBLE / (count(*) - count(*) FILTER (WHERE f.dep_time IS NULL)) AS late
  FROM flights f GROUP BY 1, 2
)
SELECT g.o AS "Origin Code", g.m AS "Date:month", g.n AS "Flight Count", p.n AS "Flights a Period Before",
  (g.n - p.n)::DOUBLE / p.n AS "Flight Growth", g.late - q.late AS "Late Rate against Last Quarter"
FROM g LEFT JOIN g p ON p.o = g.o AND p.m = g.m - INTERVAL 1 MONTH LEFT JOIN g q ON q.o = g.o AND q.m = g.m - INTERVAL 3 MONTH
WHERE g.m >= DATE '2013-03-01' ORDER BY 1, 2
