-- Sakila with eleven things that must be asked about its rows.
CREATE TABLE country (country_id integer PRIMARY KEY, country varchar(50) NOT NULL);
INSERT INTO country SELECT country_id, country FROM 'FOLDER/../sakila/country.parquet';
CREATE TABLE city (city_id integer PRIMARY KEY, city varchar(50) NOT NULL, country_id integer NOT NULL REFERENCES country (country_id));
INSERT INTO city SELECT city_id, city, country_id FROM 'FOLDER/../sakila/city.parquet';
-- Spelling: a tenth of the regions is written in small letters, as somebody typed them.
CREATE TABLE address (address_id integer PRIMARY KEY, address varchar(50) NOT NULL, region varchar(60) NOT NULL, city_id integer NOT NULL REFERENCES city (city_id));
INSERT INTO address
  SELECT a.address_id, a.address, CASE WHEN a.address_id % 10 = 0 THEN lower(country) ELSE country END || ' ' || a.address_id % 4, a.city_id
  FROM 'FOLDER/../sakila/address.parquet' a JOIN city USING (city_id) JOIN country USING (country_id);
CREATE TABLE store (store_id integer PRIMARY KEY, address_id integer NOT NULL REFERENCES address (address_id));
INSERT INTO store SELECT store_id, address_id FROM 'FOLDER/../sakila/store.parquet';
-- Test rows: accounts of the people who wrote the till.
CREATE TABLE customer (
  customer_id integer PRIMARY KEY,
  store_id integer NOT NULL REFERENCES store (store_id),
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  email varchar(60),
  address_id integer NOT NULL REFERENCES address (address_id)
);
INSERT INTO customer SELECT customer_id, store_id, first_name, last_name, email, address_id FROM 'FOLDER/../sakila/customer.parquet';
INSERT INTO customer SELECT 1000 + n, 1, 'DUMMY', 'NUMBER ' || n, 'dummy' || n || '@sakilacustomer.org', 5 FROM range(1, 9) r(n);

-- Cents: what a lost film costs.
CREATE TABLE film (film_id integer PRIMARY KEY, title varchar(255) NOT NULL, release_year integer, length smallint, rental_rate numeric(4,2) NOT NULL, replacement integer NOT NULL);
INSERT INTO film SELECT film_id, title, release_year, length, rental_rate, (replacement_cost * 100)::integer FROM 'FOLDER/../sakila/film.parquet';
CREATE TABLE inventory (inventory_id integer PRIMARY KEY, film_id integer NOT NULL REFERENCES film (film_id), store_id integer NOT NULL REFERENCES store (store_id));
INSERT INTO inventory SELECT inventory_id, film_id, store_id FROM 'FOLDER/../sakila/inventory.parquet';
-- Times without a zone, as they are in Sakila.
CREATE TABLE rental (
  rental_id integer PRIMARY KEY,
  rental_date timestamp NOT NULL,
  inventory_id integer NOT NULL REFERENCES inventory (inventory_id),
  customer_id integer NOT NULL REFERENCES customer (customer_id),
  return_date timestamp
);
INSERT INTO rental SELECT rental_id, rental_date, inventory_id, customer_id, return_date FROM 'FOLDER/../sakila/rental.parquet';

-- Totals beside lines: a bill is the sum of its payments.
CREATE TEMP TABLE paid AS SELECT *, customer_id * 100 + month(payment_date) AS bill_id FROM 'FOLDER/../sakila/payment.parquet';
CREATE TABLE bill (bill_id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer (customer_id), billed numeric(10,2) NOT NULL);
INSERT INTO bill SELECT bill_id, any_value(customer_id), sum(amount) FROM paid GROUP BY bill_id;
-- States, tax of two rates, two currencies, and payments that were entered again.
CREATE TABLE payment (
  payment_id integer PRIMARY KEY,
  bill_id integer NOT NULL REFERENCES bill (bill_id),
  rental_id integer,
  paid_on date NOT NULL,
  progress varchar(20) NOT NULL,
  cur varchar(3) NOT NULL,
  amount numeric(5,2) NOT NULL,
  due numeric(6,2) NOT NULL,
  superseded boolean NOT NULL
);
INSERT INTO payment
  SELECT payment_id, bill_id, rental_id, payment_date::date, CASE WHEN payment_id % 40 = 1 THEN 'chargeback' WHEN payment_id % 55 = 2 THEN 'written off' ELSE 'captured' END,
    CASE staff_id WHEN 1 THEN 'CAD' ELSE 'AUD' END, amount, round(amount * CASE staff_id WHEN 1 THEN 1.05 ELSE 1.1 END, 2), false
  FROM paid;
INSERT INTO payment SELECT 100000 + payment_id, bill_id, rental_id, paid_on, progress, cur, 0, 0, true FROM payment WHERE payment_id % 50 = 3 AND rental_id IS NOT NULL;

-- Snapshots: copies of each film in each store, week by week.
CREATE TABLE stock (store_id integer REFERENCES store (store_id), film_id integer REFERENCES film (film_id), week date, quantity integer, PRIMARY KEY (store_id, film_id, week));
INSERT INTO stock SELECT s, f, DATE '2007-01-01' + (w * 7)::INTEGER, 1 + (f * 7 + w // 3) % 23 FROM range(1, 3) a(s), range(1, 101) b(f), range(0, 20) c(w);

-- The door counts visitors; the last day was loaded twice.
CREATE TABLE visit (visit_no integer, store_id integer, entered timestamp, minutes integer);
INSERT INTO visit SELECT n, 1 + n % 2, TIMESTAMP '2007-01-01 09:00:00' + n * INTERVAL 51 MINUTE, 1 + n * 7 % 50 FROM range(1, 3001) r(n);
INSERT INTO visit SELECT * FROM visit WHERE entered > (SELECT max(entered) FROM visit) - INTERVAL 1 DAY;
