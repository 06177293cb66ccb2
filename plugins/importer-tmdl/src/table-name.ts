/** Names of columns as relationships write them: `Sales.'Product Key'`. */
import { LeftOut, type Part } from '@grainline/importer-dbt/foreign'

export interface ColumnName {
  readonly table: string
  readonly column: string
}

const NAME = `('(?:[^']|''){1,500}'|[^'.]{1,500})`
const COLUMN = new RegExp(`^${NAME}\\.${NAME}$`)

export function columnNamedBy(part: Part, key: string): ColumnName {
  const [, table, column] = COLUMN.exec(part.needed(key)) ?? []
  if (table === undefined || column === undefined) throw new LeftOut(`its '${key}' is no column`, part.at(key))
  return { table: unquoted(table), column: unquoted(column) }
}

const unquoted = (name: string): string => (name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name.trim())
