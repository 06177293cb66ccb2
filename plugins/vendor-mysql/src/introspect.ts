import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'
import { type KeyColumn, listedKeys } from './listed-keys.js'

const visible = (schema: string): string => `
  ${schema} NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') AND (DATABASE() IS NULL OR ${schema} = DATABASE())`

/** https://dev.mysql.com/doc/refman/8.0/en/information-schema.html */
const COLUMNS = `
  SELECT t.table_schema, t.table_name, t.table_comment, c.column_name, c.column_type, c.is_nullable, c.column_comment, t.table_type,
    t.engine, c.collation_name
  FROM information_schema.tables t
  JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
  WHERE ${visible('t.table_schema')}
  ORDER BY t.table_schema, t.table_name, c.ordinal_position`

const COLUMN = ['schema', 'table', 'comment', 'column', 'sqlType', 'nullable', 'note', 'kind', 'engine', 'collation'] as const

const KEYS = `
  SELECT k.table_schema, k.table_name, k.constraint_name, k.column_name, k.referenced_table_schema, k.referenced_table_name,
    k.referenced_column_name, @@GLOBAL.foreign_key_checks
  FROM information_schema.key_column_usage k
  WHERE k.constraint_name = 'PRIMARY' OR k.referenced_table_name IS NOT NULL
  ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`

const KEY = ['schema', 'table', 'constraint', 'column', 'targetSchema', 'targetTable', 'targetColumn', 'checks'] as const

/** An index of an expression or of the beginning of a text is not one of a column. */
const UNIQUE = `
  SELECT table_schema, table_name, index_name, IF(sub_part IS NULL, column_name, NULL)
  FROM information_schema.statistics
  WHERE non_unique = 0 AND ${visible('table_schema')}`

const INDEX = ['schema', 'table', 'index', 'column'] as const

/** Tables and views of the database of the connection, or of all readable databases if it has none. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS), COLUMN)
  const keys: readonly KeyColumn[] = recordsOf(await ask(KEYS), KEY)
  const indexes = recordsOf(await ask(UNIQUE), INDEX)
  return tablesOf(
    columns.map(({ kind, engine: _, collation: __, ...column }) => ({
      ...column,
      // The comment of a view is the word VIEW.
      comment: kind === 'VIEW' ? '' : column.comment,
      nullable: column.nullable === 'YES',
    })),
    listedKeys(keys, columns, indexes),
  )
}
