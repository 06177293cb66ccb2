-- How do flights and punctuality run up over the year and over each quarter, by airport?
WITH g AS (
  SELECT f.origin AS o, CAST(date_trunc('month', f.time_hour AT TIME ZONE 'America/New_York') AS DATE) AS m, count(*) AS n, count(*) FILTER (WHERE f.dep_delay > 15) AS late, count(*) FILTER (WHERE f.dep_time IS NOT NULL) AS gone
  FROM flights f GROUP BY 1, 2
)
SELECT o AS "Origin Code", m AS "Date:month", n AS "Flight Count", sum(n) OVER w AS "Flights to Date",
  sum(n) OVER (PARTITION BY o, date_trunc('quarter', m) ORDER BY m) AS "Flights Quarter to Date",
  (sum(late) OVER w)::DOUBLE / sum(gone) OVER w AS "Late Rate to Date"
FROM g WINDOW w AS (PARTITION BY o ORDER BY m) ORDER BY 1, 2
