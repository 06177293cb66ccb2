-- How many planes and seats does each airline fly with, each plane once?
-- A plane that several airlines flew counts once for each of them; a plane that never flew is in the NULL group.
SELECT name AS "Airline", count(*) AS "Plane Count", sum(seats) AS "Fleet Seats"
FROM (SELECT DISTINCT a.name, p.tailnum, p.seats FROM planes p LEFT JOIN flights f USING (tailnum) LEFT JOIN airlines a ON a.carrier = f.carrier)
GROUP BY 1 ORDER BY 3 DESC, 1
