CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, region_id INTEGER, lifetime_value NUMERIC(10, 2), created_at TIMESTAMP);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, amount NUMERIC(10, 2), created_at TIMESTAMP);
CREATE TABLE returns (id INTEGER PRIMARY KEY, customer_id INTEGER, reason TEXT, refund_amount NUMERIC(10, 2), created_at TIMESTAMP);
CREATE TABLE reviews (id INTEGER PRIMARY KEY, customer_id INTEGER, rating INTEGER, created_at TIMESTAMP);
INSERT INTO regions VALUES (1, 'East'), (2, 'Midwest');
INSERT INTO customers VALUES
    (1, 'Alice', 'New York', 1, 1000.00, '2025-01-15 10:00:00'),
    (2, 'Bob', 'Boston', 1, 2000.00, '2025-02-01 12:00:00'),
    (3, 'Charlie', 'Chicago', 2, 500.00, '2025-02-15 09:00:00'),
    (4, 'Diana', 'New York', 1, 1500.00, '2025-03-01 08:00:00');
INSERT INTO orders VALUES
    (1, 1, 'completed', 100.00, '2025-03-01 10:00:00'),
    (2, 1, 'completed', 200.00, '2025-03-02 11:00:00'),
    (3, 1, 'pending',    50.00, '2025-03-03 09:00:00'),
    (4, 2, 'completed', 300.00, '2025-03-04 14:00:00'),
    (5, 2, 'pending',   100.00, '2025-03-05 10:00:00'),
    (6, 4, 'completed', 400.00, '2025-03-06 08:00:00'),
    (7, 1, 'pending',    75.00, '2025-03-07 11:00:00'),
    (8, 2, 'completed', 150.00, '2025-03-08 09:00:00');
INSERT INTO returns VALUES
    (1, 1, 'defective',  100.00, '2025-03-05 10:00:00'),
    (2, 3, 'wrong_item',  75.00, '2025-03-06 11:00:00'),
    (3, 3, 'not_needed',  25.00, '2025-03-07 12:00:00'),
    (4, 2, 'defective',   50.00, '2025-03-08 09:00:00'),
    (5, 2, 'wrong_item',  80.00, '2025-03-09 14:00:00');
INSERT INTO reviews VALUES
    (1, 1, 5, '2025-03-10 10:00:00'),
    (2, 1, 4, '2025-03-11 11:00:00'),
    (3, 4, 3, '2025-03-12 09:00:00'),
    (4, 3, 5, '2025-03-13 14:00:00');
