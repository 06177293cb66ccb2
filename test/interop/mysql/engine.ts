/** MySQL and MariaDB as engines of the suites. */
import type { CompiledQuery } from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import mysql from 'mysql2/promise'
import { KINDS_OF_DATA, type Later } from '../../oracle/generate/later.js'
import { STORES, type Stores } from '../../oracle/storage.js'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import type { Engine } from '../suites.js'
import { type Kind, type Server, startServer } from './server.js'

/** A new server with one client that writes as DuckDB does and one that reads as the vendor does. */
export async function openEngine(kind: Kind, dialect: Dialect): Promise<(Engine & Pick<Server, 'socket'>) | string> {
  const server = await startServer(kind)
  if (typeof server === 'string') return server
  const options = { socketPath: server.socket, user: 'root', charset: 'utf8mb4' }
  const loader = await mysql.createConnection({ ...options, multipleStatements: true })
  await loader.query("CREATE DATABASE shop; USE shop; SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'")
  const asker = await mysql.createConnection({
    ...options,
    database: 'shop',
    rowsAsArray: true,
    typeCast: (field) => field.string(),
  })
  await asker.query("SET time_zone = '+00:00', group_concat_max_len = 4294967295")
  if (kind === 'mariadb') await asker.query("SET optimizer_switch = 'subquery_cache=off'")
  return {
    dialect,
    socket: server.socket,
    holds: HOLDS,
    beyond: new Set<Later>(['shown']),
    stores: storesOf(kind),
    async load(statements) {
      // In-memory tables are created ten times as fast, but cannot contain JSON.
      const storage = / JSON\b/i.test(statements) ? 'InnoDB' : 'MEMORY'
      await loader.query(`SET default_storage_engine = ${storage}; ${translated(statements)}`)
    },
    ask: (sql, columns) => askMysql(asker, sql, columns),
    async close() {
      await Promise.all([loader.end(), asker.end()])
      await server.stop()
    },
  }
}

/** No double of these engines is NaN or infinite, and instants of the year 9999 are not converted between zones (`far-instants.test.ts`). */
const HOLDS: ReadonlySet<Later> = new Set([...KINDS_OF_DATA].filter((kind) => kind !== 'specials' && kind !== 'forever'))

const asMade = (made: string) => ({ made, said: { sqlType: made.toLowerCase() } })
/** REAL is a double here. A DATETIME is a local time without zone, a TIMESTAMP an instant. */
const storesOf = (kind: Kind): Stores => ({
  smallint: asMade('SMALLINT'),
  integer: { made: 'INTEGER', said: { sqlType: 'int' } },
  real: asMade('FLOAT'),
  numeric: asMade('DECIMAL(10,2)'),
  uuid: asMade(kind === 'mysql' ? 'CHAR(36)' : 'UUID'),
  enum: {
    made: `${STORES.enum.made} COLLATE ${kind === 'mysql' ? 'utf8mb4_0900_bin' : 'utf8mb4_nopad_bin'}`,
    said: STORES.enum.said,
  },
  nocase: {
    made: 'VARCHAR(80) COLLATE utf8mb4_general_ci',
    said: { sqlType: 'varchar(80)', collation: 'utf8mb4_general_ci' },
  },
  moment: asMade('DATETIME(6)'),
  instant: { made: 'TIMESTAMP(6) NULL', said: { sqlType: 'timestamp(6)' } },
})

/** A TIMESTAMP of these engines ends in 2038 and is converted between zones. */
const translated = (statements: string): string =>
  statements
    .replace(/^CREATE OR REPLACE TABLE ("(?:[^"]|"")*")/gm, 'DROP TABLE IF EXISTS $1; CREATE TABLE $1')
    .replace(/\bTIMESTAMP WITH TIME ZONE '([^'+]+)\+00'/g, "TIMESTAMP '$1'")
    .replace(/\bTIMESTAMP( WITH TIME ZONE)?\b(?! '|\()/gi, 'DATETIME(6)')
    .replace(/\bVARCHAR\b(?!\()/g, 'VARCHAR(80)')

/** The types with which a value of each planned type may arrive, by the numbers of the protocol. */
const ARRIVES_AS: Readonly<Record<string, readonly number[]>> = {
  string: [252, 253, 254, 251, 250],
  boolean: [1, 2, 3, 8, 9],
  int: [1, 2, 3, 8, 9, 246],
  float: [5],
  decimal: [246, 8, 3, 2, 1],
  date: [10],
  time: [11],
  timestamp: [12],
  timestamp_tz: [12],
  json: [245, 252, 253, 254],
}

async function askMysql(connection: mysql.Connection, sql: string, columns: CompiledQuery['columns']): Promise<Answer> {
  const [rows, fields] = (await connection.query(sql)) as unknown as [(string | null)[][], mysql.FieldPacket[]]
  const misfit = columns.findIndex(({ type }, i) => !ARRIVES_AS[type.kind]!.includes(fields[i]!.columnType!))
  if (misfit >= 0) {
    const { name, type } = columns[misfit]!
    throw new Error(`column '${name}' is planned as ${type.kind} and arrives as type ${fields[misfit]!.columnType}`)
  }
  return {
    columns: fields.map((field) => field.name),
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

function cellOf(text: string | null, kind: string): Cell {
  if (text === null) return null
  if (kind === 'boolean') return text !== '0'
  if (kind === 'float') return Number(text)
  if (kind.startsWith('timestamp')) {
    const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
    return kind === 'timestamp' ? short : `${short}+00`
  }
  return exact(text)
}
