-- How far do late and cancelled flights go, and how fast are the ones that arrive?
SELECT CASE WHEN f.distance < 500 THEN 'short' WHEN f.distance < 1500 THEN 'medium' ELSE 'long' END AS "Distance Band",
  CASE WHEN f.dep_time IS NULL THEN 'cancelled' WHEN f.dep_delay > 15 THEN 'late' ELSE 'on time' END AS "Status",
  count(*) AS "Flight Count", sum(f.distance) FILTER (WHERE f.air_time IS NOT NULL) AS "Distance Flown",
  (sum(f.distance) FILTER (WHERE f.air_time IS NOT NULL))::DOUBLE / (sum(f.air_time)::DOUBLE / 60) AS "Average Speed",
  median(f.arr_delay)::DOUBLE AS "Median Arrival Delay"
FROM flights f LEFT JOIN airlines a USING (carrier) LEFT JOIN planes p USING (tailnum)
WHERE a.name ILIKE '%air%' OR p.manufacturer IN ('BOEING', 'AIRBUS')
GROUP BY 1, 2 HAVING count(*) > 500 ORDER BY 1, 2
