-- The fourth order is that of an unknown customer, the fifth of none. The third customer has a return and no order. 1 February 2026 is a Sunday.
CREATE TABLE customers (id INTEGER, region VARCHAR);
INSERT INTO customers VALUES (1, 'north'), (2, 'south'), (3, 'north');
CREATE TABLE orders (id INTEGER, customer INTEGER, channel VARCHAR, ordered_on DATE, paid_at TIMESTAMP, amount DECIMAL(10, 2), pieces INTEGER, closed_on DATE);
INSERT INTO orders VALUES
  (1, 1, 'web', '2026-01-05', '2026-01-05 08:00:00', 100, 3, '2026-01-10'),
  (2, 1, 'shop', '2026-01-30', '2026-01-30 12:00:00', 50, 2, NULL),
  (3, 2, 'web', '2026-02-01', '2026-02-01 18:00:00', 30, NULL, '2026-02-05'),
  (4, 9, 'web', '2026-03-02', '2026-03-02 23:30:00', 20, 1, '2026-03-05'),
  (5, NULL, NULL, '2026-03-08', '2026-03-08 09:00:00', NULL, 4, '2026-03-09');
CREATE TABLE returns (id INTEGER, customer INTEGER, returned_on DATE, refund DECIMAL(10, 2));
INSERT INTO returns VALUES (1, 1, '2026-02-10', 10), (2, 3, '2026-02-11', 5);
-- A region has two zones, although models say that it has one.
CREATE TABLE zones (region VARCHAR, zone VARCHAR);
INSERT INTO zones VALUES ('north', 'a'), ('north', 'b');
CREATE TABLE days AS SELECT CAST(range AS DATE) AS day FROM range(TIMESTAMP '2026-01-01', TIMESTAMP '2027-01-01', INTERVAL 1 DAY);
