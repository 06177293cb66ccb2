/** Rows of fifty tenants, in place of your database. */
export const TENANTS = Array.from({ length: 50 }, (_, i) => `tenant-${String(i + 1).padStart(2, '0')}`)

export const tables = [
  "CREATE TABLE tenants AS SELECT 'tenant-' || lpad(i::text, 2, '0') AS id FROM range(1, 51) AS r(i)",
  "CREATE TABLE customers AS SELECT i AS id, 'tenant-' || lpad((i % 50 + 1)::text, 2, '0') AS tenant_id, 'Customer ' || i AS name FROM range(500) AS r(i)",
  'CREATE TABLE orders AS SELECT i AS id, i % 500 AS customer_id, i * 7 % 100 + 1 AS amount, i * 3 % 40 AS cost FROM range(5000) AS r(i)',
]
