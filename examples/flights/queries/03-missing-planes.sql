-- How many flights and seats does each plane maker account for, unknown planes included?
-- The NULL group holds the 52,606 flights whose plane the register does not list.
SELECT p.manufacturer AS "Manufacturer", count(*) AS "Flight Count", sum(p.seats) AS "Seats Offered",
  count(DISTINCT f.tailnum) AS "Planes Flown"
FROM flights f LEFT JOIN planes p USING (tailnum)
GROUP BY 1 ORDER BY 2 DESC, 1 NULLS LAST LIMIT 8
