import { zip } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import { formatDecimal } from './decimal.js'
import type { ColumnVector, RecordBatch, ResultSchema } from './record-batch.js'
import { formatDate, formatInstant, formatTime, formatTimestamp } from './temporal.js'
import { isPresent } from './validity.js'
import type { ZoneOffset } from './zone-offset.js'

/**
 * A value for code that needs a JavaScript value: `bigint` for `int`, `number` for `float`, `boolean`, `null`, and text for the rest:
 * decimals with all digits of their scale, ISO 8601 dates and times (instants in UTC unless `offset` is given), json as its own text.
 */
export type Value = bigint | number | string | boolean | null

/** The rows of a batch as values, typed by a schema that has its columns. */
export function* rowsOf(
  { columns, rowCount }: Pick<RecordBatch, 'columns' | 'rowCount'>,
  schema: ResultSchema,
): Iterable<Value[]> {
  const typed = zip(columns, schema)
  for (let row = 0; row < rowCount; row++) yield typed.map(([column, { type }]) => valueAt(column, row, type))
}

/** One value of a column. `offset` gives the zone in which an instant is shown; UTC by default. */
export function valueAt(vector: ColumnVector, row: number, type: DataType, offset?: ZoneOffset): Value {
  if (!isPresent(vector.validity, row)) return null
  switch (vector.kind) {
    case 'boolean':
      return ((vector.values[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
    case 'float64':
      return vector.values[row]!
    case 'date32':
      return formatDate(vector.values[row]!)
    case 'utf8':
      return textAt(vector, row)
    case 'decimal128':
      return formatDecimal(decimalAt(vector.values, row), type.kind === 'decimal' ? type.scale : 0)
    case 'int64':
      return int64Value(vector.values[row]!, type, offset)
  }
}

/** The unscaled 128-bit value of a decimal column. */
export function decimalAt(values: BigInt64Array, row: number): bigint {
  return (values[2 * row + 1]! << 64n) | BigInt.asUintN(64, values[2 * row]!)
}

/** The 32-bit words of 64-bit values, low word first. */
export const wordsOf = (values: BigInt64Array): Int32Array => new Int32Array(values.buffer, values.byteOffset, values.length * 2)

/** The 64 bits of two words as a double, which is exact for a safe integer. */
export const wholeOf = (low: number, high: number): number => high * 4294967296 + (low >>> 0)

/** The unscaled value of a decimal if a double represents it exactly, from the words of its column. */
export function smallDecimalAt(words: Int32Array, row: number): number | undefined {
  const [low, high, sign] = [words[4 * row]!, words[4 * row + 1]!, words[4 * row + 2]!]
  const small = wholeOf(low, high)
  // The upper half only repeats the sign.
  return sign === high >> 31 && words[4 * row + 3] === sign && Number.isSafeInteger(small) ? small : undefined
}

/** One text of a column of texts; the row must not be NULL. */
export function textAt(vector: ColumnVector & { readonly kind: 'utf8' }, row: number): string {
  const { bytes, offsets } = vector
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', offsets[row]!, offsets[row + 1]!)
}

function int64Value(value: bigint, type: DataType, offset: ZoneOffset | undefined): Value {
  switch (type.kind) {
    case 'time':
      return formatTime(Number(value))
    case 'timestamp':
      return formatTimestamp(value)
    case 'timestamp_tz':
      return formatInstant(value, offset?.(value))
    default:
      return value
  }
}
