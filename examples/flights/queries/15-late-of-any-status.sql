-- Of the flights that each airline has from La Guardia, how many leave late?
-- An airline without flights from La Guardia has a row, for its flights without filters are selected too.
SELECT a.name AS "Airline", count(*) FILTER (WHERE f.origin = 'LGA' AND f.dep_time IS NOT NULL AND f.dep_delay > 15) AS "Flight Count",
  count(*) FILTER (WHERE f.origin = 'LGA') AS "Flights in Any Status",
  (count(*) FILTER (WHERE f.origin = 'LGA' AND f.dep_time IS NOT NULL AND f.dep_delay > 15))::DOUBLE / nullif(count(*) FILTER (WHERE f.origin = 'LGA'), 0)
    AS "Share of Any Status",
  count(*) AS "Flights Unfiltered"
FROM flights f LEFT JOIN airlines a USING (carrier) GROUP BY 1 ORDER BY 1
