ATTACH ':memory:' AS film;
USE film;
CREATE TABLE payment AS FROM '../../../first-model/sakila/payment.parquet';
CREATE TABLE rental AS FROM '../../../first-model/sakila/rental.parquet';
CREATE TABLE inventory AS FROM '../../../first-model/sakila/inventory.parquet';
-- As in Sakila, a film without an actor is not in the list.
CREATE TABLE film_list AS
  SELECT f.film_id AS fid, f.title, c.name AS category, f.rental_rate AS price, f.length, f.rating::VARCHAR AS rating
  FROM '../../../first-model/sakila/film.parquet' f JOIN '../../../first-model/sakila/film_category.parquet' USING (film_id)
  JOIN '../../../first-model/sakila/category.parquet' c USING (category_id)
  WHERE f.film_id IN (SELECT film_id FROM '../../../first-model/sakila/film_actor.parquet');
CREATE TABLE customer_list AS
  SELECT customer_id AS id, first_name || ' ' || last_name AS name, city, country FROM '../../../first-model/sakila/customer.parquet'
  JOIN '../../../first-model/sakila/address.parquet' USING (address_id) JOIN '../../../first-model/sakila/city.parquet' USING (city_id)
  JOIN '../../../first-model/sakila/country.parquet' USING (country_id);
CREATE TABLE calendar_days AS
  SELECT day::DATE AS day, year(day) AS year, month(day) AS month, monthname(day) AS month_name
  FROM range(DATE '2005-01-01', DATE '2007-01-01', INTERVAL 1 DAY) r(day);
-- What the questions read by hand.
CREATE VIEW paid AS
  SELECT p.amount, p.customer_id, p.payment_date::DATE AS day, date_trunc('month', p.payment_date)::DATE AS month, i.store_id, f.category, f.rating, c.country
  FROM payment p LEFT JOIN rental USING (rental_id) LEFT JOIN inventory i USING (inventory_id) LEFT JOIN film_list f ON f.fid = i.film_id
  LEFT JOIN customer_list c ON c.id = rental.customer_id;
CREATE VIEW rented AS
  SELECT r.return_date, date_trunc('month', r.rental_date)::DATE AS month, i.store_id, f.category, f.rating, f.price, c.country
  FROM rental r LEFT JOIN inventory i USING (inventory_id) LEFT JOIN film_list f ON f.fid = i.film_id LEFT JOIN customer_list c ON c.id = r.customer_id;
