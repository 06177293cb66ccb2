import t from 'tap'
import { any, commandStatementQuery, flightInfo, handshakeMessage, named } from './messages.js'
import { message } from './protobuf.js'

t.test('numbers, texts, bytes, lists and messages stand in bytes as the format says', async (t) => {
  // The example of https://protobuf.dev/programming-guides/encoding/#simple and its kin.
  const one = message<{ readonly a?: bigint; readonly b?: string; readonly c?: readonly bigint[] }>({
    a: { number: 1, kind: 'int' },
    b: { number: 2, kind: 'text' },
    c: { number: 3, kind: 'int', repeated: true },
  })
  t.equal(one.encode({ a: 150n, b: 'testing' }).toString('hex'), '08960112' + '0774657374696e67')
  t.same(one.decode(Buffer.from('089601120774657374696e67', 'hex')), { a: 150n, b: 'testing' })
  t.same(one.decode(one.encode({ a: -1n, c: [1n, 300n] })), { a: -1n, c: [1n, 300n] })
  t.equal(one.encode({ a: -1n }).length, 11)
})

t.test('what a message says comes back, whatever its field numbers are, and unknown fields are passed over', async (t) => {
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
  const command = any.decode(named('CommandStatementQuery', commandStatementQuery.encode({ query: 'SELECT 1' })))
  t.equal(command.typeUrl, 'type.googleapis.com/arrow.flight.protocol.sql.CommandStatementQuery')
  t.same(commandStatementQuery.decode(command.value!), { query: 'SELECT 1' })
})

t.test('bytes that are no message are refused, not read beyond their end', async (t) => {
  for (const hex of ['0a', '0a05', '0aff', '08', 'ffffffffffffffffffffff', '0b', '0a0568', '0801'])
    t.throws(() => any.decode(Buffer.from(hex, 'hex')), RangeError, hex)
})
