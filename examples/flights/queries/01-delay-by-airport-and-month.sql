-- Average departure delay and cancellation rate by origin airport and month?
SELECT a.name AS "Origin Airport", CAST(date_trunc('month', f.time_hour AT TIME ZONE 'America/New_York') AS DATE) AS "Month",
  avg(f.dep_delay) AS "Average Departure Delay",
  count(*) FILTER (WHERE f.dep_time IS NULL)::DOUBLE / count(*) AS "Cancellation Rate"
FROM flights f LEFT JOIN airports a ON a.faa = f.origin
GROUP BY 1, 2 ORDER BY 1, 2
