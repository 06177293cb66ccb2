/** DataFusion as an engine of the suites, with the dialect of `examples/dialect-datafusion`: a library in a separate process. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { CompiledQuery } from '@grainline/core'
import { TIMESTAMP_TZ } from '@grainline/core/vendor'
import { datafusion } from '../../../examples/dialect-datafusion/index.js'
import { KINDS_OF_DATA, type Later } from '../../oracle/generate/later.js'
import { STORES, type Stores } from '../../oracle/storage.js'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'
import { type Table, tablesOf } from '../translate-tables.js'
import { witness } from './witness.js'

interface Reply {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

const python = path.join(
  process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'),
  'datafusion/bin/python',
)

export async function openEngine(): Promise<Engine | string> {
  if (!existsSync(python)) return 'DataFusion is not installed here: run test/interop/datafusion/install.sh'
  const server = startLineServer<Reply>(python, [new URL('datafusion_lines.py', import.meta.url).pathname])
  return {
    dialect: datafusion,
    holds: HOLDS,
    beyond: new Set<Later>(['shown']),
    stores,
    async load(statements) {
      const tables = await tablesOf(statements, datafusion, datafusion.literals.string, STORED)
      await server.ask({ run: tables.map(createTable) })
    },
    ask: async (sql, columns) => answerOf(await server.ask({ sql }), columns),
    close: server.stop,
    unproven: witness.unproven,
    refuses: ({ code }) => code === 'UNSUPPORTED_FUNCTION' || code === 'UNSUPPORTED_SQL_FEATURE',
  }
}

/** In groups, its MAX of only -Infinity is the smallest finite double, and its MAX ignores NaN. */
const HOLDS: ReadonlySet<Later> = new Set([...KINDS_OF_DATA].filter((kind) => kind !== 'specials'))

/** There are no UUIDs, no enumerations and no collations. */
const { uuid: _, enum: __, nocase: ___, ...stores }: Stores = STORES
const STORED = { SMALLINT: 'SMALLINT', INTEGER: 'INTEGER', FLOAT: 'REAL' }

const INSTANT = datafusion.type(TIMESTAMP_TZ)

/** Columns are cast one by one, because CREATE TABLE has no type for instants, which Arrow has. */
function createTable({ name, columns, rows }: Table): string {
  const cast = (value: string, type: string): string =>
    type === INSTANT ? datafusion.cast(value, TIMESTAMP_TZ, TIMESTAMP_TZ) : `CAST(${value} AS ${type})`
  const fields = columns.map(({ name, type }, i) => `${cast(`column${i + 1}`, type)} AS ${name}`)
  const values = rows.length > 0 ? rows.join(', ') : `(${fields.map(() => 'NULL').join(', ')})`
  return `CREATE OR REPLACE TABLE ${name} AS SELECT ${fields.join(', ')} FROM (VALUES ${values})${rows.length > 0 ? '' : ' WHERE FALSE'}`
}

/** The types with which a value of each planned type may arrive. */
const ARRIVES_AS: Readonly<Record<string, RegExp>> = {
  string: /^(large_)?string(_view)?$/,
  boolean: /^bool$/,
  int: /^int(16|32|64)$/,
  float: /^double$/,
  decimal: /^(decimal128\(.*\)|int(32|64))$/,
  date: /^date32\[day\]$/,
  time: /^time64\[.*\]$/,
  timestamp: /^timestamp\[us\]$/,
  timestamp_tz: /^timestamp\[us, tz=UTC\]$/,
  json: /^string(_view)?$/,
}

function answerOf({ columns: found, rows }: Reply, columns: CompiledQuery['columns']): Answer {
  const misfit = columns.findIndex(({ type }, i) => !ARRIVES_AS[type.kind]!.test(found[i]!.type))
  if (misfit >= 0) {
    const { name, type } = columns[misfit]!
    throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${found[misfit]!.type}`)
  }
  return {
    columns: found.map(({ name }) => name),
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

function cellOf(cell: Cell, kind: string): Cell {
  if (typeof cell !== 'string') return cell
  if (kind === 'float') return Number(cell.replace('inf', 'Infinity').replace('nan', 'NaN'))
  if (kind === 'date') return isoOf(Number(cell) * 86_400_000).slice(0, -'T00:00:00.000Z'.length)
  if (!kind.startsWith('timestamp')) return kind === 'string' ? cell : exact(cell)
  const micros = BigInt(cell)
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const fraction = `${isoOf(Number((micros - rest) / 1000n)).slice(0, -1)}${String(rest).padStart(3, '0')}`
  return `${fraction.replace('T', ' ').replace(/\.?0+$/, '')}${kind === 'timestamp' ? '' : '+00'}`
}

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
