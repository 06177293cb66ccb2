/** Spark as an engine of the suites: one statement after another in a separate process. */
import type { CompiledQuery } from '@grainline/core'
import { databricks } from '@grainline/dialect-databricks'
import { KINDS_OF_DATA } from '../../oracle/generate/later.js'
import { STORES, type Stores } from '../../oracle/storage.js'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'
import { type Table, tablesOf } from '../translate-tables.js'
import { javaArgs, missingSpark } from './spark.js'

/** Spark records for each step the code that called it, out of some 300 stack frames; this takes a tenth of the time of a statement. */
const FEW_FRAMES = '-XX:MaxJavaStackTraceDepth=16'

interface Reply {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

const json = (text: string): string => `PARSE_JSON(${databricks.literals.string(text)})`

/** There are no UUIDs and no enumerations. */
const { uuid: _, enum: __, ...inherited } = STORES
const FOLDED = 'STRING COLLATE UTF8_LCASE'
const stores: Stores = {
  ...inherited,
  integer: { made: STORES.integer.made, said: { sqlType: 'int' } },
  real: { made: STORES.real.made, said: { sqlType: 'float' } },
  nocase: { made: STORES.nocase.made, said: { sqlType: FOLDED.toLowerCase(), collation: 'UTF8_LCASE' } },
  moment: { made: STORES.moment.made, said: { sqlType: 'timestamp_ntz' } },
  instant: { made: STORES.instant.made, said: { sqlType: 'timestamp' } },
}
const STORED = { SMALLINT: 'SMALLINT', INTEGER: 'INT', FLOAT: 'FLOAT', [STORES.nocase.made]: FOLDED }

export async function openEngine(): Promise<Engine | string> {
  const missing = missingSpark()
  if (missing !== undefined) return missing
  const server = startLineServer<Reply>('java', [FEW_FRAMES, ...javaArgs('SparkLines')])
  return {
    dialect: databricks,
    holds: KINDS_OF_DATA,
    stores,
    async load(statements) {
      for (const table of await tablesOf(statements, databricks, json, STORED)) await server.ask(viewOf(table))
    },
    ask: async (sql, columns) => answerOf(await server.ask({ sql }), columns),
    close: server.stop,
  }
}

const viewOf = ({ name, columns, rows }: Table) => ({
  view: name,
  schema: columns.map((column) => `${column.name} ${column.type}`).join(', '),
  // The names of the columns of VALUES.
  values:
    rows.length === 0
      ? null
      : `SELECT ${columns.map((column, i) => `CAST(col${i + 1} AS ${column.type})`).join(', ')} FROM VALUES ${rows.join(', ')}`,
})

/** The types with which a value of each planned type may arrive. */
const ARRIVES_AS: Readonly<Record<string, RegExp>> = {
  string: /^STRING( COLLATE UTF8_BINARY)?$/,
  boolean: /^BOOLEAN$/,
  int: /^(SMALLINT|INT|BIGINT)$/,
  float: /^DOUBLE$/,
  decimal: /^(DECIMAL\(.*\)|INT|BIGINT)$/,
  date: /^DATE$/,
  time: /^TIME\(6\)$/,
  timestamp: /^TIMESTAMP_NTZ$/,
  timestamp_tz: /^TIMESTAMP$/,
  json: /^VARIANT$/,
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

/** Java omits the seconds if they are 0, unless a fraction follows. */
function cellOf(cell: Cell, kind: string): Cell {
  if (typeof cell !== 'string') return cell
  if (kind === 'float') return Number(cell)
  if (!kind.startsWith('timestamp')) return kind === 'string' ? cell : exact(cell)
  const [, day, minute, second = ':00', fraction = ''] = /^(.+)T(\d\d:\d\d)(:\d\d)?(\.\d+)?Z?$/.exec(cell)!
  return `${day} ${minute}${second}${fraction.replace(/\.?0+$/, '')}${kind === 'timestamp' ? '' : '+00'}`
}
