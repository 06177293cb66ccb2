import { fail } from '@grainline/core'
import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'
import type { BigqueryPlan } from './options.js'

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

/** https://cloud.google.com/bigquery/docs/information-schema-intro */
function viewsOf({ name, address: { projectId, dataset } }: BigqueryPlan): string {
  if (dataset === undefined)
    return fail('INVALID_CONFIG', `'${name}' has no dataset, and so no tables to tell of`, { path: 'dataset' })
  const parts = projectId === undefined ? [dataset] : [projectId, dataset]
  return `${parts.map(quoted).join('.')}.INFORMATION_SCHEMA`
}

const columnsOf = (views: string): string => `
  SELECT t.table_schema, t.table_name, o.option_value, c.column_name, c.data_type, c.is_nullable, f.description
  FROM ${views}.TABLES AS t
  JOIN ${views}.COLUMNS AS c ON c.table_name = t.table_name
  LEFT JOIN ${views}.COLUMN_FIELD_PATHS AS f
    ON f.table_name = c.table_name AND f.column_name = c.column_name AND f.field_path = c.column_name
  LEFT JOIN ${views}.TABLE_OPTIONS AS o ON o.table_name = t.table_name AND o.option_name = 'description'
  ORDER BY t.table_name, c.ordinal_position`

const COLUMN = ['schema', 'table', 'comment', 'column', 'sqlType', 'nullable', 'note'] as const

const keysOf = (views: string): string => `
  SELECT k.table_name, k.constraint_name, t.constraint_type, k.column_name, r.table_schema, r.table_name, p.column_name
  FROM ${views}.KEY_COLUMN_USAGE AS k
  JOIN ${views}.TABLE_CONSTRAINTS AS t ON t.constraint_name = k.constraint_name
  LEFT JOIN (SELECT DISTINCT constraint_name, table_schema, table_name FROM ${views}.CONSTRAINT_COLUMN_USAGE) AS r
    ON r.constraint_name = k.constraint_name AND t.constraint_type = 'FOREIGN KEY'
  LEFT JOIN ${views}.KEY_COLUMN_USAGE AS p
    ON p.table_name = r.table_name AND p.ordinal_position = k.position_in_unique_constraint AND ENDS_WITH(p.constraint_name, '.pk$')
  ORDER BY k.table_name, k.constraint_name, k.ordinal_position`

const KEY = ['table', 'constraint', 'type', 'column', 'targetSchema', 'targetTable', 'targetColumn'] as const

/** Tables and views of the dataset of the connection. Its keys are not enforced: they are promises of the creator of the table. */
export async function introspect(
  ask: (sql: string) => Promise<readonly TextRow[]>,
  plan: BigqueryPlan,
): Promise<readonly IntrospectedTable[]> {
  const views = viewsOf(plan)
  const columns = recordsOf(await ask(columnsOf(views)), COLUMN)
  const keys = recordsOf(await ask(keysOf(views)), KEY)
  return tablesOf(
    columns.map(({ sqlType, ...column }) => ({
      ...column,
      // Its digits, which GoogleSQL leaves out.
      sqlType: sqlType === 'NUMERIC' ? 'NUMERIC(38,9)' : sqlType,
      comment: commentOf(column.comment),
      nullable: column.nullable === 'YES',
    })),
    // They are of the one dataset.
    keys.map(({ type, ...key }) => ({ ...key, schema: columns[0]?.schema ?? '', primary: type === 'PRIMARY KEY' })),
  )
}

/** An option is written there as a GoogleSQL literal, which for usual texts is also a JSON literal. */
function commentOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}
