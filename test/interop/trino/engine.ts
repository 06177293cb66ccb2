/** Trino as an engine of the suites. */
import type { CompiledQuery } from '@grainline/core'
import { trino } from '@grainline/dialect-trino'
import { KINDS_OF_DATA } from '../../oracle/generate/later.js'
import { STORES, type Stores } from '../../oracle/storage.js'
import { PART } from '../../support/amount.js'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import { type Engine, sampled } from '../suites.js'
import { type Table, tablesOf, translateTables } from '../translate-tables.js'
import { ask, type Reply } from './client.js'
import { inlinedScans } from './inlined-scans.js'
import { startServer } from './server.js'

const json = (text: string): string => `JSON_PARSE(${trino.literals.string(text)})`

/** For a few rows no plan is better than another, so the optimizer is off. */
const PLANNED_QUICKLY = {
  join_reordering_strategy: 'NONE',
  join_distribution_type: 'BROADCAST',
  enable_dynamic_filtering: 'false',
}

/** Of the storage types of DuckDB, enumerations and collations do not exist. */
const { enum: _, nocase: __, ...inherited } = STORES
const stores: Stores = {
  ...inherited,
  moment: { made: STORES.moment.made, said: { sqlType: 'timestamp(6)' } },
  instant: { made: STORES.instant.made, said: { sqlType: 'timestamp(6) with time zone' } },
}

const STORED = { SMALLINT: 'SMALLINT', INTEGER: 'INTEGER', FLOAT: 'REAL', UUID: 'UUID' }

/** Of one statement: 470 of a few rows were planned for five minutes, 41 for half a minute. Of seven commits, one asks those of more than sixty. */
const MOST_SCANS = sampled(300, PART % 7 === 0 ? 300 : 60)
const TOO_MANY = `Trino writes out each WITH where it is read, which makes more than ${MOST_SCANS} scans`

interface Loaded {
  /** A separate name, because a view cannot replace a table. */
  readonly schema: string
  readonly made: (statements: string) => Promise<readonly string[]> | readonly string[]
}

/** The form in which tables are created from the statements of a suite. */
export const LOADED: Readonly<Record<'tables' | 'views' | 'asWritten', Loaded>> = {
  tables: { schema: 'default', made: (statements) => translateTables(statements, trino, json, STORED) },
  /** Views with their rows as literals: ten times as fast to create, and queries have one stage. */
  views: { schema: 'views', made: async (statements) => (await tablesOf(statements, trino, json, STORED)).map(viewOf) },
  /** Statements of Trino, not of DuckDB. */
  asWritten: { schema: 'written', made: (statements) => statements.split(';') },
}

interface TrinoEngine extends Engine {
  /** The same engine, loaded in another way; it is closed together with this one. */
  readonly loading: (loaded: Loaded) => Engine
}

export async function openEngine(): Promise<TrinoEngine | string> {
  const server = await startServer()
  if (typeof server === 'string') return server
  const loading = ({ schema, made }: Loaded): Engine => ({
    dialect: trino,
    holds: KINDS_OF_DATA,
    stores,
    unproven: (sql) => (inlinedScans(sql) > MOST_SCANS ? TOO_MANY : undefined),
    async load(statements) {
      await ask(server.port, `CREATE SCHEMA IF NOT EXISTS ${schema}`)
      for (const sql of await made(statements)) await ask(server.port, sql, {}, schema)
    },
    ask: async (sql, columns) => answerOf(await ask(server.port, sql, PLANNED_QUICKLY, schema), columns),
    close: async () => {},
  })
  return { ...loading(LOADED.tables), close: server.stop, loading }
}

function viewOf({ name, columns, rows }: Table): string {
  const cast = columns.map((column) => `CAST(${column.name} AS ${column.type}) AS ${column.name}`)
  const nothing = `(${columns.map(() => 'NULL').join(', ')})`
  const given = `(VALUES ${rows.join(', ') || nothing}) AS v(${columns.map((column) => column.name).join(', ')})`
  return `CREATE OR REPLACE VIEW ${name} AS SELECT ${cast.join(', ')} FROM ${given}${rows.length > 0 ? '' : ' WHERE FALSE'}`
}

/** The types with which a value of each planned type may arrive. */
const ARRIVES_AS: Readonly<Record<string, RegExp>> = {
  string: /^(var)?char\b|^unknown$/,
  boolean: /^boolean$/,
  int: /^(bigint|integer|smallint|tinyint)$/,
  float: /^(double|real)$/,
  decimal: /^(decimal\(|bigint|integer)/,
  date: /^date$/,
  time: /^time\(\d+\)$/,
  timestamp: /^timestamp\(\d+\)$/,
  timestamp_tz: /^timestamp\(\d+\) with time zone$/,
  json: /^(json|varchar)/,
}

function answerOf({ columns: arrived, rows }: Reply, columns: CompiledQuery['columns']): Answer {
  const misfit = columns.findIndex(({ type }, i) => !ARRIVES_AS[type.kind]!.test(arrived[i]!.type))
  if (misfit >= 0) {
    const { name, type } = columns[misfit]!
    throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${arrived[misfit]!.type}`)
  }
  return {
    columns: arrived.map(({ name }) => name),
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

function cellOf(cell: string | boolean | null, kind: string): Cell {
  if (cell === null || typeof cell === 'boolean') return cell
  if (kind === 'float') return Number(cell)
  if (kind === 'string') return cell
  if (!kind.startsWith('timestamp')) return exact(cell)
  const [, time, zone] = /^(.*?)(?:\.?0*)( UTC)?$/.exec(cell) ?? []
  if (kind === 'timestamp_tz' && zone === undefined) throw new Error(`${cell} has another zone than UTC`)
  return kind === 'timestamp' ? time! : `${time}+00`
}
