import type { DataType } from '@grainline/core'

/** A type as Snowflake calls it. */
export function typeName(type: DataType): string {
  return type.kind === 'decimal' ? `NUMBER(${type.precision},${type.scale})` : NAMES[type.kind]
}

const NAMES: Readonly<Record<Exclude<DataType['kind'], 'decimal'>, string>> = {
  string: 'VARCHAR',
  int: 'NUMBER(38,0)',
  float: 'FLOAT',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP_NTZ',
  timestamp_tz: 'TIMESTAMP_TZ',
  boolean: 'BOOLEAN',
  json: 'VARIANT',
}
