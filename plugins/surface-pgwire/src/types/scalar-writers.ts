/** Writers of text, numbers and booleans. Each function inspects a vector once, and returns a function that writes its rows. */
import { type ColumnVector, DOUBLE_BYTES, writeDigits, writeDouble, writeHundredths } from '@grainline/core/format'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'
import { floatText } from './float-text.js'

type Vector<K extends ColumnVector['kind']> = ColumnVector & { readonly kind: K }

const MINUS = 45
/** Up to this size a loop copies faster than a call. */
const SHORT = 48

/** Text and JSON have the same bytes in both formats. */
export function writeUtf8({ validity, offsets, bytes }: Vector<'utf8'>): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const start = offsets[row]!
    const length = offsets[row + 1]! - start
    out.ensure(length)
    const target = out.bytes
    const at = out.pos
    if (length <= SHORT) for (let i = 0; i < length; i++) target[at + i] = bytes[start + i]!
    else target.set(bytes.subarray(start, start + length), at)
    out.pos = at + length
    return true
  }
}

export function writeBoolean({ validity, values }: Vector<'boolean'>, binary: boolean): ValueWriter {
  const [no, yes] = binary ? [0, 1] : [102, 116] // f, t
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    out.int8(isSet(values, row) ? yes : no)
    return true
  }
}

export function writeInt64Binary({ validity, values }: Vector<'int64'>): ValueWriter {
  return writeWords(validity, wordsOf(values))
}

export function writeFloatBinary({ validity, values }: Vector<'float64'>): ValueWriter {
  return writeWords(validity, wordsOf(values))
}

/** Writes eight bytes, big-endian. */
function writeWords(validity: Uint8Array | undefined, words: Int32Array): ValueWriter {
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    out.ensure(8)
    out.put32(out.pos, words[2 * row + 1]!)
    out.put32(out.pos + 4, words[2 * row]!)
    out.pos += 8
    return true
  }
}

export function writeInt64Text({ validity, values }: Vector<'int64'>): ValueWriter {
  const words = wordsOf(values)
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const high = words[2 * row + 1]!
    if (high < SAFE_HIGH && high > -SAFE_HIGH) writeInteger(out, high * 4_294_967_296 + (words[2 * row]! >>> 0))
    else out.ascii(values[row]!.toString())
    return true
  }
}

/** Writes a safe integer in decimal. */
export function writeInteger(out: MessageWriter, value: number): void {
  out.ensure(20)
  let at = out.pos
  if (value < 0) out.bytes[at++] = MINUS
  out.pos = writeDigits(out.bytes, at, Math.abs(value))
}

/** Writes the shortest text. For numbers with at most two decimals, writing hundredths is faster than `floatText`. */
export function writeFloatText({ validity, values }: Vector<'float64'>, extraDigits: number): ValueWriter {
  const largest = extraDigits > 0 ? 1e15 : 10 ** Math.max(1, 13 + extraDigits)
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const value = values[row]!
    const hundredths = Math.round(value * 100)
    // -0 is left out, because it keeps its sign.
    const plain = hundredths < largest && hundredths > -largest && hundredths / 100 === value && hundredths !== 0
    if (plain) {
      out.ensure(20)
      out.pos = writeHundredths(out.bytes, out.pos, hundredths)
    } else if (extraDigits <= 0 || !writeShortest(out, value)) out.ascii(floatText(value, extraDigits))
    return true
  }
}

/** Writes the double and returns true, except for values that PostgreSQL writes with an exponent. */
function writeShortest(out: MessageWriter, value: number): boolean {
  const size = Math.abs(value)
  if (size < 1e-4) return false
  out.ensure(DOUBLE_BYTES)
  if (value < 0) out.bytes[out.pos] = MINUS
  const end = writeDouble(out.bytes, value < 0 ? out.pos + 1 : out.pos, size)
  if (end >= 0) out.pos = end
  return end >= 0
}

/** Integers whose high word is below this are exact as doubles. */
export const SAFE_HIGH = 0x200000

/** 64-bit values as pairs of words, the low word first. */
export const wordsOf = (values: BigInt64Array | Float64Array): Int32Array =>
  new Int32Array(values.buffer, values.byteOffset, values.length * 2)

export const isSet = (bits: Uint8Array, row: number): boolean => (bits[row >> 3]! & (1 << (row & 7))) !== 0
