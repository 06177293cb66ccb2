/**
 * The columnar type between vendors and encoders, in Arrow's memory layout: little-endian values, a validity bitmap (bit i of byte i>>3,
 * least significant first, 1 = present), offsets and bytes for text. No row objects are created on the way.
 */
import type { DataType } from '../model/data-type.js'

/** `display`: the values of another column as display texts. */
export type ColumnRole = 'dimension' | 'measure' | 'metric' | 'grouping' | 'field' | 'display'

/** One column of an answer, decided by the plan before the first row. */
export interface ResultColumn {
  readonly name: string
  readonly type: DataType
  readonly role: ColumnRole
  readonly format?: string
  /** Such as EUR or EUR/km; in `{Currency}`, the column of that name has the unit of each row. */
  readonly unit?: string
}

/** The columns of an answer, in order. */
export type ResultSchema = readonly ResultColumn[]

/** `validity` is absent if no value is NULL. `length` is in values, not bytes. */
export type ColumnVector =
  | {
      readonly kind: 'boolean'
      readonly length: number
      readonly validity: Uint8Array | undefined
      readonly values: Uint8Array /* bits */
    }
  | {
      /** int, time and timestamps (microseconds; timestamps since 1970-01-01, instants in UTC) */
      readonly kind: 'int64'
      readonly length: number
      readonly validity: Uint8Array | undefined
      readonly values: BigInt64Array
    }
  | {
      readonly kind: 'float64'
      readonly length: number
      readonly validity: Uint8Array | undefined
      readonly values: Float64Array
    }
  /** decimal: 128-bit two's complement, low word first, unscaled */
  | {
      readonly kind: 'decimal128'
      readonly length: number
      readonly validity: Uint8Array | undefined
      readonly values: BigInt64Array
    }
  /** date: days since 1970-01-01 */
  | { readonly kind: 'date32'; readonly length: number; readonly validity: Uint8Array | undefined; readonly values: Int32Array }
  /** string and json: value i is `bytes[offsets[i] .. offsets[i+1])`, UTF-8 */
  | {
      readonly kind: 'utf8'
      readonly length: number
      readonly validity: Uint8Array | undefined
      readonly offsets: Int32Array
      readonly bytes: Uint8Array
    }

/** A portion of an answer by columns. All columns have `rowCount` values, in the order of `schema`. */
export interface RecordBatch {
  readonly schema: ResultSchema
  readonly rowCount: number
  readonly columns: readonly ColumnVector[]
}
