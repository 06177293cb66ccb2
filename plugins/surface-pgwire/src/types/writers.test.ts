import { Writable } from 'node:stream'
import type { DataType } from '@grainline/core'
import {
  BOOLEAN,
  batchFromRows,
  DATE,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  zoneOffset,
} from '@grainline/core/format'
import fc from 'fast-check'
import t from 'tap'
import { MessageWriter } from '../wire/message-writer.js'
import { PgError } from '../wire/pg-error.js'
import { columnWriter } from './column-writer.js'
import { floatText } from './float-text.js'
import { OID, oidOf } from './pg-type.js'
import { readParameter } from './read-parameter.js'
import type { TextStyle } from './text-style.js'

const ISO: TextStyle = { dateStyle: 'ISO', dateOrder: 'MDY', floatDigits: 1, zone: { name: 'UTC', offset: undefined } }

/** A value as it goes out, `null` for NULL. */
function written(type: DataType, value: unknown, format: 0 | 1, style = ISO): Buffer | null {
  const column = { name: 'c', type, role: 'field' } as const
  const batch = batchFromRows([column], [[value], [value]])
  const out = new MessageWriter(new Writable())
  out.begin(0)
  const from = out.pos
  return columnWriter(column, format, style)(batch.columns[0]!)(out, 1) ? Buffer.from(out.bytes.subarray(from, out.pos)) : null
}
const text = (type: DataType, value: unknown, style = ISO) => written(type, value, 0, style)?.toString()
const binary = (type: DataType, value: unknown) => written(type, value, 1)?.toString('hex')

t.test('NULL is NULL for every type and format', async (t) => {
  for (const type of [STRING, JSON_TYPE, BOOLEAN, INT, FLOAT, decimal(38, 10), DATE, TIME, TIMESTAMP, TIMESTAMP_TZ])
    for (const format of [0, 1] as const) t.equal(written(type, null, format), null, `${type.kind} ${format}`)
})

// What PostgreSQL says to SELECT value::text.
const values: readonly (readonly [DataType, unknown, string])[] = [
  [BOOLEAN, true, 't'],
  [BOOLEAN, false, 'f'],
  [INT, 0n, '0'],
  [INT, -1n, '-1'],
  [INT, 9007199254740993n, '9007199254740993'],
  [INT, -9223372036854775808n, '-9223372036854775808'],
  [FLOAT, 0.5, '0.5'],
  [FLOAT, -0, '-0'],
  [FLOAT, 1e15, '1e+15'],
  [decimal(18, 3), '12345.678', '12345.678'],
  [decimal(18, 2), '-0.01', '-0.01'],
  [decimal(18, 2), '0', '0.00'],
  [decimal(10, 0), '10000', '10000'],
  [decimal(38, 0), '99999999999999999999999999999999999999', '9'.repeat(38)],
  [DATE, '2000-01-01', '2000-01-01'],
  [DATE, '1969-12-31', '1969-12-31'],
  [DATE, 'infinity', 'infinity'],
  [DATE, '-infinity', '-infinity'],
  [DATE, '-000043-03-15', '0044-03-15 BC'],
  [DATE, '+012345-06-07', '12345-06-07'],
  [TIME, '01:02:03.5', '01:02:03.5'],
  [TIMESTAMP, '2024-02-29T12:34:56.789', '2024-02-29 12:34:56.789'],
  [TIMESTAMP, '1969-12-31T23:59:59.999999', '1969-12-31 23:59:59.999999'],
  [TIMESTAMP, 'infinity', 'infinity'],
  [TIMESTAMP_TZ, '2024-02-29T12:34:56Z', '2024-02-29 12:34:56+00'],
  [STRING, 'žluťoučký 🐎', 'žluťoučký 🐎'],
  [STRING, 'x'.repeat(100), 'x'.repeat(100)],
  [JSON_TYPE, '{"a":1}', '{"a":1}'],
]

t.test('values have the text form of PostgreSQL', async (t) => {
  for (const [type, value, expected] of values) t.equal(text(type, value), expected, `${type.kind} ${value}`)
})

t.test('doubles have the shortest digits that give the same double', async (t) => {
  const known: readonly (readonly [number, string])[] = [
    [0.1 + 0.2, '0.30000000000000004'],
    [1e14, '100000000000000'],
    [123456789012345.67, '123456789012345.67'],
    [1234567890123456, '1.234567890123456e+15'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [-12.25, '-12.25'],
    [1.1, '1.1'],
    [100, '100'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ]
  for (const [value, expected] of known) t.equal(text(FLOAT, value), expected)
  t.equal(floatText(1 / 3, 0), '0.333333333333333', 'extra_float_digits = 0')
  t.equal(floatText(1 / 3, -12), '0.333')
  fc.assert(fc.property(fc.double({ noNaN: true }), (value) => Object.is(Number(text(FLOAT, value)), value)))
  fc.assert(fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => Number(text(FLOAT, cents / 100)) === cents / 100))
})

t.test('binary values decode to the same text', async (t) => {
  for (const [type, value, expected] of values) {
    if (expected.includes('infinity') || expected.includes('BC')) continue
    const bytes = written(type, value, 1)!
    const read = type.kind === 'json' ? bytes.toString() : readParameter(bytes, oidOf(type), 1)
    t.equal(read, type.kind === 'boolean' ? String(value) : expected, `${type.kind} ${value}`)
  }
  const digits = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 38 }), (unscaled, scale) => {
      const type = decimal(38, scale)
      const plain = text(type, asText(unscaled, scale))!
      return readParameter(written(type, plain, 1)!, OID.numeric, 1) === plain && plain === asText(unscaled, scale)
    }),
  )
})

t.test('the binary forms match the manual', async (t) => {
  t.equal(binary(INT, 9007199254740993n), '0020000000000001')
  t.equal(binary(decimal(18, 3), '12345.678'), '0003000100000003' + '0001' + '0929' + '1a7c', 'digits 1, 2345, 6780')
  t.equal(binary(decimal(18, 2), '-0.01'), '0001ffff40000002' + '0064', 'negative, weight -1')
  t.equal(binary(decimal(18, 2), '0'), '0000000000000002')
  t.equal(binary(DATE, '2000-01-01'), '00000000', 'days since 2000')
  t.equal(binary(DATE, 'infinity'), '7fffffff')
  t.equal(binary(DATE, '-infinity'), '80000000')
  t.equal(binary(TIMESTAMP, '2000-01-01T00:00:01'), '00000000000f4240', 'microseconds since 2000')
  t.equal(binary(TIMESTAMP, '-infinity'), '8000000000000000')
})

t.test('instants are shown in the zone of the connection', async (t) => {
  const style = (name: string): TextStyle => ({ ...ISO, zone: { name, offset: zoneOffset(name) } })
  t.equal(text(TIMESTAMP_TZ, '2024-07-01T12:00:00Z', style('Europe/Berlin')), '2024-07-01 14:00:00+02')
  t.equal(text(TIMESTAMP_TZ, '2024-07-01T12:00:00Z', style('Asia/Kolkata')), '2024-07-01 17:30:00+05:30')
  t.equal(text(TIMESTAMP_TZ, '2024-07-01T12:00:00Z', style('America/New_York')), '2024-07-01 08:00:00-04')
  t.equal(text(TIMESTAMP, '2024-07-01T12:00:00', style('Asia/Kolkata')), '2024-07-01 12:00:00', 'wall clocks stay')
})

t.test('parameters in binary that do not fit their type are refused', async (t) => {
  for (const type of [OID.int8, OID.float8, OID.date, OID.timestamp, OID.numeric, OID.uuid, OID.bool])
    t.throws(
      () => readParameter(Buffer.alloc(3), type, 1),
      new PgError('22P03', 'incorrect binary data format in bind parameter'),
    )
  t.equal(readParameter(Buffer.from('ffff', 'hex'), OID.int2, 1), '-1')
  t.equal(readParameter(Buffer.from('as it is'), OID.unknown, 1), 'as it is')
})

t.test('a date or a timestamp of Java has the zone of its machine, which PostgreSQL ignores', async (t) => {
  const read = (text: string, type: number) => readParameter(Buffer.from(text), type, 0)
  t.equal(read('2013-06-01 +00', OID.date), '2013-06-01')
  t.equal(read('2013-06-01 +05:30', OID.date), '2013-06-01')
  t.equal(read('2013-06-01 00:00:00-04', OID.date), '2013-06-01')
  t.equal(read('2013-06-01 +00', OID.timestamp), '2013-06-01 00:00:00')
  t.equal(read('2013-06-01 12:30:00.5+02', OID.timestamp), '2013-06-01 12:30:00.5')
  t.equal(read('2013-06-01 +02', OID.timestamptz), '2013-06-01 00:00:00+02')
  t.equal(read('2013-06-01 12:30:00+02', OID.timestamptz), '2013-06-01 12:30:00+02')
  t.equal(read('2013-06-01 +00', OID.text), '2013-06-01 +00')
  t.equal(read('2013-06-01', OID.date), '2013-06-01')
})

function asText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const sign = unscaled < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
