import type { IntrospectedTable } from '@grainline/core/vendor'

/** Lists within a text; a name holds no such character. */
const PART = 'CHR(31)'

/** https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions */
const COLUMNS = `
  SELECT c.schema_name, c.table_name, COALESCE(t.comment, v.comment, ''), c.column_name, c.data_type, CAST(c.is_nullable AS VARCHAR),
    COALESCE(c.comment, '')
  FROM duckdb_columns() c
  LEFT JOIN duckdb_tables() t ON t.table_oid = c.table_oid AND t.database_oid = c.database_oid
  LEFT JOIN duckdb_views() v ON v.view_oid = c.table_oid AND v.database_oid = c.database_oid
  WHERE NOT c.internal AND c.database_name = current_database()
  ORDER BY c.schema_name, c.table_name, c.column_index`

const KEYS = `
  SELECT schema_name, table_name, constraint_type, ARRAY_TO_STRING(constraint_column_names, ${PART}), COALESCE(referenced_table, ''),
    COALESCE(ARRAY_TO_STRING(referenced_column_names, ${PART}), '')
  FROM duckdb_constraints()
  WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND database_name = current_database()
  ORDER BY schema_name, table_name, constraint_index`

/** Tables and views of the database that is open. */
export async function introspect(
  ask: (sql: string, columns: number) => Promise<readonly (readonly string[])[]>,
): Promise<readonly IntrospectedTable[]> {
  const [columns, keys] = [await ask(COLUMNS, 7), await ask(KEYS, 6)]
  const names = [...new Set(columns.map(([schema, name]) => JSON.stringify([schema, name])))]
  return names.map((key): IntrospectedTable => {
    const [schema, name] = JSON.parse(key) as [string, string]
    const rows = columns.filter((row) => row[0] === schema && row[1] === name)
    const own = keys.filter((row) => row[0] === schema && row[1] === name)
    const parts = (text: string): string[] => text.split('\u001f').filter((part) => part !== '')
    return {
      schema,
      name,
      ...(rows[0]![2] !== '' && { comment: rows[0]![2]! }),
      columns: rows.map(([, , , column, sqlType, nullable, comment]) => ({
        name: column!,
        sqlType: sqlType!,
        nullable: nullable === 'true',
        ...(comment !== '' && { comment: comment! }),
      })),
      primaryKey: own.filter((row) => row[2] === 'PRIMARY KEY').flatMap((row) => parts(row[3]!)),
      foreignKeys: own
        .filter((row) => row[2] === 'FOREIGN KEY')
        .map((row) => ({ columns: parts(row[3]!), target: { schema, name: row[4]! }, targetColumns: parts(row[5]!) })),
    }
  })
}
