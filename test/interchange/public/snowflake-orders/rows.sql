CREATE TABLE p28_customers (id INTEGER, name VARCHAR, tier VARCHAR);
INSERT INTO p28_customers VALUES (1, 'Alice', 'gold'), (2, 'Bob', 'silver'), (3, 'Charlie', 'gold');
CREATE TABLE p28_products (id INTEGER, name VARCHAR, category VARCHAR);
INSERT INTO p28_products VALUES (10, 'Widget', 'hardware'), (20, 'Gadget', 'electronics');
CREATE TABLE p28_orders (id INTEGER, customer_id INTEGER, product_id INTEGER, amount DECIMAL(10,2), region VARCHAR);
INSERT INTO p28_orders VALUES
    (1, 1, 10, 100.00, 'East'),
    (2, 1, 20, 200.00, 'East'),
    (3, 2, 10, 50.00, 'West'),
    (4, 3, 10, 150.00, 'East'),
    (5, 3, 20, 75.00, 'West');
