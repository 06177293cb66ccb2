import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'

/** https://docs.dremio.com/current/reference/sql/information-schema */
const COLUMNS = `
  SELECT c.TABLE_SCHEMA, c.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE, c.NUMERIC_PRECISION, c.NUMERIC_SCALE, c.IS_NULLABLE
  FROM INFORMATION_SCHEMA."COLUMNS" AS c
  WHERE c.TABLE_SCHEMA NOT IN ('INFORMATION_SCHEMA', 'information_schema') AND c.TABLE_SCHEMA NOT LIKE 'sys%'
  ORDER BY c.TABLE_SCHEMA, c.TABLE_NAME, c.ORDINAL_POSITION`

/** Tables and views. None has a key or a comment: Dremio knows neither. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS), ['schema', 'table', 'column', 'type', 'precision', 'scale', 'nullable'])
  return tablesOf(
    columns.map(({ schema, table, column, type, precision, scale, nullable }) => ({
      schema,
      table,
      comment: '',
      column,
      sqlType: type === 'DECIMAL' ? `DECIMAL(${precision},${scale})` : type,
      nullable: nullable === 'YES',
      note: '',
    })),
  )
}
