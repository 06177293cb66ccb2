/** DuckDB with the rows of one case at a time, and its answers as values of the oracle. */
import {
  type DuckDBConnection,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
} from '@duckdb/node-api'
import { arraysOf } from './generate/data.js'
import type { ModelJson, ObjectJson, PlainRow, Tables } from './model.js'
import { FLAGS, STORES, type Stores, storageOf } from './storage.js'
import { Day, Dec, int, Moment, type Value } from './values.js'
import { kindOf } from './world.js'

export interface Engine {
  /** Replaces the tables of the model by these rows. */
  readonly load: (model: ModelJson, data: Tables) => Promise<void>
  readonly query: (sql: string) => Promise<{
    readonly columns: readonly string[]
    readonly types: readonly string[]
    readonly rows: readonly (readonly Value[])[]
  }>
  readonly close: () => void
}

export async function openEngine(): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  // As in our own vendor, which has the reason.
  await connection.run("SET GLOBAL disabled_optimizers = 'common_subplan'")
  const query: Engine['query'] = async (sql) => {
    const reader = await read(connection, sql)
    const types = reader.columnTypes()
    return {
      columns: reader.columnNames(),
      types: types.map(String),
      rows: reader.getRows().map((row) => row.map((v, i) => oracleValue(v, types[i]!.typeId))),
    }
  }
  const load: Engine['load'] = async (model, data) => {
    await connection.run(loadStatements(model, data))
  }
  return { load, query, close: () => connection.closeSync() }
}

/**
 * A failed assertion of DuckDB's optimizer (1.5.5: outer joins under several `a IS NULL OR b IS NOT NULL`, about one case in 15,000) is no
 * fault of the statement: it runs again without the optimizer, and its answer is compared like any other.
 */
async function read(connection: DuckDBConnection, sql: string) {
  try {
    return await connection.runAndReadAll(sql)
  } catch (error) {
    if (!(error as Error).message.startsWith('INTERNAL Error')) throw error
    await connection.run('PRAGMA disable_optimizer')
    try {
      return await connection.runAndReadAll(sql)
    } finally {
      await connection.run('PRAGMA enable_optimizer')
    }
  }
}

/** `stores`: the storage types of the loaded engine. */
export function loadStatements(model: ModelJson, data: Tables, stores: Stores = STORES): string {
  return Object.entries(model.dataObjects)
    .filter(([, object]) => !object.nestedIn && !object.closure)
    .flatMap(([name, object]) => {
      const columns = storedColumns(model, name, stores)
      return [createTable(object, columns), ...insertRows(object, columns, data[name] ?? [])]
    })
    .join(';\n')
}

const SQL_TYPES = {
  string: 'VARCHAR',
  boolean: 'BOOLEAN',
  int: 'BIGINT',
  float: 'DOUBLE',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
}

/** A column of a table, or a field of an element. */
interface Stored {
  readonly name: string
  readonly code: string
  readonly type: string
}

const storedColumns = (model: ModelJson, object: string, stores: Stores): Stored[] =>
  Object.entries(model.dataObjects[object]!.columns).flatMap(([name, c]) =>
    c.code === undefined || c.code === '#' ? [] : [{ name, code: c.code!, type: typeOf(model, object, name, stores) }],
  )

function typeOf(model: ModelJson, object: string, column: string, stores: Stores): string {
  const definition = model.dataObjects[object]!.columns[column]!
  const stored = storageOf(definition)
  const type = stored && (FLAGS[stored.storage] ? STORES : stores)[stored.storage]
  if (type) return type.made
  if (definition.abstractType === 'timestamp_tz') return 'TIMESTAMP WITH TIME ZONE'
  const kind = kindOf(definition)
  if (kind === 'decimal') return definition.sqlType!
  if (definition.abstractType !== 'json') return SQL_TYPES[kind as keyof typeof SQL_TYPES]
  const elements = arraysOf(model, object).find(([array]) => array === column)
  if (!elements || definition.sqlType === 'json') return 'JSON'
  const fields = storedColumns(model, elements[1], stores)
  if (fields[0]?.code === '*') return `${fields[0].type}[]`
  return `STRUCT(${fields.map((f) => `${quoted(f.code)} ${f.type}`).join(', ')})[]`
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const createTable = ({ code }: ObjectJson, columns: readonly Stored[]): string =>
  `CREATE OR REPLACE TABLE ${quoted(code)} (${columns.map((c) => `${quoted(c.code)} ${c.type}`).join(', ')})`

function insertRows({ code }: ObjectJson, columns: readonly Stored[], rows: Tables[string]): string[] {
  if (rows.length === 0) return []
  const values = rows.map((r) => `(${columns.map((c) => literal(r[c.name] ?? null, c.type)).join(', ')})`)
  return [`INSERT INTO ${quoted(code)} VALUES ${values.join(', ')}`]
}

function literal(value: PlainRow[string], type: string): string {
  if (Array.isArray(value)) {
    const json = text(JSON.stringify(value))
    return type === 'JSON' ? json : `CAST(CAST(${json} AS JSON) AS ${type})`
  }
  if (value !== null && type === 'JSON') return text(JSON.stringify(value))
  if (typeof value === 'number') return number(value)
  if (typeof value === 'boolean' && type === STORES.letter.made) return value ? "'Y'" : "'N'"
  if (typeof value === 'boolean' && type === STORES.digit.made) return value ? '2' : '0'
  return value === null ? 'NULL' : typeof value === 'string' ? text(value) : String(value)
}

/** NaN and the infinities have no number literal, and a literal has no negative zero. */
function number(value: number): string {
  const written = Object.is(value, -0) ? '-0' : String(value)
  return Number.isFinite(value) && written !== '-0' ? written : text(written)
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

function oracleValue(value: unknown, type: DuckDBTypeId): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return int(value)
  if (typeof value === 'number') return type === DuckDBTypeId.DOUBLE || type === DuckDBTypeId.FLOAT ? value : int(value)
  if (value instanceof DuckDBDecimalValue) return new Dec(value.value, value.scale)
  if (value instanceof DuckDBDateValue) return new Day(value.days)
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return new Moment(Number(value.micros))
  throw new Error(`the oracle has no value for a ${DuckDBTypeId[type]}`)
}
