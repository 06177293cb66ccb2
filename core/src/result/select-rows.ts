import type { ColumnVector, RecordBatch } from './record-batch.js'
import { isPresent } from './validity.js'

/** The batch with only these rows, in this order. */
export function selectRows(batch: RecordBatch, rows: readonly number[]): RecordBatch {
  return { schema: batch.schema, rowCount: rows.length, columns: batch.columns.map((column) => selected(column, rows)) }
}

function selected(column: ColumnVector, rows: readonly number[]): ColumnVector {
  const shared = { length: rows.length, validity: column.validity && bitsAt(column.validity, rows) }
  switch (column.kind) {
    case 'boolean':
      return { ...column, ...shared, values: bitsAt(column.values, rows) }
    case 'int64':
      return { ...column, ...shared, values: BigInt64Array.from(rows, (row) => column.values[row]!) }
    case 'float64':
      return { ...column, ...shared, values: Float64Array.from(rows, (row) => column.values[row]!) }
    case 'date32':
      return { ...column, ...shared, values: Int32Array.from(rows, (row) => column.values[row]!) }
    case 'decimal128': {
      const words = rows.flatMap((row) => [2 * row, 2 * row + 1])
      return { ...column, ...shared, values: BigInt64Array.from(words, (word) => column.values[word]!) }
    }
    case 'utf8':
      return { ...column, ...shared, ...textsAt(column, rows) }
  }
}

function bitsAt(bits: Uint8Array, rows: readonly number[]): Uint8Array {
  const found = new Uint8Array((rows.length + 7) >> 3)
  rows.forEach((row, i) => {
    if (isPresent(bits, row)) found[i >> 3]! |= 1 << (i & 7)
  })
  return found
}

function textsAt({ offsets, bytes }: ColumnVector & { readonly kind: 'utf8' }, rows: readonly number[]) {
  const ends = new Int32Array(rows.length + 1)
  rows.forEach((row, i) => {
    ends[i + 1] = ends[i]! + offsets[row + 1]! - offsets[row]!
  })
  const texts = new Uint8Array(ends[rows.length]!)
  rows.forEach((row, i) => {
    texts.set(bytes.subarray(offsets[row], offsets[row + 1]), ends[i])
  })
  return { offsets: ends, bytes: texts }
}
