import type { PGlite } from '@electric-sql/pglite'

/** A table that is to be made: its columns with their types, and its rows as CSV, in parts. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly parts: AsyncIterable<string> | Iterable<string>
}

export interface Column {
  readonly name: string
  readonly type: string
}

/** Makes a table and fills it. */
export async function makeTable(database: PGlite, { name, columns, parts }: Table): Promise<void> {
  const listed = columns.map((column) => `${quoted(column.name)} ${column.type}`).join(', ')
  await database.exec(`CREATE TABLE ${quoted(name)} (${listed})`)
  for await (const part of parts) {
    await database.query(`COPY ${quoted(name)} FROM '/dev/blob' WITH (FORMAT csv)`, [], { blob: new Blob([part]) })
  }
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A value in CSV. The empty text is quoted, because an empty place is NULL. */
export const cell = (text: string): string => (text === '' || /[",\r\n\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The name of a table from that of its file: `My sales (2024).csv` is `my_sales_2024`. */
export const tableName = (file: string): string =>
  file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '') || 'data'
