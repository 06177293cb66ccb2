/** What clients send to hold a server up. */
import { connect } from 'node:http2'
import { GSS_REQUEST, message, query, SSL_REQUEST, startup } from '../pgwire/raw-client.js'

const MB = 1024 * 1024
export const LOGIN = startup({ user: 'x', database: 'flights' })

const many = (bytes: Buffer, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => bytes))

export const WIRE_FLOODS: Readonly<Record<string, Buffer>> = {
  'statements that are never read': Buffer.concat([LOGIN, many(query('SELECT "Flight Count" FROM flights'), 1500)]),
  'constants that are never read': Buffer.concat([LOGIN, many(query('SELECT 1'), 3000)]),
  'statements that are wrong': Buffer.concat([LOGIN, many(query('SELEC'), 3000)]),
  'empty statements': Buffer.concat([LOGIN, many(query(''), 10_000)]),
  'messages of the extended protocol': Buffer.concat([LOGIN, many(message('S'), 10_000)]),
  'requests for encryption': many(SSL_REQUEST, 5000),
  'requests for GSS': many(GSS_REQUEST, 5000),
  'several logins': many(LOGIN, 1000),
  'zero bytes': Buffer.alloc(MB),
}

/** A frame of HTTP/2. */
function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

const [DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION] = [0, 1, 2, 3, 4, 6, 8, 9] as const
const [END_STREAM, END_HEADERS] = [1, 4] as const

/** Header fields without compression. */
const fields = (pairs: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(pairs).map(([name, value]) =>
      Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]),
    ),
  )

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
export const FLIGHT_PREFACE = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0)])
/** The client has no room for a single byte of an answer. */
const NO_WINDOW = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]))])

const PATH = '/arrow.flight.protocol.FlightService/GetFlightInfo'
const CALL = fields({
  ':method': 'POST',
  ':scheme': 'http',
  ':path': PATH,
  ':authority': 'localhost',
  'content-type': 'application/grpc',
  te: 'trailers',
})
/** A message without content. */
const EMPTY = frame(DATA, END_STREAM, 1, Buffer.alloc(5))
const streams = (count: number, of: (stream: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => of(2 * i + 1)))
const open = (stream: number): Buffer => frame(HEADERS, END_HEADERS, stream, CALL)
const called = (stream: number): Buffer => Buffer.concat([open(stream), frame(DATA, END_STREAM, stream, Buffer.alloc(5))])

export const FLIGHT_FLOODS: Readonly<Record<string, Buffer>> = {
  'calls whose answers are never read': Buffer.concat([NO_WINDOW, streams(1000, called)]),
  'calls that never end': Buffer.concat([FLIGHT_PREFACE, streams(1000, open)]),
  'calls that are reset': Buffer.concat([
    FLIGHT_PREFACE,
    streams(1000, (stream) => Buffer.concat([open(stream), frame(RST_STREAM, 0, stream, Buffer.from([0, 0, 0, 8]))])),
  ]),
  'headers without an end': Buffer.concat([
    FLIGHT_PREFACE,
    frame(HEADERS, 0, 1, CALL),
    many(frame(CONTINUATION, 0, 1, fields({ 'x-a': 'b'.repeat(100) })), 5000),
  ]),
  'empty pieces of headers': Buffer.concat([FLIGHT_PREFACE, frame(HEADERS, 0, 1, CALL), many(frame(CONTINUATION, 0, 1), 20_000)]),
  'empty data': Buffer.concat([FLIGHT_PREFACE, open(1), many(frame(DATA, 0, 1), 20_000)]),
  'messages without an end': Buffer.concat([FLIGHT_PREFACE, open(1), many(frame(DATA, 0, 1, Buffer.alloc(1024, 1)), 60)]),
  pings: Buffer.concat([FLIGHT_PREFACE, many(frame(PING, 0, 0, Buffer.alloc(8)), 20_000)]),
  settings: Buffer.concat([FLIGHT_PREFACE, many(frame(SETTINGS, 0, 0, Buffer.from([0, 3, 0, 0, 0, 9])), 20_000)]),
  'changes of the window': Buffer.concat([FLIGHT_PREFACE, many(frame(WINDOW_UPDATE, 0, 0, Buffer.from([0, 0, 0, 1])), 20_000)]),
  priorities: Buffer.concat([FLIGHT_PREFACE, many(frame(PRIORITY, 0, 1, Buffer.from([0, 0, 0, 3, 1])), 20_000)]),
  'zero bytes': Buffer.concat([FLIGHT_PREFACE, Buffer.alloc(MB)]),
  'frames of no kind': Buffer.concat([FLIGHT_PREFACE, many(frame(0x7f, 0, 0), 20_000)]),
}

/** Connections that stop in the middle of what they say. */
export const FLIGHT_BEGINNINGS: Readonly<Record<string, Buffer>> = {
  nothing: Buffer.alloc(0),
  'half a preface': PREFACE.subarray(0, 12),
  'a preface': FLIGHT_PREFACE,
  'half a frame': Buffer.concat([FLIGHT_PREFACE, frame(HEADERS, END_HEADERS, 1, CALL).subarray(0, 20)]),
  'headers without an end': Buffer.concat([FLIGHT_PREFACE, frame(HEADERS, 0, 1, CALL)]),
  'a call without a message': Buffer.concat([FLIGHT_PREFACE, open(1)]),
  'half a message': Buffer.concat([FLIGHT_PREFACE, open(1), frame(DATA, 0, 1, Buffer.from([0, 0, 0, 1, 0, 7]))]),
  'a call whose answer is not read': Buffer.concat([NO_WINDOW, open(1), EMPTY]),
  'HTTP/1': Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
}

/** Opens and resets calls in bursts until the server closes the session. */
export function resetCalls(port: number): Promise<void> {
  return new Promise((resolve) => {
    const session = connect(`http://127.0.0.1:${port}`)
    session.on('error', () => undefined)
    session.once('close', resolve)
    session.once('remoteSettings', () => {
      for (let i = 0; i < 1200; i++) {
        if (session.destroyed) return
        const stream = session.request({ ':method': 'POST', ':path': PATH, 'content-type': 'application/grpc', te: 'trailers' })
        stream.on('error', () => undefined)
        stream.close(8)
      }
      session.close()
    })
  })
}
