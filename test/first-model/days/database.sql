-- Sales around a table of days, and readings with one row a day that are no calendar.
CREATE TABLE dim_date AS
  SELECT CAST(strftime(d, '%Y%m%d') AS INTEGER) AS date_key, CAST(d AS DATE) AS full_date, CAST(year(d) AS INTEGER) AS year_no,
    CAST(quarter(d) AS INTEGER) AS quarter_no, CAST(month(d) AS INTEGER) AS month_no, monthname(d) AS month_name, strftime(d, '%Y-%m') AS year_month,
    CAST(date_trunc('month', d) AS DATE) AS month_start, CAST(week(d) AS INTEGER) AS week_no, CAST(isoyear(d) AS INTEGER) AS week_year,
    CAST(isodow(d) AS INTEGER) AS weekday, dayname(d) AS day_name, year(d) = 2025 AS is_current_year, strftime(d, '%m-%d') = '12-25' AS is_holiday
  FROM range(DATE '2023-06-01', DATE '2026-01-01', INTERVAL 1 DAY) days(d);
CREATE TABLE sale AS
  SELECT i AS sale_id, DATE '2024-01-01' + CAST((i * 7) % 700 AS INTEGER) AS full_date, 10 + i % 50 AS amount FROM range(1000) numbers(i);
CREATE TABLE weather AS
  SELECT CAST(d AS DATE) AS noon, CAST(year(d) AS INTEGER) AS year_no, CAST(month(d) AS INTEGER) AS month_no, 10.5 + day(d) AS temperature
  FROM range(DATE '2023-06-01', DATE '2026-01-01', INTERVAL 1 DAY) days(d);
-- A day is missing.
CREATE TABLE bank_days AS SELECT full_date AS bank_day, year_no, month_no FROM dim_date WHERE full_date <> '2024-05-01';
