/** SQLite as an engine of the suites, in this process. */
import type { CompiledQuery } from '@grainline/core'
import { sqlite } from '@grainline/dialect-sqlite'
import sqlite3, { type SQLiteValue } from 'node-sqlite3-wasm'
import { KINDS_OF_DATA, type Later } from '../../oracle/generate/later.js'
import { STORES, type Stores } from '../../oracle/storage.js'
import { type Answer, type Cell, namesInStatement } from '../../support/answers.js'
import type { Engine } from '../suites.js'

export async function openEngine(): Promise<Engine> {
  const database = new sqlite3.Database(':memory:')
  return {
    dialect: sqlite,
    holds: HOLDS,
    stores,
    load: async (statements) => database.exec(translated(statements)),
    ask: async (sql, columns) => askSqlite(database, sql, columns),
    close: async () => database.close(),
    // Features that SQLite lacks: time zones and regular expressions.
    refuses: ({ code, message }) =>
      (code === 'UNSUPPORTED_SQL_FEATURE' && message.startsWith('the time zone')) ||
      (code === 'UNSUPPORTED_FUNCTION' && message.includes("'regexp_")),
  }
}

/** A NaN that is written into a column becomes NULL. */
const HOLDS: ReadonlySet<Later> = new Set([...KINDS_OF_DATA].filter((kind) => kind !== 'specials'))

/** The types with their own affinity; a time is a text. */
const stores: Stores = {
  smallint: STORES.smallint,
  integer: STORES.integer,
  real: { made: 'FLOAT', said: { sqlType: 'float' } },
  numeric: STORES.numeric,
  nocase: { made: 'TEXT COLLATE NOCASE', said: { sqlType: 'TEXT', collation: 'NOCASE' } },
  moment: { made: 'TEXT', said: { sqlType: 'TIMESTAMP' } },
  instant: { made: 'TEXT', said: { sqlType: 'TIMESTAMP WITH TIME ZONE' } },
}

/** Dates and timestamps are texts in the form of the dialect; no table is declared with a type that converts texts to numbers. */
const translated = (statements: string): string =>
  statements
    .replace(/^CREATE OR REPLACE TABLE ("(?:[^"]|"")*")/gm, 'DROP TABLE IF EXISTS $1; CREATE TABLE $1')
    .replace(/\b(?:DATE|TIMESTAMP(?: WITH TIME ZONE)?) ('[^'+]*)(?:\+00)?'/g, "$1'")
    .replace(/('\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d*?)0+'/g, "$1'")
    .replace(/\b(?:TIMESTAMP( WITH TIME ZONE)?|DATE|JSON)\b(?=[,)])/gi, 'TEXT')

function askSqlite(database: sqlite3.Database, sql: string, columns: CompiledQuery['columns']): Answer {
  const rows = database.all(sql) as Record<string, SQLiteValue>[]
  const names = namesInStatement(columns)
  return {
    columns: names,
    rows: rows.map((row) => columns.map((column, i) => cellOf(row[names[i]!], column))),
  }
}

/** The cell as the value that it encodes. Throws if it has another kind than the plan says. */
function cellOf(cell: SQLiteValue | undefined, { name, type }: CompiledQuery['columns'][number]): Cell {
  if (cell === null) return null
  const number = typeof cell === 'bigint' || typeof cell === 'number'
  switch (type.kind) {
    case 'boolean':
      if (cell === 0 || cell === 1) return cell === 1
      break
    case 'int':
      if (typeof cell === 'bigint' || Number.isInteger(cell)) return String(cell)
      break
    case 'float':
      if (number) return Number(cell)
      break
    case 'decimal':
      if (number) return decimalText(cell, type.scale)
      break
    case 'timestamp_tz':
      return `${cell}+00`
    default:
      if (typeof cell === 'string') return cell
  }
  throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${typeof cell} ${cell}`)
}

function decimalText(cell: number | bigint, scale: number): string {
  const text = typeof cell === 'bigint' ? String(cell) : cell.toFixed(scale)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
