import t from 'tap'
import {
  BOOLEAN,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from '../model/data-type.js'
import { batchFromRows, columnBuilder } from './column-builder.js'
import { formatDecimal, parseDecimal, rescale } from './decimal.js'
import { encodeJsonRows, jsonColumns } from './json-rows.js'
import type { RecordBatch, ResultSchema } from './record-batch.js'
import {
  formatDate,
  formatTimestamp,
  INFINITE_DAYS,
  INFINITE_MICROS,
  parseDate,
  parseInstant,
  parseTimestamp,
} from './temporal.js'
import { isPresent, ValidityBuilder } from './validity.js'
import { valueAt } from './value-at.js'
import { zoneOffset } from './zone-offset.js'

const schemaOf = (...types: readonly DataType[]): ResultSchema => types.map((type, i) => ({ name: `c${i}`, type, role: 'field' }))

async function json(batches: readonly RecordBatch[], timezone?: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of encodeJsonRows(batches, timezone === undefined ? {} : { timezone })) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
const jsonOf = (type: DataType, ...values: readonly unknown[]) =>
  json([
    batchFromRows(
      schemaOf(type),
      values.map((value) => [value]),
    ),
  ])

t.test('a reader returns the values that a builder got, for every type', async (t) => {
  const cases: readonly (readonly [DataType, readonly unknown[]])[] = [
    [STRING, ['', 'Zürich', '東京', '🚀', null, '"\\\n']],
    [BOOLEAN, [true, false, null, true]],
    [INT, [0n, 9223372036854775807n, -9223372036854775808n, null]],
    [FLOAT, [0.1, -1e300, Number.POSITIVE_INFINITY, null]],
    [decimal(38, 2), ['999999999999999999999999999999999999.99', '-0.01', '0.00', null]],
    [decimal(5, 0), ['-99999', null]],
    [
      DATE,
      ['1970-01-01', '1969-12-31', '0001-01-01', '9999-12-31', '+010000-01-01', '-000001-02-28', 'infinity', '-infinity', null],
    ],
    [TIME, ['00:00:00', '23:59:59.999999', '12:00:00.5', null]],
    [TIMESTAMP, ['1969-12-31T23:59:59.999999', '2024-02-29T00:00:00', 'infinity', null]],
    [TIMESTAMP_TZ, ['2024-02-29T12:00:00Z', null]],
    [JSON_TYPE, ['{"a":1}', null]],
  ]
  for (const [type, values] of cases) {
    const builder = columnBuilder(type)
    for (const value of values) builder.append(value)
    const column = builder.finish()
    t.equal(column.length, values.length)
    t.same(
      values.map((_, row) => valueAt(column, row, type)),
      values,
      type.kind,
    )
  }
})

t.test('a builder refuses values that its type cannot hold', async (t) => {
  const cases: readonly (readonly [DataType, unknown])[] = [
    [INT, 2n ** 63n],
    [INT, 1.5],
    [decimal(4, 2), '100.00'],
    [decimal(4, 2), '1.005'],
    [DATE, '2023-02-29'],
    [DATE, 'soon'],
    [BOOLEAN, 1],
    [STRING, 1],
    [TIME, '25:00:00'],
    [TIMESTAMP, '2024-01-01T00:00:00Z'],
  ]
  for (const [type, value] of cases)
    t.throws(() => columnBuilder(type).append(value), { code: 'RESULT_TYPE_MISMATCH' }, `${type.kind} ${value}`)
})

t.test('a builder of exact numbers refuses NaN and infinities by name', async (t) => {
  for (const type of [INT, decimal(4, 2)])
    for (const value of ['NaN', 'Infinity', '-Infinity', Number.NaN])
      t.throws(() => columnBuilder(type, 'Price').append(value), {
        code: 'NUMERIC_OVERFLOW',
        path: 'Price',
        message: new RegExp(String(value)),
      })
})

t.test('validity is merged at any bit, and absent if nothing is NULL', async (t) => {
  for (const lengths of [
    [3, 5, 8, 1],
    [2047, 2048, 13, 2048],
    [1, 1, 1],
    [7, 64, 9],
  ]) {
    const expected: boolean[] = []
    const builder = new ValidityBuilder()
    for (const [part, length] of lengths.entries()) {
      const bits = new Uint8Array(Math.ceil(length / 8) + 8).fill(255)
      for (let i = 0; i < length; i++) {
        const present = (i * 7 + part) % 3 !== 0
        expected.push(present)
        if (!present) bits[i >> 3]! &= ~(1 << (i & 7))
      }
      builder.appendBits(bits, length)
    }
    builder.appendPresent(11)
    builder.appendNulls(2)
    const validity = builder.finish()
    const all = [...expected, ...Array(11).fill(true), false, false]
    t.same(
      all.map((_, row) => isPresent(validity, row)),
      all,
    )
  }
  const none = new ValidityBuilder()
  none.appendPresent(5)
  none.appendBits(new Uint8Array([255, 255]), 12)
  t.equal(none.finish(), undefined)
})

t.test('decimals are parsed, written and rescaled exactly or refused', async (t) => {
  t.equal(parseDecimal('1e-7', 10, 7), 1n)
  t.equal(parseDecimal('1.5e3', 10, 0), 1500n)
  t.equal(parseDecimal('.5', 10, 1), 5n)
  t.equal(parseDecimal('.', 10, 1), undefined)
  t.equal(parseDecimal('NaN', 10, 1), undefined)
  t.equal(parseDecimal('1e9999', 38, 0), undefined)
  t.equal(formatDecimal(-5n, 3), '-0.005')
  t.equal(rescale(1500n, 3, 1), 15n)
  t.equal(rescale(1501n, 3, 1), undefined)
})

t.test('dates agree with the calendar of JavaScript, for each day and over leap years', async (t) => {
  for (let day = -800_000; day < 800_000; day += 97) {
    const date = new Date(day * 86_400_000).toISOString()
    if (formatDate(day) !== date.slice(0, date.indexOf('T'))) t.equal(formatDate(day), date)
    if (parseDate(formatDate(day)) !== day) t.fail(`${day} does not come back`)
  }
  t.equal(formatDate(INFINITE_DAYS), 'infinity')
  t.equal(formatTimestamp(-INFINITE_MICROS), '-infinity')
  t.equal(parseTimestamp('2024-01-01 00:00:00.000001'), 1704067200000001n)
  t.equal(parseInstant('2024-01-01T02:00:00+02:00'), parseInstant('2024-01-01T00:00:00Z'))
})

t.test('instants are shown in the requested zone, with its offset at that instant', async (t) => {
  const batch = batchFromRows(schemaOf(TIMESTAMP_TZ), [
    ['2024-03-31T00:59:59Z'],
    ['2024-03-31T01:00:00.25Z'],
    ['1890-01-01T00:00:00Z'],
  ])
  t.equal(
    await json([batch], 'Europe/Berlin'),
    '[["2024-03-31T01:59:59+01:00"],["2024-03-31T03:00:00.25+02:00"],["1890-01-01T00:53:28+00:53:28"]]',
  )
  t.equal(await json([batch]), '[["2024-03-31T00:59:59Z"],["2024-03-31T01:00:00.25Z"],["1890-01-01T00:00:00Z"]]')
  t.throws(() => zoneOffset('Mars/Olympus'), { code: 'INVALID_SETTING' })
})

t.test('JSON keeps every digit: decimals and integers beyond 2^53 are strings', async (t) => {
  t.equal(
    await jsonOf(INT, 9007199254740991n, 9007199254740992n, -9007199254740991n, -9007199254740993n, 0n, null),
    '[[9007199254740991],["9007199254740992"],[-9007199254740991],["-9007199254740993"],[0],[null]]',
  )
  t.equal(
    await jsonOf(decimal(38, 2), '1.50', '-0.05', '0.00', '123456789012345678901234567890.12'),
    '[["1.50"],["-0.05"],["0.00"],["123456789012345678901234567890.12"]]',
  )
  t.equal(await jsonOf(decimal(38, 20), '-0.00000000000000000001'), '[["-0.00000000000000000001"]]')
  const columns = jsonColumns(schemaOf(decimal(12, 2), INT, FLOAT))
  t.same(
    columns.map(({ type, encoding }) => [type, encoding]),
    [
      ['decimal(12,2)', 'string'],
      ['int', 'number-or-string'],
      ['float', undefined],
    ],
  )
})

t.test('JSON floats are read back as the same double; NaN and the infinities are texts, and -0 is 0', async (t) => {
  const values = [0.1, 1234.56, -0.05, 1e21, 5e-324, 1.7976931348623157e308, 0.30000000000000004, 100, 1.005]
  t.same(JSON.parse(await jsonOf(FLOAT, ...values)).flat(), values)
  t.equal(
    await jsonOf(FLOAT, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    '[["NaN"],["Infinity"],["-Infinity"]]',
  )
  t.equal(await jsonOf(FLOAT, -0), '[[0]]')
})

t.test('JSON text is escaped where necessary, and a json value is embedded only if it is valid JSON', async (t) => {
  const values = ['', 'Zürich "東京" 🚀', 'a\\b', 'line\nbreak\u0001', 'x'.repeat(100_000)]
  t.same(JSON.parse(await jsonOf(STRING, ...values)).flat(), values)
  t.equal(
    await jsonOf(JSON_TYPE, '{"a":\n12345678901234567890}', '{broken', null),
    '[[{"a": 12345678901234567890}],["{broken"],[null]]',
  )
  t.equal(await jsonOf(BOOLEAN, true, null, false), '[[true],[null],[false]]')
  t.equal(await jsonOf(DATE, '2024-02-29', 'infinity'), '[["2024-02-29"],["infinity"]]')
})

t.test('no rows are an empty array, and many batches one array', async (t) => {
  t.equal(await json([]), '[]')
  const rows = Array.from({ length: 10_000 }, (_, n) => [n, `row ${n}`])
  const batches = [rows.slice(0, 1), rows.slice(1)].map((part) => batchFromRows(schemaOf(INT, STRING), part))
  t.same(JSON.parse(await json(batches)), rows)
})

t.test('a zone is correct however many others are used between', async (t) => {
  const zones = Intl.supportedValuesOf('timeZone').filter((_, i) => i % 5 === 0)
  const at = Date.UTC(2024, 6, 1, 12)
  const shownBy = (timeZone: string) => {
    const [sign, hours, minutes = '0'] =
      /GMT([+-])(\d\d):(\d\d)/
        .exec(new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(at))
        ?.slice(1) ?? []
    return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  }
  t.ok(zones.length > 64)
  for (const zone of [...zones, ...zones]) t.equal(zoneOffset(zone)?.(BigInt(at) * 1000n) ?? 0, shownBy(zone), zone)
})
