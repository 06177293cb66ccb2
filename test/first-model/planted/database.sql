-- A shop in which eleven things must be asked. The names of tables and columns say little; the rows show them.
CREATE TABLE party (
  party_no INTEGER PRIMARY KEY,
  name VARCHAR,
  town VARCHAR
);
-- 1: five of 400 are tests.
INSERT INTO party SELECT n, CASE WHEN n % 80 = 0 THEN 'Test account ' || n ELSE chr((65 + n % 26)::INTEGER) || 'ern ' || n END, 'Town ' || n % 12 FROM range(1, 401) r(n);

CREATE TABLE bill (
  bill_no INTEGER PRIMARY KEY,
  party_no INTEGER REFERENCES party (party_no),
  booked DATE,
  phase VARCHAR,
  kind_of_money VARCHAR,
  first_value DECIMAL(12, 2),
  second_value DECIMAL(12, 2)
);
CREATE TABLE bill_part (
  part_no INTEGER PRIMARY KEY,
  bill_no INTEGER REFERENCES bill (bill_no),
  sort_of VARCHAR,
  each_value DECIMAL(12, 2),
  pieces INTEGER
);
CREATE TEMP TABLE part AS
  SELECT n AS part_no, 1 + n // 3 AS bill_no, ['ab1', 'cd2', 'ef3', 'AB1', 'cd2 '][1 + n % 5] AS sort_of, (1 + n * 7 % 90 + (n % 100) / 100.0)::DECIMAL(12, 2) AS each_value, 1 + n % 4 AS pieces
  FROM range(0, 3000) r(n);
-- 3: a tenth is void or draft. 4: the second value is the first with 19 % or 7 %. 5: three currencies. 7: the parts add up to the first value.
INSERT INTO bill
  SELECT bill_no, 1 + bill_no % 400, DATE '2025-01-01' + (bill_no % 300)::INTEGER, CASE bill_no % 20 WHEN 3 THEN 'void' WHEN 7 THEN 'draft' ELSE 'booked' END,
    ['EUR', 'EUR', 'USD', 'CHF'][1 + bill_no % 4], sum(each_value * pieces), round(sum(each_value * pieces) * CASE WHEN bill_no % 3 = 0 THEN 1.07 ELSE 1.19 END, 2)
  FROM part GROUP BY bill_no;
-- 10: codes that differ only in case or in a blank.
INSERT INTO bill_part SELECT * FROM part;

-- 2: a tenth has an end, and beside each there is a row with the same number that has none.
CREATE TABLE agreement (agreement_no INTEGER PRIMARY KEY, number VARCHAR, party_no INTEGER REFERENCES party (party_no), since DATE, gone DATE, yearly DECIMAL(12, 2));
INSERT INTO agreement SELECT n, 'N-' || n, 1 + n % 400, DATE '2024-01-01' + (n % 300)::INTEGER, NULL, 100 + n FROM range(1, 501) r(n);
INSERT INTO agreement SELECT 1000 + n, 'N-' || n, 1 + n % 400, DATE '2023-01-01' + (n % 300)::INTEGER, DATE '2024-06-01', 90 + n FROM range(1, 51) r(n);

-- 6: whole numbers that end like prices.
CREATE TABLE fare (fare_no INTEGER PRIMARY KEY, party_no INTEGER REFERENCES party (party_no), taken INTEGER);
INSERT INTO fare SELECT n, 1 + n % 400, (1 + n * 13 % 60) * 100 + [99, 50, 95, 0][1 + n % 4] FROM range(1, 301) r(n);

-- 8: how much of each item there was on each day.
CREATE TABLE shelf (item INTEGER, day DATE, quantity INTEGER, PRIMARY KEY (item, day));
INSERT INTO shelf SELECT i, DATE '2025-03-01' + d::INTEGER, 20 + (i * 7 + d // 5) % 30 FROM range(1, 41) a(i), range(0, 30) b(d);

-- 9: times without a zone. 11: the last two days are loaded twice.
CREATE TABLE call (call_ref INTEGER, party_no INTEGER REFERENCES party (party_no), began TIMESTAMP, minutes INTEGER);
INSERT INTO call SELECT n, 1 + n % 400, TIMESTAMP '2025-01-01 08:13:00' + (n * 7) * INTERVAL 1 HOUR, 1 + n % 30 FROM range(1, 601) r(n);
INSERT INTO call SELECT * FROM call WHERE began > (SELECT max(began) FROM call) - INTERVAL 2 DAY;

-- Nothing to ask: places, and how warm it was at noon.
CREATE TABLE place (place_no INTEGER PRIMARY KEY, label VARCHAR, north DOUBLE, east DOUBLE);
INSERT INTO place SELECT n, 'Place ' || n, 47 + n / 10.0, 8 + n / 20.0 FROM range(1, 31) r(n);
CREATE TABLE reading (reading_no INTEGER PRIMARY KEY, place_no INTEGER REFERENCES place (place_no), noon DATE, temperature DOUBLE);
INSERT INTO reading SELECT n, 1 + n % 30, DATE '2025-01-01' + (n // 30)::INTEGER, sin(n / 50.0) * 12 + 9 FROM range(0, 900) r(n);
