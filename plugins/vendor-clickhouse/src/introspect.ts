import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'
import { bare } from './decode.js'

/** https://clickhouse.com/docs/operations/system-tables/columns */
const COLUMNS = `
  SELECT t.database, t.name, t.comment, c.name, c.type, c.comment, toString(endsWith(t.engine, 'View'))
  FROM system.tables AS t
  JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
  WHERE t.database = currentDatabase() AND NOT t.is_temporary AND NOT startsWith(t.name, '.inner')
  ORDER BY t.database, t.name, c.position`

/**
 * Tables and views of the database of the connection. None has a key: what ClickHouse calls a primary key may hold the same values many
 * times, and it knows no foreign keys.
 */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS), ['schema', 'table', 'comment', 'column', 'type', 'note', 'isView'])
  return tablesOf(
    columns.map(({ type, isView, ...column }) => ({
      ...column,
      isView: isView === '1' || isView === 'true',
      sqlType: withoutUtc(bare(type)),
      nullable: /^(LowCardinality\()?Nullable\(/.test(type),
    })),
  )
}

/** Times are shown in UTC anyway; a column of another zone holds instants. */
const withoutUtc = (type: string): string =>
  type.replace(
    /^(DateTime(?:64)?)\((?:(\d+), )?'UTC'\)$/,
    (_, kind: string, digits?: string) => kind + (digits ? `(${digits})` : ''),
  )
