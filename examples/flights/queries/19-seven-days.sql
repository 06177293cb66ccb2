-- How many flights on a usual day of the week up to it, and how many planes in that week, around Independence Day?
-- The week looks back into June; a plane that flew on seven days is one plane.
WITH f AS (SELECT CAST(time_hour AT TIME ZONE 'America/New_York' AS DATE) AS d, tailnum FROM flights)
SELECT d AS "Date", count(*) AS "Flight Count",
  (SELECT count(*) / 7.0::DOUBLE FROM f p WHERE p.d BETWEEN f.d - INTERVAL 6 DAY AND f.d) AS "Flights on a Usual Day", count(DISTINCT tailnum) AS "Planes Flown",
  (SELECT count(DISTINCT tailnum) FROM f p WHERE p.d BETWEEN f.d - INTERVAL 6 DAY AND f.d) AS "Planes in Seven Days"
FROM f WHERE d BETWEEN DATE '2013-07-01' AND DATE '2013-07-08' GROUP BY 1 ORDER BY 1
