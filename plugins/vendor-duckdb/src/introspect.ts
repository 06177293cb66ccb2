import { type IntrospectedTable, recordsOf, tablesOf } from '@grainline/core/vendor'

/** Lists within a text; a name holds no such character. */
const PART = 'CHR(31)'

/** https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions */
const COLUMNS = `
  SELECT c.schema_name, c.table_name, COALESCE(t.comment, v.comment, ''), c.column_name, c.data_type, CAST(c.is_nullable AS VARCHAR),
    COALESCE(c.comment, ''), CAST(v.view_oid IS NOT NULL AS VARCHAR)
  FROM duckdb_columns() c
  LEFT JOIN duckdb_tables() t ON t.table_oid = c.table_oid AND t.database_oid = c.database_oid
  LEFT JOIN duckdb_views() v ON v.view_oid = c.table_oid AND v.database_oid = c.database_oid
  WHERE NOT c.internal AND c.database_name = current_database()
  ORDER BY c.schema_name, c.table_name, c.column_index`

const COLUMN = ['schema', 'table', 'comment', 'column', 'sqlType', 'nullable', 'note', 'isView'] as const

const KEYS = `
  SELECT schema_name, table_name, constraint_type, ARRAY_TO_STRING(constraint_column_names, ${PART}), COALESCE(referenced_table, ''),
    COALESCE(ARRAY_TO_STRING(referenced_column_names, ${PART}), '')
  FROM duckdb_constraints()
  WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') AND database_name = current_database()
  ORDER BY schema_name, table_name, constraint_index`

const KEY = ['schema', 'table', 'type', 'columns', 'targetTable', 'targetColumns'] as const

/**
 * Tables and views of the database that is open. DuckDB checks foreign keys, but does not enforce them: if one transaction adds a row and
 * another deletes its target at the same time, both are committed.
 */
export async function introspect(
  ask: (sql: string, columns: number) => Promise<readonly (readonly string[])[]>,
): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS, COLUMN.length), COLUMN)
  const keys = recordsOf(await ask(KEYS, KEY.length), KEY)
  const parts = (text: string): string[] => text.split('\u001f').filter((part) => part !== '')
  return tablesOf(
    columns.map((column) => ({
      ...column,
      nullable: column.nullable === 'true',
      isText: column.sqlType === 'BIT',
      isView: column.isView === 'true',
    })),
    keys.flatMap(({ columns, targetColumns, type, ...key }, place) => {
      const targets = parts(targetColumns)
      const own = { ...key, constraint: String(place), primary: type === 'PRIMARY KEY', targetSchema: key.schema }
      return parts(columns).map((column, at) => ({ ...own, column, targetColumn: targets[at] ?? '' }))
    }),
  )
}
