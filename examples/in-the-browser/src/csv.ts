import type { PGlite } from '@electric-sql/pglite'
import { quoted } from './table.js'

/** Makes a table of a CSV file. Its first line names the columns; their types are those that every value has. */
export async function makeCsvTable(database: PGlite, name: string, file: Blob): Promise<void> {
  const head = await file.slice(0, LONGEST_HEAD).text()
  const delimiter = delimiterOf(head)
  const names = unique(headOf(head.replace(/^\uFEFF/, ''), delimiter))
  const table = quoted(name)
  await database.exec(`CREATE TABLE ${table} (${names.map((each) => `${quoted(each)} text`).join(', ')})`)
  const how = `FORMAT csv, HEADER, DELIMITER '${delimiter}'`
  await database.query(`COPY ${table} FROM '/dev/blob' WITH (${how})`, [], { blob: file })
  const types = await Promise.all(names.map((each) => typeOf(database, table, quoted(each))))
  const changes = names.flatMap((each, i) =>
    types[i] === 'text' ? [] : [`ALTER ${quoted(each)} TYPE ${types[i]} USING ${quoted(each)}::${types[i]}`],
  )
  if (changes.length > 0) await database.exec(`ALTER TABLE ${table} ${changes.join(', ')}`)
}

/** Of the line with the names of the columns, in bytes. */
const LONGEST_HEAD = 65_536

const delimiterOf = (head: string): string => {
  const line = head.split(/\r?\n/, 1)[0] ?? ''
  const counted = [',', ';', '\t', '|'].map((each) => ({ each, count: line.split(each).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).each
}

/** The values of the first line, in which a quoted value may contain anything. */
function headOf(text: string, delimiter: string): string[] {
  const value = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^\\r\\n"${delimiter === '|' ? '\\|' : delimiter}]*))(${delimiter === '|' ? '\\|' : delimiter}|\\r?\\n|$)`,
    'y',
  )
  const names: string[] = []
  for (let found = value.exec(text); found !== null; found = value.exec(text)) {
    names.push((found[1]?.replaceAll('""', '"') ?? found[2] ?? '').trim())
    if (found[3] !== delimiter) break
  }
  return names
}

/** A column without a name, or with that of another, gets its number. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((each, i) => {
    const free = each === '' || taken.has(each) ? `${each || 'column'} ${i + 1}` : each
    taken.add(free)
    return free
  })
}

/** The types that are tried, from the narrowest. A number with leading zeros is a text, as codes of places are. */
const TRIED = [
  { type: 'boolean', looks: '^(true|false)$' },
  { type: 'bigint', looks: '^(0|-?[1-9][0-9]*)$' },
  { type: 'numeric', looks: '^-?(0|[1-9][0-9]*)?(\\.[0-9]+)?$' },
  { type: 'double precision', looks: '^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$' },
  { type: 'date', looks: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
  { type: 'timestamptz', looks: '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+ ?(Z|[-+][0-9:]+)$' },
  { type: 'timestamp', looks: '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+$' },
]

async function typeOf(database: PGlite, table: string, column: string): Promise<string> {
  const fits = TRIED.map(({ type, looks }) => `bool_and(${column} ~* '${looks}' AND pg_input_is_valid(${column}, '${type}'))`)
  const scale = `max(length(split_part(${column}, '.', 2)))`
  const { rows } = await database.query<(boolean | number | null)[]>(`SELECT ${[...fits, scale].join(', ')} FROM ${table}`, [], {
    rowMode: 'array',
  })
  const [found = []] = rows
  const type = TRIED[found.indexOf(true)]?.type ?? 'text'
  // With its digits after the point, so that sums are as exact as the file.
  return type === 'numeric' ? `numeric(38, ${found.at(-1) ?? 0})` : type
}
