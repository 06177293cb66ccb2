/** Columns whose stored type differs from the declared one: which are converted, which are not, and which are refused. */
import t from 'tap'
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parsePhysicalType } from '../../core/src/model/physical-type.js'
import type { PhysicalColumn, PhysicalTypes, StoredTypes } from '../../core/src/model/stored-column.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { CompiledQuery } from '../../core/src/sql/compiled-query.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { clickhouse } from '../../plugins/dialect-clickhouse/src/index.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { mysql } from '../../plugins/dialect-mysql/src/index.js'
import { postgres } from '../../plugins/dialect-postgres/src/index.js'
import { sqlite } from '../../plugins/dialect-sqlite/src/index.js'
import { trino } from '../../plugins/dialect-trino/src/index.js'
import { compileFor, loadText, NOW } from '../support/compile.js'
import { database } from './database.js'

const MODEL = `
version: 1
dataObjects:
  Events:
    code: events
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Small: { code: small, abstractType: int }
      Cents: { code: cents, abstractType: float }
      Ratio: { code: ratio, abstractType: float }
      Mood: { code: mood, abstractType: string }
      Name: { code: name, abstractType: string }
      Day: { code: at, abstractType: date }
      Wall: { code: tz, abstractType: timestamp }
      Local Day: { code: tz, abstractType: date }
      Square: { expression: '{Small} * {Small}', abstractType: int }
      Rate: { expression: '{Cents} / {Small}', abstractType: float }
dimensions:
  Id: { dataObject: Events, column: Id }
  Small: { dataObject: Events, column: Small }
  Cents: { dataObject: Events, column: Cents }
  Cents Bin: { dataObject: Events, column: Cents, bins: { edges: [1, 10] } }
  Ratio: { dataObject: Events, column: Ratio }
  Mood: { dataObject: Events, column: Mood }
  Name: { dataObject: Events, column: Name }
  Day: { dataObject: Events, column: Day }
  Wall: { dataObject: Events, column: Wall }
  Local Day: { dataObject: Events, column: Local Day }
measures:
  Squares: { aggregation: sum, columns: [{ dataObject: Events, column: Square }] }
  Rates: { aggregation: sum, columns: [{ dataObject: Events, column: Rate }] }
  Ratios: { aggregation: sum, columns: [{ dataObject: Events, column: Ratio }] }
  First Mood: { aggregation: min, columns: [{ dataObject: Events, column: Mood }] }
  Smallest: { aggregation: min, columns: [{ dataObject: Events, column: Small }] }
  Names: { aggregation: count_distinct, columns: [{ dataObject: Events, column: Name }] }
  First Name: { aggregation: first, columns: [{ dataObject: Events, column: Name }], orderBy: [{ column: { dataObject: Events, column: Small } }] }
metrics:
  Product: { expression: '{[Smallest]} * {[Smallest]}' }
`
const model = loadText(MODEL)

const STORED: Readonly<Record<string, PhysicalColumn>> = {
  id: { sqlType: 'uuid' },
  small: { sqlType: 'smallint' },
  cents: { sqlType: 'integer' },
  ratio: { sqlType: 'real' },
  mood: { sqlType: "enum('sad', 'ok', 'happy')" },
  name: { sqlType: 'text', collation: 'nocase' },
  at: { sqlType: 'timestamp' },
  tz: { sqlType: 'timestamp with time zone' },
}

const knowing = (columns: Readonly<Record<string, PhysicalColumn>>): PhysicalTypes =>
  new Map([['Events', new Map(Object.entries(columns))]])

function compiled(
  query: unknown,
  storedTypes: StoredTypes = knowing(STORED),
  dialect: Dialect = duckdb,
  of = model,
): CompiledQuery {
  return compile(parseQuery(query), of, {
    dialect,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes,
  })
}
const where = (field: string, op: string, value: unknown, physical?: PhysicalTypes, dialect?: Dialect): string =>
  compiled({ select: { measures: ['Events Count'] }, where: [{ field, op, value }] }, physical, dialect)
    .sql.split('WHERE ')[1]!
    .split('\nLIMIT')[0]!

t.test('the type names of databases are recognized', async (t) => {
  const kinds: Readonly<Record<string, string | undefined>> = {
    'character varying(40)': 'text',
    'character(3)': 'padded',
    'double precision': 'double',
    'timestamp(3) with time zone': 'timestamp_tz',
    'Nullable(UUID)': 'uuid',
    'LowCardinality(Nullable(String))': 'text',
    "DateTime64(6, 'UTC')": 'timestamp',
    "DateTime64(3, 'Europe/Berlin')": 'timestamp_tz',
    "Nullable(DateTime('Asia/Tokyo'))": 'timestamp_tz',
    'int(11) unsigned': 'integer',
    'INTEGER[]': 'list',
    'STRUCT(a INTEGER)': 'list',
    'extensions.citext': 'folded',
    'tinyint(1)': 'integer',
    geometry: undefined,
  }
  for (const [name, kind] of Object.entries(kinds)) t.equal(parsePhysicalType(name)?.kind, kind, name)
  t.same(parsePhysicalType("enum mood ('sad', 'it''s', 'a,b')")?.labels, ['sad', "it's", 'a,b'])
  t.match(parsePhysicalType('NUMBER(38,0)'), { kind: 'decimal', precision: 38, scale: 0 })
})

t.test('a column is converted before any expression reads it', async (t) => {
  const of = (query: object) => compiled(query).sql
  t.match(of({ select: { measures: ['Squares'] } }), 'SUM(CAST("events"."small" AS BIGINT) * "events"."small")')
  t.match(of({ select: { measures: ['Rates'] } }), 'SUM(CAST("events"."cents" AS DOUBLE) / NULLIF("events"."small", 0))')
  t.match(of({ select: { measures: ['Ratios'] } }), 'SUM(CAST("events"."ratio" AS DOUBLE))')
  t.match(of({ select: { measures: ['First Mood'] } }), 'MIN(CAST("events"."mood" AS VARCHAR))')
  t.match(of({ select: { measures: ['Names'] } }), 'COUNT(DISTINCT "events"."name" COLLATE C)')
  t.match(of({ select: { dimensions: ['Id'] } }), 'SELECT DISTINCT CAST("events"."id" AS VARCHAR)')
  t.match(of({ select: { dimensions: ['Local Day'] }, timezone: 'Asia/Tokyo' }), "AT TIME ZONE 'Asia/Tokyo'")
  t.match(of({ select: { dimensions: ['Wall'] }, timezone: 'Asia/Tokyo' }), "AT TIME ZONE 'UTC'")
  t.match(compiled({ select: { measures: ['Product'] } }).sql, 'CAST(MIN("events"."small") AS BIGINT)')
})

t.test('type names with another meaning on an engine', (t) => {
  const wall = (physical: PhysicalTypes | undefined, dialect: Dialect) =>
    compiled({ select: { dimensions: ['Wall'] }, timezone: 'Asia/Tokyo' }, physical, dialect).sql.split('\n')[0]
  const day = (physical: PhysicalTypes | undefined, dialect: Dialect) =>
    compiled({ select: { dimensions: ['Local Day'] }, timezone: 'Asia/Tokyo' }, physical, dialect).sql.split('\n')[0]
  const stamp = knowing({ tz: { sqlType: 'timestamp(6)' } })
  t.match(
    wall(stamp, mysql),
    'CAST(`events`.`tz` AS DATETIME(6))',
    'a TIMESTAMP of MySQL is an instant, read without its zone tables',
  )
  t.match(day(stamp, mysql), "CAST(CONVERT_TZ(`events`.`tz`, '+00:00', 'Asia/Tokyo') AS DATE)")
  t.match(wall(knowing({ tz: { sqlType: 'datetime(6)' } }), mysql), 'SELECT DISTINCT `events`.`tz` AS')
  t.match(day(knowing({}), sqlite), 'SUBSTR("events"."tz", 1, 10)', 'where nothing is known, a time may stand for a date')
  const zoned = knowing({ tz: { sqlType: "DateTime64(3, 'Europe/Berlin')" } })
  t.match(wall(zoned, clickhouse), 'toDateTime64(toString(toTimeZone("events"."tz", \'UTC\')), 6, \'UTC\')')
  t.end()
})

t.test('an integer that is only selected, compared or counted is not converted', async (t) => {
  const { sql } = compiled({
    select: { dimensions: ['Small'], measures: ['Smallest'] },
    where: [{ field: 'Small', op: '>', value: 2 }],
  })
  t.notMatch(sql, 'CAST')
})

t.test('GROUPING names the key as it is grouped, in a subquery and in the outermost SELECT', async (t) => {
  const { connection } = await database(
    'CREATE TABLE events (id UUID, small SMALLINT, cents INTEGER, ratio REAL, mood VARCHAR, name VARCHAR, "at" TIMESTAMP, tz TIMESTAMPTZ)',
    'INSERT INTO events (small, mood) VALUES (1, NULL), (1, NULL), (2, NULL)',
  )
  const select = { dimensions: ['Small', 'Cents Bin'], measures: ['Events Count'] }
  const totals = [
    [1, 2],
    [2, 1],
    [null, 3],
  ]
  for (const limit of [undefined, 50]) {
    const { sql } = compiled({ select, grouping: 'rollup', ...(limit && { limit }) })
    t.match(sql, /GROUPING\(/)
    const rows = (await connection.runAndReadAll(sql)).getRows().filter((row) => row[4] === true)
    t.same(rows.map((row) => [row[0] === null ? null : Number(row[0]), Number(row[2])]).sort(), totals.sort())
  }
})

t.test('a predicate reads the column without a conversion if a conversion cannot change its outcome', async (t) => {
  const id = '6f1c2b1e-0000-4000-8000-00000000000a'
  t.equal(where('Id', '=', id), `"events"."id" = '${id}'`)
  t.equal(where('Id', 'in', [id, id]), `"events"."id" IN ('${id}', '${id}')`)
  t.equal(where('Id', '=', id.toUpperCase()), `CAST("events"."id" AS VARCHAR) = '${id.toUpperCase()}'`)
  // Trino compares no UUID with a text.
  for (const op of ['=', 'neq']) t.match(where('Id', op, id, knowing(STORED), trino), `CAST("events"."id" AS VARCHAR)`)
  t.match(where('Id', 'in', [id, id], knowing(STORED), trino), `CAST("events"."id" AS VARCHAR) IN`)
  t.equal(where('Mood', '=', 'happy'), `"events"."mood" = 'happy'`)
  t.equal(where('Mood', '=', 'Happy'), `CAST("events"."mood" AS VARCHAR) = 'Happy'`)
  t.equal(where('Mood', '<', 'happy'), `"events"."mood" < 'happy'`.replace('"events"."mood"', 'CAST("events"."mood" AS VARCHAR)'))
  t.equal(where('Cents', '>=', 100), '"events"."cents" >= 100')
  t.equal(where('Cents', '=', 1.5), 'CAST("events"."cents" AS DOUBLE) = 1.5')
  t.equal(where('Ratio', '=', 0.5), '"events"."ratio" = 0.5')
  t.equal(where('Ratio', '=', 0.1), 'CAST("events"."ratio" AS DOUBLE) = 0.1')
  t.equal(where('Name', '=', 'a'), `"events"."name" COLLATE C = 'a'`)
  t.equal(where('Id', 'is_null', undefined), '"events"."id" IS NULL')
})

t.test('a filter on a day of timestamps is a range of the column', async (t) => {
  const range = (op: string) => where('Day', op, '2024-02-29').replaceAll('"events"."at"', 'x').replaceAll('TIMESTAMP ', '')
  t.equal(range('='), "x >= '2024-02-29 00:00:00'\n  AND x < '2024-03-01 00:00:00'".replace('\n  ', ' '))
  t.equal(range('<='), "x < '2024-03-01 00:00:00'")
  t.equal(range('>'), "x >= '2024-03-01 00:00:00'")
  const instants = where('Local Day', '=', '2024-02-29')
  t.match(instants, `"events"."tz" >= (TIMESTAMP '2024-02-28 00:00:00' AT TIME ZONE 'UTC')`)
  t.match(instants, `CAST(("events"."tz" AT TIME ZONE 'UTC') AS DATE) = DATE '2024-02-29'`)
  t.equal(where('Day', '<=', '9999-12-31'), `CAST("events"."at" AS DATE) <= DATE '9999-12-31'`)
})

t.test('if declarations are not believed, a harmless cast is made', async (t) => {
  const query = { select: { dimensions: ['Id'], measures: ['Ratios', 'Squares'] } }
  const { sql, explain, unchecked_columns } = compiled(query, 'unknown')
  t.equal(compiled(query, new Map()).sql, sql, 'a database that says nothing of a column is not believed')
  t.match(sql, 'CAST("events"."id" AS VARCHAR)')
  t.match(sql, 'SUM(CAST("events"."ratio" AS DOUBLE))')
  t.match(explain().stored_columns, [
    { column: 'Events.Id', stored: null },
    { column: 'Events.Ratio' },
    { column: 'Events.Small' },
  ])
  t.same(unchecked_columns, [], 'nothing was believed')
})

t.test('a believed declaration is read as it is, and named', async (t) => {
  const query = { select: { dimensions: ['Id'], measures: ['Ratios', 'Squares'] } }
  const { sql, explain, unchecked_columns } = compiled(query, 'declared')
  t.notMatch(sql, 'CAST("events"')
  t.same(unchecked_columns, ['Events.Id', 'Events.Ratio', 'Events.Small'])
  t.match(explain().stored_columns, [
    { column: 'Events.Id', declared: 'string', stored: null },
    { column: 'Events.Ratio', stored: null },
    { column: 'Events.Small', stored: null },
  ])
})

t.test('conversions are explained, and a date over timestamps causes one warning', async (t) => {
  const { explain, warnings } = compiled({
    select: { dimensions: ['Day'], measures: ['Events Count'] },
    where: [{ field: 'Day', op: '>', value: '2024-01-01' }],
  })
  t.same(explain().stored_columns, [{ column: 'Events.Day', declared: 'date', stored: 'timestamp', collation: null }])
  t.match(warnings, [{ code: 'DATE_OVER_TIMESTAMP', context: { column: 'Events.Day' } }])
  t.equal(warnings.length, 1)
  const declared = loadText(
    MODEL.replace('Day: { code: at, abstractType: date }', 'Day: { code: at, abstractType: timestamp }').replace(
      'Day: { dataObject: Events, column: Day }',
      'Day: { dataObject: Events, column: Day, timeGrain: day }',
    ),
  )
  const query = { select: { dimensions: ['Day'], measures: ['Events Count'] } }
  t.same(compiled(query, undefined, undefined, declared).warnings, [], 'declared as the type that it has, by day')
})

t.test('a stored type that cannot be converted to the declared one is refused by name', async (t) => {
  const refused = (field: string, sqlType: string, dialect?: Dialect) => {
    const code = { Id: 'id', Small: 'small', Cents: 'cents', Day: 'at', Wall: 'tz' }[field]!
    const ask = () => compiled({ select: { dimensions: [field] } }, knowing({ ...STORED, [code]: { sqlType } }), dialect)
    return t.throws(ask, {
      code: 'TYPE_MISMATCH',
      message: new RegExp(`'Events.${field}' is declared .* stores it as ${sqlType}`),
    })
  }
  refused('Small', 'text')
  refused('Small', 'double precision')
  refused('Cents', 'character varying')
  refused('Day', 'text', postgres)
  refused('Wall', 'time')
  refused('Id', 'bytea', postgres)
  refused('Id', 'integer')
})

t.test('a collation is replaced by comparison of code points, or causes a warning', async (t) => {
  const query = { select: { dimensions: ['Name'] } }
  t.match(compiled(query, undefined, postgres).sql, '"events"."name" COLLATE "C"')
  t.match(compiled(query, knowing(STORED), trino).warnings, [{ code: 'INEXACT_COLLATION' }])
  t.same(compiled(query, knowing(STORED), mysql).warnings, [], 'every text is collated there')
  const exact = knowing({ ...STORED, name: { sqlType: 'varchar' } })
  t.same(compiled(query, exact, trino).warnings, [], 'with a collation by code point')
})

t.test(
  'a value of a collated column has the collation of the database, as MIN of it has: PostgreSQL refuses a UNION of two',
  (t) => {
    const found = (measure: string): string =>
      compiled(
        { select: { dimensions: ['Small'], measures: [measure] }, grouping: 'rollup', fill_gaps: false },
        undefined,
        postgres,
      ).sql
    t.match(found('First Name'), /"name" COLLATE "C" END IS NOT NULL\)\)\[1\] COLLATE "default" AS/)
    t.match(found('First Mood'), /COLLATE "C"\) COLLATE "default" AS/)
    const exact = knowing({ ...STORED, name: { sqlType: 'text' } })
    t.notMatch(compiled({ select: { measures: ['First Name'] } }, exact, postgres).sql, /COLLATE "default"/)
    t.end()
  },
)

t.test('a day of a timestamp that is declared a date, and the column itself, are two keys of subtotals', async (t) => {
  const { rows } = await database(
    'CREATE TABLE events (id VARCHAR, "at" TIMESTAMP)',
    "INSERT INTO events VALUES ('a', TIMESTAMP '2024-01-01 10:00:00'), ('b', TIMESTAMP '2024-01-01 11:00:00'), ('c', NULL)",
  )
  const query = { select: { dimensions: ['Day', 'Day:day'], measures: ['Events Count'] }, grouping: 'cube' }
  t.same((await rows(compiled(query, knowing({ at: { sqlType: 'timestamp' } })).sql)).map(String).toSorted(), [
    ',,1,false,false',
    ',,1,false,true',
    ',,1,true,false',
    ',,3,true,true',
    ',2024-01-01,2,true,false',
    '2024-01-01,,2,false,true',
    '2024-01-01,2024-01-01,2,false,false',
  ])
})

t.test('statistics of row groups can be used if the column is not converted', async (t) => {
  const { connection } = await database(
    `CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')`,
    `CREATE TABLE events AS SELECT uuid() AS id, CAST(i % 100 AS SMALLINT) AS small, CAST(i AS INTEGER) AS cents, CAST(i / 4 AS REAL) AS ratio,
      CAST('sad' AS mood) AS mood, 'a' AS name, TIMESTAMP '2020-01-01' + INTERVAL (i) MINUTE AS at, CAST(TIMESTAMP '2020-01-01' AS TIMESTAMPTZ) AS tz
      FROM range(300000) r(i)`,
  )
  const scanned = async (field: string, op: string, value: unknown): Promise<string> => {
    const { sql } = compiled({ select: { measures: ['Events Count'] }, where: [{ field, op, value }] })
    const [row] = (await connection.runAndReadAll(`EXPLAIN ${sql}`)).getRows()
    return String(row?.[1]).replace(/[│\s]+/g, ' ')
  }
  const filters: readonly (readonly [string, string, unknown, string])[] = [
    ['Day', '=', '2020-03-01', 'at>='],
    ['Cents', '<', 10, 'cents<10'],
    ['Ratio', '<', 2, 'ratio<2'],
    ['Small', '=', 3, 'small=3'],
    ['Id', '=', '6f1c2b1e-0000-4000-8000-00000000000a', 'id='],
  ]
  for (const [field, op, value, pushed] of filters) {
    const plan = await scanned(field, op, value)
    t.ok(/Filters: /.test(plan) && plan.includes(pushed), `${field}: ${plan}`)
  }
})

t.test('a double is converted to a decimal from its shortest digits, rounded half away from zero', async (t) => {
  const { rows } = await database(
    'CREATE TABLE halves AS SELECT * FROM (VALUES (1, 1.005e0), (2, -1.005e0), (3, 2.675e0), (4, 1e15), (5, 0.1e0)) v(id, x)',
  )
  const halves = loadText(`
version: 1
dataObjects: { Halves: { code: halves, columns: { Id: { code: id, abstractType: int, primaryKey: true }, X: { code: x, abstractType: float } } } }
measures:
  Cast: { aggregation: sum, columns: [{ dataObject: Halves, column: X }], dataType: 'decimal(20, 2)' }
  Rounded: { aggregation: sum, expression: 'round({[Halves].[X]}, 2)' }
dimensions: { Id: { dataObject: Halves, column: Id } }
`)
  const answer = await rows(
    compileFor({ select: { dimensions: ['Id'], measures: ['Cast'] }, order_by: [{ field: 'Id' }] }, halves).sql,
  )
  t.same(
    answer.map(([, x]) => x),
    ['1.01', '-1.01', '2.68', '1000000000000000', '0.1'],
  )
  // The limit that docs/engines.md describes: rounding to a double rounds the stored value.
  t.same(await rows(compileFor({ select: { measures: ['Rounded'] }, where: [{ field: 'Id', op: '=', value: 1 }] }, halves).sql), [
    [1],
  ])
})
