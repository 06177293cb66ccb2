import type { DataType } from '@grainline/core'
import { ansi, type ElementsRequest } from '@grainline/core/dialect'

/** Type names of column declarations, which differ from those of casts. */
const COLUMN_TYPES: Partial<Record<DataType['kind'], string>> = {
  string: 'LONGTEXT',
  boolean: 'BOOLEAN',
  float: 'DOUBLE',
  time: 'TIME(6)',
  timestamp: 'DATETIME(6)',
  timestamp_tz: 'DATETIME(6)',
}

/**
 * An array in a JSON column; a value of another type than its column is NULL. A key in a path is written in double quotes.
 * https://dev.mysql.com/doc/refman/8.0/en/json-table-functions.html https://mariadb.com/kb/en/json_table/
 */
export function elements({ table, array, key, fields }: ElementsRequest): string {
  const columnOf = ({ code, name, type }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return `${name} FOR ORDINALITY`
    const path = code === '*' ? '$' : `$."${code.replace(/["\\]/g, '\\$&')}"`
    return `${name} ${COLUMN_TYPES[type.kind] ?? ansi.type(type)} PATH ${textLiteral(path)}`
  }
  // JSON_TABLE needs at least one column.
  const columns = fields.length > 0 ? fields.map(columnOf) : ['`#` FOR ORDINALITY']
  const shown = [
    ...key.map(({ column, alias }) => `\`row\`.${column} AS ${alias}`),
    ...fields.map(({ name }) => `\`each\`.${name}`),
  ]
  const list = `CASE WHEN JSON_TYPE(\`row\`.${array}) = 'ARRAY' THEN \`row\`.${array} END`
  return `SELECT ${shown.join(', ')}
FROM ${table} AS \`row\`
CROSS JOIN JSON_TABLE(${list}, '$[*]' COLUMNS (${columns.join(', ')})) AS \`each\``
}

/** A backslash escapes in a text. */
export const textLiteral = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
