import t from 'tap'
import { holds } from '../specification/holds.js'
import {
  ask,
  connectRaw,
  connectReady,
  cstring,
  errorOf,
  GSS_REQUEST,
  int32,
  message,
  packet,
  query,
  type RawClient,
  rowsOf,
  SSL_REQUEST,
  startup,
} from './raw-client.js'
import { startPgwire } from './server.js'

const KEY = 'a_key_0123456789abcdef0123456789abcdef0123'
const small = { plugins: [] as never[], settings: { QUERY_EXECUTE: false, PGWIRE_CATALOG: 'off' } }

const guardedFor = (seconds: number) =>
  startPgwire({
    ...small,
    settings: { ...small.settings, AUTH_MODE: 'api_key', API_KEYS: [KEY], PGWIRE_AUTH_TIMEOUT_SECONDS: seconds },
  })
const guarded = await guardedFor(1)
t.teardown(() => guarded.close())
/** Its deadline is later than the end of the test, so it closes connections only for other reasons. */
const patient = await guardedFor(3600)
t.teardown(() => patient.close())

/** The error for a client that does this and waits; every such connection must be closed. */
async function fate(does: (client: RawClient) => void | Promise<void>, port = guarded.port) {
  const client = await connectRaw(port)
  await does(client)
  const told = await client.until('E')
  const after = await client.closed()
  return { error: told.some(({ type }) => type === 'E') ? errorOf(told) : undefined, after }
}

/** A client that connects as soon as a place is free. */
async function enters(port: number): Promise<RawClient> {
  for (;;) {
    const client = await connectReady(port).catch(() => undefined)
    if (client) return client
  }
}

t.test('the surface listens on PGWIRE_HOST and PGWIRE_PORT', async (t) => {
  holds(t, 'setting.PGWIRE_HOST')
  const { port, address, close } = await startPgwire(small)
  t.equal(address, `postgres://127.0.0.1:${port}`)
  await close()
  const settings = { ...small.settings, PGWIRE_HOST: '0.0.0.0', PGWIRE_PORT: port }
  const everywhere = await startPgwire({ ...small, settings })
  t.equal(everywhere.address, `postgres://0.0.0.0:${port}`)
  await everywhere.close()
})

t.test('a client without a complete handshake is disconnected at the deadline', async (t) => {
  holds(t, 'pgwire.auth-timeout')
  const drip = startup({ user: 'x', database: 'y'.repeat(300) })
  let at = 0
  const ways: Record<string, (client: RawClient) => void> = {
    'says nothing': () => {},
    'says who it is and stops': (client) => client.send(startup({ user: 'x' })),
    'says one byte at a time': (client) => {
      const timer = setInterval(() => (client.socket.destroyed ? clearInterval(timer) : client.send(drip.subarray(at, ++at))), 20)
    },
  }
  await Promise.all(
    Object.entries(ways).map(async ([name, way]) => {
      const { after } = await fate(way)
      t.ok(after > 900, `${name}: ${Math.round(after)} ms`)
    }),
  )
  t.ok(at < drip.length, `after ${at} of ${drip.length} bytes`)
})

t.test('an invalid first packet is refused at once', async (t) => {
  const cases: Record<string, readonly [string, Buffer]> = {
    'a length of a gigabyte': ['08P01', Buffer.concat([int32(1 << 30), int32(196_608)])],
    'one byte too many': ['08P01', int32(10_001)],
    'a length below its own': ['08P01', int32(3)],
    'a negative length': ['08P01', int32(-5)],
    'a request of HTTP': ['08P01', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    'protocol 2': ['0A000', packet(131_072)],
    'protocol 4': ['0A000', packet(262_144)],
    'no user': ['28000', startup({ database: 'x' })],
    'parameters without an end': ['08P01', packet(196_608, cstring('user'), cstring('x'))],
    'half a parameter': ['08P01', packet(196_608, Buffer.from('user'))],
  }
  for (const [name, [code, bytes]] of Object.entries(cases)) {
    const { error } = await fate((client) => client.send(bytes), patient.port)
    t.match(error, { S: 'FATAL', C: code }, name)
  }
})

t.test('encryption can be requested once', async (t) => {
  for (const request of [SSL_REQUEST, GSS_REQUEST]) {
    const { error } = await fate(async (client) => {
      client.send(request)
      t.equal((await client.bytes(1)).toString(), 'N')
      client.send(request)
    })
    t.equal(error?.C, '08P01')
  }
  const { error } = await fate((client) => client.send(GSS_REQUEST, startup({ user: 'x' })))
  t.equal(error?.C, '08P01', 'and nothing may be stuffed behind it')
})

t.test('before authentication a client can send only a password', async (t) => {
  const cases: Record<string, Buffer> = {
    'a query': query('SELECT 1'),
    'a password of a gigabyte': Buffer.concat([Buffer.from('p'), int32(1 << 30)]),
    'a negative length': Buffer.concat([Buffer.from('p'), int32(-5)]),
    'a mechanism that is not offered': message('p', cstring('SCRAM-SHA-1'), int32(0)),
    'a mechanism without an end': message('p', Buffer.from('SCRAM-SHA-256')),
    'a length beyond the message': message('p', cstring('SCRAM-SHA-256'), int32(1000)),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    const { error } = await fate(async (client) => {
      client.send(startup({ user: 'x' }))
      await client.next()
      client.send(bytes)
    }, patient.port)
    t.match(error, { S: 'FATAL', C: '08P01' }, name)
  }
})

t.test('newer protocols and unknown options are negotiated down', async (t) => {
  const open = await startPgwire(small)
  t.teardown(() => open.close())
  const client = await connectRaw(open.port)
  client.send(startup({ user: 'x', '_pq_.later': 'on' }, (3 << 16) | 9999))
  const [first] = await client.until('Z')
  t.equal(first!.type, 'v')
  t.equal(first!.body.readInt32BE(0), (3 << 16) | 2)
  t.equal(first!.body.toString('latin1', 8), '_pq_.later\0')
  client.end()
})

t.test('a message of more than 16 MiB ends the connection before it is read', async (t) => {
  const open = await startPgwire(small)
  t.teardown(() => open.close())
  const client = await connectReady(open.port)
  client.send(Buffer.concat([Buffer.from('Q'), int32(20 << 20)]))
  t.match(errorOf(await client.until('E')), { S: 'FATAL', C: '08P01' })
  await client.closed()
})

t.test('at the maximum, no new session can be opened', async (t) => {
  holds(t, 'pgwire.max-connections')
  const open = await startPgwire({ ...small, settings: { ...small.settings, PGWIRE_MAX_CONNECTIONS: 3 } })
  t.teardown(() => open.close())
  const clients = await Promise.all(Array.from({ length: 5 }, () => connectRaw(open.port)))
  const answers = await Promise.all(
    clients.map(async (client) => {
      client.send(startup({ user: 'x' }))
      const messages = await client.until('Z')
      return messages.at(-1)?.type === 'Z' ? 'in' : errorOf(messages).C
    }),
  )
  t.same(answers.toSorted(), ['53300', '53300', 'in', 'in', 'in'], 'those who came first are in')
  for (const client of clients) client.end()
  const again = await enters(open.port)
  t.same(rowsOf(await ask(again, 'SELECT 1')), [['1']], 'a slot that is left is free')
  again.end()
})

t.test('a cancel request is handled when all connections are in use, and one with a wrong key has no effect', async (t) => {
  const open = await startPgwire({ ...small, settings: { ...small.settings, PGWIRE_MAX_CONNECTIONS: 1 } })
  t.teardown(() => open.close())
  const client = await connectRaw(open.port)
  client.send(startup({ user: 'x' }))
  const key = (await client.until('Z')).find(({ type }) => type === 'K')!.body
  t.equal(key.length, 8, 'protocol 3.0 has room for four bytes')
  for (const secret of [int32(key.readUInt32BE(4) ^ 1), Buffer.alloc(0), Buffer.alloc(200)]) {
    const other = await connectRaw(open.port)
    other.send(packet(80877102, key.subarray(0, 4), secret))
    t.ok((await other.closed()) < 2000)
  }
  t.same(rowsOf(await ask(client, 'SELECT 1')), [['1']])
  client.end()
})

t.test('the surface stops with clients in every state', async () => {
  const open = await startPgwire(small)
  const silent = await connectRaw(open.port)
  const ready = await connectReady(open.port)
  await open.close()
  await Promise.all([silent.closed(), ready.closed()])
})

t.test('no answer and no log line contains a key', async (t) => {
  holds(t, 'pgwire.secret')
  const lines: string[] = []
  const note = (...parts: unknown[]) =>
    void lines.push(JSON.stringify(parts, (_, value) => (value instanceof Error ? String(value.stack) : value)))
  const logger = { debug: note, info: note, warn: note, error: note, child: () => logger }
  const open = await startPgwire({
    ...small,
    logger,
    settings: { ...small.settings, AUTH_MODE: 'api_key', API_KEYS: [KEY], PGWIRE_AUTH_MODE: 'password' },
  })
  t.teardown(() => open.close())
  for (const password of [KEY, `${KEY}x`]) {
    const client = await connectRaw(open.port)
    client.send(startup({ user: 'x', database: 'flights' }))
    await client.next()
    client.send(message('p', cstring(password)))
    const answer = Buffer.concat((await client.until(password === KEY ? 'Z' : 'E')).map(({ body }) => body)).toString('latin1')
    t.notOk(answer.includes(KEY))
    client.end()
  }
  t.ok(
    lines.some((line) => line.includes('unencrypted')),
    'a warning that keys are sent unencrypted',
  )
  t.notOk(lines.some((line) => line.includes(KEY)))
})
