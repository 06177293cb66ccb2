-- A few rows of ours: names with blanks around them, an item that is not sold, and one without a cost.
ATTACH ':memory:' AS "looker-private-demo";
CREATE SCHEMA "looker-private-demo".ecomm;
USE "looker-private-demo".ecomm;
CREATE TABLE products (id INTEGER, category VARCHAR, name VARCHAR, brand VARCHAR, retail_price DOUBLE, department VARCHAR, sku VARCHAR, distribution_center_id VARCHAR);
INSERT INTO products VALUES (1, 'Jeans', 'Blue', ' Denim', 50, 'Men', 'a', '1'), (2, 'Jeans ', 'Black', 'Denim', 60, 'Women', 'b', '1'),
  (3, 'Socks', 'Warm', 'Wool', 5, 'Women', 'c', '2'), (4, NULL, 'Odd', NULL, NULL, ' Women', 'd', NULL);
CREATE TABLE inventory_items (id INTEGER, product_id INTEGER, cost DOUBLE, created_at TIMESTAMP, sold_at TIMESTAMP, product_distribution_center_id INTEGER);
INSERT INTO inventory_items VALUES (1, 1, 20, '2026-01-01 10:00:00', '2026-01-20 08:00:00', 1), (2, 1, 22.5, '2026-01-05 10:00:00', NULL, 1),
  (3, 2, NULL, '2026-02-01 00:00:00', '2026-02-11 12:30:00', 1), (4, 3, 2, '2026-02-28 23:59:59', NULL, 2), (5, 9, 7, NULL, NULL, 2);
