-- Which are the three busiest airlines of each airport, and where in the field of punctuality are they?
WITH g AS (
  SELECT o.name AS o, a.name AS a, count(*) AS n,
    count(*) FILTER (WHERE f.dep_delay > 15)::DOUBLE / nullif(count(*) - count(*) FILTER (WHERE f.dep_time IS NULL), 0) AS late
  FROM flights f LEFT JOIN airports o ON o.faa = f.origin LEFT JOIN airlines a USING (carrier) GROUP BY 1, 2
), w AS (
  SELECT o, a, n, rank() OVER (PARTITION BY o ORDER BY n DESC) AS here, rank() OVER (ORDER BY n DESC) AS overall,
    ntile(4) OVER (ORDER BY late NULLS LAST, o, a) AS quarter
  FROM g
)
SELECT o AS "Origin Airport", a AS "Airline", n AS "Flight Count", here AS "Rank in Airport", overall AS "Rank by Flights", quarter AS "Quarter of the Field"
FROM w WHERE here <= 3 ORDER BY 1, 4
