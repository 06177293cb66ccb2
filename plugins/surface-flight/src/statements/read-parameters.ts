/** The values of a prepared statement, from a batch of one row. */
import {
  BOOLEAN,
  DATE,
  type DataType,
  FLOAT,
  formatDate,
  formatDecimal,
  formatTime,
  formatTimestamp,
  INT,
  TIME,
  TIMESTAMP,
} from '@grainline/core'
import { type DataType as ArrowType, type Data, type RecordBatch, RecordBatchReader, Type, DataType as Types } from 'apache-arrow'
import { invalid } from '../server/status.js'
import type { Parameters_ } from './statement.js'

type Parameter = Parameters_[number]

/** The values; `undefined` for a batch without rows, which binds nothing. */
export async function readParameters(stream: Uint8Array): Promise<Parameters_ | undefined> {
  const batches = read(stream)
  const rows = batches.reduce((sum, { numRows }) => sum + numRows, 0)
  if (rows > 1) throw invalid(`Values for one run of the statement are taken, and these are ${rows} rows; run it once for each`)
  const batch = batches.find(({ numRows }) => numRows === 1)
  return batch?.data.children.map((data, i) => parameterOf(data as Data, i))
}

function read(stream: Uint8Array): readonly RecordBatch[] {
  try {
    return [...RecordBatchReader.from(stream)]
  } catch (error) {
    throw invalid(`The values of the statement cannot be read: ${(error as Error).message.slice(0, 200)}`)
  }
}

function parameterOf(data: Data, index: number): Parameter {
  try {
    return valueIn(data)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError)
      throw invalid(`The value of parameter ${index + 1} cannot be read`)
    throw error
  }
}

function valueIn(data: Data): Parameter {
  const { type } = data
  if (Types.isNull(type)) return { value: null }
  if (Types.isUnion(type)) return valueInUnion(data)
  if (!data.getValid(0)) return { value: null }
  if (Types.isDictionary(type)) {
    const values = (data.dictionary as unknown as { readonly data: readonly Data[] }).data
    return valueIn(values[0]!.slice(Number((data.values as Int32Array)[0]), 1))
  }
  return present(data, type)
}

/** JDBC and ADBC put a value of which they do not know the type into a union. */
function valueInUnion(data: Data): Parameter {
  const child = (data.type as ArrowType & { readonly typeIdToChildIndex: readonly number[] }).typeIdToChildIndex[
    data.typeIds![0]!
  ]
  const offset = Number(data.valueOffsets?.[0] ?? 0)
  const chosen = data.children[child ?? -1]
  if (chosen === undefined) throw new RangeError('the union has no such child')
  return valueIn(chosen.slice(offset, 1))
}

const UNITS = [1_000_000n, 1000n, 1n] as const

function present(data: Data, type: ArrowType): Parameter {
  const first = (data.values as ArrayLike<number | bigint> | undefined)?.[0]
  switch (type.typeId) {
    case Type.Bool:
      return { value: ((data.values as Uint8Array)[data.offset >> 3]! & (1 << (data.offset & 7))) !== 0, type: BOOLEAN }
    case Type.Int:
      return typed(String(first), INT)
    case Type.Float:
      return { value: Number(first), type: FLOAT }
    case Type.Decimal:
      return { value: formatDecimal(unscaled(data), (type as ArrowType & { readonly scale: number }).scale), type: FLOAT }
    case Type.Utf8:
    case Type.LargeUtf8:
      return { value: textOf(data) }
    case Type.Date: {
      const days =
        (type as ArrowType & { readonly unit: number }).unit === 0 ? Number(first) : Math.floor(Number(first) / 86_400_000)
      return typed(formatDate(days), DATE)
    }
    case Type.Timestamp:
      return typed(formatTimestamp(micros(type, first!)).replace('T', ' '), TIMESTAMP)
    case Type.Time:
      return typed(formatTime(Number(micros(type, first!))), TIME)
    default:
      throw invalid(
        `Values of Arrow's type ${type} cannot be parameters here; send a text, a number, a boolean, a date or a time`,
      )
  }
}

const typed = (value: string, type: DataType): Parameter => ({ value, type })

/** Arrow counts seconds, thousandths, millionths or thousand-millionths of them. */
function micros(type: ArrowType, value: number | bigint): bigint {
  const { unit } = type as ArrowType & { readonly unit: 0 | 1 | 2 | 3 }
  const given = BigInt(value)
  return unit === 3 ? given / 1000n : given * UNITS[unit]
}

function textOf({ values, valueOffsets }: Data): string {
  const [from, to] = [Number(valueOffsets![0]), Number(valueOffsets![1])]
  return Buffer.from((values as Uint8Array).subarray(from, to)).toString('utf8')
}

/** Words of 32 bits, the lowest first. */
function unscaled({ values, stride }: Data): bigint {
  const words = (values as Uint32Array).subarray(0, stride)
  const bits = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n)
  return BigInt.asIntN(32 * words.length, bits)
}
