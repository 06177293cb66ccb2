import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'
import { type KeyColumn, listedKeys } from './listed-keys.js'

const visible = (schema: string): string => `
  ${schema} NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') AND (DATABASE() IS NULL OR ${schema} = DATABASE())`

/** https://dev.mysql.com/doc/refman/8.0/en/information-schema.html */
const TABLES = `
  SELECT table_schema, table_name, table_comment, table_type, engine
  FROM information_schema.tables
  WHERE table_type <> 'SEQUENCE' AND ${visible('table_schema')}
  ORDER BY table_schema, table_name`

const TABLE = ['schema', 'table', 'comment', 'kind', 'engine'] as const

const COLUMNS = `
  SELECT table_schema, table_name, column_name, column_type, is_nullable, column_comment, collation_name, data_type
  FROM information_schema.columns
  WHERE ${visible('table_schema')}
  ORDER BY table_schema, table_name, ordinal_position`

const COLUMN = ['schema', 'table', 'column', 'sqlType', 'nullable', 'note', 'collation', 'type'] as const

/** Types of which CAST makes no text. */
const BINARY = new Set(
  'geometry point linestring polygon multipoint multilinestring multipolygon geomcollection geometrycollection vector'.split(' '),
)

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
  const tables = recordsOf(await ask(TABLES), TABLE)
  const listed = recordsOf(await ask(COLUMNS), COLUMN)
  const keys: readonly KeyColumn[] = recordsOf(await ask(KEYS), KEY)
  const indexes = recordsOf(await ask(UNIQUE), INDEX)
  // The server may join these views without regard to case, and have a table `Item` and a table `item`.
  const byName = new Map(tables.map((table) => [JSON.stringify([table.schema, table.table]), table]))
  const columns = listed.flatMap((column) => {
    const table = byName.get(JSON.stringify([column.schema, column.table]))
    return table === undefined ? [] : [{ ...table, ...column }]
  })
  return tablesOf(
    columns.map(({ schema, table, comment, kind, column, sqlType, nullable, note, type }) => ({
      schema,
      table,
      // The comment of a view is the word VIEW.
      comment: kind === 'VIEW' ? '' : comment,
      isView: kind === 'VIEW' || kind === 'SYSTEM VIEW',
      column,
      sqlType,
      nullable: nullable === 'YES',
      isBinary: BINARY.has(type),
      note,
    })),
    listedKeys(keys, columns, indexes),
  )
}
