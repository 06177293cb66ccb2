/** CSV (RFC 4180) and its variant with tabs: a header, lines that end in CRLF, NULL as an empty field and the empty text as `""`. */
import type { DataType } from '../../model/data-type.js'
import { formatDecimal } from '../decimal.js'
import type { ColumnVector } from '../record-batch.js'
import { slices } from '../slices.js'
import { formatDate, formatTime } from '../temporal.js'
import { type CellWriter, TextWriter } from '../text-writer.js'
import { timestampWriter } from '../timestamp-cells.js'
import { isPresent } from '../validity.js'
import { decimalAt, smallDecimalAt, valueAt, wholeOf, wordsOf } from '../value-at.js'
import { type ZoneOffset, zoneOffset } from '../zone-offset.js'
import type { Encodable, ResultFormat } from './format.js'

const QUOTE = 34
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const COMMA = 44
const TAB = 9

export const csv: ResultFormat = {
  name: 'csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  alsoKnownAs: ['application/csv'],
  rowsOnly: true,
  encode: (answer) => encode(answer, COMMA),
}

export const tsv: ResultFormat = {
  name: 'tsv',
  mediaType: 'text/tab-separated-values; charset=utf-8',
  alsoKnownAs: ['text/tsv'],
  rowsOnly: true,
  encode: (answer) => encode(answer, TAB),
}

async function* encode({ schema, batches, timezone }: Encodable, separator: number): AsyncGenerator<Uint8Array> {
  const writer = new DelimitedWriter(separator)
  const offset = zoneOffset(timezone)
  writer.line(schema.length, (column) => writer.text(Buffer.from(schema[column]!.name)))
  for await (const { batch, from, to } of slices(batches)) {
    const cells = batch.columns.map((column, index) => cellWriter(column, schema[index]!.type, writer, offset))
    for (let row = from; row < to; row++) writer.line(cells.length, (column) => cells[column]!(row))
    yield writer.take()
  }
  if (writer.length > 0) yield writer.take()
}

class DelimitedWriter extends TextWriter {
  constructor(private readonly separator: number) {
    super()
  }

  line(columns: number, write: (column: number) => void): void {
    for (let column = 0; column < columns; column++) {
      if (column > 0) this.byte(this.separator)
      write(column)
    }
    this.byte(CARRIAGE_RETURN)
    this.byte(LINE_FEED)
  }

  /** Text, in quotes if it would otherwise be parsed differently. */
  text(bytes: Uint8Array, start = 0, end = bytes.length): void {
    if (!this.needsQuotes(bytes, start, end)) {
      this.bytes(bytes, start, end)
      return
    }
    this.room(2 * (end - start) + 2)
    this.byte(QUOTE)
    for (let i = start; i < end; i++) {
      if (bytes[i] === QUOTE) this.byte(QUOTE)
      this.byte(bytes[i]!)
    }
    this.byte(QUOTE)
  }

  private needsQuotes(bytes: Uint8Array, start: number, end: number): boolean {
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!
      if (byte === QUOTE || byte === this.separator || byte === LINE_FEED || byte === CARRIAGE_RETURN) return true
    }
    return start === end
  }
}

function cellWriter(column: ColumnVector, type: DataType, writer: DelimitedWriter, offset: ZoneOffset | undefined): CellWriter {
  const write = presentWriter(column, type, writer, offset)
  const { validity } = column
  if (validity === undefined) return write
  return (row) => {
    if (isPresent(validity, row)) write(row)
  }
}

function presentWriter(
  column: ColumnVector,
  type: DataType,
  writer: DelimitedWriter,
  offset: ZoneOffset | undefined,
): CellWriter {
  switch (column.kind) {
    case 'utf8':
      return (row) => writer.text(column.bytes, column.offsets[row]!, column.offsets[row + 1]!)
    case 'float64':
      return (row) => writer.float(column.values[row]!, String)
    case 'date32':
      return (row) => writer.ascii(formatDate(column.values[row]!))
    case 'decimal128':
      return decimalWriter(column.values, type.kind === 'decimal' ? type.scale : 0, writer)
    case 'boolean':
      return (row) => writer.ascii(valueAt(column, row, type) === true ? 'true' : 'false')
    case 'int64':
      return int64Writer(column, type, writer, offset)
  }
}

function int64Writer(
  column: ColumnVector & { readonly kind: 'int64' },
  type: DataType,
  writer: DelimitedWriter,
  offset: ZoneOffset | undefined,
): CellWriter {
  const { values } = column
  if (type.kind === 'time') return (row) => writer.ascii(formatTime(Number(values[row]!)))
  if (type.kind !== 'int') return timestampWriter(column, type, writer, offset)
  const words = wordsOf(values)
  return (row) => {
    const value = wholeOf(words[2 * row]!, words[2 * row + 1]!)
    if (Number.isSafeInteger(value)) writer.integer(value)
    else writer.ascii(String(values[row]))
  }
}

function decimalWriter(values: BigInt64Array, scale: number, writer: DelimitedWriter): CellWriter {
  const words = wordsOf(values)
  const power = 10 ** scale
  return (row) => {
    const small = scale <= 15 ? smallDecimalAt(words, row) : undefined
    if (small !== undefined) writer.decimal(small, scale, power)
    else writer.ascii(formatDecimal(decimalAt(values, row), scale))
  }
}
