/** What needs no server; the rest is in test/interop/dremio/vendor.test.ts. */
import { type DataType, silentLogger } from '@grainline/core'
import { DATE, decimal, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, type Value, valueAt } from '@grainline/core/vendor'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { batchOf, fits, textsOf } from './columns.js'
import { engineMessage, isTransient } from './errors.js'
import { type DremioOptions, dremioVendor, plansOf } from './index.js'

const planOf = (options: DremioOptions) => plansOf(options, { DREMIO_URL: undefined })[0]!

t.test('a URL is split into its parts, which replace the configured ones', async (t) => {
  const [plan] = plansOf({ host: 'other', routingTag: 'bi' }, { DREMIO_URL: 'dremio+tls://me:p%40ss@h:443/lake.shop' })
  t.match(plan, {
    host: 'h',
    port: 443,
    tls: true,
    credentials: { user: 'me', password: 'p@ss' },
    headers: { schema: 'lake.shop', routing_tag: 'bi' },
  })
  t.match(planOf({ url: 'dremio://h', token: 't' }), { port: 32010, tls: false, credentials: { token: 't' } })
  t.throws(() => planOf({ url: 'dremio://h', host: 'g' }), { code: 'INVALID_CONFIG', path: 'host' })
  t.throws(() => planOf({ url: 'grpc://h' }), { code: 'INVALID_CONFIG', path: 'url' })
  t.throws(() => planOf({ password: 'p', token: 't' }), { code: 'INVALID_CONFIG', path: 'token' })
  t.throws(() => planOf({ tls: { ca: '/nowhere.pem' } }), { code: 'INVALID_CONFIG', path: 'tls.ca' })
})

t.test('the identity is the address and the user, in every form of the options, and never a secret', async (t) => {
  const identity = (options: DremioOptions) => dremioVendor(planOf(options)).identity!
  const parts = identity({ host: 'h', user: 'u', password: 'secret', database: 'd' })
  t.equal(identity({ url: 'dremio://u:other-secret@h/d' }), parts)
  t.notMatch(parts + identity({ token: 'secret' }), /secret/)
  t.not(identity({ token: 'a' }), identity({ token: 'b' }))
})

t.test('a type that cannot be read as the planned one is refused; every type can be read as text', async (t) => {
  t.ok(fits(INT, 'Uint32') && fits(STRING, 'List<Int64>') && fits(DATE, 'Date64<MILLISECOND>') && fits(INT, 'Null'))
  t.ok(
    fits(STRING, 'Dictionary<Int32, Utf8>') && fits(decimal(5, 2), 'Decimal[38e+2]') && fits(TIMESTAMP, 'Timestamp<NANOSECOND>'),
  )
  t.notOk(fits(INT, 'Dictionary<Int32, Utf8>') || fits(INT, 'Float64') || fits(TIMESTAMP, 'Timestamp<MICROSECOND, UTC>'))
})

/** A batch of one column. */
function batch(data: arrow.Data): arrow.RecordBatch {
  const schema = new arrow.Schema([new arrow.Field('c', data.type, true)])
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({ type: new arrow.Struct(schema.fields), length: data.length, children: [data] }),
  )
}

const valuesOf = (data: arrow.Data, type: DataType): Value[] => {
  const { columns, rowCount } = batchOf(batch(data), [{ name: 'c', type, role: 'field' }])
  return Array.from({ length: rowCount }, (_, row) => valueAt(columns[0]!, row, type))
}

/** Words of 32 bits of whole numbers, so many for each. */
const words = (count: number, ...values: readonly bigint[]): Uint32Array =>
  Uint32Array.from(
    values.flatMap((value) => Array.from({ length: count }, (_, i) => Number((value >> BigInt(32 * i)) & 0xffffffffn))),
  )

t.test('values of every unit and width are exact, NULL too', async (t) => {
  const nullBitmap = Uint8Array.of(0b101)
  const nines = 10n ** 38n - 1n
  t.same(
    valuesOf(arrow.makeData({ type: new arrow.Decimal(0, 60, 256), length: 2, data: words(8, nines, -1n) }), decimal(38, 0)),
    [String(nines), '-1'],
  )
  const wide = { type: new arrow.Decimal(2, 38, 128), length: 3, nullBitmap, nullCount: 1, data: words(4, -1n, 7n, nines) }
  t.same(valuesOf(arrow.makeData(wide), decimal(38, 2)), ['-0.01', null, `${String(nines).slice(0, 36)}.99`])
  t.throws(() => valuesOf(arrow.makeData(wide), decimal(5, 2)), { code: 'RESULT_TYPE_MISMATCH' })
  t.same(valuesOf(arrow.makeData({ type: new arrow.TimeSecond(), length: 1, data: Int32Array.of(86_399) }), TIME), ['23:59:59'])
  t.same(valuesOf(arrow.makeData({ type: new arrow.TimeNanosecond(), length: 1, data: BigInt64Array.of(1999n) }), TIME), [
    '00:00:00.000001',
  ])
  t.same(valuesOf(arrow.makeData({ type: new arrow.DateMillisecond(), length: 1, data: BigInt64Array.of(-86_400_000n) }), DATE), [
    '1969-12-31',
  ])
  const nanos = arrow.makeData({ type: new arrow.TimestampNanosecond(), length: 1, data: BigInt64Array.of(-1n) })
  t.same(valuesOf(nanos, TIMESTAMP), ['1969-12-31T23:59:59.999999'])
  t.throws(() => valuesOf(nanos, DATE), { code: 'RESULT_TYPE_MISMATCH' }, 'a moment within a day is no day')
  t.same(valuesOf(arrow.makeData({ type: new arrow.Uint64(), length: 1, data: BigUint64Array.of(2n ** 63n - 1n) }), INT), [
    2n ** 63n - 1n,
  ])
})

t.test('texts of a slice, of a dictionary and of lists belong to their rows', async (t) => {
  const texts = arrow.vectorFromArray(['a', 'bé', null, 'ccc', ''], new arrow.Utf8()).data[0]!
  t.same(valuesOf(texts, STRING), ['a', 'bé', null, 'ccc', ''])
  t.same(valuesOf(texts.slice(1, 3), STRING), ['bé', null, 'ccc'])
  const dictionary = arrow.vectorFromArray(['x', 'y', null, 'x']).data[0]!
  t.equal(dictionary.type.typeId, arrow.Type.Dictionary)
  t.same(valuesOf(dictionary, STRING), ['x', 'y', null, 'x'])
  const lists = arrow.vectorFromArray([[1n, null], null, []], new arrow.List(new arrow.Field('item', new arrow.Int64(), true)))
    .data[0]!
  t.same(valuesOf(lists, JSON_TYPE), ['[1,null]', null, '[]'])
  t.same(textsOf(batch(texts)), [['a'], ['bé'], [null], ['ccc'], ['']])
})

t.test('an unsupported type is refused by name if it has a value', async (t) => {
  const spans = arrow.makeData({ type: new arrow.DurationSecond(), length: 1, data: BigInt64Array.of(1n) })
  for (const type of [STRING, JSON_TYPE])
    t.throws(() => valuesOf(spans, type), { code: 'RESULT_TYPE_MISMATCH', message: /Duration/ })
  const nothing = arrow.makeData({ type: new arrow.Null(), length: 2 })
  t.same(
    [valuesOf(nothing, STRING), textsOf(batch(nothing))],
    [
      [null, null],
      [[null], [null]],
    ],
  )
})

t.test('a lost connection is tried again, and its message contains no address', async (t) => {
  const lost = Object.assign(new Error('14 UNAVAILABLE: connect ECONNREFUSED 10.0.0.7:32010'), { code: 14, details: '10.0.0.7' })
  t.ok(isTransient(lost) && isTransient(Object.assign(new Error('x'), { code: 8 })))
  t.notOk(isTransient(Object.assign(new Error('x'), { code: 3 })))
  t.notMatch(engineMessage(lost), /10\.0/)
})

t.test('a missing engine is one clear error, at once', async (t) => {
  const connection = await dremioVendor(planOf({ host: '127.0.0.1', port: 1 })).connect({ logger: silentLogger, poolSize: 1 })
  const answer = connection.query('SELECT 1', { schema: [{ name: 'n', type: INT, role: 'field' }] })[Symbol.asyncIterator]()
  await t.rejects(answer.next(), { code: 'DATABASE_ERROR', message: /lost or refused/ })
  await connection.close()
})
