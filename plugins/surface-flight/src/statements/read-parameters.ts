/** Reads the values of a prepared statement: one row in the Arrow IPC format, in untrusted bytes. */
import type { DataType } from '@grainline/core'
import {
  BOOLEAN,
  DATE,
  FLOAT,
  formatDate,
  formatDecimal,
  formatTime,
  formatTimestamp,
  INT,
  TIME,
  TIMESTAMP,
} from '@grainline/core/format'
import { invalid } from '../server/status.js'
import { FlatTable } from './flat-table.js'
import type { Parameters_ } from './statement.js'

export interface IpcMessage {
  readonly header: Uint8Array
  readonly body: Buffer
}

type Parameter = Parameters_[number]
/** Reads the value of the row from the buffers of a column. */
type Reader = (buffers: readonly Buffer[]) => Parameter

interface Column {
  /** The number of buffers, including the validity. */
  readonly buffers: number
  readonly read: Reader
}

/** The codes of headers and types: https://github.com/apache/arrow/blob/main/format/Message.fbs and Schema.fbs. */
const HEADER = { schema: 1, recordBatch: 3 } as const
const TYPE = { null: 1, int: 2, float: 3, utf8: 5, bool: 6, decimal: 7, date: 8, time: 9, timestamp: 10, largeUtf8: 20 } as const
/** No statement has more parameters. */
const MOST_COLUMNS = 65_535

/** The values; `undefined` if there is no row. Throws `INVALID_ARGUMENT`. */
export function readParameters(messages: readonly IpcMessage[]): Parameters_ | undefined {
  try {
    return parametersIn(messages)
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`The values of the statement cannot be read: ${error.message}`)
    throw error
  }
}

function parametersIn(messages: readonly IpcMessage[]): Parameters_ | undefined {
  let columns: readonly Column[] | undefined
  let values: Parameters_ | undefined
  for (const { header, body } of messages) {
    const message = FlatTable.root(header)
    const content = message.table(2)
    if (content === undefined) throw new RangeError('a message is empty')
    const kind = message.uint8(1)
    if (kind === HEADER.schema) columns = columnsOf(content)
    else if (kind !== HEADER.recordBatch) throw invalid('The values use a dictionary; send plain columns')
    else if (columns === undefined) throw new RangeError('the rows come before their schema')
    else {
      const rows = content.int64(0)
      if (rows > 1n || (rows === 1n && values !== undefined))
        throw invalid('The values have several rows; run the statement once for each row')
      if (rows === 1n) values = rowOf(content, body, columns)
    }
  }
  return values
}

function columnsOf(schema: FlatTable): readonly Column[] {
  const fields = schema.tables(1)
  if (fields.length > MOST_COLUMNS) throw new RangeError('there are too many columns')
  return fields.map((field) => {
    if (field.table(4) !== undefined) throw invalid('The values use a dictionary; send plain columns')
    return columnOf(field.uint8(2), field.table(3))
  })
}

function rowOf(batch: FlatTable, body: Buffer, columns: readonly Column[]): Parameters_ {
  if (batch.table(3) !== undefined) throw invalid('The values are compressed; send them uncompressed')
  const buffers = batch.structs(2, 2).map(([offset = 0n, length = 0n]) => {
    if (offset < 0n || length < 0n || offset + length > BigInt(body.length))
      throw new RangeError('a buffer ends beyond its message')
    return body.subarray(Number(offset), Number(offset + length))
  })
  let at = 0
  return columns.map(({ buffers: own, read }) => {
    const mine = buffers.slice(at, at + own)
    at += own
    const [validity] = mine
    if (own === 0 || (validity !== undefined && validity.length > 0 && (validity[0]! & 1) === 0)) return { value: null }
    return read(mine)
  })
}

/** A column with a validity buffer and a buffer of values. */
const fixed = (read: (values: Buffer) => Parameter): Column => ({ buffers: 2, read: ([, values = NOTHING]) => read(values) })
const NOTHING = Buffer.alloc(0)
const typed = (value: string, type: DataType): Parameter => ({ value, type })

function columnOf(type: number, about: FlatTable | undefined): Column {
  switch (type) {
    case TYPE.null:
      return { buffers: 0, read: () => ({ value: null }) }
    case TYPE.bool:
      return fixed((values) => ({ value: (values.readUInt8(0) & 1) === 1, type: BOOLEAN }))
    case TYPE.int:
      return fixed((values) => typed(String(wholeNumber(values, about?.int32(0) ?? 0, about?.uint8(1) === 1)), INT))
    case TYPE.float:
      return fixed((values) => ({ value: floatingPoint(values, about?.int16(0) ?? 0), type: FLOAT }))
    case TYPE.decimal:
      return fixed((values) =>
        typed(formatDecimal(wholeNumber(values, about?.int32(2, 128) ?? 128, true), scaleOf(about)), FLOAT),
      )
    case TYPE.date:
      return fixed((values) => typed(formatDate(Number(days(values, about?.int16(0, 1) ?? 1))), DATE))
    case TYPE.time: {
      const unit = about?.int16(0, 1) ?? 1
      return fixed((values) => typed(formatTime(Number(micros(wholeNumber(values, unit < 2 ? 32 : 64, true), unit))), TIME))
    }
    case TYPE.timestamp:
      return fixed((values) =>
        typed(formatTimestamp(micros(values.readBigInt64LE(0), about?.int16(0) ?? 0)).replace('T', ' '), TIMESTAMP),
      )
    case TYPE.utf8:
      return {
        buffers: 3,
        read: ([, offsets = NOTHING, text = NOTHING]) => textIn(text, offsets.readInt32LE(0), offsets.readInt32LE(4)),
      }
    case TYPE.largeUtf8:
      return {
        buffers: 3,
        read: ([, offsets = NOTHING, text = NOTHING]) =>
          textIn(text, Number(offsets.readBigInt64LE(0)), Number(offsets.readBigInt64LE(8))),
      }
    default:
      throw invalid('A value has a type that cannot be a parameter; send a text, a number, a boolean, a date or a time')
  }
}

/** Reads an integer of some width, little-endian. */
function wholeNumber(values: Buffer, bits: number, isSigned: boolean): bigint {
  if (![8, 16, 32, 64, 128, 256].includes(bits)) throw new RangeError(`a number has ${bits} bits`)
  if (values.length < bits / 8) throw new RangeError('a number is cut off')
  const unsigned = values.subarray(0, bits / 8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return isSigned ? BigInt.asIntN(bits, unsigned) : unsigned
}

function floatingPoint(values: Buffer, precision: number): number {
  if (precision === 1) return values.readFloatLE(0)
  if (precision === 2) return values.readDoubleLE(0)
  throw invalid('16-bit floats cannot be parameters; send a double')
}

function scaleOf(about: FlatTable | undefined): number {
  const scale = about?.int32(1) ?? 0
  if (scale < 0 || scale > 76) throw new RangeError(`a decimal has the scale ${scale}`)
  return scale
}

const MILLISECONDS_PER_DAY = 86_400_000n

function days(values: Buffer, unit: number): bigint {
  if (unit === 0) return BigInt(values.readInt32LE(0))
  const milliseconds = values.readBigInt64LE(0)
  return inRange(
    (milliseconds - (((milliseconds % MILLISECONDS_PER_DAY) + MILLISECONDS_PER_DAY) % MILLISECONDS_PER_DAY)) /
      MILLISECONDS_PER_DAY,
  )
}

/** The units of Arrow are seconds, milliseconds, microseconds and nanoseconds. */
function micros(value: bigint, unit: number): bigint {
  const scaled = [value * 1_000_000n, value * 1000n, value, value / 1000n][unit]
  if (scaled === undefined) throw new RangeError(`a time has the unit ${unit}`)
  return inRange(scaled)
}

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError('a time is out of range')
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textIn(text: Buffer, from: number, to: number): Parameter {
  if (from < 0 || to < from || to > text.length) throw new RangeError('a text ends beyond its message')
  try {
    return { value: utf8.decode(text.subarray(from, to)) }
  } catch {
    throw new RangeError('a text is not UTF-8')
  }
}
