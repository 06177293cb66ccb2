/** Single values of Arrow columns, read from their words, because apache-arrow returns times and decimals with fewer digits. */
import { both, type DataType, fail, itemAt } from '@grainline/core'
import { floorDivide, formatDate, formatDecimal, formatTime, formatTimestamp } from '@grainline/core/vendor'
import type { RecordBatch as ArrowBatch } from 'apache-arrow'

/** https://github.com/apache/arrow/blob/main/format/Schema.fbs, and apache-arrow's own number of a dictionary. */
export const ARROW = {
  dictionary: -1,
  null: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  list: 12,
  struct: 13,
  fixedSizeBinary: 15,
  fixedSizeList: 16,
  map: 17,
  largeBinary: 19,
  largeUtf8: 20,
} as const

/** Units of Arrow, from seconds to nanoseconds, in each of which so many are a second. */
const PER_SECOND = [1n, 1000n, 1_000_000n, 1_000_000_000n] as const
const perSecond = (unit: number): bigint => itemAt(PER_SECOND, unit)
const MICROS_PER_DAY = 86_400_000_000n

type Numbers = Int8Array | Int16Array | Int32Array | Uint16Array | Uint32Array | Float32Array | Float64Array
type Words = Uint8Array | Numbers | BigInt64Array | BigUint64Array

/** A column as it arrives. Its type says which of the rest it has: apache-arrow has a type of its own for each. */
export interface ArrowColumn {
  readonly type: {
    readonly typeId: number
    readonly bitWidth?: number
    readonly byteWidth?: number
    readonly isSigned?: boolean
    readonly listSize?: number
    readonly precision?: number
    readonly scale?: number
    readonly unit?: number
    readonly children?: readonly { readonly name: string }[] | null
  }
  readonly length: number
  readonly offset: number
  readonly nullCount: number
  readonly nullBitmap: Uint8Array
  readonly values: Words
  readonly valueOffsets: Int32Array | BigInt64Array
  readonly children: readonly ArrowColumn[]
  readonly dictionary?: { readonly data: readonly ArrowColumn[] }
  getValid(row: number): boolean
}

/** The columns of a batch, by their place. */
export const columnsOf = ({ data }: ArrowBatch): readonly ArrowColumn[] => data.children as unknown as readonly ArrowColumn[]

/** The memory of a type whose columns are made of bytes. */
const bytesOf = ({ values }: ArrowColumn): Uint8Array =>
  values instanceof Uint8Array ? values : fail('INTERNAL_ERROR', `A column of bytes has ${values.constructor.name}`)

/** The value of a row; NULL is `null`. */
export type Reader<T> = (row: number) => T | null

/** The value in the form of core's column builder for the planned type. */
export function plannedReader(data: ArrowColumn, planned: DataType): Reader<unknown> {
  const { typeId } = data.type
  if (typeId === ARROW.dictionary) return throughDictionary(data, (values) => plannedReader(values, planned))
  if (planned.kind === 'json') return isText(typeId) ? present(data, textReader(data)) : present(data, jsonReader(data))
  if (typeId === ARROW.bool && planned.kind === 'boolean') return present(data, (row) => booleanAt(data, row))
  if (typeId === ARROW.date || typeId === ARROW.timestamp) return present(data, momentReader(data, planned))
  if (typeId === ARROW.time && planned.kind === 'time') return present(data, timeMicros(data))
  return present(data, textReader(data))
}

const isText = (typeId: number): boolean => typeId === ARROW.utf8 || typeId === ARROW.largeUtf8

/** The value, if there is one; a column of the null type has none, and no validity bits either. */
export const present =
  <T>(data: ArrowColumn, read: Reader<T>): Reader<T> =>
  (row) =>
    data.type.typeId !== ARROW.null && data.getValid(row) ? read(row) : null

const booleanAt = (data: ArrowColumn, row: number): boolean =>
  (bytesOf(data)[(row + data.offset) >> 3]! & (1 << ((row + data.offset) & 7))) !== 0

/** A dictionary may have grown during the answer, and then has several pieces. */
function throughDictionary<T>(data: ArrowColumn, readerOf: (values: ArrowColumn) => Reader<T>): Reader<T> {
  const pieces = (data.dictionary?.data ?? []).map((piece) => ({ length: piece.length, read: readerOf(piece) }))
  return present(data, (row) => {
    let index = Number(data.values[row])
    for (const { length, read } of pieces) {
      if (index < length) return read(index)
      index -= length
    }
    return null
  })
}

/** Any value as a complete text. */
export function textReader(data: ArrowColumn): (row: number) => string {
  const { values, type } = data
  switch (type.typeId) {
    case ARROW.dictionary: {
      const read = throughDictionary(data, (piece) => present(piece, textReader(piece)))
      return (row) => read(row) ?? ''
    }
    case ARROW.utf8:
    case ARROW.largeUtf8:
      return (row) => bytesAt(data, row).toString('utf8')
    case ARROW.binary:
    case ARROW.largeBinary:
      return (row) => `\\x${bytesAt(data, row).toString('hex')}`
    case ARROW.fixedSizeBinary: {
      const { byteWidth = 0 } = type
      return (row) => `\\x${Buffer.from(bytesOf(data).subarray(row * byteWidth, (row + 1) * byteWidth)).toString('hex')}`
    }
    case ARROW.int:
    case ARROW.float:
      return (row) => String(values[row])
    case ARROW.bool:
      return (row) => String(booleanAt(data, row))
    case ARROW.decimal: {
      const { scale = 0 } = type
      return (row) => formatDecimal(unscaledAt(data, row), scale)
    }
    case ARROW.date:
      return (row) => formatDate(Number(daysOf(microsAt(data, row))))
    case ARROW.timestamp:
      return (row) => formatTimestamp(microsAt(data, row))
    case ARROW.time: {
      const micros = timeMicros(data)
      return (row) => formatTime(Number(micros(row)))
    }
    case ARROW.list:
    case ARROW.fixedSizeList:
    case ARROW.struct:
    case ARROW.map:
      return jsonReader(data)
    default:
      return () => fail('RESULT_TYPE_MISMATCH', `Values of Arrow's type ${String(type)} are not read`)
  }
}

function bytesAt(data: ArrowColumn, row: number): Buffer {
  const { valueOffsets: offsets } = data
  const bytes = bytesOf(data)
  const [start, end] = [Number(offsets[row]), Number(offsets[row + 1])]
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
}

/** Words of 32 bits, the lowest first: four of them, or eight. */
export function unscaledAt({ values: words, type: { bitWidth = 128 } }: ArrowColumn, row: number): bigint {
  const count = bitWidth / 32
  let value = 0n
  for (let word = count - 1; word >= 0; word--) value = (value << 32n) | BigInt(words[row * count + word]!)
  return BigInt.asIntN(count * 32, value)
}

/** Since 1970, of a date or a timestamp of any unit; finer digits are cut. */
function microsAt({ values, type: { typeId, unit = 0 } }: ArrowColumn, row: number): bigint {
  const value = BigInt(values[row]!)
  if (typeId === ARROW.date) return unit === 0 ? value * MICROS_PER_DAY : value * 1000n
  return unit === 3 ? floorDivide(value, 1000n) : value * (1_000_000n / perSecond(unit))
}

function momentReader(data: ArrowColumn, { kind }: DataType): (row: number) => unknown {
  const isMidnight = (micros: bigint): boolean => micros % MICROS_PER_DAY === 0n
  switch (kind) {
    case 'date':
      return (row) => {
        const micros = microsAt(data, row)
        // A timestamp within a day is not a date: the column builder refuses its text.
        return isMidnight(micros) ? Number(daysOf(micros)) : formatTimestamp(micros)
      }
    case 'timestamp':
    case 'timestamp_tz':
      return (row) => microsAt(data, row)
    default:
      return textReader(data)
  }
}

function timeMicros({ values, type: { unit = 0 } }: ArrowColumn): (row: number) => bigint {
  return (row) => (BigInt(values[row]!) * 1_000_000n) / perSecond(unit)
}

const daysOf = (micros: bigint): bigint => floorDivide(micros, MICROS_PER_DAY)

/** A value as JSON, with every digit. */
function jsonReader(data: ArrowColumn): (row: number) => string {
  const { typeId, listSize = 0, children } = data.type
  const child = (index: number): Reader<string> => {
    const of = itemAt(data.children, index)
    return present(of, jsonReader(of))
  }
  const range = (row: number): readonly [number, number] => [Number(data.valueOffsets[row]), Number(data.valueOffsets[row + 1])]
  switch (typeId) {
    case ARROW.int:
    case ARROW.decimal:
    case ARROW.bool:
      return textReader(data)
    case ARROW.float:
      return (row) => JSON.stringify(data.values[row])
    case ARROW.list: {
      const element = child(0)
      return (row) => `[${elements(element, ...range(row)).join(',')}]`
    }
    case ARROW.fixedSizeList: {
      const element = child(0)
      return (row) => `[${elements(element, row * listSize, (row + 1) * listSize).join(',')}]`
    }
    case ARROW.struct: {
      const fields = (children ?? []).map(({ name }, index) => [JSON.stringify(name), child(index)] as const)
      return (row) => `{${fields.map(([name, read]) => `${name}:${read(row) ?? 'null'}`).join(',')}}`
    }
    case ARROW.map: {
      const [keys, values] = both([0, 1], (index) => itemAt(itemAt(data.children, 0).children, index))
      const [key, value] = [textReader(keys), present(values, jsonReader(values))]
      const entry = (index: number): string => `${JSON.stringify(key(index))}:${value(index) ?? 'null'}`
      return (row) => `{${elements(entry, ...range(row)).join(',')}}`
    }
    default: {
      const read = textReader(data)
      return (row) => JSON.stringify(read(row))
    }
  }
}

const elements = (read: Reader<string>, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => read(from + i) ?? 'null')
