/** Converts bound values of both formats to text. */
import { BINARY_FORMAT, type Format } from '../wire/messages.js'
import { refuse } from '../wire/pg-error.js'
import { isArray, readArray } from './array-type.js'
import { writeClock, writeDate } from './date-text.js'
import { floatText } from './float-text.js'
import { OID } from './pg-type.js'

/** The value in PostgreSQL's text form. Throws `22P03` for a binary value that is invalid for its type. */
export function readParameter(value: Buffer, type: number, format: Format): string {
  if (format !== BINARY_FORMAT) return withoutZone(value.toString('utf8'), type)
  const read = isArray(type) ? readAnyArray : readers[type]
  if (read === undefined) return value.toString('utf8')
  try {
    return read(value)
  } catch {
    return refuse('22P03', 'incorrect binary data format in bind parameter')
  }
}

/**
 * Drivers of Java write a date with the zone of their machine (`2013-06-01 +00`). As PostgreSQL does, a date and a timestamp ignore the zone,
 * and a day alone is its midnight.
 */
function withoutZone(text: string, type: number): string {
  const [, day, clock, zone = ''] = ZONED.exec(text) ?? []
  if (day === undefined) return text
  if (type === OID.date) return day
  if (type === OID.timestamp) return `${day}${clock ?? ' 00:00:00'}`
  return type === OID.timestamptz ? `${day}${clock ?? ' 00:00:00'}${zone}` : text
}

const ZONED = /^(\d{4,}-\d\d-\d\d)([ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)? ?([+-]\d\d(?::?\d\d(?::?\d\d)?)?|Z)$/

const readers: Readonly<Record<number, (value: Buffer) => string>> = {
  [OID.bool]: (value) => (sized(value, 1)[0] === 0 ? 'false' : 'true'),
  [OID.int2]: (value) => String(sized(value, 2).readInt16BE(0)),
  [OID.int4]: (value) => String(sized(value, 4).readInt32BE(0)),
  [OID.oid]: (value) => String(sized(value, 4).readUInt32BE(0)),
  [OID.int8]: (value) => String(sized(value, 8).readBigInt64BE(0)),
  [OID.float4]: (value) => floatText(sized(value, 4).readFloatBE(0), 1),
  [OID.float8]: (value) => floatText(sized(value, 8).readDoubleBE(0), 1),
  [OID.numeric]: readNumeric,
  [OID.date]: (value) => dateText(sized(value, 4).readInt32BE(0)),
  [OID.time]: (value) => clockText(Number(sized(value, 8).readBigInt64BE(0))),
  [OID.timestamp]: (value) => timestampText(sized(value, 8).readBigInt64BE(0)),
  [OID.timestamptz]: (value) => `${timestampText(sized(value, 8).readBigInt64BE(0))}+00`,
  [OID.uuid]: (value) =>
    sized(value, 16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  // The first byte is a version.
  [OID.jsonb]: (value) => value.toString('utf8', 1),
  [OID.bytea]: (value) => `\\x${value.toString('hex')}`,
}

const readAnyArray = (value: Buffer): string => readArray(value, (item, type) => readParameter(item, type, BINARY_FORMAT))

function sized(value: Buffer, size: number): Buffer {
  if (value.length !== size) throw new RangeError(`${value.length} bytes instead of ${size}`)
  return value
}

const EPOCH_DAYS = 10_957
const MICROS_PER_DAY = 86_400_000_000n

function dateText(days: number): string {
  const bytes = Buffer.alloc(24)
  return bytes.toString('latin1', 0, writeDate(bytes, 0, days + EPOCH_DAYS))
}

function clockText(micros: number): string {
  const bytes = Buffer.alloc(24)
  return bytes.toString('latin1', 0, writeClock(bytes, 0, micros))
}

function timestampText(micros: bigint): string {
  const within = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY
  return `${dateText(Number((micros - within) / MICROS_PER_DAY))} ${clockText(Number(within))}`
}

const SIGNS: Readonly<Record<number, string>> = { 0: '', 16384: '-' }

/** Reads the base-10000 digits of `numeric_send`. */
function readNumeric(value: Buffer): string {
  const [count, weight, sign, scale] = [value.readInt16BE(0), value.readInt16BE(2), value.readUInt16BE(4), value.readInt16BE(6)]
  if (sign === 0xc000) return 'NaN'
  const prefix = SIGNS[sign]
  if (prefix === undefined || count < 0 || scale < 0 || weight > 1000 || weight < -1000 || value.length !== 8 + 2 * count)
    throw new RangeError('numeric')
  const group = (index: number) =>
    index >= 0 && index < count ? String(value.readUInt16BE(8 + 2 * index)).padStart(4, '0') : '0000'
  const whole = Array.from({ length: Math.max(0, weight + 1) }, (_, i) => group(i)).join('')
  const groups = Math.ceil(scale / 4)
  const fraction = Array.from({ length: groups }, (_, i) => group(weight + 1 + i))
    .join('')
    .slice(0, scale)
  return prefix + (whole.replace(/^0+(?=.)/, '') || '0') + (fraction === '' ? '' : `.${fraction}`)
}
