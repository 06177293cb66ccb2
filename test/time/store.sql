-- A store: the south shop closed in September 2025, the west one opened in June, nothing was sold in a week of August, and some orders are for later days.
CREATE TABLE sales AS
  SELECT id, day, shop, customer, amount FROM (
    SELECT i AS id, DATE '2024-01-01' + CAST((i * 37) % 810 AS INT) AS day, ['north', 'south', 'west'][1 + (i * 7) % 3] AS shop,
      'c' || lpad(CAST((i * 11) % 40 AS VARCHAR), 2, '0') AS customer, CAST(10 + (i * 13) % 90 AS INT) AS amount
    FROM range(2400) numbers(i)) all_days
  WHERE NOT (shop = 'west' AND day < '2025-06-01') AND NOT (shop = 'south' AND day > '2025-09-30')
    AND NOT (customer = 'c07' AND day >= '2025-07-01') AND NOT (customer = 'c09' AND day < '2026-01-01')
    AND day NOT BETWEEN '2025-08-10' AND '2025-08-16';
CREATE TABLE refunds AS
  SELECT id, CAST(day + 5 AS DATE) AS day, shop, CAST(amount // 2 AS INT) AS amount FROM sales WHERE id % 9 = 0;
CREATE TABLE plans AS
  SELECT day, shop, 40 AS amount FROM (VALUES ('north'), ('west')) shops(shop),
    (SELECT CAST(d AS DATE) AS day FROM range(DATE '2026-01-01', DATE '2027-01-01', INTERVAL 1 DAY) days(d)) days;
CREATE TABLE shops AS SELECT * FROM (VALUES ('north', 'Town'), ('south', 'Town'), ('west', 'Coast')) shops(name, region);
CREATE TABLE customers AS SELECT customer AS name, min(day) AS joined FROM sales GROUP BY customer;
CREATE TABLE holidays AS
  SELECT CAST(d AS DATE) AS day, year(d) AS year_no, strftime(d, '%m-%d') IN ('01-01', '12-25', '05-01') AS is_holiday
  FROM range(DATE '2024-01-01', DATE '2027-01-01', INTERVAL 1 DAY) days(d);
