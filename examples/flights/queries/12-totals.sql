-- What are the totals of both facts?
SELECT (SELECT count(*) FROM flights) AS "Flight Count", (SELECT count(*) FROM flights WHERE dep_time IS NULL) AS "Cancelled Flights",
  (SELECT sum(dep_delay) FROM flights) AS "Departure Delay Minutes", (SELECT max(dep_delay) FROM flights) AS "Longest Departure Delay",
  (SELECT count(DISTINCT dest) FROM flights) AS "Destinations Served", (SELECT max(wind_gust) FROM weather) AS "Strongest Gust",
  (SELECT count(*) FROM weather) AS "Weather Observations", (SELECT count(*) FROM planes) AS "Plane Count",
  (SELECT count(*) FROM airports) AS "Destination Airport Count"
