-- How many planes of each maker does each airport see, with all totals?
-- Planes that the register does not list are a group named NULL, which the flags tell from the totals.
SELECT f.origin AS "Origin Code", p.manufacturer AS "Manufacturer", count(DISTINCT f.tailnum) AS "Planes Flown", count(*) AS "Flight Count",
  grouping(f.origin) = 1 AS "Origin Code is total", grouping(p.manufacturer) = 1 AS "Manufacturer is total"
FROM flights f LEFT JOIN planes p USING (tailnum)
WHERE p.manufacturer IN ('BOEING', 'AIRBUS') OR p.manufacturer IS NULL
GROUP BY CUBE (f.origin, p.manufacturer) HAVING count(*) > 20000 ORDER BY 4 DESC
