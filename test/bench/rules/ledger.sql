-- $POSTINGS rows in the order of their days over four years, in the words that DuckDB and PostgreSQL share.
CREATE TABLE accounts AS
SELECT i AS number, NULLIF(i / 4, 0) AS above FROM (SELECT CAST(n AS INTEGER) AS i FROM generate_series(1, 5000) AS s(n)) AS numbered;
CREATE TABLE customers AS SELECT CAST(n AS INTEGER) AS id FROM generate_series(1, 2000) AS s(n);
CREATE TABLE prices AS
SELECT CAST(p AS INTEGER) AS product, CAST(DATE '2021-01-01' + CAST(31 * m AS INTEGER) AS DATE) AS since, CAST(p % 17 + m AS INTEGER) AS price
FROM generate_series(0, 199) AS s(p), generate_series(0, 47) AS t(m);
CREATE TABLE postings AS
SELECT
  CAST(n AS INTEGER) AS id,
  CAST(n * 7919 % 5000 + 1 AS INTEGER) AS account,
  CAST(n * 31 % 200 AS INTEGER) AS product,
  CAST(n * 104729 % 2000 + 1 AS INTEGER) AS customer,
  CAST(DATE '2021-01-01' + CAST(n * 1461 / ($POSTINGS + 1) AS INTEGER) AS DATE) AS day,
  CASE WHEN n % 3 = 0 THEN 'open' ELSE 'closed' END AS state,
  CAST(n * 37 % 1000 AS INTEGER) AS amount,
  CAST(n % 89 AS DOUBLE PRECISION) / 4 AS weight
FROM (SELECT CAST(i AS BIGINT) AS n FROM generate_series(1, $POSTINGS) AS s(i)) AS numbered;
