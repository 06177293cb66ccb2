/**
 * The properties of the server: https://arrow.apache.org/docs/format/FlightSql.html. All codes are present, with the types that drivers expect, because
 * the JDBC driver fails on a missing code and on another type.
 */
import { VERSION } from '@grainline/core'
import type { ReferenceService } from '@grainline/core/surface'
import { type Data, makeData, type RecordBatch } from 'apache-arrow'
import { arrayOf, batchOfColumns } from './rows.js'
import { SCHEMAS, SQL_INFO_VALUE } from './schemas.js'

/** The positions in the union of values. */
const KIND = { text: 0, bool: 1, bigint: 2, int32: 3, texts: 4, conversions: 5 } as const

type Value =
  | readonly [kind: typeof KIND.text, value: string]
  | readonly [kind: typeof KIND.bool, value: boolean]
  | readonly [kind: typeof KIND.bigint, value: bigint]
  | readonly [kind: typeof KIND.int32, value: number]
  | readonly [kind: typeof KIND.texts, value: readonly string[]]
  | readonly [kind: typeof KIND.conversions, value: readonly (readonly [from: number, to: readonly number[]])[]]

type Info = readonly (readonly [code: number, value: Value])[]

const text = (value: string): Value => [KIND.text, value]
const bool = (value: boolean): Value => [KIND.bool, value]
const bigint = (value: number): Value => [KIND.bigint, BigInt(value)]
const int32 = (value: number): Value => [KIND.int32, value]
const texts = (value: readonly string[]): Value => [KIND.texts, value]
const each = (codes: readonly number[], value: Value): Info => codes.map((code) => [code, value])

/** The version of the Arrow format of the batches. */
const ARROW_VERSION = '21.0.0'
const UNSUPPORTED = int32(0)
const NO_LIMIT = bigint(0)
/** `SqlSupportedCaseSensitivity`: names match in any case unless that is ambiguous. */
const CASE_INSENSITIVE = bigint(1)
/** `SqlNullOrdering`: NULL comes last in both directions. */
const NULLS_AT_END = bigint(3)
const STATEMENT_CHARACTERS = 100_000

/** `SqlSupportsConvert`, for the supported types. */
const TYPE = { bigint: 0, bit: 2, date: 4, decimal: 5, float: 6, time: 15, timestamp: 16, varchar: 19 } as const
const NUMBERS = [TYPE.bigint, TYPE.decimal, TYPE.float]
const CONVERSIONS: Value = [
  KIND.conversions,
  [
    [TYPE.bigint, [...NUMBERS, TYPE.varchar]],
    [TYPE.bit, [TYPE.varchar]],
    [TYPE.date, [TYPE.timestamp, TYPE.varchar]],
    [TYPE.decimal, [...NUMBERS, TYPE.varchar]],
    [TYPE.float, [...NUMBERS, TYPE.varchar]],
    [TYPE.time, [TYPE.varchar]],
    [TYPE.timestamp, [TYPE.date, TYPE.varchar]],
    [TYPE.varchar, [...NUMBERS, TYPE.bit, TYPE.date, TYPE.time, TYPE.timestamp, TYPE.varchar]],
  ],
]

const server: Info = [
  [0, text('Grainline')],
  [1, text(VERSION)],
  [2, text(ARROW_VERSION)],
  [3, bool(true)], // read only
  [4, bool(true)], // SQL
  [5, bool(false)], // Substrait, so there are no versions (6, 7)
  [8, UNSUPPORTED], // transactions
  [9, bool(true)], // cancellation
  ...each([10, 11], bool(false)), // ingestion
  [101, int32(0)], // time-out of transactions
]

const KEYWORDS = ['CUBE', 'GROUPING', 'MEASURE', 'ROLLUP', 'QUALIFY']
const NUMERIC = [
  'abs',
  'ceil',
  'div',
  'exp',
  'floor',
  'greatest',
  'least',
  'ln',
  'log',
  'mod',
  'power',
  'round',
  'sign',
  'sqrt',
  'trunc',
]
const STRING = [
  ...[
    'concat',
    'ends_with',
    'length',
    'lower',
    'lpad',
    'ltrim',
    'position',
    'regexp_extract',
    'regexp_matches',
    'replace',
    'rpad',
  ],
  ...['rtrim', 'split_part', 'starts_with', 'substring', 'trim', 'upper'],
]
const SYSTEM = ['coalesce', 'nullif']
const DATETIME = ['current_date', 'date_add', 'date_diff', 'date_trunc', 'extract', 'last_day']

const syntax: Info = [
  ...each([500, 501, 502], bool(false)), // CREATE and DROP of catalogs, schemas, tables
  [503, CASE_INSENSITIVE],
  [504, text('"')],
  [505, CASE_INSENSITIVE],
  [506, bool(true)], // all tables are selectable
  [507, NULLS_AT_END],
  [508, texts(KEYWORDS)],
  [513, text('\\')],
  [514, text('')],
  ...each([515, 516], bool(true)), // aliases; NULL || text is NULL
  [517, CONVERSIONS],
  [518, bool(true)], // aliases of tables,
  [519, bool(false)], // which may equal the name of the table
  [520, bool(true)], // expressions in ORDER BY,
  [521, bool(true)], // also of what is not selected
  [522, int32(0b11)], // GROUP BY of what is not selected, and of less than is selected
  [523, bool(true)], // LIKE … ESCAPE is supported
  [524, bool(false)], // NOT NULL
  [525, int32(0b011)], // minimum and core grammar
  [526, int32(0b001)], // the entry level of SQL-92
  [527, bool(false)], // integrity enhancement
  [528, int32(2)], // outer joins, all of them
  [529, text('schema')],
  [530, text('')],
  [531, text('catalog')],
  [532, bool(true)], // a catalog is the first part of a name
  ...each([533, 534, 535], UNSUPPORTED), // schemas and catalogs in statements, positioned commands
  ...each([536, 537], bool(false)), // FOR UPDATE, stored procedures
  [538, int32(0b1111)], // subqueries in comparisons, EXISTS, IN and quantified ones
  [539, bool(false)], // which may not refer to the outer statement
  [540, int32(0b11)], // UNION, UNION ALL
]

const limits: Info = [
  ...each([541, 542, 543, 544, 545, 546, 547, 548, 549, 550, 551, 552, 553, 554, 555], NO_LIMIT),
  [556, bool(true)], // the row size, which has no limit, includes long values
  [557, bigint(STATEMENT_CHARACTERS)],
  ...each([558, 559, 560, 561], NO_LIMIT),
]

const transactions: Info = [
  [562, bigint(0)], // there is no transaction isolation
  [563, bool(false)],
  [564, UNSUPPORTED],
  ...each([565, 566], bool(false)),
  [567, int32(0b10)], // results are forward-only
  ...each([568, 569], int32(0b10)), // and read-only
  ...each([570, 571], UNSUPPORTED),
  ...each([572, 573, 574, 575, 576], bool(false)),
]

type Service = Pick<ReferenceService, 'dialects' | 'supportedBy'>

function infoOf(service: Service, statementMs: number): Info {
  const known = new Set(service.dialects().flatMap((dialect) => service.supportedBy(dialect).functions))
  const names = (wanted: readonly string[]): Value =>
    texts(wanted.filter((name) => known.has(name)).map((name) => name.toUpperCase()))
  const functions: Info = [
    [100, int32(Math.min(statementMs, 2 ** 31 - 1))], // the time until a prepared statement expires
    [509, names(NUMERIC)],
    [510, names(STRING)],
    [511, names(SYSTEM)],
    [512, names(DATETIME)],
  ]
  return [...server, ...syntax, ...limits, ...transactions, ...functions].toSorted(([a], [b]) => a - b)
}

/** The rows of `GetSqlInfo` for the requested codes, or all rows if none is requested. */
export function sqlInfoBatch(wanted: readonly number[], service: Service, statementMs: number): RecordBatch {
  const rows = infoOf(service, statementMs).filter(([code]) => wanted.length === 0 || wanted.includes(code))
  const typeIds = Int8Array.from(rows, ([, [kind]]) => kind)
  const taken = new Map<number, number>()
  const valueOffsets = Int32Array.from(typeIds, (kind) => next(taken, kind))
  const children = SQL_INFO_VALUE.children.map(({ type }, kind) => {
    const values = rows.flatMap(([, [own, value]]) => (own === kind ? [value] : []))
    if (kind === KIND.texts) return listData(type, values as readonly (readonly string[])[])
    if (kind === KIND.conversions) return mapData(type, values as readonly (readonly Conversion[])[])
    return arrayOf(type, values)
  })
  const union = makeData({ type: SQL_INFO_VALUE, length: rows.length, nullCount: 0, typeIds, valueOffsets, children })
  const codes = arrayOf(
    SCHEMAS.sqlInfo.fields[0]!.type,
    rows.map(([code]) => code),
  )
  return batchOfColumns(SCHEMAS.sqlInfo, [codes, union as Data], rows.length)
}

/** Counts a kind, and returns its previous count. */
function next(taken: Map<number, number>, kind: number): number {
  const count = taken.get(kind) ?? 0
  taken.set(kind, count + 1)
  return count
}

type Conversion = readonly [from: number, to: readonly number[]]
type ListType = Data['type'] & { readonly children: readonly { readonly type: Data['type'] }[] }

/** Builds a column of lists. */
function listData(type: Data['type'], lists: readonly (readonly unknown[])[], child?: Data): Data {
  let end = 0
  const valueOffsets = Int32Array.of(0, ...lists.map(({ length }) => (end += length)))
  const values = child ?? arrayOf((type as ListType).children[0]!.type, lists.flat())
  return makeData({ type: type as never, length: lists.length, nullCount: 0, valueOffsets, child: values as never }) as Data
}

function mapData(type: Data['type'], maps: readonly (readonly Conversion[])[]): Data {
  const entries = maps.flat()
  const struct = (type as ListType).children[0]!.type as ListType
  const [from, to] = struct.children.map((child) => child.type)
  const children = [
    arrayOf(
      from!,
      entries.map(([key]) => key),
    ),
    listData(
      to!,
      entries.map(([, list]) => list),
    ),
  ]
  const rows = makeData({ type: struct as never, length: entries.length, nullCount: 0, children: children as never }) as Data
  return listData(type, maps, rows)
}
