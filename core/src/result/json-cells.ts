import type { DataType } from '../model/data-type.js'
import { formatDecimal } from './decimal.js'
import type { JsonWriter } from './json-writer.js'
import type { ColumnVector } from './record-batch.js'
import { formatDate, formatTime } from './temporal.js'
import type { CellWriter } from './text-writer.js'
import { timestampWriter } from './timestamp-cells.js'
import { isPresent } from './validity.js'
import { decimalAt, smallDecimalAt, textAt, valueAt, wordsOf } from './value-at.js'
import type { ZoneOffset } from './zone-offset.js'

const QUOTE = 34

/** Writes the values of a column as JSON: see `encodeJsonRows`. */
export function cellWriter(column: ColumnVector, type: DataType, writer: JsonWriter, offset: ZoneOffset | undefined): CellWriter {
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
      return (row) => writer.number(column.values[row]!)
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
  if (type.kind !== 'int') return quoted(timestampWriter(column, type, writer, offset), writer)
  const words = wordsOf(values)
  return (row) => writer.int64(words[2 * row]!, words[2 * row + 1]!)
}

function quoted(write: CellWriter, writer: JsonWriter): CellWriter {
  return (row) => {
    writer.byte(QUOTE)
    write(row)
    writer.byte(QUOTE)
  }
}

function decimalWriter(values: BigInt64Array, scale: number, writer: JsonWriter): CellWriter {
  const words = wordsOf(values)
  const power = 10 ** scale
  return (row) => {
    const small = scale <= 15 ? smallDecimalAt(words, row) : undefined
    if (small !== undefined) writer.quotedDecimal(small, scale, power)
    else writer.quotedAscii(formatDecimal(decimalAt(values, row), scale))
  }
}

/** A json value unchanged, without line breaks between its tokens; a text that is not valid JSON as a JSON string. */
function embeddable(text: string): string {
  try {
    JSON.parse(text)
    return text.replace(/[\r\n]+/g, ' ')
  } catch {
    return JSON.stringify(text)
  }
}
