CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
CREATE TABLE actor (
  actor_id integer NOT NULL,
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (actor_id)
);
INSERT INTO actor SELECT * FROM 'FOLDER/actor.parquet';
CREATE TABLE category (
  category_id integer NOT NULL,
  name varchar(25) NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (category_id)
);
INSERT INTO category SELECT * FROM 'FOLDER/category.parquet';
CREATE TABLE country (
  country_id integer NOT NULL,
  country varchar(50) NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (country_id)
);
INSERT INTO country SELECT * FROM 'FOLDER/country.parquet';
CREATE TABLE language (
  language_id integer NOT NULL,
  name char(20) NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (language_id)
);
INSERT INTO language SELECT * FROM 'FOLDER/language.parquet';
CREATE TABLE city (
  city_id integer NOT NULL,
  city varchar(50) NOT NULL,
  country_id integer NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (city_id),
  FOREIGN KEY (country_id) REFERENCES country (country_id)
);
INSERT INTO city SELECT * FROM 'FOLDER/city.parquet';
CREATE TABLE film (
  film_id integer NOT NULL,
  title varchar(255) NOT NULL,
  description text,
  release_year integer,
  language_id integer NOT NULL,
  original_language_id integer,
  rental_duration smallint NOT NULL,
  rental_rate numeric(4,2) NOT NULL,
  length smallint,
  replacement_cost numeric(5,2) NOT NULL,
  rating mpaa_rating,
  last_update timestamp NOT NULL,
  special_features varchar[],
  fulltext varchar NOT NULL,
  PRIMARY KEY (film_id),
  FOREIGN KEY (original_language_id) REFERENCES language (language_id),
  FOREIGN KEY (language_id) REFERENCES language (language_id)
);
INSERT INTO film SELECT * FROM 'FOLDER/film.parquet';
CREATE TABLE film_actor (
  actor_id integer NOT NULL,
  film_id integer NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (actor_id, film_id),
  FOREIGN KEY (actor_id) REFERENCES actor (actor_id),
  FOREIGN KEY (film_id) REFERENCES film (film_id)
);
INSERT INTO film_actor SELECT * FROM 'FOLDER/film_actor.parquet';
CREATE TABLE film_category (
  film_id integer NOT NULL,
  category_id integer NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (film_id, category_id),
  FOREIGN KEY (category_id) REFERENCES category (category_id),
  FOREIGN KEY (film_id) REFERENCES film (film_id)
);
INSERT INTO film_category SELECT * FROM 'FOLDER/film_category.parquet';
CREATE TABLE address (
  address_id integer NOT NULL,
  address varchar(50) NOT NULL,
  address2 varchar(50),
  district varchar(20) NOT NULL,
  city_id integer NOT NULL,
  postal_code varchar(10),
  phone varchar(20) NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (address_id),
  FOREIGN KEY (city_id) REFERENCES city (city_id)
);
INSERT INTO address SELECT * FROM 'FOLDER/address.parquet';
CREATE TABLE staff (
  staff_id integer NOT NULL,
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  address_id integer NOT NULL,
  email varchar(50),
  store_id integer NOT NULL,
  active boolean NOT NULL,
  username varchar(16) NOT NULL,
  password varchar(40),
  last_update timestamp NOT NULL,
  picture bytea,
  PRIMARY KEY (staff_id),
  FOREIGN KEY (address_id) REFERENCES address (address_id)
);
INSERT INTO staff SELECT * FROM 'FOLDER/staff.parquet';
CREATE TABLE store (
  store_id integer NOT NULL,
  manager_staff_id integer NOT NULL,
  address_id integer NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (store_id),
  FOREIGN KEY (address_id) REFERENCES address (address_id),
  FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id)
);
INSERT INTO store SELECT * FROM 'FOLDER/store.parquet';
CREATE TABLE customer (
  customer_id integer NOT NULL,
  store_id integer NOT NULL,
  first_name varchar(45) NOT NULL,
  last_name varchar(45) NOT NULL,
  email varchar(50),
  address_id integer NOT NULL,
  activebool boolean NOT NULL,
  create_date date NOT NULL,
  last_update timestamp,
  active integer,
  PRIMARY KEY (customer_id),
  FOREIGN KEY (address_id) REFERENCES address (address_id),
  FOREIGN KEY (store_id) REFERENCES store (store_id)
);
INSERT INTO customer SELECT * FROM 'FOLDER/customer.parquet';
CREATE TABLE inventory (
  inventory_id integer NOT NULL,
  film_id integer NOT NULL,
  store_id integer NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (inventory_id),
  FOREIGN KEY (film_id) REFERENCES film (film_id),
  FOREIGN KEY (store_id) REFERENCES store (store_id)
);
INSERT INTO inventory SELECT * FROM 'FOLDER/inventory.parquet';
CREATE TABLE rental (
  rental_id integer NOT NULL,
  rental_date timestamp NOT NULL,
  inventory_id integer NOT NULL,
  customer_id integer NOT NULL,
  return_date timestamp,
  staff_id integer NOT NULL,
  last_update timestamp NOT NULL,
  PRIMARY KEY (rental_id),
  FOREIGN KEY (customer_id) REFERENCES customer (customer_id),
  FOREIGN KEY (inventory_id) REFERENCES inventory (inventory_id),
  FOREIGN KEY (staff_id) REFERENCES staff (staff_id)
);
INSERT INTO rental SELECT * FROM 'FOLDER/rental.parquet';
CREATE TABLE payment (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL,
  PRIMARY KEY (payment_id),
  FOREIGN KEY (customer_id) REFERENCES customer (customer_id),
  FOREIGN KEY (rental_id) REFERENCES rental (rental_id),
  FOREIGN KEY (staff_id) REFERENCES staff (staff_id)
);
INSERT INTO payment SELECT * FROM 'FOLDER/payment.parquet';
CREATE TABLE payment_p2007_01 (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL
);
CREATE TABLE payment_p2007_02 (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL
);
CREATE TABLE payment_p2007_03 (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL
);
CREATE TABLE payment_p2007_04 (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL
);
CREATE TABLE payment_p2007_05 (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL
);
CREATE TABLE payment_p2007_06 (
  payment_id integer NOT NULL,
  customer_id integer NOT NULL,
  staff_id integer NOT NULL,
  rental_id integer NOT NULL,
  amount numeric(5,2) NOT NULL,
  payment_date timestamp NOT NULL
);
CREATE VIEW sales_by_store AS
  SELECT s.store_id, c.city, sum(p.amount) AS total_sales
  FROM payment p JOIN rental r USING (rental_id) JOIN inventory i USING (inventory_id) JOIN store s ON s.store_id = i.store_id
  JOIN address a ON a.address_id = s.address_id JOIN city c USING (city_id) GROUP BY ALL;
CREATE VIEW sales_by_film_category AS
  SELECT c.name AS category, sum(p.amount) AS total_sales
  FROM payment p JOIN rental r USING (rental_id) JOIN inventory i USING (inventory_id) JOIN film_category fc USING (film_id)
  JOIN category c USING (category_id) GROUP BY ALL;
CREATE VIEW customer_list AS
  SELECT cu.customer_id AS id, cu.first_name || ' ' || cu.last_name AS name, a.address, a.postal_code AS "zip code", a.phone, ci.city, co.country,
    CASE WHEN cu.activebool THEN 'active' ELSE '' END AS notes, cu.store_id AS sid
  FROM customer cu JOIN address a USING (address_id) JOIN city ci USING (city_id) JOIN country co USING (country_id);
CREATE VIEW film_list AS
  SELECT f.film_id AS fid, f.title, f.description, c.name AS category, f.rental_rate AS price, f.length, f.rating
  FROM category c LEFT JOIN film_category fc USING (category_id) LEFT JOIN film f USING (film_id);
