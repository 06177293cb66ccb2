/** Statements of DuckDB that create tables, translated to another dialect: they are run, and the resulting tables are written out. */
import { DuckDBInstance } from '@duckdb/node-api'
import { type DataType, parseDataType } from '@grainline/core'
import type { Dialect } from '@grainline/core/dialect'
import { STRING } from '@grainline/core/vendor'

/** Names and types in the dialect, names in quotes. */
export interface Table {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** `(1, 'a')` and so on. */
  readonly rows: readonly string[]
}

/** A CREATE and an INSERT for each table. `json` writes a JSON literal. */
export const translateTables = async (
  statements: string,
  dialect: Dialect,
  json: SpellJson,
  stored: StoredTypes = {},
): Promise<string[]> =>
  (await tablesOf(statements, dialect, json, stored)).flatMap(({ name, columns, rows }) => [
    `DROP TABLE IF EXISTS ${name}`,
    `CREATE TABLE ${name} (${columns.map((column) => `${column.name} ${column.type}`).join(', ')})`,
    ...(rows.length > 0 ? [`INSERT INTO ${name} VALUES ${rows.join(', ')}`] : []),
  ])

/** The tables that the statements create. */
export async function tablesOf(
  statements: string,
  dialect: Dialect,
  json: SpellJson,
  stored: StoredTypes = {},
): Promise<Table[]> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  try {
    await connection.run(`SET TimeZone = 'UTC'; ${statements}`)
    const tables = await connection.runAndReadAll('SELECT table_name, sql FROM duckdb_tables() ORDER BY table_oid')
    const found: Table[] = []
    for (const [table, made] of tables.getRows() as [string, string][]) {
      const reader = await connection.runAndReadAll(`FROM "${table.replaceAll('"', '""')}"`)
      const names = reader.columnNames()
      const spelled = reader.columnTypes().map((type, i) => (isFolded(made, names[i]!) ? FOLDED : String(type)))
      const types = spelled.map((type) => parseDataType(type === FOLDED ? 'VARCHAR' : type) ?? STRING)
      found.push({
        name: dialect.quote(table),
        columns: names.map((name, i) => ({ name: dialect.quote(name), type: stored[spelled[i]!] ?? dialect.type(types[i]!) })),
        rows: (reader.getRowsJson() as Cell[][]).map(
          (row) => `(${row.map((cell, i) => literal(cell, types[i]!, dialect, json)).join(', ')})`,
        ),
      })
    }
    return found
  } finally {
    connection.closeSync()
  }
}

/** How the engine writes types of DuckDB for columns: integers of another width, UUID, case-insensitive text. */
export type StoredTypes = Readonly<Record<string, string>>

const FOLDED = 'VARCHAR COLLATE NOCASE'

/** Only the SQL of a table contains the collation of its columns. */
const isFolded = (made: string, column: string): boolean => made.includes(`"${column.replaceAll('"', '""')}" ${FOLDED}`)

type SpellJson = (text: string) => string
type Cell = string | number | boolean | null

function literal(cell: Cell, type: DataType, dialect: Dialect, json: SpellJson): string {
  if (cell === null) return 'NULL'
  const { literals } = dialect
  const text = Object.is(cell, -0) ? '-0' : String(cell)
  switch (type.kind) {
    case 'int':
      return text
    case 'float':
      return /^-0$|[a-z]{3}/i.test(text) ? `CAST('${text}' AS ${dialect.type(type)})` : text
    case 'boolean':
      return literals.boolean(Boolean(cell))
    case 'json':
      return json(text)
    case 'decimal':
      return literals.decimal(text, type)
    case 'timestamp_tz':
      return literals.timestamp_tz(text.replace(/\+00$/, ''))
    default:
      return literals[type.kind](text)
  }
}
