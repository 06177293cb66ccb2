/** chDB as an engine of the suites: ClickHouse as a library, in a separate process. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { CompiledQuery } from '@grainline/core'
import { clickhouse } from '@grainline/dialect-clickhouse'
import type { Later } from '../../oracle/generate/later.js'
import { LABELS, type Stores } from '../../oracle/storage.js'
import { type Answer, type Cell, exact } from '../../support/answers.js'
import { startLineServer } from '../line-server.js'
import type { Engine } from '../suites.js'
import { witness } from './witness.js'

/** The Python installation with chDB. */
export const python = path.join(
  process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'),
  'clickhouse/bin/python',
)

/** Why chDB cannot be used; `undefined` where it is installed. */
export const missingChdb = existsSync(python) ? undefined : 'chDB is not installed here: run test/interop/clickhouse/install.sh'

export async function openEngine(): Promise<Engine | string> {
  if (missingChdb) return missingChdb
  const server = startLineServer<{ readonly text?: string }>(python, [new URL('chdb_lines.py', import.meta.url).pathname])
  return {
    dialect: clickhouse,
    holds: new Set<Later>(['storage', 'ends', 'specials']),
    beyond: new Set<Later>(['shown']),
    stores,
    unproven: witness.unproven,
    async load(statements) {
      await server.ask({ run: translated(statements) })
    },
    async ask(sql, columns) {
      const { text = '' } = await server.ask({ sql: `${sql}, ${AS_TEXT}`, format: 'JSONCompactEachRowWithNamesAndTypes' })
      return answerOf(text.split('\n').filter(Boolean), columns)
    },
    close: server.stop,
  }
}

const ENUM = `Enum8(${LABELS.map((label, i) => `'${label}' = ${i + 1}`).join(', ')})`

/** A zone without an offset to UTC, because texts are parsed in the zone of the session. */
const INSTANT = "DateTime64(6, 'Africa/Abidjan')"

const stores: Stores = {
  smallint: { made: 'SMALLINT', said: { sqlType: 'Nullable(Int16)' } },
  integer: { made: 'INTEGER', said: { sqlType: 'Nullable(Int32)' } },
  real: { made: 'REAL', said: { sqlType: 'Nullable(Float32)' } },
  numeric: { made: 'DECIMAL(10,2)', said: { sqlType: 'Nullable(Decimal(10, 2))' } },
  uuid: { made: 'UUID', said: { sqlType: 'Nullable(UUID)' } },
  enum: { made: 'LABEL', said: { sqlType: `Nullable(${ENUM})` } },
  instant: { made: 'INSTANT', said: { sqlType: `Nullable(${INSTANT})` } },
  moment: { made: 'TIMESTAMP', said: { sqlType: "Nullable(DateTime64(6, 'UTC'))" } },
}

/** Decimals and times in the text form of the vendor. */
const AS_TEXT =
  'output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1, output_format_json_quote_denormals = 1'

const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'String',
  JSON: 'String',
  BOOLEAN: 'Bool',
  SMALLINT: 'Int16',
  INTEGER: 'Int32',
  REAL: 'Float32',
  UUID: 'UUID',
  LABEL: ENUM,
  INSTANT,
  BIGINT: 'Int64',
  DOUBLE: 'Float64',
  'DOUBLE PRECISION': 'Float64',
  DATE: 'Date32',
  TIMESTAMP: "DateTime64(6, 'UTC')",
  'TIMESTAMP WITH TIME ZONE': "DateTime64(6, 'UTC')",
}
const DECLARED = /^(?:(VARCHAR)(?:\(\d+\))?|(DECIMAL\(.*\))|(.+))$/i

/** The statements of the loader one by one, which only contain tables and rows. */
export function translated(statements: string): string[] {
  return statements
    .replaceAll('\\', '\\\\')
    .split(/;\s*(?=CREATE|INSERT|$)/)
    .filter((statement) => statement.trim() !== '')
    .flatMap((statement, i, all) => {
      const [, replace, name, columns] = /^\s*CREATE (OR REPLACE )?TABLE ("(?:[^"]|"")*"|\w+) \((.*)\)$/s.exec(statement) ?? []
      if (name === undefined) return [values(statement)]
      const table = `CREATE TABLE ${name} (${columnsOf(columns!, placesOfNull(all[i + 1] ?? ''))}) ENGINE = Memory`
      return replace ? [`DROP TABLE IF EXISTS ${name}`, table] : [table]
    })
}

/** A column without NULLs is not nullable, as most columns of a real table are. */
function columnsOf(columns: string, nulls: ReadonlySet<number>): string {
  let place = -1
  return columns.replace(/((?:"(?:[^"]|"")*"|\w+)) ([A-Z][A-Z ]*(?:\([\d, ]*\))?)(?=, |$)/gi, (_, name: string, type: string) => {
    const [, text, decimal, other] = DECLARED.exec(type)!
    const known = TYPES[(text ?? other ?? '').toUpperCase()] ?? decimal
    if (known === undefined) throw new Error(`no type for ${type}`)
    place++
    return `${name} ${nulls.has(place) ? `Nullable(${known})` : known}`
  })
}

/** The columns in which an INSERT writes a NULL, counted from 0. */
function placesOfNull(insert: string): ReadonlySet<number> {
  const nulls = new Set<number>()
  let place = 0
  for (const [token] of insert.matchAll(/'(?:[^'\\]|''|\\.)*'|\(|,|\bNULL\b/gs)) {
    if (token === '(') place = 0
    else if (token === ',') place++
    else if (token === 'NULL') nulls.add(place)
  }
  return nulls
}

const values = (insert: string): string => insert.replace(/\b(?:DATE|TIMESTAMP(?: WITH TIME ZONE)?) ('[^'+]*)(?:\+00)?'/g, "$1'")

/** The types with which a value of each planned type may arrive. */
const ARRIVES_AS: Readonly<Record<string, RegExp>> = {
  string: /^(String|Enum.*)$/,
  boolean: /^(Bool|UInt8)$/,
  int: /^U?Int(8|16|32|64)$/,
  float: /^Float(32|64)$/,
  decimal: /^(Decimal\(.*\)|U?Int\d+)$/,
  date: /^Date(32)?$/,
  time: /^Time64\(6\)$/,
  timestamp: /^DateTime(64)?\b/,
  timestamp_tz: /^DateTime(64)?\b/,
  json: /^String$/,
}

function answerOf([names = '[]', types = '[]', ...rows]: readonly string[], columns: CompiledQuery['columns']): Answer {
  const arrived = (JSON.parse(types) as string[]).map(bare)
  const misfit = columns.findIndex(({ type }, i) => !ARRIVES_AS[type.kind]!.test(arrived[i]!))
  if (misfit >= 0) {
    const { name, type } = columns[misfit]!
    throw new Error(`column '${name}' is planned as ${type.kind} and arrives as ${arrived[misfit]}`)
  }
  return {
    columns: JSON.parse(names) as string[],
    rows: rows.map((row) => (JSON.parse(row) as Cell[]).map((cell, i) => cellOf(cell, columns[i]!.type.kind))),
  }
}

/** The type without Nullable. */
const bare = (type: string): string => (type.startsWith('Nullable(') ? type.slice('Nullable('.length, -1) : type)

function cellOf(cell: Cell, kind: string): Cell {
  if (cell === null) return null
  if (kind === 'boolean') return Boolean(cell)
  if (kind === 'float') return Number(String(cell).replace('inf', 'Infinity'))
  const text = String(cell)
  if (kind.startsWith('timestamp')) {
    const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
    return kind === 'timestamp' ? short : `${short}+00`
  }
  return kind === 'string' ? text : exact(text)
}
