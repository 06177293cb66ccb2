/** Statements of DuckDB that make tables, in the SQL of another dialect: they are run, and what is there after is written out. */
import { DuckDBInstance } from '@duckdb/node-api'
import { type DataType, type Dialect, parseDataType } from '@grainline/core'

export interface Table {
  /** Quoted. */
  readonly name: string
  /** Names and types, as CREATE TABLE has them. */
  readonly columns: string
  /** A row of VALUES each. */
  readonly rows: readonly string[]
}

/** A CREATE and an INSERT for each table. `json` spells a literal of JSON. */
export async function translateTables(statements: string, dialect: Dialect, json: (text: string) => string): Promise<string[]> {
  return (await tablesOf(statements, dialect, json)).flatMap(({ name, columns, rows }) => [
    `DROP TABLE IF EXISTS ${name}`,
    `CREATE TABLE ${name} (${columns})`,
    ...(rows.length > 0 ? [`INSERT INTO ${name} VALUES ${rows.join(', ')}`] : []),
  ])
}

export async function tablesOf(statements: string, dialect: Dialect, json: (text: string) => string): Promise<Table[]> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  try {
    await connection.run(`SET TimeZone = 'UTC'; ${statements}`)
    const names = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() ORDER BY table_oid')
    const tables: Table[] = []
    for (const [table] of names.getRows() as [string][]) {
      const reader = await connection.runAndReadAll(`FROM "${table.replaceAll('"', '""')}"`)
      const types = reader.columnTypes().map((type) => parseDataType(String(type))!)
      const columns = reader.columnNames().map((name, i) => `${dialect.quote(name)} ${dialect.type(types[i]!)}`)
      const rows = (reader.getRowsJson() as Cell[][]).map(
        (row) => `(${row.map((cell, i) => literal(cell, types[i]!, dialect, json)).join(', ')})`,
      )
      tables.push({ name: dialect.quote(table), columns: columns.join(', '), rows })
    }
    return tables
  } finally {
    connection.closeSync()
  }
}

type Cell = string | number | boolean | null

function literal(cell: Cell, type: DataType, { literals }: Dialect, json: (text: string) => string): string {
  if (cell === null) return 'NULL'
  const text = String(cell)
  switch (type.kind) {
    case 'int':
    case 'float':
      return text
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
