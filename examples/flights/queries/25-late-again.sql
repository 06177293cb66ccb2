-- After which share of late departures did the same plane leave late again within a day, and how much fog was followed by a cancellation?
-- The rate is of late departures that name their plane.
WITH late AS (SELECT origin, tailnum, time_hour AS t FROM flights WHERE dep_delay > 15 AND tailnum IS NOT NULL)
SELECT origin AS "Origin Code",
  count(*) FILTER (WHERE EXISTS (SELECT 1 FROM late n WHERE n.tailnum = late.tailnum AND n.t > late.t AND n.t <= late.t + INTERVAL 1 DAY))::DOUBLE / count(*) AS "Late Again",
  (SELECT count(*) FROM weather w WHERE w.origin = late.origin AND w.visib < 1
    AND EXISTS (SELECT 1 FROM flights c WHERE c.origin = w.origin AND c.dep_time IS NULL AND c.time_hour > w.time_hour AND c.time_hour <= w.time_hour + INTERVAL 3 HOUR)
  ) AS "Fog and then Cancelled"
FROM late GROUP BY origin ORDER BY 1
