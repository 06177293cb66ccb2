-- Which are the ten busiest routes, by the names of both airports?
SELECT o.name AS "Origin Airport", d.name AS "Destination Airport", count(*) AS "Flight Count", avg(f.arr_delay) AS "Average Arrival Delay"
FROM flights f LEFT JOIN airports o ON o.faa = f.origin LEFT JOIN airports d ON d.faa = f.dest
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10
