/** The message format of a row: a DataRow, a binary COPY tuple, or a line of text. */

import { BACKEND } from '../wire/codes.js'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'

export interface RowLayout {
  /** Writes the row as one message. */
  row(out: MessageWriter, writers: readonly ValueWriter[], row: number): void
}

export const dataRows: RowLayout = {
  row(out, writers, row) {
    out.begin(BACKEND.dataRow)
    writeTuple(out, writers, row)
    out.end()
  },
}

/** Writes the number of fields, then each with its length (-1 for NULL). A DataRow and a binary COPY tuple share this form. */
export function writeTuple(out: MessageWriter, writers: readonly ValueWriter[], row: number): void {
  out.int16(writers.length)
  for (let i = 0; i < writers.length; i++) {
    out.ensure(4)
    const length = out.pos - out.mark
    out.pos += 4
    const present = writers[i]!(out, row)
    const at = out.mark + length
    out.put32(at, present ? out.pos - at - 4 : -1)
  }
}
