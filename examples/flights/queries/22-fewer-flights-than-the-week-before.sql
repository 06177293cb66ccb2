-- Which weeks of July had fewer flights than the week before, and which place have they among all weeks shown?
-- The first week shown has a week before it, but no row above it.
WITH g AS (SELECT CAST(date_trunc('week', time_hour AT TIME ZONE 'America/New_York') AS DATE) AS w, count(*) AS n FROM flights GROUP BY 1),
s AS (
  SELECT g.w, g.n, p.n AS prior, rank() OVER (ORDER BY g.n DESC) AS r, lag(g.n) OVER (ORDER BY g.w) AS above
  FROM g LEFT JOIN g p ON p.w = g.w - INTERVAL 7 DAY WHERE g.w BETWEEN DATE '2013-06-24' AND DATE '2013-07-28'
)
SELECT w AS "Date:week", n AS "Flight Count", prior AS "Flights a Period Before", r AS "Rank by Flights", above AS "Flights on the Row Before"
FROM s WHERE n < prior ORDER BY 1
