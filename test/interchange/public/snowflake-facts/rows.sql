CREATE TABLE p29_orders (id INTEGER, customer_id INTEGER, region VARCHAR);
INSERT INTO p29_orders VALUES (1, 1, 'East'), (2, 2, 'West');
CREATE TABLE p29_line_items (id INTEGER, order_id INTEGER, extended_price DECIMAL(10,2), discount DECIMAL(3,2), tax_rate DECIMAL(3,2));
INSERT INTO p29_line_items VALUES
    (1, 1, 100.00, 0.10, 0.05),
    (2, 1, 200.00, 0.20, 0.08),
    (3, 2, 150.00, 0.00, 0.10);
CREATE TABLE p29_customers (id INTEGER, name VARCHAR, country VARCHAR, state VARCHAR, city VARCHAR);
INSERT INTO p29_customers VALUES (1, 'Alice', 'US', 'NY', 'NYC'), (2, 'Bob', 'US', 'CA', 'LA');
