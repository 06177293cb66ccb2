-- Which five airlines leave late most often?
SELECT a.name AS "Airline", count(*) AS "Flight Count",
  count(*) FILTER (WHERE f.dep_delay > 15)::DOUBLE / (count(*) - count(*) FILTER (WHERE f.dep_time IS NULL)) AS "Late Rate"
FROM flights f LEFT JOIN airlines a USING (carrier)
GROUP BY 1 ORDER BY 3 DESC NULLS LAST, 1 LIMIT 5
