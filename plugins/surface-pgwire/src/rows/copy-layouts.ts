/** Layouts for the rows of COPY … TO STDOUT. Each row is a CopyData message, as in PostgreSQL. */

import { BACKEND } from '../wire/codes.js'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'
import { type RowLayout, writeTuple } from './row-layout.js'

/** "PGCOPY\n\377\r\n\0", flags, and the length of the header extension (manual, "COPY": binary format). */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')

/** The header is part of the first row's message, because drivers refuse a separate one. */
export function binaryCopy(): RowLayout & { readonly end: (out: MessageWriter) => void } {
  let begun = false
  const header = (out: MessageWriter) => {
    if (!begun) out.raw(SIGNATURE)
    begun = true
  }
  return {
    row(out, writers, row) {
      out.begin(BACKEND.copyData)
      header(out)
      writeTuple(out, writers, row)
      out.end()
    },
    end(out) {
      out.begin(BACKEND.copyData)
      header(out)
      out.int16(-1)
      out.end()
    },
  }
}

export interface TextCopyOptions {
  readonly delimiter: number
  /** The text for NULL. */
  readonly nullText: string
}

const NEWLINE = 10
const RETURN = 13
const BACKSLASH = 92
/** The characters that the text format escapes with a backslash and a letter. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  (
    [
      ['\b', 'b'],
      ['\t', 't'],
      ['\n', 'n'],
      ['\v', 'v'],
      ['\f', 'f'],
      ['\r', 'r'],
      ['\\', '\\'],
    ] as const
  ).map(([from, to]) => [from.charCodeAt(0), to.charCodeAt(0)]),
)

export function textCopy({ delimiter, nullText }: TextCopyOptions): RowLayout {
  const special = new Uint8Array(256)
  for (const byte of ESCAPES.keys()) special[byte] = 1
  special[delimiter] = 1
  return lines(delimiter, (out, writer, row) => {
    const from = out.pos - out.mark
    if (writer(out, row)) escapeText(out, out.mark + from, special)
    else out.text(nullText)
  })
}

export interface CsvCopyOptions extends TextCopyOptions {
  readonly quote: number
  readonly escape: number
  /** Whether the values of each column are always quoted. */
  readonly forceQuote: readonly boolean[]
}

export function csvCopy(options: CsvCopyOptions): RowLayout {
  const special = new Uint8Array(256)
  for (const byte of [options.delimiter, options.quote, NEWLINE, RETURN]) special[byte] = 1
  const alone = (out: MessageWriter, count: number) => count === 1 && endOfData(out)
  return lines(options.delimiter, (out, writer, row, column, count) => {
    const from = out.pos - out.mark
    if (!writer(out, row)) return out.text(options.nullText)
    const start = out.mark + from
    const forced = options.forceQuote[column] === true || equals(out, start, options.nullText) || alone(out, count)
    if (forced || hasSpecial(out, start, special)) quoteValue(out, start, options)
  })
}

/** Writes the column names as the first line. */
export function headerLine(out: MessageWriter, names: readonly string[], layout: RowLayout): void {
  const writers = names.map(
    (name): ValueWriter =>
      (target) => {
        target.text(name)
        return true
      },
  )
  layout.row(out, writers, 0)
}

type WriteField = (out: MessageWriter, writer: ValueWriter, row: number, column: number, count: number) => void

function lines(delimiter: number, field: WriteField): RowLayout {
  return {
    row(out, writers, row) {
      out.begin(BACKEND.copyData)
      for (let i = 0; i < writers.length; i++) {
        if (i > 0) out.int8(delimiter)
        field(out, writers[i]!, row, i, writers.length)
      }
      out.int8(NEWLINE)
      out.end()
    },
  }
}

function hasSpecial(out: MessageWriter, start: number, special: Uint8Array): boolean {
  const { bytes, pos } = out
  for (let at = start; at < pos; at++) if (special[bytes[at]!] === 1) return true
  return false
}

function escapeText(out: MessageWriter, start: number, special: Uint8Array): void {
  if (!hasSpecial(out, start, special)) return
  const plain = Buffer.from(out.bytes.subarray(start, out.pos))
  out.pos = start
  for (const byte of plain) {
    if (special[byte] === 1) out.int8(BACKSLASH)
    out.int8(special[byte] === 1 ? (ESCAPES.get(byte) ?? byte) : byte)
  }
}

function quoteValue(out: MessageWriter, start: number, { quote, escape: escaping }: CsvCopyOptions): void {
  const plain = Buffer.from(out.bytes.subarray(start, out.pos))
  out.pos = start
  out.int8(quote)
  for (const byte of plain) {
    if (byte === quote || byte === escaping) out.int8(escaping)
    out.int8(byte)
  }
  out.int8(quote)
}

const equals = (out: MessageWriter, start: number, text: string): boolean =>
  out.pos - start === Buffer.byteLength(text) && out.bytes.toString('utf8', start, out.pos) === text

/** Whether a value is `\.`, which would end the data if it were alone on a line. */
const endOfData = (out: MessageWriter): boolean => equals(out, out.pos - 2, '\\.')
