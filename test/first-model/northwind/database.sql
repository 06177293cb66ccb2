-- The schema of Northwind, with rows that these statements make.
CREATE TABLE categories (category_id SMALLINT PRIMARY KEY, category_name VARCHAR(15) NOT NULL, description TEXT, picture BLOB);
INSERT INTO categories SELECT n, ['Beverages', 'Condiments', 'Confections', 'Dairy Products', 'Grains/Cereals', 'Meat/Poultry', 'Produce', 'Seafood'][n], 'What belongs to group ' || n, NULL FROM range(1, 9) r(n);

CREATE TABLE suppliers (supplier_id SMALLINT PRIMARY KEY, company_name VARCHAR(40) NOT NULL, contact_name VARCHAR(30), contact_title VARCHAR(30), address VARCHAR(60), city VARCHAR(15), region VARCHAR(15), postal_code VARCHAR(10), country VARCHAR(15), phone VARCHAR(24), fax VARCHAR(24), homepage TEXT);
INSERT INTO suppliers SELECT n, 'Supplier ' || n, 'Person ' || n, ['Sales Manager', 'Owner', 'Buyer'][1 + n % 3], n || ' High Street', 'Town ' || n % 20, NULL, (10000 + n)::VARCHAR, ['Germany', 'France', 'UK', 'USA', 'Japan'][1 + n % 5], '555-' || n, NULL, NULL FROM range(1, 30) r(n);

CREATE TABLE products (product_id SMALLINT PRIMARY KEY, product_name VARCHAR(40) NOT NULL, supplier_id SMALLINT REFERENCES suppliers (supplier_id), category_id SMALLINT REFERENCES categories (category_id), quantity_per_unit VARCHAR(20), unit_price DECIMAL(10, 2), units_in_stock SMALLINT, units_on_order SMALLINT, reorder_level SMALLINT, discontinued INTEGER NOT NULL);
INSERT INTO products SELECT n, 'Product ' || n, 1 + n % 29, 1 + n % 8, (1 + n % 24) || ' boxes', (3 + n * 37 % 90 + 0.25)::DECIMAL(10, 2), n * 17 % 120, n * 7 % 60, (n % 6) * 5, (n % 9 = 0)::INTEGER FROM range(1, 78) r(n);

CREATE TABLE region (region_id SMALLINT PRIMARY KEY, region_description VARCHAR(60) NOT NULL);
INSERT INTO region SELECT n, ['Eastern', 'Western', 'Northern', 'Southern'][n] FROM range(1, 5) r(n);
CREATE TABLE territories (territory_id VARCHAR(20) PRIMARY KEY, territory_description VARCHAR(60) NOT NULL, region_id SMALLINT NOT NULL REFERENCES region (region_id));
INSERT INTO territories SELECT (1000 + n)::VARCHAR, 'Territory ' || n, 1 + n % 4 FROM range(1, 54) r(n);

CREATE TABLE employees (employee_id SMALLINT PRIMARY KEY, last_name VARCHAR(20) NOT NULL, first_name VARCHAR(10) NOT NULL, title VARCHAR(30), title_of_courtesy VARCHAR(25), birth_date DATE, hire_date DATE, address VARCHAR(60), city VARCHAR(15), region VARCHAR(15), postal_code VARCHAR(10), country VARCHAR(15), home_phone VARCHAR(24), extension VARCHAR(4), photo BLOB, notes TEXT, reports_to SMALLINT REFERENCES employees (employee_id), photo_path VARCHAR(255));
INSERT INTO employees VALUES (1, 'Last 1', 'First 1', 'Vice President', 'Dr.', '1952-02-19', '1992-08-14', '1 Way', 'Tacoma', 'WA', '98401', 'USA', '555-1', '3457', NULL, 'Leads', NULL, NULL);
INSERT INTO employees SELECT n, 'Last ' || n, 'First ' || n, ['Sales Manager', 'Sales Representative'][1 + (n > 2)::INTEGER], ['Ms.', 'Mr.'][1 + n % 2], DATE '1955-01-01' + (n * 900)::INTEGER, DATE '1992-05-01' + (n * 100)::INTEGER, n || ' Way', ['London', 'Seattle', 'Kirkland'][1 + n % 3], NULL, (98000 + n)::VARCHAR, ['UK', 'USA'][1 + n % 2], '555-' || n, (400 + n)::VARCHAR, NULL, 'Sells', 1, NULL FROM range(2, 10) r(n);
CREATE TABLE employee_territories (employee_id SMALLINT NOT NULL REFERENCES employees (employee_id), territory_id VARCHAR(20) NOT NULL REFERENCES territories (territory_id), PRIMARY KEY (employee_id, territory_id));
INSERT INTO employee_territories SELECT 1 + n % 9, (1000 + n)::VARCHAR FROM range(1, 50) r(n);

CREATE TABLE customers (customer_id VARCHAR(5) PRIMARY KEY, company_name VARCHAR(40) NOT NULL, contact_name VARCHAR(30), contact_title VARCHAR(30), address VARCHAR(60), city VARCHAR(15), region VARCHAR(15), postal_code VARCHAR(10), country VARCHAR(15), phone VARCHAR(24), fax VARCHAR(24));
INSERT INTO customers SELECT 'C' || lpad(n::VARCHAR, 4, '0'), 'Customer ' || n, 'Contact ' || n, ['Owner', 'Sales Agent', 'Order Administrator'][1 + n % 3], n || ' Lane', 'City ' || n % 69, NULL, (20000 + n)::VARCHAR, ['Germany', 'USA', 'France', 'Brazil', 'Mexico', 'Spain'][1 + n % 6], '555-' || n, NULL FROM range(1, 92) r(n);
CREATE TABLE shippers (shipper_id SMALLINT PRIMARY KEY, company_name VARCHAR(40) NOT NULL, phone VARCHAR(24));
INSERT INTO shippers VALUES (1, 'Speedy Express', '555-1'), (2, 'United Package', '555-2'), (3, 'Federal Shipping', '555-3');

CREATE TABLE orders (order_id SMALLINT PRIMARY KEY, customer_id VARCHAR(5) REFERENCES customers (customer_id), employee_id SMALLINT REFERENCES employees (employee_id), order_date DATE, required_date DATE, shipped_date DATE, ship_via SMALLINT REFERENCES shippers (shipper_id), freight DECIMAL(10, 2), ship_name VARCHAR(40), ship_address VARCHAR(60), ship_city VARCHAR(15), ship_region VARCHAR(15), ship_postal_code VARCHAR(10), ship_country VARCHAR(15));
INSERT INTO orders SELECT 10247 + n, 'C' || lpad((1 + n * 31 % 91)::VARCHAR, 4, '0'), 1 + n * 7 % 9, DATE '1996-07-04' + (n * 4 // 5)::INTEGER, DATE '1996-08-01' + (n * 4 // 5)::INTEGER, CASE WHEN n % 40 = 0 THEN NULL ELSE DATE '1996-07-12' + (n * 4 // 5 + n % 7)::INTEGER END, 1 + n % 3, (n * 13 % 400 + 0.35)::DECIMAL(10, 2), 'Customer ' || 1 + n * 31 % 91, n || ' Lane', 'City ' || n % 69, NULL, (20000 + n % 91)::VARCHAR, ['Germany', 'USA', 'France', 'Brazil', 'Mexico', 'Spain'][1 + n % 6] FROM range(1, 831) r(n);
CREATE TABLE order_details (order_id SMALLINT NOT NULL REFERENCES orders (order_id), product_id SMALLINT NOT NULL REFERENCES products (product_id), unit_price DECIMAL(10, 2) NOT NULL, quantity SMALLINT NOT NULL, discount DECIMAL(4, 2) NOT NULL, PRIMARY KEY (order_id, product_id));
INSERT INTO order_details SELECT o, l.p, p.unit_price, 1 + (o * 3 + k * 11) % 60, [0, 0, 0.05, 0.1, 0.25][1 + (o + k) % 5] FROM (SELECT 10247 + n AS o, k, 1 + (n * 5 + k * 19) % 77 AS p FROM range(1, 831) a(n), range(0, 3) b(k)) l JOIN (SELECT product_id, unit_price FROM products) p ON p.product_id = l.p;
