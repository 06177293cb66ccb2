import { groupRows, type IntrospectedTable, type TextRow } from '@grainline/core/vendor'

const SCHEMAS = "table_schem <> 'information_schema' AND (current_schema IS NULL OR table_schem = current_schema)"

/** https://trino.io/docs/current/connector/system.html */
const COLUMNS = `
  SELECT table_schem, table_name, column_name, type_name, is_nullable, remarks FROM system.jdbc.columns
  WHERE table_cat = current_catalog AND ${SCHEMAS}
  ORDER BY table_schem, table_name, ordinal_position`
const COMMENTS = `
  SELECT schema_name, table_name, comment FROM system.metadata.table_comments
  WHERE catalog_name = current_catalog AND comment IS NOT NULL AND ${SCHEMAS.replaceAll('table_schem', 'schema_name')}`

const nameOf = (schema: string | null | undefined, table: string | null | undefined): string => JSON.stringify([schema, table])

/** Tables and views of the catalog of the connection, of its schema where it has one. Trino knows no keys. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const comments = new Map((await ask(COMMENTS)).map(([schema, table, comment]) => [nameOf(schema, table), comment!]))
  return groupRows(await ask(COLUMNS), ([schema, table]) => [schema, table]).map((rows): IntrospectedTable => {
    const [schema, name] = rows[0]!
    const comment = comments.get(nameOf(schema, name))
    return {
      schema: schema!,
      name: name!,
      ...(comment !== undefined && { comment }),
      columns: rows.map(([, , column, type, nullable, note]) => ({
        name: column!,
        sqlType: type!,
        nullable: nullable !== 'NO',
        ...(note && { comment: note }),
      })),
      primaryKey: [],
      foreignKeys: [],
    }
  })
}
