-- Only the SQL of the questions that is written by hand reads these.
CREATE VIEW booked AS
  SELECT l.*, a.name AS account_name, a.kind, l.cents / 100.0 * r.micros / 1000000 AS euros
  FROM ledger l JOIN accounts a ON a.code = l.account ASOF LEFT JOIN rates r ON l.currency = r.currency AND l.booked_on >= r.day;
CREATE VIEW billed AS
  SELECT i.*, c.name, c.country, c.segment, i.cents / 100.0 * r.micros / 1000000 AS euros
  FROM invoices i JOIN customers c ON c.id = i.customer ASOF LEFT JOIN rates r ON i.currency = r.currency AND i.issued_on >= r.day;
CREATE VIEW month_ends AS
  SELECT CAST(last_day(d) AS DATE) AS day, CAST(d AS DATE) AS month FROM range(DATE '2025-01-01', DATE '2026-07-01', INTERVAL 1 MONTH) x(d);
