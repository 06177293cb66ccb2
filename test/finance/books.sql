-- The books of a company that sells subscriptions in three currencies. Amounts are in minor units, and rates in millionths of a euro, on weekdays only.
CREATE TABLE customers AS
  SELECT i AS id, 'customer ' || lpad(CAST(i AS VARCHAR), 2, '0') AS name, ['DE', 'US', 'GB'][1 + i % 3] AS country, ['small', 'large'][1 + (i // 3) % 2] AS segment
  FROM range(30) n(i);
CREATE TABLE subscriptions AS
  SELECT i AS id, (i * 7) % 28 AS customer, ['EUR', 'USD', 'GBP'][1 + ((i * 7) % 28) % 3] AS currency,
    CAST(DATE '2025-01-05' + CAST((i * 53) % 420 AS INT) AS DATE) AS started,
    CASE WHEN i % 4 = 0 THEN CAST(DATE '2025-01-05' + CAST((i * 53) % 420 + 60 + (i * 31) % 200 AS INT) AS DATE) END AS ended
  FROM range(60) n(i);
-- A subscription has one plan at a time. Every third one changes to the plan of teams after 90 days.
CREATE TABLE plan_periods AS
  WITH s AS (SELECT *, CASE WHEN id % 3 = 0 AND (ended IS NULL OR started + 90 < ended) THEN CAST(started + 90 AS DATE) END AS changed FROM subscriptions)
  SELECT id * 2 AS id, id AS subscription, ['basic', 'pro'][1 + id % 2] AS plan, CAST([900, 2900][1 + id % 2] AS INT) AS monthly_cents, currency,
    started AS valid_from, coalesce(changed, ended) AS valid_to FROM s
  UNION ALL SELECT id * 2 + 1, id, 'team', 4900, currency, changed, ended FROM s WHERE changed IS NOT NULL;
CREATE TABLE rates AS
  SELECT c AS currency, day, CAST(CASE c WHEN 'EUR' THEN 1000000 WHEN 'USD' THEN 900000 + (n * 37) % 5000 ELSE 1150000 + (n * 91) % 7000 END AS INT) AS micros
  FROM (SELECT CAST(DATE '2024-12-20' + CAST(n AS INT) AS DATE) AS day, n FROM range(560) x(n)) days, (VALUES ('EUR'), ('USD'), ('GBP')) v(c)
  WHERE isodow(day) < 6;
CREATE TABLE accounts AS
  SELECT * FROM (VALUES (4000, 'Subscriptions', 'revenue'), (4100, 'Services', 'revenue'), (5000, 'Salaries', 'expense'), (5100, 'Hosting', 'expense'),
    (5200, 'Travel', 'expense')) v(code, name, kind);
-- The chart has what accounts add up to, too.
CREATE TABLE chart AS
  SELECT code, name, CASE WHEN code < 5000 THEN 1000 ELSE 2000 END AS above FROM accounts
  UNION ALL SELECT * FROM (VALUES (1, 'Result', NULL), (1000, 'Income', 1), (2000, 'Costs', 1)) v(code, name, above);
CREATE TABLE ledger AS
  SELECT i AS id, [4000, 4000, 4100, 5000, 5100, 5200][1 + i % 6] AS account, CAST(DATE '2025-01-01' + CAST((i * 101) % 510 AS INT) AS DATE) AS booked_on,
    ['EUR', 'USD', 'GBP'][1 + (i * 5) % 3 % 3] AS currency, CAST(1000 + (i * 7919) % 90000 AS INT) AS cents,
    CASE WHEN i % 6 < 3 THEN (i * 11) % 30 END AS customer, CASE WHEN i % 6 >= 3 AND i % 7 > 0 THEN ['sales', 'engineering'][1 + i % 2] END AS cost_center
  FROM range(1500) n(i);
CREATE TABLE budgets AS
  SELECT month * 10000 + code AS id, CAST(DATE '2025-01-01' + to_months(CAST(month AS INT)) AS DATE) AS month, code AS account,
    CAST(CASE WHEN code < 5000 THEN 900000 ELSE 500000 END + (month * code) % 70000 AS INT) AS cents
  FROM range(18) m(month), accounts;
CREATE TABLE invoices AS
  SELECT i AS id, (i * 13) % 29 AS customer, ['EUR', 'USD', 'GBP'][1 + ((i * 13) % 29) % 3] AS currency,
    CAST(DATE '2025-01-10' + CAST((i * 67) % 440 AS INT) AS DATE) AS issued_on, CAST(DATE '2025-01-10' + CAST((i * 67) % 440 + 30 AS INT) AS DATE) AS due_on,
    CASE WHEN i % 5 > 0 THEN CAST(DATE '2025-01-10' + CAST((i * 67) % 440 + 3 + (i * 17) % 60 AS INT) AS DATE) END AS paid_on,
    CAST(5000 + (i * 6007) % 200000 AS INT) AS cents
  FROM range(400) n(i);
