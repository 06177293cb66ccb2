/** Writes decimals: 128 bits, two's complement, low word first. Nearly all are safe integers; the others use BigInt. */
import { type ColumnVector, decimalAt, formatDecimal, writeDigits, writePadded } from '@grainline/core/format'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'
import { writeNumeric } from './numeric-binary.js'
import { isSet, SAFE_HIGH, wordsOf, writeInteger } from './scalar-writers.js'

type Decimals = ColumnVector & { readonly kind: 'decimal128' }

/** The unscaled value of a row, or NaN if it is not a safe integer. */
function safeReader(values: BigInt64Array): (row: number) => number {
  const words = wordsOf(values)
  return (row) => {
    const at = 4 * row
    const high = words[at + 1]!
    const sign = high >> 31
    const fits = words[at + 2] === sign && words[at + 3] === sign && high < SAFE_HIGH && high > -SAFE_HIGH
    return fits ? high * 4_294_967_296 + (words[at]! >>> 0) : Number.NaN
  }
}

export function writeDecimalText({ validity, values }: Decimals, scale: number): ValueWriter {
  const safe = safeReader(values)
  const unit = 10 ** scale
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const value = safe(row)
    if (Number.isNaN(value) || scale > 15) out.ascii(formatDecimal(decimalAt(values, row), scale))
    else if (scale === 0) writeInteger(out, value)
    else writeFixed(out, value, unit, scale)
    return true
  }
}

function writeFixed(out: MessageWriter, value: number, unit: number, scale: number): void {
  const all = Math.abs(value)
  const whole = Math.floor(all / unit)
  out.ensure(40)
  const { bytes } = out
  let at = out.pos
  if (value < 0) bytes[at++] = 45 // -
  at = writeDigits(bytes, at, whole)
  bytes[at++] = 46 // .
  out.pos = writePadded(bytes, at, all - whole * unit, scale)
}

export function writeDecimalBinary({ validity, values }: Decimals, scale: number): ValueWriter {
  const safe = safeReader(values)
  return (out, row) => {
    if (validity !== undefined && !isSet(validity, row)) return false
    const value = safe(row)
    writeNumeric(out, Number.isNaN(value) ? decimalAt(values, row) : undefined, value, scale)
    return true
  }
}
