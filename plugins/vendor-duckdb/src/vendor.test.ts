import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type DataType, silentLogger } from '@grainline/core'
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  type ResultSchema,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type Value,
  type VendorConnection,
  valueAt,
} from '@grainline/core/vendor'
import t, { type Test } from 'tap'
import { type DuckDBOptions, defaultLimit, planOf } from './options.js'
import { duckdbVendor } from './vendor.js'

const NOTHING = { DUCKDB_DATABASE: undefined }

async function open(
  t: Test,
  options: DuckDBOptions = {},
  variables: Parameters<typeof planOf>[1] = NOTHING,
  poolSize = 2,
): Promise<VendorConnection> {
  const connection = await duckdbVendor(planOf(options, variables)).connect({ logger: silentLogger, poolSize })
  t.teardown(() => connection.close())
  return connection
}

async function rowsOf(connection: VendorConnection, sql: string, ...types: readonly DataType[]): Promise<Value[][]> {
  const schema: ResultSchema = types.map((type, index) => ({ name: `c${index}`, type, role: 'field' }))
  const rows: Value[][] = []
  for await (const { columns, rowCount } of connection.query(sql, { schema })) {
    for (let row = 0; row < rowCount; row++)
      rows.push(columns.map((column, index) => valueAt(column, row, types[index] ?? STRING)))
  }
  return rows
}

t.test('types of DuckDB are converted to the planned one if nothing is lost', async (t) => {
  const connection = await open(t)
  const huge = '99999999999999999999999999999999999999'
  const cases: readonly (readonly [string, DataType, Value])[] = [
    ['-7::TINYINT', INT, -7n],
    ['-300::SMALLINT', INT, -300n],
    ['-70000::INTEGER', INT, -70000n],
    ['255::UTINYINT', INT, 255n],
    ['65535::USMALLINT', INT, 65535n],
    ['4294967295::UINTEGER', INT, 4294967295n],
    ['9223372036854775807::UBIGINT', INT, 9223372036854775807n],
    ['-9223372036854775808::HUGEINT', INT, -9223372036854775808n],
    ['12.00::DECIMAL(10,2)', INT, 12n],
    ['3::DOUBLE', INT, 3n],
    ['-7::TINYINT', decimal(5, 2), '-7.00'],
    ['-42::BIGINT', decimal(19, 0), '-42'],
    ['18446744073709551615::UBIGINT', decimal(38, 0), '18446744073709551615'],
    [`${huge}::HUGEINT`, decimal(38, 0), huge],
    [`-${huge}::HUGEINT`, decimal(38, 0), `-${huge}`],
    ['1.5::DECIMAL(4,1)', decimal(10, 3), '1.500'],
    ['1.500::DECIMAL(9,3)', decimal(10, 1), '1.5'],
    ['-1.25::DECIMAL(18,2)', decimal(18, 2), '-1.25'],
    ['-1.25::DECIMAL(38,2)', decimal(38, 2), '-1.25'],
    ['12.34::DOUBLE', decimal(6, 2), '12.34'],
    ['-0.07::DOUBLE', decimal(6, 2), '-0.07'],
    ['-9999999999999.99::DOUBLE', decimal(15, 2), '-9999999999999.99'],
    ['90071992547409.94::DOUBLE', decimal(18, 2), '90071992547409.94'],
    ['1e20::DOUBLE', decimal(38, 2), '100000000000000000000.00'],
    ['0.1::DECIMAL(4,1)', FLOAT, 0.1],
    ['12345678901234567890.12::DECIMAL(38,2)', FLOAT, Number('12345678901234567890.12')],
    ['9007199254740993::BIGINT', FLOAT, 9007199254740992],
    ['1.5::FLOAT', FLOAT, 1.5],
    ["'NaN'::DOUBLE", FLOAT, Number.NaN],
    ["DATE '2024-02-29'", TIMESTAMP, '2024-02-29T00:00:00'],
    ["TIMESTAMP '1969-12-31 00:00:00'", DATE, '1969-12-31'],
    ["TIMESTAMP_S '2024-01-01 10:00:00'", TIMESTAMP, '2024-01-01T10:00:00'],
    ["TIMESTAMP_MS '1969-12-31 23:59:59.999'", TIMESTAMP, '1969-12-31T23:59:59.999'],
    ["TIMESTAMP_NS '2024-01-01 00:00:00.123456789'", TIMESTAMP, '2024-01-01T00:00:00.123456'],
    ["TIMESTAMP_NS '1969-12-31 23:59:59.9999995'", TIMESTAMP, '1970-01-01T00:00:00'],
    ["'infinity'::DATE", DATE, 'infinity'],
    ["'-infinity'::DATE", TIMESTAMP, '-infinity'],
    ["'infinity'::TIMESTAMP", DATE, 'infinity'],
    ["'-infinity'::TIMESTAMPTZ", TIMESTAMP_TZ, '-infinity'],
    ["TIME '00:00:00.000001'", TIME, '00:00:00.000001'],
    ["'b'::ENUM('a', 'b')", STRING, 'b'],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID", STRING, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ["'\\xDE\\xAD'::BLOB", STRING, '\\xdead'],
    ['42::INTEGER', STRING, '42'],
    ['[1, NULL, 3]', JSON_TYPE, '[1,null,3]'],
    [
      "{'a': 1.50::DECIMAL(4,2), 'b': [DATE '2024-01-01'], 'c': 9007199254740993}",
      JSON_TYPE,
      '{"a":1.50,"b":["2024-01-01"],"c":9007199254740993}',
    ],
    ["MAP {'k\"': true}", JSON_TYPE, '{"k\\"":true}'],
    ['NULL', DATE, null],
    ['NULL', BOOLEAN, null],
    ["'twelve by'", STRING, 'twelve by'],
    ["'twelve bytes'", STRING, 'twelve bytes'],
    ["'thirteen byte'", STRING, 'thirteen byte'],
    ["repeat('ä', 500000)", STRING, 'ä'.repeat(500_000)],
  ]
  for (const [expression, type, value] of cases)
    t.same(await rowsOf(connection, `SELECT ${expression}`, type), [[value]], `${expression.slice(0, 60)} as ${type.kind}`)
})

t.test('a value that the planned type cannot hold exactly is refused with the name of the column', async (t) => {
  const connection = await open(t)
  const cases: readonly (readonly [string, DataType])[] = [
    ['9223372036854775808::UBIGINT', INT],
    ['170141183460469231731687303715884105727::HUGEINT', INT],
    ['170141183460469231731687303715884105727::HUGEINT', decimal(38, 0)],
    ['-170141183460469231731687303715884105727::HUGEINT', decimal(38, 0)],
    ['1.5::DECIMAL(4,1)', INT],
    ['0.5::DOUBLE', INT],
    ['1.505::DECIMAL(9,3)', decimal(10, 2)],
    ['1000::INTEGER', decimal(3, 0)],
    ['0.1::DOUBLE + 0.2::DOUBLE', decimal(10, 2)],
    ["TIMESTAMP '2024-01-01 00:00:01'", DATE],
    ["TIMESTAMP '2024-01-01'", TIMESTAMP_TZ],
    ["TIMESTAMPTZ '2024-01-01 00:00:00+00'", TIMESTAMP],
    ["'12'", INT],
    ["'x'", BOOLEAN],
    ['1', BOOLEAN],
    ['true', FLOAT],
  ]
  for (const [expression, type] of cases) {
    await t.rejects(
      rowsOf(connection, `SELECT ${expression}`, type),
      { code: 'RESULT_TYPE_MISMATCH', path: 'c0' },
      `${expression} as ${type.kind}`,
    )
  }
  t.same(await rowsOf(connection, 'SELECT 1', INT), [[1n]])
})

t.test('long answers with NULLs keep every value in its row, also if chunks do not end at a byte', async (t) => {
  const connection = await open(t)
  const sql = `SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE i END, CASE WHEN i % 5 = 0 THEN NULL ELSE 'text ' || repeat('é', (i % 40)::INTEGER) END,
    CASE WHEN i % 7 = 0 THEN NULL ELSE i % 2 = 0 END, CASE WHEN i % 11 = 0 THEN NULL ELSE (i / 100)::DECIMAL(12,2) END
    FROM (SELECT range AS i FROM range(200000)) WHERE i % 13 <> 0 ORDER BY i`
  const rows = await rowsOf(connection, sql, INT, INT, STRING, BOOLEAN, decimal(12, 2))
  t.equal(rows.length, 200_000 - Math.ceil(200_000 / 13))
  const wrong = rows.find(([n, a, b, c, d]) => {
    const i = Number(n)
    const expected = [
      i % 3 === 0 ? null : BigInt(i),
      i % 5 === 0 ? null : `text ${'é'.repeat(i % 40)}`,
      i % 7 === 0 ? null : i % 2 === 0,
      i % 11 === 0 ? null : (i / 100).toFixed(2),
    ]
    return [a, b, c, d].some((value, index) => value !== expected[index])
  })
  t.equal(wrong, undefined)
})

t.test('NULL rows are zero in the returned buffers, whatever that memory contained', async (t) => {
  const connection = await open(t)
  const rare = 'CASE WHEN i % 50 = 7 THEN'
  const sql = `SELECT ${rare} i::BIGINT END, ${rare} i::DOUBLE END, ${rare} i::DECIMAL(20,2) END, ${rare} DATE '2000-01-01' + i::INTEGER END,
    ${rare} (TIMESTAMP '2000-01-01' + INTERVAL (i) DAY)::TIMESTAMP_S END, ${rare} i::HUGEINT::VARCHAR::FLOAT END FROM range(60000) AS t(i)`
  const schema = [INT, FLOAT, decimal(20, 2), DATE, TIMESTAMP, FLOAT].map(
    (type, index) => ({ name: `c${index}`, type, role: 'field' }) as const,
  )
  let seen = 0
  for await (const { columns, rowCount } of connection.query(sql, { schema })) {
    for (const column of columns) {
      if (column.kind === 'utf8' || column.kind === 'boolean') throw new Error('another kind')
      const perRow = column.kind === 'decimal128' ? 2 : 1
      for (let at = 0; at < rowCount * perRow; at++) {
        const isNull = ((column.validity![(at / perRow) >> 3]! >> ((at / perRow) & 7)) & 1) === 0
        if (isNull && Number(column.values[at]) !== 0) t.fail(`${column.kind} ${column.values[at]}`)
      }
    }
    seen += rowCount
  }
  t.equal(seen, 60_000)
})

t.test('strings from a table, a dictionary, a constant and in scattered order arrive complete', async (t) => {
  const connection = await open(t, {
    init: [
      "CREATE TABLE s AS SELECT range AS i, 'a long enough string ' || range % 50 AS few, 'another rather long string ' || range AS many FROM range(30000)",
    ],
  })
  const rows = await rowsOf(
    connection,
    "SELECT i, few, many, 'one constant text' FROM s ORDER BY hash(i)",
    INT,
    STRING,
    STRING,
    STRING,
  )
  t.equal(rows.length, 30_000)
  t.equal(
    rows.find(
      ([i, few, many, one]) =>
        few !== `a long enough string ${Number(i) % 50}` ||
        many !== `another rather long string ${i}` ||
        one !== 'one constant text',
    ),
    undefined,
  )
})

t.test('a few rows are the same, whether they are read at once or in parts', async (t) => {
  const connection = await open(t)
  const schema: ResultSchema = [
    { name: 'n', type: INT, role: 'field' },
    { name: 'text', type: STRING, role: 'field' },
    { name: 'share', type: FLOAT, role: 'field' },
  ]
  const read = async (limit: number, mostRows?: number) => {
    const sql = `SELECT n, CASE WHEN n % 3 = 0 THEN NULL ELSE repeat('é', n::INTEGER % 40) END, n / 7 FROM range(5000) AS r(n) LIMIT ${limit}`
    const rows: Value[][] = []
    for await (const { columns, rowCount } of connection.query(sql, { schema, ...(mostRows !== undefined && { mostRows }) })) {
      for (let row = 0; row < rowCount; row++) rows.push(columns.map((column, i) => valueAt(column, row, schema[i]!.type)))
    }
    return rows
  }
  for (const limit of [0, 1, 20, 2047, 2048, 2049]) {
    const found = await read(limit, limit)
    t.equal(found.length, limit)
    t.same(found, await read(limit), `${limit} rows`)
  }
})

t.test('an error or cancellation of a small answer is reported, and its connection can be used again', async (t) => {
  const connection = await open(t, {}, NOTHING, 1)
  const schema: ResultSchema = [{ name: 'n', type: INT, role: 'field' }]
  const run = async (sql: string, signal?: AbortSignal) => {
    let rows = 0
    for await (const batch of connection.query(sql, { schema, mostRows: 5, ...(signal && { signal }) })) rows += batch.rowCount
    return rows
  }
  await t.rejects(run("SELECT error('no such day')::BIGINT LIMIT 5"), { code: 'DATABASE_ERROR', message: /no such day/ })
  t.equal(await run('SELECT n FROM range(9) AS r(n) LIMIT 5'), 5)
  const controller = new AbortController()
  const endless = run('SELECT sum(a.n * b.n) FROM range(10000000) AS a(n), range(10000000) AS b(n) LIMIT 5', controller.signal)
  setImmediate(() => controller.abort(new Error('enough')))
  await t.rejects(endless, { message: 'enough' })
  t.equal(await run('SELECT n FROM range(9) AS r(n) LIMIT 5'), 5)
})

t.test('the first batch of a long answer arrives before the rest is computed', async (t) => {
  const connection = await open(t)
  const schema: ResultSchema = [{ name: 'n', type: INT, role: 'field' }]
  for await (const batch of connection.query('SELECT range FROM range(1000000)', { schema })) {
    t.ok(batch.rowCount <= 2048)
    break
  }
})

t.test('nothing outside of the configuration can be read or written', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'grainline-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const connection = await open(t, { init: ['CREATE TABLE kept AS SELECT 1 AS a'] })
  const refused = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_parquet('https://example.invalid/x.parquet')",
    `COPY (SELECT 1) TO '${folder}/x.csv'`,
    `ATTACH '${folder}/x.db'`,
    'INSTALL httpfs',
    'LOAD httpfs',
    'SET enable_external_access = true',
    "SET TimeZone = 'Asia/Tokyo'",
    'DROP TABLE kept',
    'INSERT INTO kept VALUES (2)',
    'SELECT 1; DROP TABLE kept',
    'EXPLAIN ANALYZE SELECT 1',
  ]
  for (const sql of refused) {
    await t.rejects(rowsOf(connection, sql, STRING), { code: 'DATABASE_ERROR' }, sql)
    await t.rejects(connection.explain(sql), `EXPLAIN ${sql}`)
  }
  t.same(await rowsOf(connection, 'SELECT a FROM kept', INT), [[1n]])
})

/** A Parquet, a CSV and a database file in a folder whose name needs quoting. */
async function files(t: Test): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'it\'s "data" '))
  t.teardown(() => rm(folder, { recursive: true }))
  const quoted = folder.replaceAll("'", "''")
  const init = [
    `COPY (SELECT range AS id, 'name ' || range AS name FROM range(3)) TO '${quoted}/part-1.parquet'`,
    `COPY (SELECT 9 AS id, 'nine' AS name) TO '${quoted}/part-2.parquet'`,
    `COPY (SELECT 1 AS a, 'x' AS b) TO '${quoted}/small.csv'`,
    `ATTACH '${quoted}/stored.duckdb' AS stored`,
    'CREATE TABLE stored.t AS SELECT 42 AS answer',
    'DETACH stored',
  ]
  const connection = await duckdbVendor(planOf({ init }, NOTHING)).connect({ logger: silentLogger, poolSize: 1 })
  await connection.close()
  return folder
}

t.test('tables of the configuration are views over files, from paths relative to its folder', async (t) => {
  const base = await files(t)
  const connection = await open(t, {
    base,
    tables: {
      one: 'part-1.parquet',
      'raw.all': ['part-1.parquet', 'part-2.parquet'],
      'shop.public.csv': './small.csv',
      'wild"card': 'part-*.parquet',
    },
  })
  t.same(await rowsOf(connection, 'SELECT count(*), max(name) FROM one', INT, STRING), [[3n, 'name 2']])
  t.same(await rowsOf(connection, 'SELECT count(*) FROM raw."all"', INT), [[4n]])
  t.same(await rowsOf(connection, 'SELECT a, b FROM shop.public.csv', INT, STRING), [[1n, 'x']])
  t.same(await rowsOf(connection, 'SELECT count(*) FROM "wild""card"', INT), [[4n]])
  await t.rejects(rowsOf(connection, "SELECT * FROM read_csv('/etc/passwd')", STRING), { code: 'DATABASE_ERROR' })
})

t.test('a file that init attaches can be read, and neither changed, detached nor attached by a statement', async (t) => {
  const base = await files(t)
  const file = path.join(base, 'stored.duckdb')
  const quoted = file.replaceAll("'", "''")
  for (const mode of ['', ' (READ_ONLY)']) {
    const before = readFileSync(file)
    const connection = await open(t, { init: [`ATTACH '${quoted}' AS stored${mode}`] })
    t.same(await rowsOf(connection, 'SELECT answer FROM stored.t', INT), [[42n]])
    const refused = [
      'INSERT INTO stored.t VALUES (1)',
      'CREATE TABLE stored.other AS SELECT 1',
      'DROP TABLE stored.t',
      'DETACH stored',
      `ATTACH '${quoted}' AS again`,
      `ATTACH '${quoted}.other' AS other`,
      `SELECT * FROM glob('${path.dirname(quoted)}/*')`,
      `SELECT * FROM read_csv('${path.dirname(quoted)}/small.csv')`,
    ]
    for (const sql of refused) await t.rejects(rowsOf(connection, sql, STRING), { code: 'DATABASE_ERROR' }, sql)
    t.same(await rowsOf(connection, 'SELECT answer FROM stored.t', INT), [[42n]])
    await connection.close()
    t.ok(before.equals(readFileSync(file)), 'the file is as it was')
  }
})

t.test('a table over a missing file or of an unknown format is refused by name', async (t) => {
  await t.rejects(async () => open(t, { base: tmpdir(), tables: { gone: 'no-such.parquet' } }), {
    code: 'INVALID_CONFIG',
    path: 'tables.gone',
  })
  t.throws(() => planOf({ tables: { odd: 'x.exe' } }, NOTHING), { code: 'INVALID_CONFIG', path: 'tables.odd' })
  t.throws(() => planOf({ tables: { 'a.b.c.d': 'x.parquet' } }, NOTHING), { code: 'INVALID_CONFIG' })
})

t.test('DUCKDB_DATABASE is used instead of the configured database, read-only by default', async (t) => {
  const base = await files(t)
  const file = path.join(base, 'stored.duckdb')
  const variables = { DUCKDB_DATABASE: file }
  const connection = await open(t, { base, tables: { one: 'part-1.parquet' } }, variables)
  const other = await open(t, {}, variables)
  t.same(await rowsOf(connection, 'SELECT answer FROM t', INT), [[42n]])
  t.same(await rowsOf(other, 'SELECT answer FROM t', INT), [[42n]])
  t.match(await connection.check('SELECT * FROM one'), { valid: false })
})

t.test('a missing database file is refused with its path, and is created only if it may be written', async (t) => {
  const base = await files(t)
  const file = path.join(base, 'none.duckdb')
  t.throws(() => planOf({}, { DUCKDB_DATABASE: file }), { code: 'INVALID_CONFIG', message: new RegExp(file) })
  t.throws(() => planOf({ base, database: 'none.duckdb' }, NOTHING), { code: 'INVALID_CONFIG', message: new RegExp(file) })
  t.notOk(existsSync(file))
  await open(t, {}, { DUCKDB_DATABASE: file, DUCKDB_READ_ONLY: false })
  t.ok(existsSync(file))
})

t.test('other processes read the file at the same time', async (t) => {
  const base = await files(t)
  const file = path.join(base, 'stored.duckdb')
  const connection = await open(t, {}, { DUCKDB_DATABASE: file })
  t.same(await rowsOf(connection, 'SELECT answer FROM t', INT), [[42n]])
  const reader = `const { DuckDBInstance } = require('@duckdb/node-api')
    DuckDBInstance.create(${JSON.stringify(file)}, { access_mode: 'READ_ONLY' }).then(async (instance) => {
      const read = await (await instance.connect()).runAndReadAll('SELECT answer FROM t')
      console.log(String(read.getRows()[0][0]))
    })`
  t.equal(execFileSync(process.execPath, ['-e', reader], { cwd: import.meta.dirname, encoding: 'utf8' }).trim(), '42')
})

t.test('memory and disk space are bounded, and the error names the setting', async (t) => {
  const setting = async (variables: object, name: string) =>
    rowsOf(await open(t, {}, { ...NOTHING, ...variables }), `SELECT current_setting('${name}')::VARCHAR`, STRING)
  const half = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 / 2 ** 30
  const [[given]] = (await setting({}, 'memory_limit')) as [[string]]
  t.ok(Number.parseFloat(given) <= half * (given.endsWith('GiB') ? 1 : 1024) + 0.1, `${given} of ${half} GiB`)
  t.same(
    [1, 2, 4, 32].map((gigabytes) => defaultLimit(gigabytes * 2 ** 30)),
    ['256MiB', '640MiB', '1664MiB', '16000MiB'],
  )
  t.same(await setting({ DUCKDB_THREADS: 3 }, 'threads'), [['3']])
  t.same(await setting({ DUCKDB_MEMORY_LIMIT: '100MiB' }, 'memory_limit'), [['100.0 MiB']])
  t.same(await setting({ DUCKDB_TEMP_LIMIT: '3MiB' }, 'max_temp_directory_size'), [['3.0 MiB']])
  const small = await open(t, {}, { ...NOTHING, DUCKDB_MEMORY_LIMIT: '64MiB', DUCKDB_TEMP_LIMIT: '1MB' })
  const much = 'SELECT len(list(range)) FROM range(20000000)'
  await t.rejects(rowsOf(small, much, INT), { code: 'STATEMENT_TOO_LARGE', details: { hint: /DUCKDB_MEMORY_LIMIT/ } })
  t.same(await rowsOf(small, 'SELECT 1', INT), [[1n]])
  const raised = await open(t, {}, { ...NOTHING, DUCKDB_MEMORY_LIMIT: '1GiB' })
  t.same(await rowsOf(raised, much, INT), [[20_000_000n]], 'the limit that the message names was raised')
})

t.test('a statement that makes the process grow beyond the limit of the engine is ended', async (t) => {
  const small = await open(t, {}, { ...NOTHING, DUCKDB_MEMORY_LIMIT: '64MiB' })
  const before = process.memoryUsage.rss()
  // The state of `mode` grows until the end of the table, so memory that earlier statements have left in the process is not enough for it.
  const grows = 'SELECT mode(range) FROM range(200000000)'
  const error = await rowsOf(small, grows, INT).then(
    () => undefined,
    (refused) => refused,
  )
  const grown = process.memoryUsage.rss() - before
  t.match(error, { code: 'STATEMENT_TOO_LARGE', details: { hint: /DUCKDB_MEMORY_LIMIT/ } })
  t.equal(error.cause, undefined, 'the engine itself has not noticed it')
  t.ok(grown < 512 * 2 ** 20, `${grown} bytes`)
  // The engine frees the state after its answer, and until then a statement may be ended for it.
  const one = async (): Promise<unknown> => rowsOf(small, 'SELECT 1', INT).catch(() => setTimeout(20).then(one))
  t.same(await one(), [[1n]])
})

t.test('tables beside a database file do not change the file', async (t) => {
  const base = await files(t)
  const connection = await open(t, { base, database: 'stored.duckdb', tables: { one: 'part-1.parquet' } })
  const both = 'SELECT (SELECT count(*) FROM one), (SELECT answer FROM t)'
  t.same(await Promise.all([1, 2, 3].map(() => rowsOf(connection, both, INT, INT))), Array(3).fill([[3n, 42n]]))
})

t.test('a connection is usable after more statements than it keeps prepared', async (t) => {
  const connection = await open(t, {}, NOTHING, 1)
  for (let i = 0; i < 150; i++) t.same(await rowsOf(connection, `SELECT ${i}`, INT), [[BigInt(i)]])
  t.same(await rowsOf(connection, 'SELECT 0', INT), [[0n]])
})

t.test('an overflow names the column, and an unknown function is refused by name', async (t) => {
  const connection = await open(t)
  const overflows = [
    'SELECT n * 2 FROM (SELECT 9223372036854775807 + range AS n FROM range(1))',
    'SELECT SUM(n * 1::DECIMAL(38, 0)) FROM (SELECT 99999999999999999999999999999999999999::DECIMAL(38, 0) AS n FROM range(2))',
    "SELECT n::BIGINT FROM (SELECT '1e300'::DOUBLE AS n)",
    'SELECT n::DECIMAL(4, 2) FROM (SELECT 1000::BIGINT + range AS n FROM range(1))',
  ]
  for (const sql of overflows) {
    const { code, status, path } = await rowsOf(connection, sql, INT).then(
      () => ({ code: 'none', status: 200, path: '' }),
      (error) => ({ code: error.code, status: error.status, path: error.details.path }),
    )
    t.same({ code, status, path }, { code: 'NUMERIC_OVERFLOW', status: 422, path: 'c0' }, sql)
  }
  await t.rejects(rowsOf(connection, "SELECT initcap('x')", STRING), { code: 'UNSUPPORTED_FUNCTION', message: /initcap/ })
})

t.test('a late error has the message of the engine', async (t) => {
  const connection = await open(t)
  const late = "SELECT CASE WHEN range < 200000 THEN range ELSE ('x' || range)::BIGINT END FROM range(300000)"
  await t.rejects(rowsOf(connection, late, INT), { code: 'DATABASE_ERROR', message: /Could not convert string 'x200000'/ })
  t.match(await connection.check('SELECT nothing_here'), { valid: false, message: /nothing_here/ })
})

t.test('functions that act on the engine or reveal other data are refused, and words in texts are accepted', async (t) => {
  const connection = await open(t, { init: ["CREATE TABLE query AS SELECT 'enable_logging' AS word"] })
  for (const source of [
    "enable_logging('QueryLog', storage := 'file', storage_path := '/nope')",
    "ENABLE_LOGGING('QueryLog')",
    `"enable_profiling"/* */ (save_location := '/tmp/nope.json')`,
    'system.main.duckdb_logs()',
    'duckdb_logs',
    'main."Duckdb_Logs"',
    'duckdb_settings()',
    "query('SELECT * FROM enable_' || 'logging()')",
    '(SELECT * FROM range(2) WHERE EXISTS (SELECT 1 FROM truncate_duckdb_logs()))',
    'range(2) AS r JOIN checkpoint() AS c ON true',
  ]) {
    const sql = `WITH a AS (SELECT 1 AS n FROM ${source}) SELECT n FROM a`
    await t.rejects(rowsOf(connection, sql, INT), { code: 'DATABASE_ERROR', message: /acts on the database system/ }, source)
    t.match(await connection.check(sql), { valid: false })
  }
  t.same(await rowsOf(connection, "SELECT word FROM query WHERE word = 'enable_logging'", STRING), [['enable_logging']])
  t.same(await rowsOf(connection, "SELECT current_setting('enable_logging')::VARCHAR", STRING), [['0']])
})

t.test('a table that is missing is one of another database, or has another name', async (t) => {
  const details = { hint: 'Correct its name, or name its database by DUCKDB_DATABASE.' }
  const connection = await open(t, { init: ['CREATE TABLE invoices AS SELECT 1 AS a'] })
  const asked = rowsOf(connection, 'SELECT a FROM invoice', STRING)
  await t.rejects(asked, {
    code: 'DATABASE_ERROR',
    message: "The database has no table 'invoice'; did you mean 'invoices'?",
    details,
  })
  const empty = await open(t)
  const found = { code: 'DATABASE_ERROR', message: "The database has no table 'invoice'", details }
  await t.rejects(rowsOf(empty, 'SELECT a FROM invoice', STRING), found, 'no table of the engine is meant')
})

t.test('foreign keys are listed, but not as enforced: two transactions at the same time break one', async (t) => {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const database = path.join(t.testdir(), 'keys.duckdb')
  const instance = await DuckDBInstance.create(database)
  const [one, other] = [await instance.connect(), await instance.connect()]
  await one.run('CREATE TABLE p (id INT PRIMARY KEY); INSERT INTO p VALUES (1); CREATE TABLE c (p INT REFERENCES p)')
  for (const writer of [one, other]) await writer.run('BEGIN; FROM p LIMIT 0')
  await one.run('INSERT INTO c VALUES (1)')
  await other.run('DELETE FROM p')
  for (const writer of [one, other]) await writer.run('COMMIT')
  one.closeSync()
  other.closeSync()
  instance.closeSync()
  const connection = await open(t, { database })
  t.same(await rowsOf(connection, 'SELECT c.p FROM c ANTI JOIN p ON c.p = p.id', INT), [[1n]])
  const [c] = (await connection.introspect?.()) ?? []
  t.same(c?.foreignKeys, [{ columns: ['p'], target: { schema: 'main', name: 'p' }, targetColumns: ['id'] }])
})
