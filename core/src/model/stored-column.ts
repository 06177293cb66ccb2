import type { DataType } from './data-type.js'
import type { PhysicalType } from './physical-type.js'

/** What a database knows of a column. */
export interface PhysicalColumn {
  /** As the database spells it. */
  readonly sqlType: string
  /** Named where the column's own `=` takes texts for equal that differ. */
  readonly collation?: string | undefined
}

/** By data object, then by the code of a column. A column that is missing is one of which nothing is known. */
export type PhysicalTypes = ReadonlyMap<string, ReadonlyMap<string, PhysicalColumn>>

/** A column whose storage differs from what it is declared as, or may. */
export interface StoredColumn {
  /** `Object.Column`, for messages. */
  readonly name: string
  readonly declared: DataType
  /** `undefined` where nothing is known. */
  readonly physical: PhysicalType | undefined
  /** For texts: the collation, if it treats some different texts as equal. */
  readonly collation: string | undefined
}
