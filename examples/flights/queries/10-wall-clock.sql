-- What was due in the hour before midnight of 3 November 2013, the day the clocks went back, and in the hours after it?
SELECT make_timestamp(year, month, day, hour, 0, 0) AS "Scheduled Local", time_hour AS "Scheduled At",
  count(*) AS "Flight Count", count(*) FILTER (WHERE dep_time IS NULL) AS "Cancelled Flights"
FROM flights
WHERE make_timestamp(year, month, day, hour, 0, 0) BETWEEN TIMESTAMP '2013-11-02 22:00:00' AND TIMESTAMP '2013-11-03 06:00:00'
GROUP BY 1, 2 ORDER BY 1
