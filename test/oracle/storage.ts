/**
 * How tables store columns that are declared otherwise. The code of such a column ends with its storage: `qty ~smallint` where the compiler
 * knows it, `qty ?smallint` where it knows nothing.
 */

import type { PhysicalColumn, PhysicalTypes } from '../../core/src/model/stored-column.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { columnType } from './column-type.js'
import type { ColumnJson, ModelJson } from './model.js'

export const STORAGES = ['smallint', 'integer', 'real', 'numeric', 'uuid', 'enum', 'nocase', 'moment', 'instant'] as const
export type Storage = (typeof STORAGES)[number]

/** Undefined for a column that is stored as it is declared. */
export function storageOf({
  code = '',
}: Pick<ColumnJson, 'code'>): { readonly storage: Storage; readonly known: boolean } | undefined {
  const match = / ([~?])(\w+)$/.exec(code)
  const storage = STORAGES.find((s) => s === match?.[2])
  return storage && { storage, known: match![1] === '~' }
}

/** In no order of any alphabet, so that an order by position shows. */
export const LABELS = ['b', 'é', 'A', 'a', 'ab', 'É', '日本', 'x%y'] as const

const labels = LABELS.map((label) => `'${label}'`).join(', ')

/** In the SQL that the tables of the oracle are made in, DuckDB's. */
export const STORED_AS: Readonly<Record<Storage, string>> = {
  smallint: 'SMALLINT',
  integer: 'INTEGER',
  real: 'REAL',
  numeric: 'DECIMAL(10,2)',
  uuid: 'UUID',
  enum: `ENUM(${labels})`,
  nocase: 'VARCHAR COLLATE NOCASE',
  moment: 'TIMESTAMP',
  instant: 'TIMESTAMP WITH TIME ZONE',
}

/** What a database says of these columns. */
const SAID: Readonly<Record<Storage, PhysicalColumn>> = {
  smallint: { sqlType: 'smallint' },
  integer: { sqlType: 'integer' },
  real: { sqlType: 'real' },
  numeric: { sqlType: 'numeric(10,2)' },
  uuid: { sqlType: 'uuid' },
  enum: { sqlType: `enum(${labels})` },
  nocase: { sqlType: 'varchar', collation: 'nocase' },
  moment: { sqlType: 'timestamp without time zone' },
  instant: { sqlType: 'timestamp with time zone' },
}

/** What a compiler is told of the tables; undefined where all of them are stored as they are declared. */
export function physicalOf(model: ModelJson, dialect: Dialect): PhysicalTypes | undefined {
  const all = Object.entries(model.dataObjects)
  if (!all.some(([, { columns }]) => Object.values(columns).some((c) => storageOf(c)))) return undefined
  return new Map(all.map(([name, { columns }]) => [name, new Map(Object.values(columns).flatMap((c) => said(c, dialect)))]))
}

function said(column: ColumnJson, dialect: Dialect): [string, PhysicalColumn][] {
  const { code } = column
  if (code === undefined || column.abstractType === 'json') return []
  const stored = storageOf(column)
  if (stored) return stored.known ? [[code, SAID[stored.storage]]] : []
  return [[code, { sqlType: dialect.type(columnType(column)) }]]
}
