/**
 * Everything that a statement must not reach: files, the network, the engine and its settings, other tables, other sessions, unlimited
 * time.
 */
import t from 'tap'
import { flightsHost } from './ask.js'
import { byHand } from './by-hand.js'

const { ask, refusalOf, close, service } = await flightsHost({
  evaluator: { timeoutMs: 1500, maxRows: 20_000, memoryLimit: '64MB' },
})
t.teardown(close)
const tables = await byHand()
t.teardown(tables.close)

const LEAF = '(SELECT "Origin Code" AS code, "Flight Count" AS n FROM flights) AS t'

/** Each is tried as a relation, inside an expression over a model query, and alone. */
const RELATIONS = [
  "read_csv('/etc/passwd')",
  "read_csv_auto('/etc/passwd')",
  "read_text('/etc/passwd')",
  "read_blob('/etc/passwd')",
  "read_parquet('x.parquet')",
  "read_json('x.json')",
  "sniff_csv('/etc/passwd')",
  "glob('/*')",
  'duckdb_secrets()',
  'duckdb_settings()',
  'duckdb_tables()',
  'duckdb_databases()',
  'duckdb_functions()',
  'duckdb_extensions()',
  'duckdb_temporary_files()',
  "query('SELECT 1')",
  "query_table('model_query_1')",
  "pragma_table_info('model_query_1')",
  'pragma_show_tables()',
  "sqlite_scan('a', 'b')",
  "postgres_scan('a', 'b', 'c')",
  "iceberg_scan('x')",
  'range(1000000000000)',
  'unnest(ARRAY[1, 2])',
  "json_each('{}')",
  'test_all_types()',
  'repeat_row(1)',
  'checkpoint()',
]
const NAMES = [
  '"/etc/passwd"',
  '"s3://bucket/x.parquet"',
  '"https://example.org/x.csv"',
  'model_query_1',
  'model_query_2',
  'temp.model_query_1',
  'main.model_query_1',
  'sqlite_master',
  'duckdb_settings',
  'flights.main.flights_x',
  '"flights.parquet"',
]
const CALLS = [
  "getenv('HOME')",
  "getvariable('x')",
  "current_setting('memory_limit')",
  'current_database()',
  "read_text('/etc/passwd')",
  "nextval('s')",
  'txid_current()',
  'pg_sleep(10)',
  "pg_read_file('/etc/passwd')",
  "set_config('a', 'b', false)",
  "lo_import('/etc/passwd')",
  "dblink('a', 'b')",
  "repeat('x', 2000000000)",
  'range(1000000000)',
  'generate_series(1, 1000000000)',
  'list_value(1)',
  'array_agg(n)',
  "write_log('x')",
  "query('SELECT 1')",
  "in_search_path('a', 'b')",
  "add_parquet_key('a', 'b')",
  "error('x')",
  'random()',
  'uuid()',
  'version_x()',
  'main.abs(1)',
  'duckdb.abs(1)',
]
const STATEMENTS = [
  "COPY (SELECT 1) TO '/tmp/x'",
  "COPY flights FROM '/tmp/x'",
  "ATTACH ':memory:' AS x",
  'DETACH x',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD '/tmp/x.so'",
  'PRAGMA database_list',
  'CALL duckdb_settings()',
  'CHECKPOINT',
  'VACUUM',
  'EXPORT DATABASE x',
  'CREATE TABLE x (a int)',
  'CREATE TEMP TABLE x AS SELECT 1',
  'CREATE MACRO f(x) AS x',
  'CREATE FUNCTION f() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql',
  'CREATE SECRET s (TYPE s3)',
  'DROP TABLE flights',
  'ALTER TABLE flights ADD x int',
  'TRUNCATE flights',
  'INSERT INTO flights VALUES (1)',
  'UPDATE flights SET x = 1',
  'DELETE FROM flights',
  'MERGE INTO flights USING x ON true WHEN MATCHED THEN DELETE',
  'GRANT ALL ON flights TO public',
  'DO $$ BEGIN END $$',
  'SET memory_limit = 1',
  'RESET ALL',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'BEGIN',
  'LOCK TABLE flights',
  'NOTIFY x',
  'IMPORT FOREIGN SCHEMA x FROM SERVER y INTO z',
  'WITH x AS (DELETE FROM flights RETURNING *) SELECT * FROM x',
  'WITH x AS (INSERT INTO flights VALUES (1) RETURNING 1) SELECT "Flight Count" FROM flights',
  'SELECT "Flight Count" INTO y FROM flights',
  'SELECT "Flight Count" FROM flights FOR UPDATE',
  'EXPLAIN ANALYZE SELECT "Flight Count" FROM flights',
]
const REFUSED = [
  'SQL_SYNTAX_ERROR',
  'UNSUPPORTED_SQL_FEATURE',
  'RAW_SQL_REJECTED',
  'WRITE_OPERATION_REJECTED',
  'UNKNOWN_SELECT_ITEM',
]

t.test('only models can be read, in every position of a statement', async (t) => {
  for (const relation of [...RELATIONS, ...NAMES]) {
    const bare = await refusalOf(`SELECT * FROM ${relation}`)
    t.ok(REFUSED.includes(bare.code), `${relation} alone: ${bare.code}`)
    const joined = await refusalOf(`SELECT t.code FROM ${LEAF} JOIN ${relation} AS x ON true`)
    t.ok(REFUSED.includes(joined.code), `${relation} beside a model query: ${joined.code}`)
    const inside = await refusalOf(`SELECT t.code, (SELECT count(*) FROM ${relation} AS x) FROM ${LEAF}`)
    t.ok(REFUSED.includes(inside.code), `${relation} in a subquery: ${inside.code}`)
    const united = await refusalOf(`SELECT t.code FROM ${LEAF} UNION ALL SELECT 'x' FROM ${relation} AS x`)
    t.ok(REFUSED.includes(united.code), `${relation} in a union: ${united.code}`)
  }
})

t.test('only listed functions can be called', async (t) => {
  for (const call of CALLS) {
    for (const text of [
      `SELECT ${call} FROM ${LEAF}`,
      `SELECT t.code FROM ${LEAF} WHERE ${call} IS NULL`,
      `SELECT t.code FROM ${LEAF} ORDER BY ${call}`,
    ]) {
      const { code } = await refusalOf(text)
      t.equal(code, 'UNSUPPORTED_SQL_FEATURE', text)
    }
  }
})

t.test('statements that write, change, load or explain are refused', async (t) => {
  for (const text of STATEMENTS) {
    const { code } = await refusalOf(text)
    t.ok(['SQL_SYNTAX_ERROR', 'UNSUPPORTED_SQL_FEATURE', 'WRITE_OPERATION_REJECTED'].includes(code), `${text}: ${code}`)
  }
  t.equal((await refusalOf('SELECT "Flight Count" FROM flights; DROP TABLE flights')).code, 'UNSUPPORTED_SQL_FEATURE')
})

t.test('names and texts are data, whatever they contain', async (t) => {
  const nasty = `x"; DROP TABLE model_query_1; --' \\ \u{1f600}`
  const quotedName = `"${nasty.replaceAll('"', '""')}"`
  const { columns, rows } = await ask(
    `SELECT '${nasty.replaceAll("'", "''")}' || t.code AS ${quotedName}, ${quotedName}.n FROM (SELECT "Origin Code" AS code, 3 AS n, "Flight Count" FROM flights) AS t CROSS JOIN (SELECT 1 AS n, "Flight Count" FROM flights) AS ${quotedName} ORDER BY 1 LIMIT 1`,
  )
  t.same(columns, [nasty, 'n'])
  t.same(rows, [[`${nasty}EWR`, 1]])
  const bound = await ask(
    'SELECT t.code FROM (SELECT "Origin Code" AS code FROM flights) AS t WHERE t.code = $1 OR t.code || $2 = $3',
    [{ value: `x' OR '1'='1` }, { value: "'" }, { value: "EWR'" }],
  )
  t.same(bound.rows, [['EWR']])
})

t.test('one session sees nothing of another session', async (t) => {
  await service.createSession({ client: 'test', metadata: {}, by: undefined })
  const other = (await service.createSession({ client: 'test', metadata: {}, by: undefined })).session_id
  await t.rejects(
    service.executeSql({ asker: undefined, target: { sessionId: other }, sql: 'SELECT "Flight Count" FROM flights' }),
    {
      code: 'RAW_SQL_REJECTED',
    },
  )
})

t.test('time, rows and memory are bounded', async (t) => {
  const crossed = Array.from({ length: 7 }, (_, i) => `(SELECT DISTINCT "Destination Code" AS d FROM flights) AS t${i}`).join(
    ' CROSS JOIN ',
  )
  const slow = await refusalOf(`SELECT count(*) FROM ${crossed} WHERE t0.d || t1.d || t6.d = 'never'`)
  t.ok(['QUERY_TIMEOUT', 'EVALUATION_TOO_LARGE'].includes(slow.code), slow.message)
  const many = await refusalOf(
    `SELECT t0.d FROM (SELECT DISTINCT "Destination Code" AS d FROM flights) AS t0 CROSS JOIN (SELECT DISTINCT "Destination Code" AS e FROM flights) AS t1 CROSS JOIN (SELECT DISTINCT "Origin Code" AS e FROM flights) AS t2 LIMIT 1000000`,
  )
  t.equal(many.code, 'EVALUATION_TOO_LARGE')
  const wide = await refusalOf('SELECT count(*) FROM (SELECT "Flights"."Tail Number" FROM flights) AS t')
  t.equal(wide.code, 'EVALUATION_TOO_LARGE', 'a model query of too many rows')
  t.match(wide.details.hint, /Filter or group inside the subqueries/)
  const january = `(SELECT "Flights"."Tail Number" FROM flights WHERE "Date" BETWEEN '2013-01-01' AND '2013-01-07' AND "Origin Code" = 'JFK')`
  const filtered = await ask(`SELECT count(*) FROM ${january} AS t`)
  const meant = await tables.rows("SELECT count(*) FROM f WHERE on_day BETWEEN '2013-01-01' AND '2013-01-07' AND origin = 'JFK'")
  t.same(filtered.rows, meant, 'filtered inside')
  const grouped = await ask('SELECT count(*) FROM (SELECT "Tail Number" FROM flights GROUP BY 1) AS t')
  t.same(grouped.rows, [[4044]], 'grouped inside')
  const long = await refusalOf(`SELECT g FROM generate_series(1, 1000000000000) AS g CROSS JOIN ${LEAF} ORDER BY g`)
  t.ok(['QUERY_TIMEOUT', 'EVALUATION_TOO_LARGE'].includes(long.code), long.message)
  t.same(
    (await ask('SELECT count(*) FROM (SELECT "Origin Code" FROM flights GROUP BY 1 HAVING "Flight Count" > 1) AS t')).rows,
    [[3]],
    'and it goes on',
  )
})

t.test('an evaluation stops when its client disconnects, and the service remains usable', async (t) => {
  const controller = new AbortController()
  const crossed = Array.from({ length: 6 }, (_, i) => `(SELECT DISTINCT "Destination Code" AS d FROM flights) AS t${i}`).join(
    ' CROSS JOIN ',
  )
  const asked = service.executeSql(
    { asker: undefined, target: { sessionId: 'flights' }, sql: `SELECT count(*) FROM ${crossed} WHERE t0.d || t5.d = 'x'` },
    { signal: controller.signal },
  )
  setTimeout(() => controller.abort(new Error('gone')), 300)
  await t.rejects(asked, { message: 'gone' })
  t.same((await ask('SELECT count(*) FROM (SELECT "Origin Code", "Flight Count" FROM flights) AS t')).rows, [[3]])
})

t.test('texts cannot grow without limit, however they are built', async (t) => {
  const doubled = (depth: number): string =>
    depth === 0 ? LEAF : `(SELECT code || code AS code, n FROM ${doubled(depth - 1)}) AS d${depth}`
  const long = `(SELECT lpad(code, 9000, 'x') AS code, n FROM ${LEAF}) AS l`
  for (const statement of [
    `SELECT max(length(code)) FROM ${doubled(30)}`,
    `SELECT max(length(concat(code, code, code))) FROM ${long}`,
    `SELECT max(length(concat_ws(code, 'a', 'b', 'c', 'd'))) FROM ${long}`,
    `SELECT max(length(replace(code, 'x', 'xxxxxxxxxx'))) FROM ${long}`,
    `SELECT max(length(replace(code, 'x', code))) FROM ${long}`,
    `SELECT max(length(regexp_replace(code, 'x', 'xxxxxxxxxx', 'g'))) FROM ${long}`,
  ]) {
    t.match(await refusalOf(statement), { code: 'EVALUATION_TOO_LARGE' }, statement.slice(0, 80))
  }
  const fine = `SELECT max(code || '-' || concat(code, NULL, 'b')) || 'z', max(replace(code, 'J', 'jj')) FROM ${LEAF} GROUP BY code || 'x' HAVING max(code) || '' = 'JFK'`
  t.same((await ask(fine)).rows, [['JFK-JFKbz', 'jjFK']])
})
