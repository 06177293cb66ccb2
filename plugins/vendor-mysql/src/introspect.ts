import { groupRows, type IntrospectedTable, type TextRow } from '@grainline/core/vendor'

/** https://dev.mysql.com/doc/refman/8.0/en/information-schema.html */
const COLUMNS = `
  SELECT t.table_schema, t.table_name, t.table_comment, c.column_name, c.column_type, c.is_nullable, c.column_comment, t.table_type
  FROM information_schema.tables t
  JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
  WHERE t.table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
    AND (DATABASE() IS NULL OR t.table_schema = DATABASE())
  ORDER BY t.table_schema, t.table_name, c.ordinal_position`

const KEYS = `
  SELECT k.table_schema, k.table_name, k.constraint_name, k.column_name, k.referenced_table_schema, k.referenced_table_name,
    k.referenced_column_name
  FROM information_schema.key_column_usage k
  WHERE k.constraint_name = 'PRIMARY' OR k.referenced_table_name IS NOT NULL
  ORDER BY k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`

/** Tables and views of the database of the connection, or of all that may be read where it has none. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const [columns, keys] = [await ask(COLUMNS), await ask(KEYS)]
  return groupRows(columns, (row) => [row[0], row[1]]).map((rows): IntrospectedTable => {
    const [schema, name, comment, , , , , kind] = rows[0]!
    const own = keys.filter((key) => key[0] === schema && key[1] === name)
    const foreign = groupRows(
      own.filter((key) => key[5] != null),
      (key) => [key[2]],
    )
    return {
      schema: schema!,
      name: name!,
      // The comment of a view is the word VIEW.
      ...(comment !== '' && comment != null && kind !== 'VIEW' && { comment }),
      columns: rows.map(([, , , column, sqlType, nullable, note]) => ({
        name: column!,
        sqlType: sqlType!,
        nullable: nullable === 'YES',
        ...(note !== '' && note != null && { comment: note }),
      })),
      primaryKey: own.filter((key) => key[2] === 'PRIMARY').map((key) => key[3]!),
      foreignKeys: foreign.map((parts) => ({
        columns: parts.map((key) => key[3]!),
        target: { schema: parts[0]![4]!, name: parts[0]![5]! },
        targetColumns: parts.map((key) => key[6]!),
      })),
    }
  })
}
