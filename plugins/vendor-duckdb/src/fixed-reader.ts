import type { Vector } from '@duckdb/node-bindings'
import { type ColumnVector, grown, isPresent, ValidityBuilder } from '@grainline/core/vendor'
import { type ChunkColumn, chunkColumn } from './chunk-column.js'
import type { Driver } from './driver.js'

/** Collects one column of a batch from chunks. `bytes` is its current size; `take` returns the column and starts the next one. */
export interface ColumnReader {
  readonly bytes: number
  append(vector: Vector, rows: number): void
  take(): ColumnVector
}

type Values = Float64Array | Int32Array | BigInt64Array
type FixedKind = 'int64' | 'float64' | 'decimal128' | 'date32'

export interface FixedLayout<T extends Values> {
  readonly kind: FixedKind
  readonly array: new (length: number) => T
  readonly elementsPerValue: 1 | 2
  /** Size of a value in DuckDB's vector. */
  readonly sourceBytes: number
  /** Writes the rows of a chunk from value `at` on. What it leaves in NULL rows does not matter. */
  readonly copy: (column: ChunkColumn, target: T, at: number) => void
}

export function fixedReader<T extends Values>(layout: FixedLayout<T>, driver: Driver): ColumnReader {
  const { kind, elementsPerValue } = layout
  let values = new layout.array(0)
  // The memory belongs to the last column; the next one gets its own when it has a row.
  let isTaken = false
  let validity = new ValidityBuilder()
  return {
    get bytes() {
      return validity.length * elementsPerValue * values.BYTES_PER_ELEMENT
    },
    append(vector, rows) {
      const column = chunkColumn(vector, rows, layout.sourceBytes, driver)
      const at = validity.length
      if (isTaken) values = anotherLike(values)
      isTaken = false
      values = grown(values, (at + rows) * elementsPerValue)
      layout.copy(column, values, at)
      if (column.validity === undefined) validity.appendPresent(rows)
      else {
        validity.appendBits(column.validity, rows)
        clearNulls(values, at, column, elementsPerValue)
      }
    },
    take() {
      const length = validity.length
      const column = { kind, length, validity: validity.finish(), values: values.subarray(0, length * elementsPerValue) }
      validity = new ValidityBuilder()
      isTaken = true
      return column as ColumnVector
    },
  }
}

/** As much memory again, which is not cleared: every row that is handed out of it was written or cleared before. */
export const anotherLike = <T extends Values>(values: T): T =>
  new (values.constructor as new (memory: ArrayBuffer) => T)(Buffer.allocUnsafeSlow(values.byteLength).buffer)

/** NULL rows hold whatever DuckDB left there, or the memory before; it must not travel to a client. */
function clearNulls(values: Values, at: number, { validity, rows }: ChunkColumn, elementsPerValue: number): void {
  const words = new Int32Array(values.buffer, values.byteOffset, values.byteLength >> 2)
  const wordsPerValue = (values.BYTES_PER_ELEMENT >> 2) * elementsPerValue
  for (let row = 0; row < rows; row++) {
    if (isPresent(validity, row)) continue
    const first = (at + row) * wordsPerValue
    for (let word = 0; word < wordsPerValue; word++) words[first + word] = 0
  }
}

export function booleanReader(driver: Driver): ColumnReader {
  let bits = new Uint8Array(256)
  let validity = new ValidityBuilder()
  return {
    get bytes() {
      return validity.length >> 3
    },
    append(vector, rows) {
      const column = chunkColumn(vector, rows, 1, driver)
      const at = validity.length
      bits = grown(bits, (at + rows + 7) >> 3)
      for (let i = 0; i < rows; i++) {
        if (column.data[i] !== 0 && isPresent(column.validity, i)) bits[(at + i) >> 3]! |= 1 << ((at + i) & 7)
      }
      if (column.validity === undefined) validity.appendPresent(rows)
      else validity.appendBits(column.validity, rows)
    },
    take() {
      const length = validity.length
      const column = {
        kind: 'boolean' as const,
        length,
        validity: validity.finish(),
        values: bits.subarray(0, (length + 7) >> 3),
      }
      validity = new ValidityBuilder()
      bits = new Uint8Array(bits.length)
      return column
    },
  }
}
