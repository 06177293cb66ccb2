/**
 * How tables store columns with another type than the declared one. The code of such a column ends with its storage: `qty ~smallint` if the
 * compiler knows it, `qty ?smallint` if it does not.
 */

import { INT, STRING } from '../../core/src/model/data-type.js'
import type { PhysicalColumn, PhysicalTypes } from '../../core/src/model/stored-column.js'
import type { Dialect } from '../../core/src/sql/dialect.js'
import { columnType } from './column-type.js'
import type { ColumnJson, ModelJson } from './model.js'

export const STORAGES = [
  'smallint',
  'integer',
  'real',
  'numeric',
  'uuid',
  'enum',
  'nocase',
  'moment',
  'instant',
  'letter',
  'digit',
] as const
export type Storage = (typeof STORAGES)[number]

/** Undefined for a column that is stored as it is declared. */
export function storageOf({
  code = '',
}: Pick<ColumnJson, 'code'>): { readonly storage: Storage; readonly known: boolean } | undefined {
  const match = / ([~?])(\w+)$/.exec(code)
  const storage = STORAGES.find((s) => s === match?.[2])
  return storage && { storage, known: match![1] === '~' }
}

/** Not in alphabetical order, so that an order by position is detected. */
export const LABELS = ['b', 'é', 'A', 'a', 'ab', 'É', '日本', 'x%y'] as const

const labels = LABELS.map((label) => `'${label}'`).join(', ')

/** The SQL of a column with a storage type, and the type that the database then reports. */
export interface StoredType {
  readonly made: string
  readonly said: PhysicalColumn
}

/** The storage types of an engine; a column with another one is stored as declared. */
export type Stores = Readonly<Partial<Record<Storage, StoredType>>>

/** In the SQL of DuckDB, in which the tables of the oracle are created. */
export const STORES = {
  smallint: { made: 'SMALLINT', said: { sqlType: 'smallint' } },
  integer: { made: 'INTEGER', said: { sqlType: 'integer' } },
  real: { made: 'REAL', said: { sqlType: 'real' } },
  numeric: { made: 'DECIMAL(10,2)', said: { sqlType: 'numeric(10,2)' } },
  uuid: { made: 'UUID', said: { sqlType: 'uuid' } },
  enum: { made: `ENUM(${labels})`, said: { sqlType: `enum(${labels})` } },
  nocase: { made: 'VARCHAR COLLATE NOCASE', said: { sqlType: 'varchar', collation: 'nocase' } },
  moment: { made: 'TIMESTAMP', said: { sqlType: 'timestamp without time zone' } },
  letter: { made: 'VARCHAR', said: { sqlType: 'varchar' } },
  digit: { made: 'BIGINT', said: { sqlType: 'bigint' } },
  instant: { made: 'TIMESTAMP WITH TIME ZONE', said: { sqlType: 'timestamp with time zone' } },
} as const satisfies Stores

/** Booleans that are stored as the texts or numbers that the model lists, on every engine. */
export const FLAGS: Readonly<Partial<Record<Storage, readonly string[] | readonly number[]>>> = {
  letter: ['Y', '1'],
  digit: [1, 2],
}

/** What a compiler knows about the tables; undefined if all columns are stored as declared. */
export function physicalOf(model: ModelJson, dialect: Dialect, stores: Stores = STORES): PhysicalTypes | undefined {
  const all = Object.entries(model.dataObjects)
  if (!all.some(([, { columns }]) => Object.values(columns).some((c) => storageOf(c)))) return undefined
  return new Map(
    all.map(([name, { columns }]) => [name, new Map(Object.values(columns).flatMap((c) => said(c, dialect, stores)))]),
  )
}

function said(column: ColumnJson, dialect: Dialect, stores: Stores): [string, PhysicalColumn][] {
  const { code } = column
  if (code === undefined || column.abstractType === 'json') return []
  const stored = storageOf(column)
  if (stored?.known === false) return []
  const type = stored && stores[stored.storage]
  if (stored && FLAGS[stored.storage]) return [[code, { sqlType: dialect.type(stored.storage === 'letter' ? STRING : INT) }]]
  if (type) return [[code, type.said]]
  return [[code, { sqlType: dialect.type(columnType(column)) }]]
}
