-- How much of the delay fell into hours in which it rained, by airport?
WITH delays AS (SELECT origin, time_hour, sum(dep_delay) AS minutes FROM flights GROUP BY 1, 2),
  rain AS (SELECT origin, time_hour, sum(precip) AS inches FROM weather GROUP BY 1, 2)
SELECT origin AS "Origin Code", sum(minutes) AS "Departure Delay Minutes", sum(minutes) FILTER (WHERE inches > 0) AS "Delay in Wet Hours"
FROM delays LEFT JOIN rain USING (origin, time_hour) GROUP BY 1 ORDER BY 1
