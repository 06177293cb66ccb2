-- Where do the flights go whose destination is in no list of airports?
SELECT f.dest AS "Destination Code", count(*) AS "Flight Count"
FROM flights f LEFT JOIN airports d ON d.faa = f.dest
WHERE d.name IS NULL GROUP BY 1 ORDER BY 1
