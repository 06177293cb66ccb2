/** Answers as plain values, so that two different statements can be compared: integers and decimals exact, floats as numbers. */
import { type DuckDBConnection, DuckDBInstance, DuckDBTypeId } from '@duckdb/node-api'

export type Cell = string | number | boolean | null

export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The names of the columns of an answer in a statement: one that differs from an earlier one only by case has a number there. */
export const namesInStatement = (columns: readonly { readonly name: string }[]): string[] =>
  columns.map(({ name }, at) => {
    const alike = columns.slice(0, at).filter((earlier) => earlier.name.toLowerCase() === name.toLowerCase())
    return alike.length === 0 ? name : `${name}_${alike.length + 1}`
  })

/** An in-memory DuckDB in which each Parquet file is a view. */
export async function openParquet(files: Readonly<Record<string, string>>): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const [table, file] of Object.entries(files)) {
    await connection.run(`CREATE VIEW "${table}" AS FROM read_parquet('${file.replaceAll("'", "''")}')`)
  }
  return connection
}

export async function ask(connection: DuckDBConnection, sql: string): Promise<Answer> {
  const reader = await connection.runAndReadAll(sql)
  const floats = reader.columnTypes().map((type) => type.typeId === DuckDBTypeId.DOUBLE || type.typeId === DuckDBTypeId.FLOAT)
  const rows = reader.getRowsJson() as Cell[][]
  return { columns: reader.columnNames(), rows: rows.map((row) => row.map((cell, i) => (floats[i] ? cell : exact(cell)))) }
}

/** A number that is not a float as text without trailing zeros, so that `380456` and `380456.00` are the same number. */
export function exact(cell: Cell): Cell {
  if (typeof cell === 'number') return String(cell)
  return typeof cell === 'string' && /^-?\d+\.\d+$/.test(cell) ? cell.replace(/\.?0+$/, '') : cell
}

/** The first difference as a sentence, `undefined` if both are equal. The order matters only if `ordered`. */
export function difference(found: Answer, wanted: Answer, ordered: boolean): string | undefined {
  const names = JSON.stringify(found.columns)
  if (names !== JSON.stringify(wanted.columns)) return `columns are ${names}, not ${JSON.stringify(wanted.columns)}`
  if (found.rows.length !== wanted.rows.length) return `${found.rows.length} rows, not ${wanted.rows.length}`
  const [left, right] = ordered ? [found.rows, wanted.rows] : [sorted(found.rows), sorted(wanted.rows)]
  const at = left.findIndex((row, i) => !row.every((cell, j) => sameCell(cell, right[i]?.[j])))
  return at < 0 ? undefined : `row ${at} is ${JSON.stringify(left[at])}, not ${JSON.stringify(right[at])}`
}

/** Floats are compared to nine digits; everything else exactly. A number compared with a text is a float compared with an exact number. */
function sameCell(a: Cell, b: Cell | undefined): boolean {
  if (typeof a !== 'number' && typeof b !== 'number') return a === b
  if (a === null || b === null || b === undefined || b === '') return false
  return Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.max(1, Math.abs(Number(a)), Math.abs(Number(b)))
}

/** Floats are not part of the sort key, because they may differ in the last digit. */
function sorted(rows: Answer['rows']): Answer['rows'] {
  const key = (row: readonly Cell[]): string => JSON.stringify(row.map((cell) => (typeof cell === 'number' ? 0 : cell)))
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}
