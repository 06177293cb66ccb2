import t from 'tap'
import { flightInfo, handshakeMessage, sessionOptionValue, setSessionOptionsRequest } from './flight-messages.js'
import { bool, bytes, double, int32, int64, map, message, optional, repeated, sfixed64, text, uint32 } from './protobuf.js'
import { any, commandGetSqlInfo, commandGetTables, commandStatementQuery, named, readNamed } from './sql-messages.js'

t.test('numbers, texts, bytes and lists have the encoding of the specification', async (t) => {
  // The example of https://protobuf.dev/programming-guides/encoding/#simple and similar ones.
  const one = message('One', { a: int64(1), b: text(2), c: repeated(int64(3)) })
  t.equal(one.encode({ a: 150n, b: 'testing' }).toString('hex'), `08960112${'0774657374696e67'}`)
  t.same(one.decode(Buffer.from('089601120774657374696e67', 'hex')), { a: 150n, b: 'testing' })
  t.same(one.decode(one.encode({ a: -1n, c: [1n, 300n] })), { a: -1n, c: [1n, 300n] })
  t.equal(one.encode({ a: -1n }).length, 11)
})

t.test('every kind of value is decoded to itself', async (t) => {
  const all = message('All', {
    bytes: bytes(1),
    text: text(2),
    int32: int32(3),
    uint32: uint32(4),
    int64: int64(5),
    bool: bool(6),
    double: double(7),
    sfixed64: sfixed64(8),
    map: map(9, text(0)),
    list: repeated(text(1000)),
  })
  const value = {
    bytes: Buffer.from([0, 255]),
    text: 'é🙂',
    int32: -5,
    uint32: 2 ** 32 - 1,
    int64: -(2n ** 63n),
    bool: true,
    double: -0.5,
    sfixed64: -7n,
    map: new Map([
      ['a', 'b'],
      ['', 'c'],
    ]),
    list: ['', 'x'],
  }
  t.same(all.decode(all.encode(value)), value)
})

t.test('a field with presence distinguishes its default from its absence', async (t) => {
  const one = message('One', { plain: bool(1), told: optional(bool(2)), text: optional(text(3)) })
  t.equal(one.encode({ plain: false, told: false, text: '' }).toString('hex'), '10001a00')
  t.same(one.decode(Buffer.from('10001a00', 'hex')), { told: false, text: '' })
  t.same(commandGetTables.decode(commandGetTables.encode({ catalog: '', tableTypes: [] })), { catalog: '' })
})

t.test('numbers in a list are read packed and one by one', async (t) => {
  t.same(commandGetSqlInfo.decode(Buffer.from('0a03018004', 'hex')), { info: [1, 512] })
  t.same(commandGetSqlInfo.decode(Buffer.from('0801088004', 'hex')), { info: [1, 512] })
})

t.test('session options keep the type of their value', async (t) => {
  const sessionOptions = new Map([
    ['catalog', { stringValue: 'flights' }],
    ['empty', { stringValue: '' }],
    ['number', { int64Value: 0n }],
    ['unset', {}],
  ])
  t.same(setSessionOptionsRequest.decode(setSessionOptionsRequest.encode({ sessionOptions })), { sessionOptions })
  t.same(sessionOptionValue.decode(sessionOptionValue.encode({ boolValue: false })), { boolValue: false })
})

t.test('nested messages are decoded, and unknown fields are skipped', async (t) => {
  const info = {
    schema: Buffer.from('schema'),
    endpoint: [
      { ticket: { ticket: Buffer.from('one') } },
      { ticket: { ticket: Buffer.from('two') }, location: [{ uri: 'grpc://x' }] },
    ],
    totalRecords: -1n,
    ordered: true,
  }
  t.same(flightInfo.decode(flightInfo.encode(info)), info)
  t.same(handshakeMessage.decode(flightInfo.encode({ totalBytes: 7n })), {})
})

t.test('a command is recognized by its name, with or without the host of the type', async (t) => {
  const command = named('CommandStatementQuery', commandStatementQuery.encode({ query: 'SELECT 1' }))
  t.equal(any.decode(command).typeUrl, 'type.googleapis.com/arrow.flight.protocol.sql.CommandStatementQuery')
  t.equal(readNamed(command)?.name, 'CommandStatementQuery')
  t.same(commandStatementQuery.decode(readNamed(command)!.value), { query: 'SELECT 1' })
  t.equal(readNamed(any.encode({ typeUrl: 'arrow.flight.protocol.sql.CommandGetCatalogs' }))?.name, 'CommandGetCatalogs')
  for (const typeUrl of ['', 'x', 'type.googleapis.com/google.protobuf.Empty'])
    t.equal(readNamed(any.encode({ typeUrl })), undefined)
  t.equal(readNamed(Buffer.from([255])), undefined)
})

t.test('invalid bytes are refused, and nothing is read beyond their end', async (t) => {
  for (const hex of [
    '0a',
    '0a05',
    '0aff',
    '08',
    'ffffffffffffffffffffff',
    '0b',
    '0a0568',
    '0801',
    '0a02c328',
    '0affffffffffffffff01',
  ])
    t.throws(() => any.decode(Buffer.from(hex, 'hex')), RangeError, hex)
})

t.test('a message of very many fields is refused quickly', async (t) => {
  const many = Buffer.alloc(400_000, Buffer.from('0a00', 'hex'))
  t.throws(() => commandGetSqlInfo.decode(many), RangeError)
  t.throws(() => flightInfo.decode(Buffer.alloc(400_000, Buffer.from('1a00', 'hex'))), RangeError)
})
