-- Which share of its airport, and of all flights, does each large airline have?
-- The airports and the whole are counted before the small airlines are left out.
WITH g AS (
  SELECT o.name AS o, a.name AS a, count(*) AS n
  FROM flights f LEFT JOIN airports o ON o.faa = f.origin LEFT JOIN airlines a USING (carrier)
  WHERE f.distance >= 500 GROUP BY 1, 2
), s AS (SELECT *, sum(n) OVER (PARTITION BY o) AS airport, sum(n) OVER () AS everything FROM g)
SELECT o AS "Origin Airport", a AS "Airline", n AS "Flight Count", airport AS "Airport Flights", n::DOUBLE / airport AS "Share of Airport",
  n::DOUBLE / everything AS "Share of Flights", n::DOUBLE / airport AS "Share of All Airlines"
FROM s WHERE n > 5000 ORDER BY 5 DESC, 1, 2
