/** Single values of Arrow columns, read from their words, because apache-arrow returns times and decimals with fewer digits. */
import { type DataType, fail } from '@grainline/core'
import { floorDivide, formatDate, formatDecimal, formatTime, formatTimestamp } from '@grainline/core/vendor'
import type { DataType as ArrowType, Data, Vector } from 'apache-arrow'

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
const MICROS_PER_DAY = 86_400_000_000n

/** The value of a row; NULL is `null`. */
export type Reader<T> = (row: number) => T | null

/** The value in the form of core's column builder for the planned type. */
export function plannedReader(data: Data, planned: DataType): Reader<unknown> {
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
  <T>(data: Data, read: (row: number) => T): Reader<T> =>
  (row) =>
    data.type.typeId !== ARROW.null && data.getValid(row) ? read(row) : null

const booleanAt = (data: Data, row: number): boolean =>
  ((data.values as Uint8Array)[(row + data.offset) >> 3]! & (1 << ((row + data.offset) & 7))) !== 0

/** A dictionary may have grown during the answer, and then has several pieces. */
function throughDictionary<T>(data: Data, readerOf: (values: Data) => Reader<T>): Reader<T> {
  const pieces = (data.dictionary as unknown as Vector).data.map((piece) => ({ length: piece.length, read: readerOf(piece) }))
  return present(data, (row) => {
    let index = Number((data.values as Int32Array)[row])
    for (const { length, read } of pieces) {
      if (index < length) return read(index)
      index -= length
    }
    return null
  }) as Reader<T>
}

/** Any value as a complete text. */
export function textReader(data: Data): (row: number) => string {
  const values = data.values as unknown as ArrayLike<number | bigint>
  switch (data.type.typeId) {
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
      const { byteWidth } = data.type as ArrowType & { readonly byteWidth: number }
      return (row) =>
        `\\x${Buffer.from((data.values as Uint8Array).subarray(row * byteWidth, (row + 1) * byteWidth)).toString('hex')}`
    }
    case ARROW.int:
    case ARROW.float:
      return (row) => String(values[row])
    case ARROW.bool:
      return (row) => String(booleanAt(data, row))
    case ARROW.decimal: {
      const { scale } = data.type as ArrowType & { readonly scale: number }
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
      return () => fail('RESULT_TYPE_MISMATCH', `Values of Arrow's type ${data.type} are not read`)
  }
}

function bytesAt(data: Data, row: number): Buffer {
  const offsets = data.valueOffsets as unknown as ArrayLike<number | bigint>
  const bytes = data.values as Uint8Array
  const [start, end] = [Number(offsets[row]), Number(offsets[row + 1])]
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
}

/** Words of 32 bits, the lowest first: four of them, or eight. */
export function unscaledAt(data: Data, row: number): bigint {
  const words = data.values as Uint32Array
  const count = (data.type as ArrowType & { readonly bitWidth: number }).bitWidth / 32
  let value = 0n
  for (let word = count - 1; word >= 0; word--) value = (value << 32n) | BigInt(words[row * count + word]!)
  return BigInt.asIntN(count * 32, value)
}

/** Since 1970, of a date or a timestamp of any unit; finer digits are cut. */
function microsAt(data: Data, row: number): bigint {
  const value = BigInt((data.values as unknown as ArrayLike<number | bigint>)[row]!)
  const { typeId, unit } = data.type as ArrowType & { readonly unit: number }
  if (typeId === ARROW.date) return unit === 0 ? value * MICROS_PER_DAY : value * 1000n
  return unit === 3 ? floorDivide(value, 1000n) : value * (1_000_000n / PER_SECOND[unit]!)
}

function momentReader(data: Data, { kind }: DataType): (row: number) => unknown {
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

function timeMicros(data: Data): (row: number) => bigint {
  const { unit } = data.type as ArrowType & { readonly unit: number }
  const values = data.values as unknown as ArrayLike<number | bigint>
  return (row) => (BigInt(values[row]!) * 1_000_000n) / PER_SECOND[unit]!
}

const daysOf = (micros: bigint): bigint => floorDivide(micros, MICROS_PER_DAY)

/** A value as JSON, with every digit. */
function jsonReader(data: Data): (row: number) => string {
  const { typeId } = data.type
  const child = (index: number): Reader<string> => {
    const of = data.children[index]! as Data
    return present(of, jsonReader(of))
  }
  const ranges = data.valueOffsets as unknown as ArrayLike<number>
  switch (typeId) {
    case ARROW.int:
    case ARROW.decimal:
    case ARROW.bool:
      return textReader(data)
    case ARROW.float:
      return (row) => JSON.stringify((data.values as Float64Array)[row])
    case ARROW.list: {
      const element = child(0)
      return (row) => `[${elements(element, ranges[row]!, ranges[row + 1]!).join(',')}]`
    }
    case ARROW.fixedSizeList: {
      const element = child(0)
      const { listSize } = data.type as ArrowType & { readonly listSize: number }
      return (row) => `[${elements(element, row * listSize, (row + 1) * listSize).join(',')}]`
    }
    case ARROW.struct: {
      const fields = data.type.children!.map(({ name }, index) => [JSON.stringify(name), child(index)] as const)
      return (row) => `{${fields.map(([name, read]) => `${name}:${read(row) ?? 'null'}`).join(',')}}`
    }
    case ARROW.map: {
      const [keys, values] = (data.children[0]! as Data).children as unknown as readonly [Data, Data]
      const [key, value] = [textReader(keys), present(values, jsonReader(values))]
      const entry = (index: number): string => `${JSON.stringify(key(index))}:${value(index) ?? 'null'}`
      return (row) => `{${elements(entry, ranges[row]!, ranges[row + 1]!).join(',')}}`
    }
    default: {
      const read = textReader(data)
      return (row) => JSON.stringify(read(row))
    }
  }
}

const elements = (read: Reader<string>, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, i) => read(from + i) ?? 'null')
