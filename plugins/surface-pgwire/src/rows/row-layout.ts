/** The three ways a row goes out: as a DataRow, as a binary COPY tuple, as a line of text. */

import { BACKEND } from '../wire/codes.js'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'

export interface RowLayout {
  /** Writes one message. */
  row(out: MessageWriter, writers: readonly ValueWriter[], row: number): void
}

export const dataRows: RowLayout = {
  row(out, writers, row) {
    out.begin(BACKEND.dataRow)
    writeTuple(out, writers, row)
    out.end()
  },
}

/** Number of fields, then each with its length; -1 is NULL. A DataRow and a tuple of a binary COPY are the same in this. */
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
