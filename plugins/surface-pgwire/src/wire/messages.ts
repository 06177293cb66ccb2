/** Functions that each write one backend message. */
import { BACKEND } from './codes.js'
import type { MessageWriter } from './message-writer.js'
import type { PgError } from './pg-error.js'

export type Format = 0 | 1
export const TEXT_FORMAT: Format = 0
export const BINARY_FORMAT: Format = 1

/** A column of a row description. `typeModifier` is -1 if the type has none. */
export interface Field {
  readonly name: string
  readonly type: number
  readonly size: number
  readonly typeModifier: number
  /** The table id and column number of a column; 0 for computed columns. */
  readonly table?: number
  readonly column?: number
}

/** The format of column `index` in a Bind message. An empty list means text, and a single format applies to all columns. */
export const formatAt = (formats: readonly Format[], index: number): Format =>
  (formats.length === 1 ? formats[0] : formats[index]) ?? TEXT_FORMAT

/** Writes a message without a body. */
export function bare(out: MessageWriter, code: number): void {
  out.begin(code)
  out.end()
}

export function authentication(out: MessageWriter, request: number, data?: string): void {
  out.begin(BACKEND.authentication)
  out.int32(request)
  if (data !== undefined) out.text(data)
  out.end()
}

export function parameterStatus(out: MessageWriter, name: string, value: string): void {
  out.begin(BACKEND.parameterStatus)
  out.cstring(name)
  out.cstring(value)
  out.end()
}

export function readyForQuery(out: MessageWriter, status: 'I' | 'T' | 'E'): void {
  out.begin(BACKEND.readyForQuery)
  out.int8(status.charCodeAt(0))
  out.end()
}

export function commandComplete(out: MessageWriter, tag: string): void {
  out.begin(BACKEND.commandComplete)
  out.cstring(tag)
  out.end()
}

export function rowDescription(out: MessageWriter, fields: readonly Field[], formats: readonly Format[]): void {
  out.begin(BACKEND.rowDescription)
  out.int16(fields.length)
  for (const [index, field] of fields.entries()) {
    out.cstring(field.name)
    out.int32(field.table ?? 0)
    out.int16(field.column ?? 0)
    out.int32(field.type)
    out.int16(field.size)
    out.int32(field.typeModifier)
    out.int16(formatAt(formats, index))
  }
  out.end()
}

export function parameterDescription(out: MessageWriter, types: readonly number[]): void {
  out.begin(BACKEND.parameterDescription)
  out.int16(types.length)
  for (const type of types) out.int32(type)
  out.end()
}

/** Writes an error, or a notice with `noticeResponse`. The manual lists the field letters: "Error and Notice Message Fields". */
export function errorResponse(out: MessageWriter, error: PgError, code: number = BACKEND.errorResponse): void {
  const { severity = code === BACKEND.noticeResponse ? 'NOTICE' : 'ERROR', detail, hint, position } = error.fields
  out.begin(code)
  const field = (letter: string, value: string | number | undefined) => {
    if (value === undefined || value === '') return
    out.ascii(letter)
    // A NUL would end the field.
    out.cstring(String(value).replaceAll('\0', ''))
  }
  field('S', severity)
  field('V', severity)
  field('C', error.sqlState)
  field('M', error.message || 'unknown error')
  field('D', detail)
  field('H', hint)
  field('P', position)
  out.int8(0)
  out.end()
}
