SET search_path = pg_catalog;
-- ----
SET timezone = 'GMT';
-- ----
SET datestyle = ISO;
-- ----
SET intervalstyle = postgres;
-- ----
SET extra_float_digits = 3;
-- ----
START TRANSACTION ISOLATION LEVEL REPEATABLE READ;
-- ----
SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'flights';
-- ----
COMMIT TRANSACTION;
-- ----
ABORT TRANSACTION;
