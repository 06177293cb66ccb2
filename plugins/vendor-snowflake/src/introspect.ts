import { groupRows, type IntrospectedForeignKey, type IntrospectedTable, type TextRow } from '@grainline/core/vendor'

/** https://docs.snowflake.com/en/sql-reference/info-schema */
const COLUMNS = `
  SELECT t.table_schema, t.table_name, t.comment, c.column_name, c.data_type, c.numeric_precision, c.numeric_scale, c.is_nullable,
    c.comment
  FROM information_schema.tables t
  JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
  WHERE t.table_schema <> 'INFORMATION_SCHEMA'
  ORDER BY t.table_schema, t.table_name, c.ordinal_position`

/** The views of that schema know no columns of keys; these statements do, in this order: https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys */
const PRIMARY = { sql: 'SHOW PRIMARY KEYS', schema: 2, table: 3, column: 4, place: 5 }
const FOREIGN = {
  sql: 'SHOW IMPORTED KEYS',
  targetSchema: 2,
  target: 3,
  targetColumn: 4,
  schema: 6,
  table: 7,
  column: 8,
  place: 9,
  name: 12,
}

/** Tables and views of the current database. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = await ask(COLUMNS)
  const primary = byPlace(await ask(PRIMARY.sql), PRIMARY.place)
  const foreign = byPlace(await ask(FOREIGN.sql), FOREIGN.place)
  return groupRows(columns, (row) => row.slice(0, 2)).map((rows): IntrospectedTable => {
    const [schema, name, comment] = rows[0]!
    const own = (key: TextRow, at: { readonly schema: number; readonly table: number }): boolean =>
      key[at.schema] === schema && key[at.table] === name
    return {
      schema: schema!,
      name: name!,
      ...(comment && { comment }),
      columns: rows.map(([, , , column, type, precision, scale, nullable, note]) => ({
        name: column!,
        sqlType: type === 'NUMBER' ? `NUMBER(${precision},${scale})` : type!,
        nullable: nullable === 'YES',
        ...(note && { comment: note }),
      })),
      primaryKey: primary.filter((key) => own(key, PRIMARY)).map((key) => key[PRIMARY.column]!),
      foreignKeys: groupRows(
        foreign.filter((key) => own(key, FOREIGN)),
        (key) => [key[FOREIGN.name]],
      ).map(foreignKey),
    }
  })
}

const byPlace = (keys: readonly TextRow[], place: number): readonly TextRow[] =>
  keys.toSorted((a, b) => Number(a[place]) - Number(b[place]))

const foreignKey = (rows: readonly TextRow[]): IntrospectedForeignKey => ({
  columns: rows.map((row) => row[FOREIGN.column]!),
  target: { schema: rows[0]![FOREIGN.targetSchema]!, name: rows[0]![FOREIGN.target]! },
  targetColumns: rows.map((row) => row[FOREIGN.targetColumn]!),
})
