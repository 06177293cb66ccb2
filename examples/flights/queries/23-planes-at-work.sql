-- How many planes were at work on an average day of each month, how many on its last day, and how many of each airline on its own last day?
-- A day of the month on which nothing flew would be no day of the average; an airline that stopped before the end counts with its last day.
WITH f AS (SELECT CAST(date_trunc('month', (time_hour AT TIME ZONE 'America/New_York')) AS DATE) AS m, CAST((time_hour AT TIME ZONE 'America/New_York') AS DATE) AS d, carrier, tailnum FROM flights),
  days AS (SELECT m, d, count(DISTINCT tailnum) AS n FROM f GROUP BY 1, 2),
  own AS (SELECT m, carrier, d, count(DISTINCT tailnum) AS n, max(d) OVER (PARTITION BY m, carrier) AS ends FROM f GROUP BY 1, 2, 3)
SELECT m AS "Date:month", count(DISTINCT tailnum) AS "Planes Flown",
  (SELECT avg(n) FROM days WHERE days.m = f.m) AS "Planes on an Average Day",
  (SELECT arg_max(n, d) FROM days WHERE days.m = f.m) AS "Planes on the Last Day",
  (SELECT sum(n) FROM own WHERE own.m = f.m AND d = ends) AS "Planes of Each Airline"
FROM f GROUP BY m ORDER BY 1
