import t from 'tap'
import { sqlOfAuthors } from './client-sql.js'

const { read, refusedFunction } = await sqlOfAuthors(['Our_Rate'])

/** What analysts write, and the tables that are read. */
const ADMITTED: Readonly<Record<string, readonly string[]>> = {
  "SELECT 'x' AS v": [],
  "SELECT * FROM (VALUES (1, 'x', 0.5), (2, NULL, 1.5)) t (id, word, share)": [],
  "SELECT id, order_id FROM shop.payments WHERE amount <> 0 AND paid_at >= DATE '2024-01-01' AND note NOT LIKE '%;--%'": [
    'shop.payments',
  ],
  "SELECT DISTINCT a.x::decimal(10, 2) AS v, CASE WHEN a.y IN (1, 2) THEN 'a' END FROM a LEFT JOIN b USING (id) CROSS JOIN lake.raw.c":
    ['a', 'b', 'lake.raw.c'],
  'SELECT sum(z) OVER (PARTITION BY a ORDER BY b DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), count(*) FILTER (WHERE y > 1) FROM t':
    ['t'],
  'WITH q AS (SELECT * FROM t), r AS (SELECT * FROM q) SELECT * FROM r JOIN u ON r.id = u.id UNION ALL SELECT * FROM q': [
    't',
    'u',
  ],
  "SELECT extract(year FROM d), trim(x), substring(x FROM 1 FOR 2), current_date, d AT TIME ZONE 'UTC', our_rate(x), date_trunc('month', d) FROM t GROUP BY ROLLUP (a, b) HAVING max(x) > 1 ORDER BY 1 LIMIT 10 OFFSET 2":
    ['t'],
  'SELECT `order id` FROM `my-project`.`shop`.orders': ['my-project.shop.orders'],
  'SELECT x FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.id = t.id) AND y = ANY (SELECT 2)': ['s', 't'],
  // A name counts as one of WITH only after it was defined, and where it is written the same.
  'WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a, b, B': ['b', 'b'],
  'WITH "a" AS (SELECT 1) SELECT * FROM "a", "c"': ['a', 'c'],
}

/** What acts, tells of others, waits, grows, or is read by one engine in another way than by this grammar. */
const REFUSED = [
  'SELECT 1; SELECT 2',
  'INSERT INTO t VALUES (1)',
  'BEGIN',
  "COPY t TO '/tmp/x'",
  'SELECT 1 INTO t',
  'SELECT * FROM t FOR UPDATE',
  'SELECT * FROM t TABLESAMPLE SYSTEM (1)',
  'WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT * FROM r',
  'WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d',
  'SELECT * FROM (WITH secret AS (SELECT 1) SELECT * FROM secret) q, secret',
  "SELECT set_config('search_path', 'old', false) AS v",
  'SELECT pg_sleep(60)',
  'SELECT pg_catalog.pg_terminate_backend(7)',
  'SELECT our.abs(1)',
  "SELECT nextval('s')",
  "SELECT 'x' AS v FROM enable_logging('QueryLog')",
  'SELECT * FROM (VALUES (DEFAULT)) t',
  'SELECT * FROM range(10)',
  'SELECT * FROM ROWS FROM (f(1))',
  'SELECT * FROM LATERAL f(1)',
  "SELECT repeat('x', 1000000000)",
  "SELECT string_agg(x, ',') FROM t",
  'SELECT x || x || x || x || x || x || x || x || x || x FROM t',
  'SELECT concat(x, x, x, x, x, x), concat(x, x, x, x, x, x) FROM t',
  'SELECT current_user',
  "SELECT 'pg_authid'::regclass",
  'SELECT 1 OPERATOR(pg_catalog.+) 2',
  'SELECT x @> y FROM t',
  'SELECT $1',
  'SELECT @@version',
  'SELECT a[1] FROM t',
  "SELECT * FROM 'file.csv'",
  'SELECT 1 -- x',
  'SELECT 1 /* x */',
  'SELECT 1 # x',
  'SELECT 1 // x',
  "SELECT 'a\\' OR 1'",
  "SELECT '''a' FROM t",
  'SELECT """a" FROM t',
  "SELECT E'a\\nb'",
  'SELECT $$a$$',
  "SELECT U&'!0041' UESCAPE '!'",
  'SELECT `a--` FROM t',
  'SELECT `a` `; x` FROM t',
  'SELECT a:b FROM t',
  'SELECT {d: 1}',
  'SELECT 1\u00a0AS v',
  'SELECT \u0007 1',
  "SELECT 'open",
  '',
  `SELECT ${'1 + '.repeat(6000)}1`,
  `SELECT ${'NOT '.repeat(2000)}true`,
]

t.test('a single SELECT of listed parts is accepted, and its tables are returned', async (t) => {
  for (const [sql, tables] of Object.entries(ADMITTED)) {
    const { refusal, tables: found = [] } = read(sql)
    t.equal(refusal, undefined, sql)
    const named = found.map((table) => [table.database, table.schema, table.name].filter(Boolean).join('.'))
    t.same(named.sort(), [...tables].sort(), sql)
  }
})

t.test('everything else is refused, with a reason', async (t) => {
  for (const sql of REFUSED) t.match(read(sql).refusal, /^.{10}/, sql.slice(0, 80))
})

t.test('functions outside the catalogue can be called if they are listed', async (t) => {
  t.equal(refusedFunction('our_RATE'), undefined)
  t.equal(refusedFunction('soundex'), undefined)
  t.match(refusedFunction('getenv'), /'getenv'/)
})
