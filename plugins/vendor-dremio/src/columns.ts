import type { DataType } from '@grainline/core'
import {
  type ColumnVector,
  columnBuilder,
  type RecordBatch,
  type ResultColumn,
  type ResultSchema,
  type TextRow,
} from '@grainline/core/vendor'
import type { RecordBatch as ArrowBatch, DataType as ArrowType, Data } from 'apache-arrow'
import { ARROW, plannedReader, present, textReader } from './arrow-value.js'

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
export const batchOf = ({ data, numRows }: ArrowBatch, schema: ResultSchema): RecordBatch => ({
  schema,
  rowCount: numRows,
  columns: schema.map((column, i) => {
    const arrived = data.children[i]! as Data
    return (arrived.offset === 0 && sameInMemory(arrived, column.type)) || converted(arrived, column, numRows)
  }),
})

/** Rows of texts, for small answers. */
export function textsOf({ data, numRows }: ArrowBatch): readonly TextRow[] {
  const readers = (data.children as readonly Data[]).map((column) => present(column, textReader(column)))
  return Array.from({ length: numRows }, (_, row) => readers.map((read) => read(row)))
}

function converted(arrived: Data, { type, name }: ResultColumn, rowCount: number): ColumnVector {
  const read = plannedReader(arrived, type)
  const builder = columnBuilder(type, name)
  for (let row = 0; row < rowCount; row++) builder.append(read(row))
  return builder.finish()
}

type Shape = ArrowType & {
  readonly bitWidth: number
  readonly isSigned: boolean
  readonly unit: number
  readonly scale: number
  readonly precision: number
}

function sameInMemory(arrived: Data, planned: DataType): ColumnVector | undefined {
  const { length, values } = arrived
  const { typeId, bitWidth, isSigned, unit, scale, precision } = arrived.type as Shape
  const validity = arrived.nullCount > 0 ? arrived.nullBitmap : undefined
  const isInstant = planned.kind === 'timestamp' || planned.kind === 'timestamp_tz'
  if (
    (planned.kind === 'int' && typeId === ARROW.int && bitWidth === 64 && isSigned) ||
    (isInstant && typeId === ARROW.timestamp && unit === 2)
  )
    return { kind: 'int64', length, validity, values: (values as BigInt64Array).subarray(0, length) }
  if (planned.kind === 'float' && typeId === ARROW.float && values instanceof Float64Array)
    return { kind: 'float64', length, validity, values: values.subarray(0, length) }
  if (planned.kind === 'date' && typeId === ARROW.date && unit === 0)
    return { kind: 'date32', length, validity, values: (values as Int32Array).subarray(0, length) }
  if (planned.kind === 'string' && typeId === ARROW.utf8) return textColumn(arrived, validity)
  if (
    planned.kind === 'decimal' &&
    typeId === ARROW.decimal &&
    bitWidth === 128 &&
    scale === planned.scale &&
    precision <= planned.precision
  )
    return { kind: 'decimal128', length, validity, values: wordsOf(values as Uint32Array).subarray(0, 2 * length) }
  return undefined
}

function textColumn({ length, valueOffsets, values }: Data, validity: Uint8Array | undefined): ColumnVector {
  const given = valueOffsets as Int32Array
  const start = given[0]!
  const offsets = start === 0 ? given.subarray(0, length + 1) : given.slice(0, length + 1).map((offset) => offset - start)
  return { kind: 'utf8', length, validity, offsets, bytes: (values as Uint8Array).subarray(start, start + offsets[length]!) }
}

/** The same bytes as words of 64 bits, which must begin at one. */
function wordsOf(words: Uint32Array): BigInt64Array {
  const aligned = words.byteOffset % 8 === 0 ? words : words.slice()
  return new BigInt64Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1)
}
