import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'

/** https://docs.snowflake.com/en/sql-reference/info-schema */
const COLUMNS = `
  SELECT t.table_schema, t.table_name, t.comment, c.column_name, c.data_type, c.numeric_precision, c.numeric_scale, c.is_nullable,
    c.comment
  FROM information_schema.tables t
  JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
  WHERE t.table_schema <> 'INFORMATION_SCHEMA'
  ORDER BY t.table_schema, t.table_name, c.ordinal_position`

const COLUMN = ['schema', 'table', 'comment', 'column', 'type', 'precision', 'scale', 'nullable', 'note'] as const

/** The views of that schema have no columns of keys; these statements do: https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys */
const PRIMARY = ['created', 'database', 'schema', 'table', 'column', 'place'] as const
const FOREIGN = [
  'created',
  'targetDatabase',
  'targetSchema',
  'targetTable',
  'targetColumn',
  'database',
  'schema',
  'table',
  'column',
  'place',
  'updateRule',
  'deleteRule',
  'constraint',
] as const

/** Tables and views of the current database. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS), COLUMN)
  const primary = recordsOf(await ask('SHOW PRIMARY KEYS'), PRIMARY)
  const foreign = recordsOf(await ask('SHOW IMPORTED KEYS'), FOREIGN)
  return tablesOf(
    columns.map(({ schema, table, comment, column, note, type, precision, scale, nullable }) => ({
      schema,
      table,
      comment,
      column,
      sqlType: type === 'NUMBER' ? `NUMBER(${precision},${scale})` : type,
      nullable: nullable === 'YES',
      note,
    })),
    [
      ...byPlace(primary).map((key) => ({ ...key, ...NO_TARGET, constraint: '', primary: true })),
      ...byPlace(foreign).map((key) => ({ ...key, primary: false })),
    ],
  )
}

const NO_TARGET = { targetSchema: '', targetTable: '', targetColumn: '' }

const byPlace = <T extends { readonly place: string }>(keys: readonly T[]): readonly T[] =>
  keys.toSorted((a, b) => Number(a.place) - Number(b.place))
