-- Which airports more than 9,000 feet high does no flight from New York serve?
SELECT name AS "Destination Airport", count(*) AS "Destination Airport Count"
FROM airports WHERE alt > 9000 AND faa NOT IN (SELECT dest FROM flights)
GROUP BY 1 ORDER BY 1
