CREATE TABLE countries AS FROM read_csv('seeds/countries_seed.csv');
CREATE TABLE customers AS FROM read_csv('seeds/customers_seed.csv');
CREATE TABLE transactions AS FROM read_csv('seeds/transactions_seed.csv');
