CREATE TABLE regions (id BIGINT, name VARCHAR(40));
INSERT INTO regions VALUES (1, 'North'), (2, 'South'), (3, 'east'), (4, 'Ödland'), (5, 'Empty Quarter');
CREATE TABLE stores (id BIGINT, name VARCHAR(40), region_id BIGINT, opened DATE, area INTEGER);
INSERT INTO stores VALUES
  (1, 'Alpha', 1, DATE '2020-01-01', 120), (2, 'beta', 2, DATE '2021-06-30', 80), (3, 'Gamma', 2, NULL, NULL), (4, 'Idle', 3, DATE '2024-02-29', 40);
CREATE TABLE customers (id BIGINT, name VARCHAR(40), email VARCHAR(40), region_id BIGINT, signed_up DATE, vip BOOLEAN, credit DOUBLE PRECISION);
INSERT INTO customers VALUES
  (1, 'Ana', 'ana@example.org', 1, DATE '2023-01-31', TRUE, 10.5),
  (2, 'bob', '', 1, DATE '2023-02-28', FALSE, 0.1),
  (3, 'Özil', NULL, 2, DATE '2024-02-29', NULL, 0.2),
  (4, 'Dan_100%', '  ', NULL, DATE '2024-12-30', TRUE, NULL),
  (5, 'O''Hara', 'ohara@example.org', 99, NULL, FALSE, -3),
  (6, 'Zed', 'ZED@EXAMPLE.ORG', 4, DATE '2025-06-15', FALSE, 7),
  (7, 'back\slash', 'b@x.y ', 2, DATE '2025-06-01', TRUE, 1);
CREATE TABLE loyalty (customer_id BIGINT, points BIGINT, level VARCHAR(10));
INSERT INTO loyalty VALUES (1, 9000000000000000000, 'gold'), (2, 9000000000000000000, 'gold'), (5, 30, 'tin'), (77, 5, NULL);
CREATE TABLE addresses (id BIGINT, city VARCHAR(40));
INSERT INTO addresses VALUES (1, 'Oslo'), (2, 'Rome'), (3, 'Zürich');
CREATE TABLE orders (id BIGINT, customer_id BIGINT, store_id BIGINT, billing_id BIGINT, shipping_id BIGINT, status VARCHAR(10), ordered_on DATE, placed_at TIMESTAMP, freight DECIMAL(10,2));
INSERT INTO orders VALUES
  (1, 1, 1, 1, 2, 'paid', DATE '2024-12-30', TIMESTAMP '2024-12-30 23:59:59', 5.00),
  (2, 1, 2, 1, 1, 'paid', DATE '2025-01-05', TIMESTAMP '2025-01-05 00:00:00', 5.00),
  (3, 2, 2, 2, 3, 'new', DATE '2025-01-31', TIMESTAMP '2025-01-31 10:15:30', 7.25),
  (4, 3, 3, 2, NULL, 'shipped', DATE '2025-02-01', TIMESTAMP '2025-02-01 12:00:00.500', NULL),
  (5, NULL, 1, NULL, 3, 'shipped', DATE '2025-02-28', TIMESTAMP '2025-02-28 08:30:00', 0.00),
  (6, 88, 1, 3, 3, 'Paid', DATE '2025-04-01', TIMESTAMP '2025-04-01 00:00:01', 12.40),
  (7, 5, NULL, 1, 2, NULL, DATE '2025-06-09', TIMESTAMP '2025-06-09 18:45:00', 3.10),
  (8, 6, 9, 9, 9, 'new', DATE '2025-06-15', TIMESTAMP '2025-06-15 11:59:59', 4.05),
  (9, 7, 3, 1, 1, 'void', NULL, NULL, 1.00),
  (10, 4, 2, 2, 2, 'paid', DATE '2024-02-29', TIMESTAMP '2024-02-29 16:20:00', 9.99);
CREATE TABLE "order items" ("order" BIGINT, line BIGINT, product_id BIGINT, "Qty" INTEGER, unit_price DECIMAL(10,2), discount DECIMAL(5,4));
INSERT INTO "order items" VALUES
  (1, 1, 1, 2, 19.99, NULL), (1, 2, 2, 1, 100.00, 0.1250), (2, 1, 1, 5, 18.50, 0.0500), (3, 1, 3, 1, 4.25, NULL), (3, 2, 4, 3, 7.00, 0.3333),
  (4, 1, 2, 1, 95.00, 0.0000), (5, 1, 5, 10, 1.99, NULL), (6, 1, 6, 2, 33.33, NULL), (6, 2, NULL, 1, 12.00, NULL), (7, 1, 55, 1, 8.88, NULL),
  (8, 1, 3, 2, 4.25, 0.5000), (10, 1, 4, 4, 7.10, NULL), (10, 2, 1, 1, 19.99, NULL), (99, 1, 2, 1, 77.00, NULL), (2, 2, 3, NULL, 4.00, NULL);
CREATE TABLE products (id BIGINT, name VARCHAR(40), category_id BIGINT, list_price DECIMAL(10,2), weight DOUBLE PRECISION, attributes JSON);
INSERT INTO products VALUES
  (1, 'Lamp', 1, 20.00, 1.5, '{"colour": "red", "size": {"w": 1}}'), (2, 'LAMP XL', 1, 110.00, 4.25, '{"colour": "blue"}'),
  (3, 'Spoon', 2, 4.50, 0.1, '{"colour": null}'), (4, 'Pan 50%_off', 2, 7.25, 0.2, '{"colour": ["a", "b"]}'),
  (5, 'Nail', 3, 2.00, 0.01, NULL), (6, 'Mystery', NULL, NULL, NULL, '{}'), (7, 'Unsold', 2, 9.00, 0.7, '{"colour": "red"}');
CREATE TABLE categories (id BIGINT, name VARCHAR(40), department VARCHAR(40));
INSERT INTO categories VALUES (1, 'Lighting', 'Home'), (2, 'Cutlery', 'Kitchen'), (3, 'Fasteners', NULL);
CREATE TABLE promotions (id BIGINT, category_id BIGINT, name VARCHAR(40));
INSERT INTO promotions VALUES (1, 1, 'Winter'), (2, 1, 'Bright'), (3, 2, 'Winter'), (4, NULL, 'Nowhere');
CREATE TABLE tags (id BIGINT, name VARCHAR(40));
INSERT INTO tags VALUES (1, 'new'), (2, 'sale'), (3, 'unused');
CREATE TABLE product_tags (product_id BIGINT, tag_id BIGINT);
INSERT INTO product_tags VALUES (1, 1), (1, 2), (2, 2), (4, 2), (4, 9), (55, 1);
CREATE TABLE returns (id BIGINT, customer_id BIGINT, product_id BIGINT, returned_on DATE, amount DECIMAL(10,2));
INSERT INTO returns VALUES
  (1, 1, 1, DATE '2025-01-10', 19.99), (2, 1, 2, DATE '2025-02-01', 100.00), (3, 3, 2, DATE '2025-02-03', 95.00), (4, NULL, 5, DATE '2025-07-04', 1.99), (5, 6, 7, NULL, 9.00);
CREATE TABLE price_list (product_id BIGINT, since DATE, until DATE, season VARCHAR(10), price DECIMAL(10,2));
INSERT INTO price_list VALUES
  (1, NULL, DATE '2025-01-10', 'winter', 19.00), (1, DATE '2025-01-10', DATE '2025-02-01', 'sale', 15.00), (2, DATE '2024-01-01', DATE '2025-02-01', 'winter', 99.00),
  (2, DATE '2025-02-01', NULL, 'spring', 105.00), (5, DATE '2025-07-04', DATE '2025-07-04', 'never', 1.00), (7, NULL, NULL, 'always', 9.50);
CREATE TABLE payments (id BIGINT, order_id BIGINT, method VARCHAR(10), amount DECIMAL(10,2));
INSERT INTO payments VALUES (1, 1, 'card', 100.00), (2, 1, 'cash', 27.48), (3, 2, 'card', 92.50), (4, 3, 'card', 0.00), (5, 500, 'card', 1000.00), (6, NULL, 'cash', 50.00), (7, 7, NULL, 8.88);
CREATE TABLE visits (id BIGINT, customer_id BIGINT, started_at TIMESTAMP WITH TIME ZONE, page VARCHAR(40), seconds DOUBLE PRECISION, bot BOOLEAN);
INSERT INTO visits VALUES
  (1, 1, TIMESTAMP WITH TIME ZONE '2025-03-30 00:30:00+00', '/home', 12.5, FALSE), (2, 1, TIMESTAMP WITH TIME ZONE '2025-03-30 01:30:00+00', '/cart', 3.5, FALSE),
  (3, 2, TIMESTAMP WITH TIME ZONE '2025-03-29 23:30:00+00', '/home', 100, TRUE), (4, 2, TIMESTAMP WITH TIME ZONE '2025-10-26 00:30:00+00', '/home', 7, FALSE),
  (5, NULL, TIMESTAMP WITH TIME ZONE '2025-10-26 01:30:00+00', '/HOME', 1, FALSE), (6, 6, TIMESTAMP WITH TIME ZONE '2025-06-14 22:30:00+00', '/cart', NULL, FALSE),
  (7, 3, NULL, NULL, 2, FALSE), (8, 4, TIMESTAMP WITH TIME ZONE '2025-06-01 12:00:00+00', '/home', 4, NULL);
CREATE TABLE shipments (id BIGINT, store_id BIGINT, carrier VARCHAR(10), cost DECIMAL(10,2), parcels JSON);
INSERT INTO shipments VALUES
  (1, 1, 'air', 10.00, '[{"kind": "box", "weight": 2, "labels": ["fragile", "heavy"]}, {"kind": "crate", "weight": 5, "labels": []}]'),
  (2, 2, 'sea', 4.50, '[{"kind": "box", "weight": 3}, null]'), (3, NULL, 'air', 1.25, '[]'), (4, 2, NULL, 7.00, NULL),
  (5, 1, 'sea', 2.00, '[{"kind": null, "weight": 1, "labels": ["heavy", "heavy"]}]');
