/** Types of Snowflake → types of columns. */

import type { ColumnType } from '@grainline/importer-dbt/foreign'

/** The type of a column, and undefined for a text that is none. */
export function columnType(written: string | undefined): ColumnType | undefined {
  const name = written?.toUpperCase().replace(/\(.*/s, '').trim() ?? ''
  const [, digits, scale] = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(written ?? '') ?? []
  if (DECIMALS.has(name) && digits !== undefined)
    return Number(scale ?? 0) === 0 ? { abstractType: 'int' } : { abstractType: 'float', sqlType: `decimal(${digits}, ${scale})` }
  const abstractType = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  return abstractType === undefined ? undefined : { abstractType }
}

const DECIMALS = new Set(['NUMBER', 'DECIMAL', 'NUMERIC', 'DEC'])

/** A number without digits is a whole one for the database, and any number for those who write semantic views. */
const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    float: 'NUMBER DECIMAL NUMERIC DEC FLOAT FLOAT4 FLOAT8 DOUBLE REAL',
    int: 'INT INTEGER BIGINT SMALLINT TINYINT BYTEINT',
    string: 'VARCHAR CHAR CHARACTER STRING TEXT NVARCHAR',
    date: 'DATE',
    time: 'TIME',
    timestamp: 'TIMESTAMP TIMESTAMP_NTZ DATETIME',
    timestamp_tz: 'TIMESTAMP_TZ TIMESTAMP_LTZ',
    boolean: 'BOOLEAN BOOL',
    json: 'VARIANT OBJECT ARRAY',
  }).flatMap(([type, names]) =>
    [...names.split(' '), ...(type === 'float' ? ['DOUBLE PRECISION'] : [])].map((name) => [name, type]),
  ),
)
