import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'

const SCHEMAS = "table_schem <> 'information_schema' AND (current_schema IS NULL OR table_schem = current_schema)"

/** https://trino.io/docs/current/connector/system.html */
const COLUMNS = `
  SELECT table_schem, table_name, column_name, type_name, is_nullable, remarks FROM system.jdbc.columns
  WHERE table_cat = current_catalog AND ${SCHEMAS}
  ORDER BY table_schem, table_name, ordinal_position`
const COMMENTS = `
  SELECT schema_name, table_name, comment FROM system.metadata.table_comments
  WHERE catalog_name = current_catalog AND comment IS NOT NULL AND ${SCHEMAS.replaceAll('table_schem', 'schema_name')}`

/** Tables and views of the catalog of the connection, or of its schema if it has one. Trino knows no keys. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const nameOf = ({ schema, table }: { readonly schema: string; readonly table: string }) => JSON.stringify([schema, table])
  const commented = recordsOf(await ask(COMMENTS), ['schema', 'table', 'comment'])
  const comments = new Map(commented.map((row) => [nameOf(row), row.comment]))
  const columns = recordsOf(await ask(COLUMNS), ['schema', 'table', 'column', 'sqlType', 'nullable', 'note'])
  return tablesOf(columns.map((row) => ({ ...row, comment: comments.get(nameOf(row)) ?? '', nullable: row.nullable !== 'NO' })))
}
