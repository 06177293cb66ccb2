-- How late do flights leave in fog?
SELECT CASE WHEN w.origin IS NULL THEN NULL WHEN w.visib < 1 THEN 'fog' WHEN w.visib < 5 THEN 'poor' ELSE 'good' END AS "Sight",
  count(*) AS "Flight Count", avg(f.dep_delay) AS "Average Departure Delay",
  1 - count(*) FILTER (WHERE f.dep_time IS NULL)::DOUBLE / count(*) - count(*) FILTER (WHERE f.dep_delay > 15)::DOUBLE / count(*) AS "Reliability"
FROM flights f LEFT JOIN weather w ON w.origin = f.origin AND w.time_hour = f.time_hour
GROUP BY 1 ORDER BY 1 NULLS LAST
