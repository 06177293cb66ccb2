-- A few rows of TPC-DS of ours: sales without a customer, a store or a day, and a customer, an item and a store without a sale.
ATTACH ':memory:' AS tpcds;
CREATE SCHEMA tpcds.public;
USE tpcds.public;
CREATE TABLE date_dim (d_date_sk INTEGER, d_date DATE, d_year INTEGER, d_quarter_name VARCHAR, d_month_name VARCHAR);
INSERT INTO date_dim VALUES (1, '2001-12-31', 2001, '2001Q4', 'December'), (2, '2002-01-01', 2002, '2002Q1', 'January'),
  (3, '2002-02-14', 2002, '2002Q1', 'February'), (4, '2002-05-01', 2002, '2002Q2', 'May');
CREATE TABLE customer (c_customer_sk INTEGER, c_customer_id VARCHAR, c_first_name VARCHAR, c_last_name VARCHAR, c_email_address VARCHAR, c_birth_country VARCHAR);
INSERT INTO customer VALUES (1, 'A', 'Ada', 'Lovelace', 'ada@x.org', 'UNITED KINGDOM'), (2, 'B', 'Bob', NULL, NULL, 'CHILE'), (3, 'C', 'Cleo', 'Nil', 'c@x.org', NULL);
CREATE TABLE item (i_item_sk INTEGER, i_item_id VARCHAR, i_item_desc VARCHAR, i_brand VARCHAR, i_category VARCHAR, i_current_price DECIMAL(7, 2));
INSERT INTO item VALUES (1, 'I1', 'A book', 'pages', 'Books', 9.99), (2, 'I2', 'A song', 'notes', 'Music', 0.99), (3, 'I3', 'A score', 'pages', 'Music', 4.5), (4, 'I4', 'Unsold', 'dust', 'Home', 1);
CREATE TABLE store (s_store_sk INTEGER, s_store_id VARCHAR, s_store_name VARCHAR, s_city VARCHAR, s_state VARCHAR, s_number_employees INTEGER);
INSERT INTO store VALUES (1, 'S1', 'able', 'Midway', 'TN', 200), (2, 'S2', 'bar', 'Fairview', 'TN', 100), (3, 'S3', 'closed', 'Nowhere', 'OH', NULL);
CREATE TABLE store_sales (ss_sold_date_sk INTEGER, ss_item_sk INTEGER, ss_customer_sk INTEGER, ss_store_sk INTEGER, ss_ticket_number BIGINT,
  ss_quantity INTEGER, ss_sales_price DECIMAL(7, 2), ss_ext_sales_price DECIMAL(7, 2), ss_net_profit DECIMAL(7, 2));
INSERT INTO store_sales VALUES (1, 1, 1, 1, 1, 2, 9.5, 19, 4), (2, 1, 2, 1, 2, 1, 9.9, 9.9, -1.5), (2, 2, 2, 1, 2, 10, 0.9, 9, 2),
  (3, 3, NULL, 2, 3, 1, 4.5, 4.5, 0), (4, 2, 9, 2, 4, 3, 0.99, 2.97, 1), (NULL, 3, 1, NULL, 5, 4, 4, 16, 6), (4, 1, 1, 2, 6, NULL, 9, NULL, NULL);
