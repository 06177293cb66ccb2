/** Data for test/compile/shop.yaml, and by code the statement, written by hand, of what was meant when its advice was followed. */
import type { ErrorCode } from '../../core/src/errors.js'

export const SHOP_DATA = `
ATTACH ':memory:' AS lake;
CREATE SCHEMA lake.sales;
CREATE SCHEMA sales;
CREATE TABLE lake.sales.customers (id BIGINT, country VARCHAR, since DATE);
INSERT INTO lake.sales.customers VALUES (1, 'DE', '2020-01-01'), (2, 'FR', '2021-01-01'), (3, NULL, '2022-01-01');
ALTER TABLE lake.sales.customers ADD COLUMN home BIGINT;
UPDATE lake.sales.customers SET home = 4 - id;
CREATE TABLE addresses AS SELECT * FROM (VALUES (1, 'Ulm'), (2, 'Lyon'), (3, 'Bern')) v(id, city);
CREATE TABLE sales.orders (id BIGINT, customer_id BIGINT, bill_to BIGINT, ship_to BIGINT, day DATE, written TIMESTAMP, paid TIMESTAMPTZ,
  clock TIME, status VARCHAR, amount DECIMAL(12, 2), gift BOOLEAN);
INSERT INTO sales.orders VALUES
  (1, 1, 1, 2, '2025-01-10', '2025-01-10 20:15:00', '2025-01-10 20:15:00+00', '20:15:00', 'a', 10.50, TRUE),
  (2, 1, 1, 1, '2025-02-03', '2025-02-03 08:00:00', '2025-02-03 08:00:00+00', '08:00:00', 'b', 20.00, FALSE),
  (3, 2, 2, 3, '2025-02-20', '2025-02-20 08:30:00', '2025-02-20 08:30:00+00', '08:30:00', 'a', 7.25, FALSE),
  (4, 3, NULL, 1, '2025-03-01', '2025-03-01 23:00:00', '2025-03-01 23:00:00+00', '23:00:00', NULL, 5.00, NULL),
  (5, NULL, 3, 1, '2025-06-14', '2025-06-14 00:10:00', '2025-06-14 00:10:00+00', '00:10:00', 'b', 1.75, TRUE),
  (6, 2, 2, 2, '2025-06-15', '2025-06-15 00:10:00', '2025-06-15 00:10:00+00', '00:10:00', 'a', 3.00, TRUE);
CREATE TABLE items AS SELECT * FROM (VALUES (1, 1, 'x', 2), (2, 1, 'y', 1), (3, 2, 'x', 4), (4, 4, 'y', 3), (5, NULL, 'y', 9)) v(id, order_id, sku, quantity);
CREATE TABLE products AS SELECT * FROM (VALUES ('x', 'Ace', 100), ('y', 'Bolt', 30), ('z', 'Bolt', 7)) v(sku, maker, stock);
CREATE TABLE visits AS SELECT * FROM (VALUES (1, 1, 3, 'web'), (2, 1, 4, 'app'), (3, 2, 5, 'web'), (4, NULL, 6, 'web')) v(id, customer_id, pages, medium);
CREATE TABLE calls AS SELECT * FROM (VALUES (1, 5), (2, 5), (3, 8)) v(id, minutes);
CREATE TABLE regions AS SELECT * FROM (VALUES (1, 'North'), (2, 'South')) v(id, name);
CREATE TABLE depots AS SELECT * FROM (VALUES (1, 1), (2, 2)) v(id, region_id);
CREATE TABLE carriers AS SELECT * FROM (VALUES (1, 2), (2, 2)) v(id, region_id);
CREATE TABLE shipments AS SELECT * FROM (VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, NULL, 1)) v(id, depot_id, carrier_id);
`

const REVENUE = 'SELECT sum(amount) FROM sales.orders'
const BY_COUNTRY =
  'SELECT country, sum(amount) FROM sales.orders o LEFT JOIN lake.sales.customers c ON c.id = o.customer_id GROUP BY 1'
const KIND =
  'SELECT coalesce(status, country), sum(amount) FROM sales.orders o LEFT JOIN lake.sales.customers c ON c.id = o.customer_id GROUP BY 1'
export const cityOf = (column: string): string =>
  `SELECT city, sum(amount) FROM sales.orders o LEFT JOIN addresses a ON a.id = o.${column} GROUP BY 1`
export const growth = (where: string, shown: string): string =>
  `WITH m AS (SELECT date_trunc('month', day) AS month, sum(amount) AS revenue FROM sales.orders WHERE ${where} GROUP BY 1)
   SELECT CAST(a.month AS DATE), a.revenue / b.revenue FROM m a LEFT JOIN m b ON b.month = a.month - INTERVAL 1 MONTH WHERE ${shown}`
/** Of the pairs of a status and a country, those of no order. */
const NEVER = `SELECT * FROM (SELECT DISTINCT status FROM sales.orders WHERE status IS NOT NULL)
  CROSS JOIN (SELECT DISTINCT country FROM lake.sales.customers WHERE country IS NOT NULL)
  EXCEPT SELECT status, country FROM sales.orders o JOIN lake.sales.customers c ON c.id = o.customer_id`

/** Ten days of February against the same days of January. */
export const daysFrom = (
  first: string,
): string => `SELECT sum(amount) FILTER (day BETWEEN DATE '2025-02-${first}' AND DATE '2025-02-10')
    / sum(amount) FILTER (day BETWEEN DATE '2025-01-${first}' AND DATE '2025-01-10') FROM sales.orders`
const TEN_DAYS = daysFrom('01')

export const SHOP_NUMBERS: Partial<Record<ErrorCode, string>> = {
  AMBIGUOUS_JOIN:
    'SELECT name, count(*) FROM shipments s LEFT JOIN depots d ON d.id = depot_id LEFT JOIN regions r ON r.id = region_id GROUP BY 1',
  NO_JOIN_PATH: 'SELECT minutes, count(*) FROM calls GROUP BY 1',
  KEY_REQUIRED: `SELECT status, sum(stock) FROM (SELECT DISTINCT status, p.sku, stock FROM products p
    LEFT JOIN items i ON i.sku = p.sku LEFT JOIN sales.orders o ON o.id = order_id) GROUP BY 1`,
  ANCHOR_REQUIRED: 'SELECT count(*) FROM sales.orders',
  UNKNOWN_PATH_NAME: cityOf('ship_to'),
  UNSUPPORTED_AGGREGATION: 'SELECT avg(amount) FROM sales.orders',
  UNSUPPORTED_FUNCTION: REVENUE,
  FILTER_NOT_APPLICABLE: `${REVENUE} WHERE status = 'a'`,
  FILTER_APPLIES_TO_NOTHING: REVENUE,
  TIME_DIMENSION_NOT_SELECTED: `SELECT CAST(date_trunc('month', day) AS DATE), lag(sum(amount)) OVER (ORDER BY date_trunc('month', day)) FROM sales.orders
    GROUP BY date_trunc('month', day)`,
  TIME_RANGE_REQUIRED: TEN_DAYS,
  WINDOW_GRAIN_REQUIRED: `SELECT DATE '2025-02-01', (${TEN_DAYS})`,
  NO_VALUE_FOR_TOTAL: `SELECT DATE '2025-02-01', (${TEN_DAYS}), FALSE UNION ALL SELECT NULL, (${TEN_DAYS}), TRUE`,
  PARTIAL_PERIOD: growth('TRUE', "a.month >= DATE '2025-02-01'"),
  COMPARED_RANGE_RESTRICTED: `SELECT DATE '2025-02-01', (${daysFrom('03')})`,
  DIMENSION_READ_DIFFERENTLY: cityOf('bill_to'),
  CUMULATIVE_RECOMPUTED:
    'SELECT day, max(m) OVER (ORDER BY day) FROM (SELECT day, median(amount) AS m FROM sales.orders GROUP BY 1)',
  OVERLAPPING_GROUPS: REVENUE,
  CONFORMED_GRAIN_ASSUMED: `SELECT sum(amount * pages) FROM (SELECT customer_id, sum(amount) AS amount FROM sales.orders GROUP BY 1) o
    JOIN (SELECT customer_id, sum(pages) AS pages FROM visits GROUP BY 1) v ON v.customer_id IS NOT DISTINCT FROM o.customer_id`,
  NAIVE_TIMESTAMP: "SELECT date_trunc('hour', written + INTERVAL 9 HOUR), sum(amount) FROM sales.orders GROUP BY 1",
  TIME_FILTER_NOT_SEPARABLE: growth("status = 'a'", "a.month >= DATE '2024-01-01'"),
  TIME_BESIDE_A_CALENDAR: growth('TRUE', 'year(a.month) = 2025'),
  CALENDAR_RANGE_REQUIRED: "SELECT * FROM (VALUES (DATE '2025-01-31', 'January'), (DATE '2025-02-01', 'February')) v(d, m)",
  TIME_FILTER_NOT_A_RANGE: growth('TRUE', "a.month >= DATE '2024-01-01'"),
  GRAIN_NOT_SUBSET: `SELECT country, o.status, revenue FROM (SELECT DISTINCT country, status FROM sales.orders o
    LEFT JOIN lake.sales.customers c ON c.id = o.customer_id) o
    JOIN (SELECT status, sum(amount) AS revenue FROM sales.orders GROUP BY 1) s ON s.status IS NOT DISTINCT FROM o.status`,
  INVALID_PERIOD: `${REVENUE} WHERE date_trunc('month', day) = DATE '2025-02-01'`,
  INVALID_RELATIVE_FILTER: `${REVENUE} WHERE day >= DATE '2025-06-13' AND day <= DATE '2025-06-15'`,
  DIMENSIONS_EXCLUDE_WITH_MEASURES: NEVER,
  DIMENSIONS_EXCLUDE_INSUFFICIENT: NEVER,
  COALESCE_MISSING_ALIAS: KIND,
  COALESCE_ALIAS_COLLISION: KIND,
  COALESCE_TOO_FEW_MEMBERS: KIND,
  COALESCE_TYPE_MISMATCH: KIND,
  MIXED_RAW_AND_AGGREGATE_MODE: 'SELECT status FROM sales.orders',
  DEPRECATED_FIELD: BY_COUNTRY,
  PROPOSED_FIELD: BY_COUNTRY,
}

export const SALES_DATA = `
CREATE TABLE products AS SELECT * FROM (VALUES (1, 'a', 'e1'), (2, 'b', 'e2'), (3, NULL, 'e3')) v(id, category, ean);
CREATE TABLE sales AS SELECT * FROM (VALUES (1, DATE '2026-01-01', 10.5::DOUBLE, 1), (2, DATE '2026-01-20', 4, 2), (3, DATE '2026-02-01', 2, 1),
  (4, DATE '2026-02-02', 8, 3), (5, NULL, 1, NULL)) v(id, sold_on, amount, product_id);
`
const SUM = 'SELECT sum(amount) FROM sales'
const WITH_PRODUCTS = 'sales s LEFT JOIN products p ON p.id = product_id'

/** By the question that follows an advice: what it means. */
export const SALES_NUMBERS: Readonly<Record<string, string>> = {
  '{ select: { measures: [Revenue per Order] } }': 'SELECT sum(amount) / count(*) FROM sales',
  '{ select: { measures: [Revenue] } }': SUM,
  '{ select: { measures: [Revenue] }, where: [] }': SUM,
  '{ select: { measures: [Revenue] }, order_by: [{ field: Revenue }] }': SUM,
  '{ select: { measures: [Revenue] }, order_by: [{ field: 1 }] }': SUM,
  '{ select: { dimensions: [Date:month], measures: [Revenue] } }':
    "SELECT CAST(date_trunc('month', sold_on) AS DATE), sum(amount) FROM sales GROUP BY 1",
  '{ select: { dimensions: [Category, Date], measures: [Revenue] }, order_by: [{ field: Date }] }': `SELECT category, sold_on, sum(amount) FROM ${WITH_PRODUCTS} GROUP BY 1, 2`,
  '{ select: { dimensions: [Category] } }': 'SELECT DISTINCT category FROM products',
  '{ select: { fields: [Products.Ean] } }': 'SELECT ean FROM products',
  '{ select: { measures: [Revenue] }, where: [{ field: Category, op: in, value: [a, b] }] }': `SELECT sum(amount) FROM ${WITH_PRODUCTS} WHERE category IN ('a', 'b')`,
  '{ select: { measures: [Revenue] }, where: [{ field: Category, op: not_in, value: [a, b] }] }': `SELECT sum(amount) FROM ${WITH_PRODUCTS} WHERE category NOT IN ('a', 'b')`,
  '{ select: { measures: [Revenue] }, where: [{ field: Date, op: eq, value: 2026-01-01 }] }': `${SUM} WHERE sold_on = DATE '2026-01-01'`,
  '{ select: { measures: [Revenue] }, having: [{ field: Revenue, op: gt, value: 1 }] }': `${SUM} HAVING sum(amount) > 1`,
  '{ select: { dimensions: [Category], measures: [Revenue] }, where: [{ field: Date, op: eq, value: 2026-01-01 }] }': `SELECT category, sum(amount) FROM ${WITH_PRODUCTS} WHERE sold_on = DATE '2026-01-01' GROUP BY 1`,
  '{ select: { measures: [Revenue] }, where: [{ field: Category, op: eq, value: a }] }': `SELECT sum(amount) FROM ${WITH_PRODUCTS} WHERE category = 'a'`,
  '{ select: { measures: [Revenue] }, where: [{ field: Category, op: equals, value: a }] }': `SELECT sum(amount) FROM ${WITH_PRODUCTS} WHERE category = 'a'`,
  '{ select: { dimensions: [Date], measures: [Revenue Before] } }': `WITH d AS (SELECT sold_on, sum(amount) AS revenue FROM sales GROUP BY 1)
     SELECT a.sold_on, b.revenue FROM d a LEFT JOIN d b ON b.sold_on = a.sold_on - INTERVAL 1 DAY`,
  '{ select: { fields: [Sales.Amount] } }': 'SELECT amount FROM sales',
}

export const COMMERCE_DATA = `
CREATE SCHEMA IF NOT EXISTS public;
CREATE TABLE public.customers (id BIGINT, country VARCHAR, doc JSON);
INSERT INTO public.customers VALUES (1, 'DE', '{"name": "ann"}'), (2, 'FR', '{"name": "bob"}'), (3, 'DE', NULL);
CREATE TABLE orders (id BIGINT, customer_id BIGINT, amount DECIMAL(18, 2), qty BIGINT, paid BOOLEAN, ordered_at TIMESTAMP);
INSERT INTO orders VALUES (1, 1, 10.5, 4, TRUE, '2026-01-03 10:00:00'), (2, 2, 20, 5, FALSE, '2026-01-20 11:00:00'), (3, 3, 7.25, 1, TRUE, '2026-02-02 12:00:00'),
  (4, 3, 3, 6, NULL, '2026-02-03 13:00:00'), (5, 1, 100, -1, TRUE, '2026-02-03 13:00:00'), (6, NULL, 2, 9, TRUE, '2026-03-01 00:00:00');
CREATE TABLE bills AS SELECT * FROM (VALUES (1, 1), (2, 3), (3, 2)) v(i, c);
CREATE TABLE shipments AS SELECT * FROM (VALUES (1, 2), (2, 3), (4, 1), (6, 2)) v(o, b);
`
const KEPT = 'orders o LEFT JOIN public.customers c ON c.id = customer_id WHERE qty >= 0'
const OF_REVENUE = "country = 'DE' AND (qty > 3 OR qty IS NULL)"
const OF_ORDERS = 'orders WHERE qty >= 0 AND (qty > 3 OR qty IS NULL)'
const MONTH = "CAST(date_trunc('month', ordered_at) AS DATE)"

interface Meaning {
  readonly query: object
  readonly sql: string
}

/** Questions to the model of test/support/model-faults.ts. */
export const COMMERCE_NUMBERS = {
  revenue: {
    query: { select: { dimensions: ['Country'], measures: ['Revenue'] } },
    sql: `SELECT country, sum(amount) FROM ${KEPT} AND ${OF_REVENUE} GROUP BY 1`,
  },
  volume: {
    query: { select: { dimensions: ['Month'], measures: ['Volume'] } },
    sql: `SELECT ${MONTH}, max(amount * 2) FROM ${KEPT} GROUP BY 1`,
  },
  perOrder: {
    query: { select: { measures: ['Per Order'] } },
    sql: `SELECT (SELECT sum(amount) FROM ${KEPT} AND ${OF_REVENUE}) / count(*) FROM ${KEPT}`,
  },
  running: {
    query: { select: { dimensions: ['Month'], measures: ['Running'] } },
    sql: `SELECT m, sum(a) OVER (ORDER BY m) FROM (SELECT ${MONTH} AS m, sum(amount) AS a FROM ${KEPT} AND ${OF_REVENUE} GROUP BY 1)`,
  },
  countries: {
    query: { select: { measures: ['Countries'] } },
    sql: "SELECT string_agg(country, ',' ORDER BY country) FROM public.customers",
  },
} satisfies Readonly<Record<string, Meaning>>

/** What a question means after the advice for a code, where it is another than in the valid model; without a statement the tables have no such columns. */
export const OTHER_NUMBERS: Partial<Record<ErrorCode, Partial<Record<keyof typeof COMMERCE_NUMBERS, Meaning | undefined>>>> = {
  DUPLICATE_IDENTIFIER: { perOrder: { ...COMMERCE_NUMBERS.perOrder, query: { select: { measures: ['Rate'] } } } },
  SELF_JOIN: {
    revenue: { query: { select: { measures: ['Revenue'] } }, sql: `SELECT sum(amount) FROM ${OF_ORDERS}` },
    perOrder: {
      ...COMMERCE_NUMBERS.perOrder,
      sql: `SELECT (SELECT sum(amount) FROM ${OF_ORDERS}) / count(*) FROM orders WHERE qty >= 0`,
    },
    running: {
      ...COMMERCE_NUMBERS.running,
      sql: `SELECT m, sum(a) OVER (ORDER BY m) FROM (SELECT ${MONTH} AS m, sum(amount) AS a FROM ${OF_ORDERS} GROUP BY 1)`,
    },
  },
  SECONDARY_JOIN_MISSING_PATH_NAME: {
    revenue: pinned(COMMERCE_NUMBERS.revenue),
    perOrder: pinned(COMMERCE_NUMBERS.perOrder),
    running: pinned(COMMERCE_NUMBERS.running),
  },
  SHARED_TABLE_CONTRACT_DISAGREEMENT: { revenue: undefined, perOrder: undefined, running: undefined, countries: undefined },
  // The country of the customer who pays the bill of the shipment.
  MISSING_VIA: {
    revenue: {
      ...COMMERCE_NUMBERS.revenue,
      sql: `SELECT payer.country, sum(amount) FROM (SELECT o.*, b.c FROM ${KEPT.replace(' WHERE', ' LEFT JOIN shipments s ON s.o = o.id LEFT JOIN bills b ON b.i = s.b WHERE')} AND ${OF_REVENUE.replace('country', 'c.country')}) x
        LEFT JOIN public.customers payer ON payer.id = x.c GROUP BY 1`,
    },
  },
  UNKNOWN_DATA_OBJECT_IN_EXPRESSION: { volume: volume('max(1 + amount * 2)') },
  INVALID_VIA_DATA_OBJECT: {
    volume: { ...COMMERCE_NUMBERS.volume, sql: `SELECT ordered_at, max(amount * 2) FROM ${KEPT} GROUP BY 1` },
    running: {
      ...COMMERCE_NUMBERS.running,
      sql: `SELECT m, sum(a) OVER (ORDER BY m) FROM (SELECT ordered_at AS m, sum(amount) AS a FROM ${KEPT} AND ${OF_REVENUE} GROUP BY 1)`,
    },
  },
  INVALID_AGGREGATION_INPUTS: { volume: volume("nullif(corr(amount, qty), 'NaN')") },
  WITHIN_GROUP_NOT_IN_DISTINCT_ARGS: {
    countries: {
      ...COMMERCE_NUMBERS.countries,
      sql: "SELECT string_agg(DISTINCT country, ',' ORDER BY country DESC) FROM public.customers",
    },
  },
  INVALID_LAG_LEAD: { running: window('lag(a) OVER (ORDER BY m)') },
  INVALID_NTILE_BUCKETS: { running: window('ntile(4) OVER (ORDER BY m)') },
  WRONG_FUNCTION_ARITY: { volume: ofCustomers("max(length(replace(country, 'a', 'b')))") },
  UNKNOWN_TIME_UNIT: { volume: volume("max(date_part('week', ordered_at))") },
  INVALID_JSON_PATH: { volume: ofCustomers("max(doc ->> '$.name')") },
  NON_PORTABLE_FUNCTION: { volume: ofCustomers('max(upper(country))') },
}

function pinned({ query, sql }: Meaning): Meaning {
  return { query: { ...query, use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'buyer' }] }, sql }
}

function volume(aggregate: string): Meaning {
  return { ...COMMERCE_NUMBERS.volume, sql: `SELECT ${MONTH}, ${aggregate} FROM ${KEPT} GROUP BY 1` }
}

/** Customers by the months of their orders: one without an order is in the group of NULL. */
function ofCustomers(aggregate: string): Meaning {
  const rows = 'public.customers c LEFT JOIN (SELECT * FROM orders WHERE qty >= 0) o ON c.id = customer_id'
  return { ...COMMERCE_NUMBERS.volume, sql: `SELECT ${MONTH}, ${aggregate} FROM ${rows} GROUP BY 1` }
}

function window(shown: string): Meaning {
  const months = `SELECT ${MONTH} AS m, sum(amount) AS a FROM ${KEPT} AND ${OF_REVENUE} GROUP BY 1`
  return { ...COMMERCE_NUMBERS.running, sql: `SELECT m, ${shown} FROM (${months})` }
}
