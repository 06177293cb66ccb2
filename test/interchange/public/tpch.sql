-- A few rows of TPC-H of ours: an order without a customer, and a customer without an order.
ATTACH ':memory:' AS samples;
CREATE SCHEMA samples.tpch;
USE samples.tpch;
CREATE TABLE customer (c_custkey INTEGER, c_name VARCHAR);
INSERT INTO customer VALUES (1, 'Customer#1'), (2, 'Customer#2'), (3, 'Customer#3');
CREATE TABLE orders (o_orderkey INTEGER, o_custkey INTEGER, o_orderdate DATE, o_totalprice DECIMAL(12, 2));
INSERT INTO orders VALUES (1, 1, '1996-01-02', 1000.5), (2, 1, '1996-01-02', 20), (3, 2, '1996-03-01', NULL), (4, 9, '1996-03-01', 7.25);
CREATE TABLE lineitem (l_orderkey INTEGER, l_linenumber INTEGER, l_extendedprice DECIMAL(12, 2), l_discount DECIMAL(12, 2), l_returnflag VARCHAR);
INSERT INTO lineitem VALUES (1, 1, 100, 0.1, 'N'), (1, 2, 50, 0, 'R'), (2, 1, 80, 0.05, 'N'), (2, 2, 10, 0, 'N'), (3, 1, 999, 0.5, 'A'), (4, 1, NULL, 0, 'N');
