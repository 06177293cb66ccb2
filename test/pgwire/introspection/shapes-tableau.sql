SELECT 1 AS "one" FROM pg_catalog.pg_class LIMIT 1;
-- ----
select setting from pg_settings where name='max_index_keys';
-- ----
CREATE LOCAL TEMPORARY TABLE "#Tableau_1_Connect_Check" ( "X" INTEGER NOT NULL ) ON COMMIT PRESERVE ROWS;
-- ----
SET DATESTYLE TO 'ISO';
-- ----
SET extra_float_digits to 2;
-- ----
show transaction_isolation;
-- ----
select oid, typbasetype from pg_type where typname = 'lo';
-- ----
select n.nspname, c.relname, a.attname, a.atttypid, t.typname, a.attnum, a.attlen, a.atttypmod, a.attnotnull, c.relhasrules, c.relkind, c.oid, pg_get_expr(d.adbin, d.adrelid), case t.typtype when 'd' then t.typbasetype else 0 end, t.typtypmod, 0, attidentity from (((pg_catalog.pg_class c inner join pg_catalog.pg_namespace n on n.oid = c.relnamespace and c.oid = 'flights.flights'::regclass) inner join pg_catalog.pg_attribute a on (not a.attisdropped) and a.attnum > 0 and a.attrelid = c.oid) inner join pg_catalog.pg_type t on t.oid = a.atttypid) left outer join pg_attrdef d on a.atthasdef and d.adrelid = a.attrelid and d.adnum = a.attnum order by n.nspname, c.relname, attnum;
