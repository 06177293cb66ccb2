import { fitsPrecision, formatDecimal, isPresent, parseDecimal, powerOfTen, rescale } from '@grainline/core/vendor'
import { type ChunkColumn, int32View, int64View } from './chunk-column.js'
import type { FixedLayout } from './fixed-reader.js'
import { unscaledAt, widen } from './scaled.js'
import type { ScaledInteger, SourceType } from './source-type.js'

/** Refuses a value, given as text, that the planned type cannot hold. */
export type Refuse = (value: string) => never

type Int64Layout = FixedLayout<BigInt64Array>
type Real = SourceType & { readonly family: 'real' }

/** `int`: integers within 64 bits, from any number type without loss. */
export function int64FromNumber(source: (SourceType & ScaledInteger) | Real, refuse: Refuse): Int64Layout {
  const layout = { kind: 'int64', array: BigInt64Array, elementsPerValue: 1, sourceBytes: source.bytes } as const
  if (source.family === 'real') return { ...layout, copy: wholeReals(source, refuse) }
  const fits = source.scale === 0 && (source.bytes < 8 || (source.bytes === 8 && source.signed))
  if (fits) return { ...layout, copy: (column, target, at) => widen(column, source, target, at, 2) }
  return { ...layout, copy: checked(source, 1, (value) => inInt64(rescale(value, source.scale, 0)), refuse) }
}

/** `decimal(precision,scale)`: exact at the planned scale. */
export function decimalFromNumber(
  source: (SourceType & ScaledInteger) | Real,
  planned: { readonly precision: number; readonly scale: number },
  refuse: Refuse,
): Int64Layout {
  const { precision, scale } = planned
  const layout = { kind: 'decimal128', array: BigInt64Array, elementsPerValue: 2, sourceBytes: source.bytes } as const
  if (source.family === 'real') return { ...layout, copy: decimalReals(source, precision, scale, refuse) }
  const convert = (value: bigint) => inPrecision(rescale(value, source.scale, scale), precision)
  const exact: Int64Layout['copy'] = checked(source, 2, convert, refuse)
  if (source.scale !== scale) return { ...layout, copy: exact }
  if (source.digits <= precision)
    return { ...layout, copy: source.bytes === 16 ? copyHuge : (c, target, at) => widen(c, source, target, at, 4) }
  return { ...layout, copy: source.bytes === 16 ? hugeWithin(precision, exact) : exact }
}

/** `float`: the nearest double. */
export function floatFromNumber(source: (SourceType & ScaledInteger) | Real): FixedLayout<Float64Array> {
  const layout = { kind: 'float64', array: Float64Array, elementsPerValue: 1, sourceBytes: source.bytes } as const
  if (source.family === 'real') return { ...layout, copy: (column, target, at) => target.set(reals(column, source), at) }
  return { ...layout, copy: (column, target, at) => scaledToFloat(column, source, target, at) }
}

const reals = ({ data, rows }: ChunkColumn, { bytes }: Real): Float64Array | Float32Array =>
  bytes === 8 ? new Float64Array(data.buffer, data.byteOffset, rows) : new Float32Array(data.buffer, data.byteOffset, rows)

function scaledToFloat(column: ChunkColumn, source: ScaledInteger, target: Float64Array, at: number): void {
  const unscaled = unscaledAt(column, source)
  const power = 10 ** source.scale
  for (let i = 0; i < column.rows; i++) {
    const value = unscaled(i)
    const near = Number(value)
    // One division of two exact doubles rounds once, so it is the nearest double; otherwise the digits decide.
    target[at + i] =
      source.scale === 0 || (Number.isSafeInteger(near) && source.scale <= 22)
        ? near / power
        : Number(formatDecimal(value, source.scale))
  }
}

type Convert = (value: bigint) => bigint | undefined

/** Converts value by value; `convert` returns `undefined` for a value that does not fit. */
function checked(source: ScaledInteger, elementsPerValue: 1 | 2, convert: Convert, refuse: Refuse): Int64Layout['copy'] {
  return (column, target, at) => {
    const unscaled = unscaledAt(column, source)
    for (let i = 0; i < column.rows; i++) {
      if (!isPresent(column.validity, i)) continue
      const value = convert(unscaled(i)) ?? refuse(formatDecimal(unscaled(i), source.scale))
      put(target, at + i, elementsPerValue, value)
    }
  }
}

function wholeReals(source: Real, refuse: Refuse): Int64Layout['copy'] {
  return (column, target, at) => {
    const values = reals(column, source)
    for (let i = 0; i < column.rows; i++) {
      if (!isPresent(column.validity, i)) continue
      const value = values[i]!
      target[at + i] = Number.isSafeInteger(value) ? BigInt(value) : refuse(String(value))
    }
  }
}

/**
 * A double becomes the decimal that it is printed as, when that has no more digits than planned. Up to 15 digits a quotient of whole
 * numbers that gives the double again is that decimal, since no two decimals of 15 digits share a double; other values are printed.
 */
function decimalReals(source: Real, precision: number, scale: number, refuse: Refuse): Int64Layout['copy'] {
  const unit = 10 ** scale
  const most = 10 ** Math.min(precision, 15)
  return (column, target, at) => {
    const values = reals(column, source)
    for (let i = 0; i < column.rows; i++) {
      if (!isPresent(column.validity, i)) continue
      const value = values[i]!
      const unscaled = Math.round(value * unit)
      if (unscaled < most && unscaled > -most && scale <= 22 && unscaled / unit === value) {
        putSafe(target, at + i, unscaled)
        continue
      }
      const text = String(value)
      put(target, at + i, 2, parseDecimal(text, precision, scale) ?? refuse(text))
    }
  }
}

const copyHuge: Int64Layout['copy'] = (column, target, at) => target.set(int64View(column), at * 2)

/** 128-bit numbers whose highest word shows that they are within the precision are copied whole; others are looked at one by one. */
function hugeWithin(precision: number, exact: Int64Layout['copy']): Int64Layout['copy'] {
  const bound = Number(powerOfTen(precision) >> 96n)
  return (column, target, at) => {
    const words = int32View(column)
    for (let i = 0; i < column.rows; i++) {
      const highest = words[4 * i + 3]!
      if (highest >= bound || highest < -bound) {
        exact(column, target, at)
        return
      }
    }
    copyHuge(column, target, at)
  }
}

function put(target: BigInt64Array, index: number, elementsPerValue: 1 | 2, value: bigint): void {
  if (elementsPerValue === 1) target[index] = value
  else {
    target[2 * index] = BigInt.asIntN(64, value)
    target[2 * index + 1] = value >> 64n
  }
}

/** A whole number that a double holds exactly, as 128 bits. */
function putSafe(target: BigInt64Array, index: number, value: number): void {
  target[2 * index] = BigInt(value)
  target[2 * index + 1] = value < 0 ? -1n : 0n
}

const inInt64 = (value: bigint | undefined): bigint | undefined =>
  value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined

const inPrecision = (value: bigint | undefined, precision: number): bigint | undefined =>
  value !== undefined && fitsPrecision(value, precision) ? value : undefined
