import type { DataType } from '@grainline/core'
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  INT,
  type ResultColumn,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from '@grainline/core/format'
import type { Field } from '../wire/messages.js'

/** The ids of built-in types (PostgreSQL, `pg_type.dat`). */
export const OID = {
  bool: 16,
  bytea: 17,
  name: 19,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  unknown: 705,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
} as const

interface PgType {
  readonly oid: number
  /** The size of a value in bytes; -1 means variable. */
  readonly size: number
  readonly sql: string
}

const types: Readonly<Record<DataType['kind'], PgType>> = {
  string: { oid: OID.text, size: -1, sql: 'text' },
  json: { oid: OID.json, size: -1, sql: 'json' },
  boolean: { oid: OID.bool, size: 1, sql: 'boolean' },
  int: { oid: OID.int8, size: 8, sql: 'bigint' },
  float: { oid: OID.float8, size: 8, sql: 'double precision' },
  decimal: { oid: OID.numeric, size: -1, sql: 'numeric' },
  date: { oid: OID.date, size: 4, sql: 'date' },
  time: { oid: OID.time, size: 8, sql: 'time' },
  timestamp: { oid: OID.timestamp, size: 8, sql: 'timestamp' },
  timestamp_tz: { oid: OID.timestamptz, size: 8, sql: 'timestamptz' },
}

export const oidOf = (type: DataType): number => types[type.kind].oid

/** The type in DDL. */
export function sqlTypeOf(type: DataType): string {
  return type.kind === 'decimal' ? `numeric(${type.precision},${type.scale})` : types[type.kind].sql
}

export function fieldOf({ name, type }: ResultColumn): Field {
  const { oid, size } = types[type.kind]
  return { name, type: oid, size, typeModifier: type.kind === 'decimal' ? numericModifier(type.precision, type.scale) : -1 }
}

/** PostgreSQL adds `VARHDRSZ` (4) to the packed pair (`numeric.c`). */
const numericModifier = (precision: number, scale: number): number => ((precision << 16) | scale) + 4

export const textField = (name: string): Field => ({ name, type: OID.text, size: -1, typeModifier: -1 })

/** The data type for a PostgreSQL type. Types that queries do not support are text. */
export const dataTypeOf = (oid: number): DataType => dataTypes[oid] ?? STRING

const dataTypes: Readonly<Record<number, DataType>> = {
  [OID.bool]: BOOLEAN,
  [OID.int2]: INT,
  [OID.int4]: INT,
  [OID.int8]: INT,
  [OID.oid]: INT,
  [OID.float4]: FLOAT,
  [OID.float8]: FLOAT,
  [OID.numeric]: decimal(38, 9),
  [OID.date]: DATE,
  [OID.time]: TIME,
  [OID.timestamp]: TIMESTAMP,
  [OID.timestamptz]: TIMESTAMP_TZ,
}
