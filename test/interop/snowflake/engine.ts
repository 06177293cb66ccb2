/** fakesnow as an engine of the suites. It shows what the SQL means as sqlglot parses it and DuckDB runs it, not what Snowflake does. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { CompiledQuery, DataType } from '@grainline/core'
import { snowflake } from '@grainline/dialect-snowflake'
import { type Answer, type Cell, exact, namesInStatement } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'

interface Reply {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly scale: number | null }[]
  readonly rows: readonly (readonly Cell[])[]
}

export const python = path.join(
  process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'),
  'snowflake/bin/python',
)

export async function openEngine(): Promise<Engine | string> {
  if (!existsSync(python)) return 'fakesnow is not installed here: run test/interop/snowflake/install.sh'
  const server = startLineServer<Reply>(python, [new URL('fakesnow_lines.py', import.meta.url).pathname])
  return {
    dialect: snowflake,
    async load(statements) {
      await server.ask({ load: statements })
    },
    ask: async (sql, columns) => answerOf(await server.ask({ sql }), columns),
    close: server.stop,
  }
}

/**
 * The types with which a value of each planned type may arrive. fakesnow returns a sum as double, and a truncated date as timestamp; Snowflake does
 * neither.
 */
const ARRIVES_AS: Readonly<Record<string, readonly string[]>> = {
  string: ['TEXT'],
  boolean: ['BOOLEAN'],
  int: ['FIXED', 'REAL'],
  float: ['REAL'],
  decimal: ['FIXED', 'REAL'],
  date: ['DATE', 'TIMESTAMP_NTZ'],
  time: ['TIME'],
  timestamp: ['TIMESTAMP_NTZ'],
  timestamp_tz: ['TIMESTAMP_TZ'],
  json: ['VARIANT'],
}

function answerOf({ columns: found, rows }: Reply, columns: CompiledQuery['columns']): Answer {
  const misfit = columns.findIndex(({ type }, i) => !ARRIVES_AS[type.kind]!.includes(found[i]!.type))
  if (misfit >= 0) {
    const { name, type } = columns[misfit]!
    throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${found[misfit]!.type}`)
  }
  const wanted = namesInStatement(columns)
  const renamed = wanted.findIndex((name, i) => name.toLowerCase() !== found[i]!.name.toLowerCase())
  if (renamed >= 0) throw new Error(`column '${wanted[renamed]}' arrives as '${found[renamed]!.name}'`)
  return {
    // In DuckDB, which runs the SQL, names are case-insensitive.
    columns: wanted,
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type))),
  }
}

function cellOf(cell: Cell, type: DataType): Cell {
  const { kind } = type
  if (typeof cell === 'number' && kind !== 'float') return exact(cell.toFixed(kind === 'decimal' ? type.scale : 0))
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'string' || kind === 'string') return exact(cell)
  if (kind === 'date') return cell.replace(' 00:00:00', '')
  if (!kind.startsWith('timestamp')) return exact(cell)
  const short = cell.replace(/(\.\d*?)0+(?=\+|$)/, '$1').replace(/\.(?=\+|$)/, '')
  return short.replace('+00:00', '+00')
}
