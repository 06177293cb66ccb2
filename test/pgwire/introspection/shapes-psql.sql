SELECT datname, pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate, datctype, array_to_string(datacl, E'\n') FROM pg_database ORDER BY 1;
-- ----
SELECT d.datname, d.daticulocale AS "ICU Locale", d.daticurules, d."daticulocale" FROM pg_catalog.pg_database d WHERE d.daticulocale IS NULL ORDER BY 1;
-- ----
SELECT c.collname, c.colliculocale AS "ICU Locale", c.collicurules FROM pg_catalog.pg_collation c ORDER BY 1 LIMIT 5;
-- ----
SELECT n.nspname, array_to_string(n.nspacl, E'\n'), obj_description(n.oid, 'pg_namespace') FROM pg_namespace n ORDER BY 1;
-- ----
SELECT count(*) FROM pg_attribute WHERE attname = 'daticulocale';
-- ----
SELECT p.proname, CASE p.prokind WHEN 'a' THEN 'agg' WHEN 'w' THEN 'window' WHEN 'p' THEN 'proc' ELSE 'func' END, p.provolatile, p.proparallel FROM pg_proc p ORDER BY 1 LIMIT 5;
-- ----
SELECT spcname AS "Name", pg_catalog.pg_get_userbyid(spcowner) AS "Owner", pg_catalog.pg_tablespace_location(oid) AS "Location",
  pg_catalog.array_to_string(spcacl, E'\n') AS "Access privileges", spcoptions AS "Options",
  pg_catalog.pg_size_pretty(pg_catalog.pg_tablespace_size(oid)) AS "Size", pg_catalog.shobj_description(oid, 'pg_tablespace') AS "Description"
FROM pg_catalog.pg_tablespace ORDER BY 1;
-- ----
SELECT subname AS "Name", pg_catalog.pg_get_userbyid(subowner) AS "Owner", subenabled AS "Enabled", subpublications AS "Publication",
  subconninfo AS "Conninfo", subskiplsn AS "Skip LSN" FROM pg_catalog.pg_subscription
WHERE subdbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) ORDER BY 1;
