import { fail } from '../errors.js'
import { type DataType, formatDataType } from '../model/data-type.js'
import { parseDecimal } from './decimal.js'
import type { ColumnVector, RecordBatch, ResultSchema } from './record-batch.js'
import { parseDate, parseInstant, parseTime, parseTimestamp } from './temporal.js'
import { ValidityBuilder } from './validity.js'

/** Builds a column from JavaScript values: for small answers, tests, and vendors whose driver returns only values. */
export interface ColumnBuilder {
  readonly length: number
  /** Accepts the values of `valueAt` (and numbers for `int` and decimals); `null` and `undefined` are NULL. Throws `RESULT_TYPE_MISMATCH`. */
  append(value: unknown): void
  /** The column. The builder cannot be used afterwards. */
  finish(): ColumnVector
}

/**
 * A builder of a column of one type, value by value. `append` throws `RESULT_TYPE_MISMATCH` for a value that the type cannot hold, and
 * `NUMERIC_OVERFLOW` for NaN or an infinity in a column of exact numbers, which some engines can store.
 */
export function columnBuilder(type: DataType, name = 'column'): ColumnBuilder {
  const store = storeOf(type)
  const validity = new ValidityBuilder()
  const refuse = (value: unknown): never => {
    if (isExact(type) && isSpecial(value)) return refuseSpecial(name, type, value)
    return fail('RESULT_TYPE_MISMATCH', `'${name}' is ${formatDataType(type)}, which cannot hold ${show(value)}`, { path: name })
  }
  return {
    get length() {
      return validity.length
    },
    append(value) {
      const missing = value === null || value === undefined
      if (!store.put(validity.length, missing ? undefined : value)) refuse(value)
      if (missing) validity.appendNulls(1)
      else validity.appendPresent(1)
    },
    finish: () => store.take(validity.length, validity.finish()),
  }
}

const isExact = ({ kind }: DataType): boolean => kind === 'int' || kind === 'decimal'
const isSpecial = (value: unknown): boolean => /^(NaN|-?Infinity)$/.test(String(value))

/** It is not shown as NULL: it is a separate group, is counted, and exceeds every number, as in a column of doubles. */
const refuseSpecial = (name: string, type: DataType, value: unknown): never =>
  fail('NUMERIC_OVERFLOW', `'${name}' is ${formatDataType(type)}, and the database has ${value} there, which is no such number`, {
    path: name,
    hint: 'Read the column as CAST({Price} AS float), which shows it, or as CASE WHEN {Price} < 1e100 AND {Price} > -1e100 THEN {Price} END, which is NULL there.',
    context: { fields: [name] },
  })

/** A whole batch from rows of JS values. */
export function batchFromRows(schema: ResultSchema, rows: readonly (readonly unknown[])[]): RecordBatch {
  const columns = schema.map(({ type, name }, index) => {
    const builder = columnBuilder(type, name)
    for (const row of rows) builder.append(row[index])
    return builder.finish()
  })
  return { schema, rowCount: rows.length, columns }
}

/** The buffers for the values of a column. `put` writes the value of a row (`undefined` for NULL), or returns that it does not fit. */
interface Store {
  put(row: number, value: unknown): boolean
  take(length: number, validity: Uint8Array | undefined): ColumnVector
}

function storeOf(type: DataType): Store {
  switch (type.kind) {
    case 'boolean':
      return booleanStore()
    case 'float':
      return floatStore()
    case 'date':
      return dateStore()
    case 'string':
    case 'json':
      return textStore()
    case 'decimal':
      return decimalStore(type.precision, type.scale)
    case 'int':
      return int64Store(toInt64)
    case 'time':
      return int64Store((value) => (typeof value === 'string' ? toBigInt(parseTime(value)) : toInt64(value)))
    case 'timestamp':
      return int64Store((value) => (typeof value === 'string' ? parseTimestamp(value) : toInt64(value)))
    case 'timestamp_tz':
      return int64Store((value) => (typeof value === 'string' ? parseInstant(value) : toInt64(value)))
  }
}

function booleanStore(): Store {
  let bits = new Uint8Array(64)
  return {
    put(row, value) {
      if (value === undefined) value = false
      if (typeof value !== 'boolean') return false
      bits = grown(bits, (row >> 3) + 1)
      if (value) bits[row >> 3]! |= 1 << (row & 7)
      return true
    },
    take: (length, validity) => ({
      kind: 'boolean',
      length,
      validity,
      values: grown(bits, (length + 7) >> 3).subarray(0, (length + 7) >> 3),
    }),
  }
}

function floatStore(): Store {
  let values = new Float64Array(64)
  return {
    put(row, value) {
      const number = value === undefined ? 0 : typeof value === 'string' && value !== '' ? Number(value) : value
      if (typeof number !== 'number') return false
      values = grown(values, row + 1)
      values[row] = number
      return true
    },
    take: (length, validity) => ({ kind: 'float64', length, validity, values: values.subarray(0, length) }),
  }
}

function dateStore(): Store {
  let values = new Int32Array(64)
  return {
    put(row, value) {
      const days = value === undefined ? 0 : typeof value === 'string' ? parseDate(value) : value
      if (typeof days !== 'number' || !Number.isInteger(days) || Math.abs(days) > 2 ** 31 - 1) return false
      values = grown(values, row + 1)
      values[row] = days
      return true
    },
    take: (length, validity) => ({ kind: 'date32', length, validity, values: values.subarray(0, length) }),
  }
}

function int64Store(convert: (value: unknown) => bigint | undefined): Store {
  let values = new BigInt64Array(64)
  return {
    put(row, value) {
      const micros = value === undefined ? 0n : convert(value)
      if (micros === undefined || BigInt.asIntN(64, micros) !== micros) return false
      values = grown(values, row + 1)
      values[row] = micros
      return true
    },
    take: (length, validity) => ({ kind: 'int64', length, validity, values: values.subarray(0, length) }),
  }
}

function decimalStore(precision: number, scale: number): Store {
  let values = new BigInt64Array(128)
  return {
    put(row, value) {
      const unscaled = value === undefined ? 0n : isNumeral(value) ? parseDecimal(String(value), precision, scale) : undefined
      if (unscaled === undefined) return false
      values = grown(values, 2 * row + 2)
      values[2 * row] = BigInt.asIntN(64, unscaled)
      values[2 * row + 1] = unscaled >> 64n
      return true
    },
    take: (length, validity) => ({ kind: 'decimal128', length, validity, values: values.subarray(0, 2 * length) }),
  }
}

function textStore(): Store {
  let bytes = new Uint8Array(256)
  let offsets = new Int32Array(64)
  return {
    put(row, value) {
      if (value !== undefined && typeof value !== 'string') return false
      const encoded = Buffer.from(value ?? '')
      const start = offsets[row]!
      bytes = grown(bytes, start + encoded.length)
      bytes.set(encoded, start)
      offsets = grown(offsets, row + 2)
      offsets[row + 1] = start + encoded.length
      return true
    },
    take: (length, validity) => ({
      kind: 'utf8',
      length,
      validity,
      offsets: offsets.subarray(0, length + 1),
      bytes: bytes.subarray(0, offsets[length]),
    }),
  }
}

/** The array itself if `needed` elements fit, otherwise a copy of at least twice the size. */
export function grown<T extends Uint8Array | Int32Array | Float64Array | BigInt64Array>(array: T, needed: number): T {
  if (needed <= array.length) return array
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2))
  larger.set(array as never)
  return larger
}

const isNumeral = (value: unknown): boolean => typeof value === 'string' || typeof value === 'bigint' || typeof value === 'number'

const toBigInt = (value: number | undefined): bigint | undefined => (value === undefined ? undefined : BigInt(value))

function toInt64(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && /^[+-]?\d{1,19}$/.test(value) ? BigInt(value) : undefined
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : String(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
