import type { DataType } from './data-type.js'
import type { PhysicalType } from './physical-type.js'

/** What a database reports about a column. */
export interface PhysicalColumn {
  /** As the database spells it. */
  readonly sqlType: string
  /** Present if `=` on the column treats different texts as equal. */
  readonly collation?: string | undefined
}

/** By data object, then by the code of a column. A missing column is cast to its declaration. */
export type PhysicalTypes = ReadonlyMap<string, ReadonlyMap<string, PhysicalColumn>>

/**
 * How the columns are stored, as far as it is known: what the database or a file says; `'declared'`: each column without `sqlType` is believed
 * to be stored as its declaration; `'unknown'`: it is cast to its declaration.
 */
export type StoredTypes = PhysicalTypes | 'declared' | 'unknown'

/** A column whose stored type differs, or may differ, from the declared one. */
export interface StoredColumn {
  /** `Object.Column`, for messages. */
  readonly name: string
  readonly declared: DataType
  /** `undefined` if it is not known. */
  readonly physical: PhysicalType | undefined
  /** For texts: the collation, if it treats some different texts as equal. */
  readonly collation: string | undefined
  /** Of a boolean that is stored as a text or a whole number. */
  readonly trueValues?: readonly string[] | readonly number[]
  /** The zone in which an instant of it is a day, where that is not the zone of the query. */
  readonly daysIn?: string
}

/** Whether a column shows the day of a stored instant, which depends on a zone. */
export const isDayOfInstant = ({ declared, physical }: StoredColumn): boolean =>
  declared.kind === 'date' && physical?.kind === 'timestamp_tz'
