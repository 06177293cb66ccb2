import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'

/** https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-information-schema */
const COLUMNS = `
  SELECT t.table_catalog, t.table_schema, t.table_name, t.comment, c.column_name, c.full_data_type, c.is_nullable, c.comment
  FROM information_schema.tables t
  JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
  WHERE t.table_schema <> 'information_schema'
  ORDER BY t.table_schema, t.table_name, c.ordinal_position`

const COLUMN = ['database', 'schema', 'table', 'comment', 'column', 'sqlType', 'nullable', 'note'] as const

const KEYS = `
  SELECT k.table_schema, k.table_name, k.constraint_name, k.column_name, u.table_schema, u.table_name, u.column_name
  FROM information_schema.key_column_usage k
  LEFT JOIN information_schema.referential_constraints r
    ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name
  LEFT JOIN information_schema.key_column_usage u
    ON u.constraint_schema = r.unique_constraint_schema AND u.constraint_name = r.unique_constraint_name
    AND u.ordinal_position = k.position_in_unique_constraint
  ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`

const KEY = ['schema', 'table', 'constraint', 'column', 'targetSchema', 'targetTable', 'targetColumn'] as const

/** Tables and views of the catalog of the connection. Its keys are declared only: the engine does not enforce them. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS), COLUMN)
  const keys = recordsOf(await ask(KEYS), KEY)
  return tablesOf(
    columns.map((column) => ({ ...column, nullable: column.nullable !== 'NO' })),
    keys.map((key) => ({ ...key, primary: key.targetTable === '' })),
  )
}
