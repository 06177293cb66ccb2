/** googlesqlite as an engine of the suites: the analyser is BigQuery's own language, what runs below is SQLite. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { CompiledQuery } from '@grainline/core'
import { bigquery } from '@grainline/dialect-bigquery'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'
import { translateTables } from '../translate-tables.js'

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
        // What the analyser has passed may still be too much for the SQLite below.
        if (!error.message.startsWith('failed to prepare')) throw error
      })
    },
    unproven: (sql) => FAULTS.find(([form]) => form.test(sql))?.[1],
  }
}

/** What googlesqlite 0.3.1 analyses and then computes wrongly, or dies of; BigQuery's manual says otherwise. */
const FAULTS: readonly (readonly [form: RegExp, fault: string])[] = [
  [/\bSTRING_AGG\(/, 'googlesqlite dies of a list of NULLs alone'],
  [/\bNULLIF\((?!.*, 0\))/, 'googlesqlite dies of a NULLIF with NULL'],
  [/\bLIKE (LOWER\()?'[^']*[_\\]/, 'LIKE of googlesqlite knows neither _ nor an escape'],
  [/\bSUBSTR\(/, 'SUBSTR of googlesqlite counts bytes'],
  [/\bREPLACE\(/, 'REPLACE of googlesqlite finds an empty text everywhere'],
  [/, SECOND\)/, 'googlesqlite cuts seconds off, too'],
  [
    /\b(SUM|MIN|MAX)\((?!CAST\(.* AS FLOAT64\)\) OVER).*\) OVER \(/,
    'SUM, MIN and MAX of NUMERIC over a window of googlesqlite are wrong',
  ],
  [/\bROUND\(.*, -?\d+\)/, 'googlesqlite rounds a NUMERIC as a double'],
  [/\bTRUNC\(.*, -?\d+\)/, 'googlesqlite knows no TRUNC to digits'],
  [/\bDATE_ADD\(.* QUARTER\)/, 'googlesqlite adds quarters where it should take them away'],
  [/\bJSON_VALUE\(.*'\$\..*\..*'\)/, 'googlesqlite takes a number for an object that has any key'],
  [/(\(|, |ELSE |THEN |WHEN |[-+*/] )-[`(]/, 'googlesqlite cannot negate a column'],
  [/^(?!.*GROUP BY).*HAVING/s, 'googlesqlite cannot filter a total by another one'],
  [/\bMOD\(MOD\(/, 'googlesqlite takes 0 and 0.0 for two decimals'],
  [/`digits_10000`/, 'googlesqlite takes minutes for a hundred thousand rows'],
]

/** What arrives for a planned type. */
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
  columns.forEach(({ name, type }, i) => {
    const { name: found } = JSON.parse(types[i]!) as { readonly name: string }
    if (!ARRIVES_AS[type.kind]!.includes(found))
      throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${found}`)
    if (names[i] !== name && !/_[0-9a-f]{8}$/.test(names[i]!)) throw new Error(`column '${name}' arrives as '${names[i]}'`)
  })
  return {
    columns: columns.map(({ name }) => name),
    rows: rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

function cellOf(cell: Cell, kind: string): Cell {
  if (kind === 'float' || kind === 'boolean' || typeof cell !== 'string') return cell
  return kind === 'timestamp' ? cell.replace('T', ' ') : exact(cell)
}
