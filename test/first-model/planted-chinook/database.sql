-- Chinook with eleven things that must be asked about its rows, and with three tables that look like some of them.
CREATE TABLE artist (artist_id integer PRIMARY KEY, name varchar(120));
INSERT INTO artist SELECT * FROM 'FOLDER/../chinook/artist.parquet';
CREATE TABLE genre (genre_id integer PRIMARY KEY, name varchar(120));
INSERT INTO genre SELECT * FROM 'FOLDER/../chinook/genre.parquet';
CREATE TABLE album (album_id integer PRIMARY KEY, title varchar(160) NOT NULL, artist_id integer NOT NULL REFERENCES artist (artist_id));
INSERT INTO album SELECT * FROM 'FOLDER/../chinook/album.parquet';
CREATE TABLE track (
  track_id integer PRIMARY KEY,
  name varchar(200) NOT NULL,
  album_id integer REFERENCES album (album_id),
  genre_id integer REFERENCES genre (genre_id),
  milliseconds integer NOT NULL,
  unit_price numeric(10,2) NOT NULL
);
INSERT INTO track SELECT track_id, name, album_id, genre_id, milliseconds, unit_price FROM 'FOLDER/../chinook/track.parquet';

CREATE TABLE customer (
  customer_id integer PRIMARY KEY,
  first_name varchar(40) NOT NULL,
  last_name varchar(20) NOT NULL,
  city varchar(40),
  country varchar(40),
  email varchar(60) NOT NULL,
  closed_on date
);
-- Spelling: the same country with other capitals, or with a blank.
INSERT INTO customer
  SELECT customer_id, first_name, last_name, city, CASE customer_id % 9 WHEN 4 THEN upper(country) WHEN 7 THEN country || ' ' ELSE country END, email, NULL
  FROM 'FOLDER/../chinook/customer.parquet';
-- Deleted rows beside their successors: seven customers registered again with the same address.
INSERT INTO customer
  SELECT 100 + customer_id, first_name, last_name, city, country, email, DATE '2021-03-01' + customer_id
  FROM 'FOLDER/../chinook/customer.parquet' WHERE customer_id % 8 = 3;
-- Test rows: colleagues tried the shop.
INSERT INTO customer VALUES
  (201, 'Jane', 'Testcustomer', 'Calgary', 'Canada', 'test.jane@chinookcorp.com', NULL),
  (202, 'Steve', 'Testing', 'Calgary', 'Canada', 'test.steve@chinookcorp.com', NULL),
  (203, 'Test', 'Checkout', 'Calgary', 'Canada', 'test.checkout@chinookcorp.com', NULL);

-- States; totals with and without tax by the rate of the country; four currencies.
CREATE TABLE invoice (
  invoice_id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customer (customer_id),
  invoice_date date NOT NULL,
  standing varchar(12) NOT NULL,
  billed_in char(3) NOT NULL,
  total numeric(10,2) NOT NULL,
  payable numeric(10,2) NOT NULL
);
INSERT INTO invoice
  SELECT invoice_id, customer_id, invoice_date::date, CASE WHEN invoice_id % 23 = 5 THEN 'credited' WHEN invoice_id % 31 = 7 THEN 'cancelled' WHEN invoice_id > 400 THEN 'open' ELSE 'paid' END,
    CASE billing_country WHEN 'USA' THEN 'USD' WHEN 'Canada' THEN 'CAD' WHEN 'Brazil' THEN 'BRL' ELSE 'EUR' END, total,
    round(total * CASE billing_country WHEN 'USA' THEN 1.08875 WHEN 'Canada' THEN 1.05 WHEN 'Brazil' THEN 1.17 ELSE 1.2 END, 2)
  FROM 'FOLDER/../chinook/invoice.parquet';
-- Totals beside lines, as they are in Chinook.
CREATE TABLE invoice_line (
  invoice_line_id integer PRIMARY KEY,
  invoice_id integer NOT NULL REFERENCES invoice (invoice_id),
  track_id integer NOT NULL REFERENCES track (track_id),
  unit_price numeric(10,2) NOT NULL,
  quantity integer NOT NULL
);
INSERT INTO invoice_line SELECT * FROM 'FOLDER/../chinook/invoice_line.parquet';

-- Cents: what a parcel costs. Its weight in grams ends like prices, and is none.
CREATE TABLE parcel (parcel_id integer PRIMARY KEY, invoice_id integer NOT NULL REFERENCES invoice (invoice_id), sent_on date, weight_grams integer, postage integer);
INSERT INTO parcel
  SELECT n, 1 + n * 3 % 400, DATE '2021-02-01' + (n * 2)::INTEGER, 100 + n * 7 % 40 * 50, [395, 495, 690, 749, 899, 1095, 1249, 1590, 2290, 350, 1320, 610][1 + n * 5 % 12]
  FROM range(1, 301) r(n);

-- Snapshots: what is owed to each artist at the end of each month.
CREATE TABLE royalty_balance (artist_id integer REFERENCES artist (artist_id), month_end date, owed numeric(12,2), PRIMARY KEY (artist_id, month_end));
INSERT INTO royalty_balance SELECT a, last_day(DATE '2022-01-01' + to_months(m::INTEGER)), 500 + a * 13 + m * (a % 5) FROM range(1, 61) x(a), range(0, 24) y(m);

-- Times without a zone; the last days were loaded twice.
CREATE TABLE stream (stream_no bigint, customer_id integer, track_id integer, started_at timestamp, seconds integer);
INSERT INTO stream SELECT n, 1 + n % 59, 1 + n * 37 % 3503, TIMESTAMP '2024-01-01 00:20:00' + n * INTERVAL 47 MINUTE, 20 + n * 11 % 300 FROM range(1, 4001) r(n);
INSERT INTO stream SELECT * FROM stream WHERE started_at > (SELECT max(started_at) FROM stream) - INTERVAL 3 DAY;

-- Nothing to ask: chart positions, and years.
CREATE TABLE chart_entry (chart_entry_id integer PRIMARY KEY, track_id integer NOT NULL REFERENCES track (track_id), week date, position integer, peak integer);
INSERT INTO chart_entry SELECT n, 1 + n * 53 % 3503, DATE '2023-01-02' + (n // 50)::INTEGER * 7, 1 + n % 50, 1 + n * 3 % 20 FROM range(0, 1500) r(n);
