/** Spark as an engine of the suites, one statement after another in a process of its own. */
import type { CompiledQuery } from '@grainline/core'
import { databricks } from '@grainline/dialect-databricks'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'
import { tablesOf } from '../translate-tables.js'
import { javaArgs, missingSpark } from './spark.js'

interface Reply {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

const json = (text: string): string => `PARSE_JSON(${databricks.literals.string(text)})`

export async function openEngine(): Promise<Engine | string> {
  const missing = missingSpark()
  if (missing !== undefined) return missing
  const server = startLineServer<Reply>('java', javaArgs('SparkLines'))
  return {
    dialect: databricks,
    async load(statements) {
      for (const { name, columns, rows } of await tablesOf(statements, databricks, json))
        await server.ask({
          view: name,
          schema: columns.map((column) => `${column.name} ${column.type}`).join(', '),
          values: rows.length === 0 ? null : `VALUES ${rows.join(', ')}`,
        })
    },
    ask: async (sql, columns) => answerOf(await server.ask({ sql }), columns),
    close: server.stop,
  }
}

/** What arrives for a planned type. */
const ARRIVES_AS: Readonly<Record<string, RegExp>> = {
  string: /^STRING$/,
  boolean: /^BOOLEAN$/,
  int: /^(INT|BIGINT)$/,
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

/** Java writes seconds that are 0 only where a fraction follows. */
function cellOf(cell: Cell, kind: string): Cell {
  if (typeof cell !== 'string') return cell
  if (!kind.startsWith('timestamp')) return kind === 'string' ? cell : exact(cell)
  const [, day, minute, second = ':00', fraction = ''] = /^(.+)T(\d\d:\d\d)(:\d\d)?(\.\d+)?Z?$/.exec(cell)!
  return `${day} ${minute}${second}${fraction.replace(/\.?0+$/, '')}${kind === 'timestamp' ? '' : '+00'}`
}
