/** Writes client messages for the catalogue's database. */
import { FRONTEND } from '../wire/codes.js'
import type { Format } from '../wire/messages.js'

export function queryMessage(text: string): Buffer {
  return message(FRONTEND.query, cstring(text))
}

export function parseMessage(text: string, types: readonly number[]): Buffer {
  return message(FRONTEND.parse, cstring(''), cstring(text), int16(types.length), ...types.map(int32))
}

export interface BoundValues {
  readonly values: readonly (Buffer | null)[]
  readonly valueFormats: readonly Format[]
  readonly formats: readonly Format[]
}

export function bindMessage({ values, valueFormats, formats }: BoundValues): Buffer {
  return message(
    FRONTEND.bind,
    cstring(''),
    cstring(''),
    int16(valueFormats.length),
    ...valueFormats.map(int16),
    int16(values.length),
    ...values.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value])),
    int16(formats.length),
    ...formats.map(int16),
  )
}

export const describeMessage = (what: 'S' | 'P'): Buffer => message(FRONTEND.describe, Buffer.from(what), cstring(''))
export const executeMessage = (mostRows: number): Buffer => message(FRONTEND.execute, cstring(''), int32(mostRows))
export const syncMessage = (): Buffer => message(FRONTEND.sync)

function message(code: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from([code]), int32(length), ...parts])
}

const cstring = (text: string): Buffer => Buffer.from(`${text.replaceAll('\0', '')}\0`)

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
