import { setImmediate } from 'node:timers/promises'
import { type DataType, formatDataType } from '../model/data-type.js'
import { formatDecimal } from './decimal.js'
import { JsonWriter } from './json-writer.js'
import type { ColumnVector, RecordBatch, ResultColumn, ResultSchema } from './record-batch.js'
import { formatDate, formatTime } from './temporal.js'
import { isPresent } from './validity.js'
import { decimalAt, textAt, valueAt } from './value-at.js'
import { type ZoneOffset, zoneOffset } from './zone-offset.js'

/**
 * How the values of a column stand in JSON where that is not obvious: `string` for decimals (every digit is kept), `number-or-string` for
 * integers (a number as long as a double holds it exactly, a string beyond 2^53).
 */
export type JsonEncoding = 'string' | 'number-or-string'

export interface JsonColumn {
  readonly name: string
  readonly type: string
  readonly role: ResultColumn['role']
  readonly format?: string
  readonly encoding?: JsonEncoding
}

/** The `columns` of an answer in JSON. */
export function jsonColumns(schema: ResultSchema): JsonColumn[] {
  return schema.map(({ name, type, role, format }) => {
    const encoding = jsonEncoding(type)
    return {
      name,
      type: formatDataType(type),
      role,
      ...(format !== undefined && { format }),
      ...(encoding !== undefined && { encoding }),
    }
  })
}

export interface JsonRowsOptions {
  /** IANA zone in which `timestamp_tz` is shown, with its offset; UTC (`…Z`) by default. */
  readonly timezone?: string
}

/** Rows between two turns of the event loop, so that one big answer does not hold up small ones. */
const ROWS_PER_SLICE = 4096

/**
 * The `rows` of an answer: the pieces of one JSON array of arrays. Decimals and integers beyond 2^53 are strings, floats numbers (`null`
 * for NaN and the infinities), dates and times ISO 8601, `infinity` and `-infinity` where the engine has them, json is embedded.
 */
export async function* encodeJsonRows(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  options: JsonRowsOptions = {},
): AsyncIterable<Buffer> {
  const offset = zoneOffset(options.timezone ?? 'UTC')
  const writer = new JsonWriter()
  let separator = OPEN
  for await (const batch of batches) {
    const cells = batch.columns.map((column, index) => cellWriter(column, batch.schema[index]!.type, writer, offset))
    for (let row = 0; row < batch.rowCount; row += ROWS_PER_SLICE) {
      if (row > 0) await setImmediate()
      const end = Math.min(row + ROWS_PER_SLICE, batch.rowCount)
      for (let i = row; i < end; i++) {
        writer.byte(separator)
        writeRow(cells, i, writer)
        separator = COMMA
      }
      yield writer.take()
    }
  }
  if (separator === OPEN) writer.byte(OPEN)
  writer.byte(CLOSE)
  yield writer.take()
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44

type CellWriter = (row: number) => void

function writeRow(cells: readonly CellWriter[], row: number, writer: JsonWriter): void {
  writer.byte(OPEN)
  for (let i = 0; i < cells.length; i++) {
    if (i > 0) writer.byte(COMMA)
    cells[i]!(row)
  }
  writer.byte(CLOSE)
}

function jsonEncoding(type: DataType): JsonEncoding | undefined {
  if (type.kind === 'decimal') return 'string'
  return type.kind === 'int' ? 'number-or-string' : undefined
}

function cellWriter(column: ColumnVector, type: DataType, writer: JsonWriter, offset: ZoneOffset | undefined): CellWriter {
  const write = presentWriter(column, type, writer, offset)
  const { validity } = column
  if (validity === undefined) return write
  return (row) => (isPresent(validity, row) ? write(row) : writer.ascii('null'))
}

function presentWriter(column: ColumnVector, type: DataType, writer: JsonWriter, offset: ZoneOffset | undefined): CellWriter {
  switch (column.kind) {
    case 'boolean':
      return (row) => writer.ascii(valueAt(column, row, type) === true ? 'true' : 'false')
    case 'float64':
      return (row) => writer.float(column.values[row]!)
    case 'date32':
      return (row) => writer.quotedAscii(formatDate(column.values[row]!))
    case 'decimal128':
      return decimalWriter(column.values, type.kind === 'decimal' ? type.scale : 0, writer)
    case 'utf8':
      return type.kind === 'json'
        ? (row) => writer.raw(embeddable(textAt(column, row)))
        : (row) => writer.text(column.bytes, column.offsets[row]!, column.offsets[row + 1]!)
    case 'int64':
      return int64Writer(column, type, writer, offset)
  }
}

function int64Writer(
  column: ColumnVector & { readonly kind: 'int64' },
  type: DataType,
  writer: JsonWriter,
  offset: ZoneOffset | undefined,
): CellWriter {
  const { values } = column
  if (type.kind === 'time') return (row) => writer.quotedAscii(formatTime(Number(values[row]!)))
  if (type.kind !== 'int') return (row) => writer.quotedAscii(valueAt(column, row, type, offset) as string)
  const words = wordsOf(values)
  return (row) => writer.int64(words[2 * row]!, words[2 * row + 1]!)
}

function decimalWriter(values: BigInt64Array, scale: number, writer: JsonWriter): CellWriter {
  const words = wordsOf(values)
  const power = 10 ** scale
  return (row) => {
    const [low, high, sign] = [words[4 * row]!, words[4 * row + 1]!, words[4 * row + 2]!]
    const small = high * 4294967296 + (low >>> 0)
    // The upper half only repeats the sign, and both the number and the power of its scale are exact as doubles.
    if (sign === high >> 31 && words[4 * row + 3] === sign && Number.isSafeInteger(small) && scale <= 15)
      writer.decimal(small, scale, power)
    else writer.quotedAscii(formatDecimal(decimalAt(values, row), scale))
  }
}

const wordsOf = (values: BigInt64Array): Int32Array => new Int32Array(values.buffer, values.byteOffset, values.length * 2)

/** A json value as it is, without line breaks between its tokens; a text that turns out not to be JSON as a JSON string. */
function embeddable(text: string): string {
  try {
    JSON.parse(text)
    return text.replace(/[\r\n]+/g, ' ')
  } catch {
    return JSON.stringify(text)
  }
}
