-- How many flights leave on an average day and on the busiest one, and how late is the worst airline of a day, by quarter?
WITH f AS (SELECT CAST(date_trunc('quarter', (time_hour AT TIME ZONE 'America/New_York')) AS DATE) AS q, CAST((time_hour AT TIME ZONE 'America/New_York') AS DATE) AS d, carrier, dep_time, dep_delay FROM flights),
  days AS (SELECT q, d, count(*) AS n FROM f GROUP BY 1, 2),
  airlines_of_days AS (SELECT q, d, carrier, count(*) FILTER (WHERE dep_delay > 15)::DOUBLE / nullif(count(dep_time), 0) AS late FROM f GROUP BY 1, 2, 3),
  worst AS (SELECT q, d, max(late) AS late FROM airlines_of_days GROUP BY 1, 2)
SELECT q AS "Quarter", avg(n) AS "Flights on an Average Day", max(n) AS "Flights on the Busiest Day",
  (SELECT avg(late) FROM worst WHERE worst.q = days.q) AS "Worst Airline on an Average Day"
FROM days GROUP BY q ORDER BY 1
