CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, country text NOT NULL);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers, ordered_on date NOT NULL, amount numeric(10, 2) NOT NULL);
INSERT INTO customers VALUES (1, 'Ada', 'Norway'), (2, 'Ben', 'Peru'), (3, 'Cleo', 'Peru');
INSERT INTO orders VALUES
  (1, 1, '2026-01-05', 60.00), (2, 1, '2026-01-20', 40.00), (3, 2, '2026-02-02', 25.50), (4, 3, '2026-02-11', 14.50), (5, NULL, '2026-02-28', 10.00);
CREATE ROLE reader LOGIN PASSWORD 'reader';
GRANT SELECT ON customers, orders TO reader;
