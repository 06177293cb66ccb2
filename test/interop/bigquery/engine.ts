/** googlesqlite as an engine of the suites: its analyser is the one of BigQuery, and it executes on SQLite. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { CompiledQuery } from '@grainline/core'
import { bigquery } from '@grainline/dialect-bigquery'
import { type Answer, type Cell, exact, namesInStatement } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'
import { translateTables } from '../translate-tables.js'
import { witness } from './witness.js'

interface Reply {
  readonly columns: readonly string[]
  readonly types: readonly string[]
  readonly rows?: readonly (readonly Cell[])[]
}

export const googlesqlite = path.join(
  process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'),
  'bigquery/googlesqlite-lines',
)

const json = (text: string): string => `PARSE_JSON(${bigquery.literals.string(text)})`

export async function openEngine(): Promise<Engine | string> {
  if (!existsSync(googlesqlite)) return 'googlesqlite is not built here: run test/interop/bigquery/install.sh'
  const server = startLineServer<Reply>(googlesqlite, [])
  return {
    dialect: bigquery,
    async load(statements) {
      for (const sql of await translateTables(statements, bigquery, json)) await server.ask({ sql })
    },
    ask: async (sql, columns) => answerOf(await server.ask({ sql }), columns),
    close: server.stop,
    async analyse(sql) {
      await server.ask({ sql, analyse: true }).catch((error: Error) => {
        // A statement that the analyser accepts may be too complex for SQLite.
        if (!error.message.startsWith('failed to prepare')) throw error
      })
    },
    unproven: witness.unproven,
  }
}

/** The types with which a value of each planned type may arrive. */
const ARRIVES_AS: Readonly<Record<string, readonly string[]>> = {
  string: ['STRING'],
  boolean: ['BOOL'],
  int: ['INT64'],
  float: ['DOUBLE'],
  decimal: ['NUMERIC', 'BIGNUMERIC', 'INT64'],
  date: ['DATE'],
  time: ['TIME'],
  timestamp: ['DATETIME'],
  timestamp_tz: ['TIMESTAMP'],
  json: ['JSON'],
}

function answerOf({ columns: names, types, rows = [] }: Reply, columns: CompiledQuery['columns']): Answer {
  const wanted = namesInStatement(columns)
  columns.forEach(({ name, type }, i) => {
    const { name: found } = JSON.parse(types[i]!) as { readonly name: string }
    if (!ARRIVES_AS[type.kind]!.includes(found))
      throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${found}`)
    if (names[i] !== wanted[i] && !/_[0-9a-f]{8}$/.test(names[i]!)) throw new Error(`column '${name}' arrives as '${names[i]}'`)
  })
  return {
    columns: wanted,
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

function cellOf(cell: Cell, kind: string): Cell {
  if (kind === 'float' || kind === 'boolean' || typeof cell !== 'string') return cell
  return kind === 'timestamp' ? cell.replace('T', ' ') : exact(cell)
}
