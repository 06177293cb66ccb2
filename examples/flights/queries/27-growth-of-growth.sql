-- How fast do the flights to date grow, and is the growth of a month itself growing?
-- What lies before April is outside the question and serves it all the same.
WITH m AS (SELECT CAST(date_trunc('month', (time_hour AT TIME ZONE 'America/New_York')) AS DATE) AS m, count(*) AS n FROM flights GROUP BY 1),
  g AS (SELECT m, sum(n) OVER (ORDER BY m ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before, (n - lag(n) OVER (ORDER BY m))::DOUBLE / lag(n) OVER (ORDER BY m) AS growth FROM m),
  h AS (SELECT m, before, growth - lag(growth) OVER (ORDER BY m) AS change, avg(growth) OVER (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS usual FROM g)
SELECT m AS "Date:month", before AS "Flights to Date before", change AS "Change of Flight Growth", usual AS "Usual Flight Growth"
FROM h WHERE m >= DATE '2013-04-01' ORDER BY 1
