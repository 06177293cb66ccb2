import { type DataType, zip } from '@grainline/core'
import {
  type ColumnVector,
  columnBuilder,
  type RecordBatch,
  type ResultColumn,
  type ResultSchema,
  type TextRow,
} from '@grainline/core/vendor'
import type { RecordBatch as ArrowBatch } from 'apache-arrow'
import { ARROW, type ArrowColumn, columnsOf, plannedReader, present, textReader } from './arrow-value.js'

const NUMBER = /^(U?int\d+|Float\d+|Decimal)/i

/** The types of Arrow, as apache-arrow writes them, that can be read as a planned one. All of them can be read as text. */
const READABLE: Readonly<Record<DataType['kind'], RegExp | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: /^Bool/,
  int: /^(U?int\d+|Decimal)/i,
  decimal: NUMBER,
  float: NUMBER,
  date: /^(Date|Timestamp)/,
  time: /^(Time\d|Utf8|LargeUtf8)/,
  // One with a zone is an instant.
  timestamp: /^(Date|Timestamp<\w+>)/,
  timestamp_tz: /^(Date|Timestamp)/,
}

export function fits({ kind }: DataType, type: string): boolean {
  const inner = /^Dictionary<[^,]*, (.*)>$/.exec(type)?.[1] ?? type
  return inner === 'Null' || (READABLE[kind]?.test(inner) ?? true)
}

/** Columns in their planned types: columns with the same memory layout as they are, the others value by value. */
export const batchOf = (batch: ArrowBatch, schema: ResultSchema): RecordBatch => ({
  schema,
  rowCount: batch.numRows,
  columns: zip(schema, columnsOf(batch)).map(
    ([column, arrived]) =>
      (arrived.offset === 0 && sameInMemory(arrived, column.type)) || converted(arrived, column, batch.numRows),
  ),
})

/** Rows of texts, for small answers. */
export function textsOf(batch: ArrowBatch): readonly TextRow[] {
  const readers = columnsOf(batch).map((column) => present(column, textReader(column)))
  return Array.from({ length: batch.numRows }, (_, row) => readers.map((read) => read(row)))
}

function converted(arrived: ArrowColumn, { type, name }: ResultColumn, rowCount: number): ColumnVector {
  const read = plannedReader(arrived, type)
  const builder = columnBuilder(type, name)
  for (let row = 0; row < rowCount; row++) builder.append(read(row))
  return builder.finish()
}

function sameInMemory(arrived: ArrowColumn, planned: DataType): ColumnVector | undefined {
  const { length, values } = arrived
  const { typeId, bitWidth, isSigned, unit, scale, precision = 0 } = arrived.type
  const validity = arrived.nullCount > 0 ? arrived.nullBitmap : undefined
  const isInstant = planned.kind === 'timestamp' || planned.kind === 'timestamp_tz'
  if (
    values instanceof BigInt64Array &&
    ((planned.kind === 'int' && typeId === ARROW.int && bitWidth === 64 && isSigned) ||
      (isInstant && typeId === ARROW.timestamp && unit === 2))
  )
    return { kind: 'int64', length, validity, values: values.subarray(0, length) }
  if (planned.kind === 'float' && typeId === ARROW.float && values instanceof Float64Array)
    return { kind: 'float64', length, validity, values: values.subarray(0, length) }
  if (planned.kind === 'date' && typeId === ARROW.date && unit === 0 && values instanceof Int32Array)
    return { kind: 'date32', length, validity, values: values.subarray(0, length) }
  if (planned.kind === 'string' && typeId === ARROW.utf8) return textColumn(arrived, validity)
  if (
    planned.kind === 'decimal' &&
    typeId === ARROW.decimal &&
    values instanceof Uint32Array &&
    bitWidth === 128 &&
    scale === planned.scale &&
    precision <= planned.precision
  )
    return { kind: 'decimal128', length, validity, values: wordsOf(values).subarray(0, 2 * length) }
  return undefined
}

function textColumn(
  { length, valueOffsets: given, values }: ArrowColumn,
  validity: Uint8Array | undefined,
): ColumnVector | undefined {
  if (!(given instanceof Int32Array && values instanceof Uint8Array)) return undefined
  const [start = 0] = given
  const offsets = start === 0 ? given.subarray(0, length + 1) : given.slice(0, length + 1).map((offset) => offset - start)
  return { kind: 'utf8', length, validity, offsets, bytes: values.subarray(start, start + offsets[length]!) }
}

/** The same bytes as words of 64 bits, which must begin at one. */
function wordsOf(words: Uint32Array): BigInt64Array {
  const aligned = words.byteOffset % 8 === 0 ? words : words.slice()
  return new BigInt64Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1)
}
