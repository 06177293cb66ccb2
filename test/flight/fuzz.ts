/** Thousands of corrupted calls; `npm run load -- flight-fuzz` sends a million messages. */
import { type ClientHttp2Session, type ClientSessionOptions, connect } from 'node:http2'
import net from 'node:net'
import { connectFlightSql, encapsulated, type FlightSqlClient, flight, sql } from '@grainline/flight-sql'
import { parameterBatch } from '../../packages/flight-sql/src/client/parameter-batch.js'
import { numbers } from '../pgwire/mutations.js'
import { rowsOf } from './rows-of.js'

export interface FuzzReport {
  /** The number of corrupted messages, and of the calls and connections that carried them. */
  readonly messages: number
  readonly calls: number
  readonly connections: number
  /** Calls that ended with a status other than OK. */
  readonly refused: number
  /** True if a client that behaves was served after all of it. */
  readonly alive: boolean
}

/** The number of connections, and of calls on each of them. */
const AT_ONCE = 8
const CALLS_AT_ONCE = 8
const CALLS_OF_A_SESSION = 100
/** A call that has not ended after this time is stuck. */
const GRACE_MS = 120_000
const LATE_MS = 200
/** One of so many connections is corrupted as a whole, below the level of calls. */
const RAW = 20

interface Sample {
  readonly method: string
  readonly messages: readonly Buffer[]
}

/** Sends at least `count` messages from an address of this machine. Rejects if a call does not end. */
export async function fuzz(port: number, seed: number, count: number, from = '127.0.0.1'): Promise<FuzzReport> {
  const client = await connectFlightSql({ host: '127.0.0.1', port })
  const samples = await samplesOf(client)
  const where = { port, localAddress: from }
  const total = { messages: 0, calls: 0, connections: 0, refused: 0 }
  const worker = async (index: number) => {
    while (total.messages < count) {
      const pick = numbers(seed * 1_000_003 + ++total.connections * AT_ONCE + index)
      if (pick(RAW) === 0) total.messages += await sayRaw(where, samples, pick)
      else await session(where, samples, pick, total)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => worker(index)))
  const alive = (await rowsOf(await client.query('SELECT 1')))[0]?.[0] === 1n
  client.close()
  return { ...total, alive }
}

const STATEMENTS = [
  'SELECT 1',
  'SELECT "Airline", "Flight Count" FROM flights LIMIT 2',
  'SELECT "Airline" FROM flights WHERE "Year Built" > ? LIMIT 1',
  'SELECT COUNT(*) FROM (SELECT "Airline" FROM flights) AS f',
  'DELETE FROM flights',
]

/** Calls of a client that behaves, with valid tickets and handles. */
async function samplesOf(client: FlightSqlClient): Promise<readonly Sample[]> {
  const answer = await client.query(STATEMENTS[1]!)
  const { ticket } = answer.info.endpoint![0]!
  for await (const _ of answer);
  const handle = await handleOf(client, STATEMENTS[2]!)
  const prepared = sql.named(
    'CommandPreparedStatementQuery',
    sql.commandPreparedStatementQuery.encode({ preparedStatementHandle: handle }),
  )
  const schema = (await client.prepare(STATEMENTS[2]!)).parameterSchema
  const bound = await parameterBatch({ type: flight.DESCRIPTOR_CMD, cmd: prepared }, schema, [2000n])
  const texts = await parameterBatch({ type: flight.DESCRIPTOR_CMD, cmd: prepared }, schema, ['2000'].map(BigInt))
  const commands = [
    ...STATEMENTS.map((query) => sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query }))),
    prepared,
    sql.named(
      'CommandGetTables',
      sql.commandGetTables.encode({
        catalog: 'flights',
        tableNameFilterPattern: 'f%_\\%',
        tableTypes: ['TABLE'],
        includeSchema: true,
      }),
    ),
    sql.named('CommandGetSqlInfo', sql.commandGetSqlInfo.encode({ info: [1, 508, 517] })),
    ...['GetCatalogs', 'GetDbSchemas', 'GetTableTypes', 'GetXdbcTypeInfo', 'GetPrimaryKeys', 'GetCrossReference'].map((name) =>
      sql.named(`Command${name}`, Buffer.alloc(0)),
    ),
  ]
  const one = (method: string, message: Buffer): Sample => ({ method, messages: [message] })
  const act = (type: string, body: Uint8Array) => one('DoAction', flight.action.encode({ type, body }))
  const option = flight.setSessionOptionsRequest.encode({ sessionOptions: new Map([['catalog', { stringValue: 'flights' }]]) })
  return [
    ...commands.flatMap((cmd) => {
      const descriptor = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd })
      return [
        one('GetFlightInfo', descriptor),
        one('GetSchema', descriptor),
        one('PollFlightInfo', descriptor),
        one('DoGet', flight.ticket.encode({ ticket: cmd })),
      ]
    }),
    one('DoGet', flight.ticket.encode(ticket!)),
    { method: 'DoPut', messages: bound },
    { method: 'DoPut', messages: texts },
    {
      method: 'Handshake',
      messages: [flight.handshakeMessage.encode({ payload: flight.basicAuth.encode({ username: 'a', password: 'b' }) })],
    },
    act(
      'CreatePreparedStatement',
      sql.named('ActionCreatePreparedStatementRequest', sql.createPreparedStatementRequest.encode({ query: STATEMENTS[2]! })),
    ),
    act('CancelFlightInfo', flight.cancelFlightInfoRequest.encode({ info: flight.flightInfo.encode(answer.info) })),
    act('RenewFlightEndpoint', flight.renewFlightEndpointRequest.encode({ endpoint: answer.info.endpoint![0]! })),
    act('SetSessionOptions', option),
    act('GetSessionOptions', Buffer.alloc(0)),
    one('ListActions', Buffer.alloc(0)),
    one('ListFlights', Buffer.from(encapsulated(Buffer.from('x')))),
  ]
}

async function handleOf(client: FlightSqlClient, query: string): Promise<Uint8Array> {
  const body = sql.named('ActionCreatePreparedStatementRequest', sql.createPreparedStatementRequest.encode({ query }))
  for await (const result of client.calls.stream('DoAction', flight.action.encode({ type: 'CreatePreparedStatement', body }))) {
    const { value } = sql.readNamed(flight.actionResult.decode(result as Buffer).body!)!
    return sql.createPreparedStatementResult.decode(value).preparedStatementHandle!
  }
  throw new Error('no handle')
}

type Pick = (below: number) => number
interface Total {
  messages: number
  calls: number
  refused: number
}

interface SpoiledCall {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly messages: number
  /** The client disconnects before it has sent anything. */
  readonly hangsUp: boolean
}

interface Where {
  readonly port: number
  readonly localAddress: string
}

/** Several concurrent calls over one connection, each with a deadline or cancelled at some time. */
async function session({ port, localAddress }: Where, samples: readonly Sample[], pick: Pick, total: Total): Promise<void> {
  // The contents depend only on the seed, and not on the timing.
  const queue = Array.from({ length: CALLS_OF_A_SESSION }, () => spoiledCall(samples[pick(samples.length)]!, pick))
  const open = connect(`http://127.0.0.1:${port}`, { localAddress } as ClientSessionOptions)
  open.on('error', () => {})
  const lane = async () => {
    for (let next = queue.pop(); next !== undefined && !open.closed && !open.destroyed; next = queue.pop()) {
      total.calls++
      total.messages += next.messages
      if (await call(open, next)) total.refused++
    }
  }
  try {
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, lane))
  } finally {
    open.destroy()
  }
}

function spoiledCall({ method, messages }: Sample, pick: Pick): SpoiledCall {
  const headers: Record<string, string> = {}
  if (pick(16) === 0) headers['grpc-timeout'] = ['1m', '0S', '-1', '99999999H', 'x'][pick(5)]!
  if (pick(16) === 0) headers['authorization'] = ['Basic !', 'Bearer glf1.AAAA', 'Basic eDp5', ''][pick(4)]!
  if (pick(16) === 0) headers['cookie'] = ['arrow_flight_session_id=AQID', '=;;=', 'arrow_flight_session_id="'][pick(3)]!
  if (pick(32) === 0) headers['grpc-encoding'] = ['gzip', 'deflate', 'x'][pick(3)]!
  const body = Buffer.concat(messages.map((message) => framed(spoiled(message, pick), pick)))
  return { method, headers, body, messages: messages.length, hangsUp: pick(64) === 0 }
}

/** Whether the call ended with a status other than OK. */
function call(open: ClientHttp2Session, { method, headers, body, hangsUp }: SpoiledCall): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const own = { 'content-type': 'application/grpc', te: 'trailers', ...headers }
    const stream = open.request({ ':method': 'POST', ':path': `/${flight.FLIGHT_SERVICE}/${method}`, ...own })
    const stuck = setTimeout(() => reject(new Error(`no end to ${method} ${body.toString('base64')}`)), GRACE_MS)
    let status = '0'
    const heard = (told: Readonly<Record<string, unknown>>) => {
      status = String(told['grpc-status'] ?? status)
    }
    stream.on('response', heard)
    stream.on('trailers', heard)
    stream.on('error', () => {})
    stream.on('close', () => {
      clearTimeout(stuck)
      clearTimeout(late)
      resolve(status !== '0')
    })
    stream.resume()
    // A client ends a call whose deadline has passed by itself, and the server relies on that.
    const late = headers['grpc-timeout'] === undefined ? undefined : setTimeout(() => stream.close(), LATE_MS)
    if (hangsUp) stream.close()
    if (!stream.closed) stream.end(body)
  })
}

/** A message of gRPC: the compression flag, the length, the bytes; sometimes the header is corrupted, too. */
function framed(message: Buffer, pick: Pick): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  if (pick(64) === 0) head[0] = pick(4)
  if (pick(64) === 0) head.writeUInt32BE([0, 1, message.length + 1, 0x7fffffff, 0xffffffff][pick(5)]!, 1)
  return Buffer.concat([head, message])
}

/** One to three changes: of a byte, a bit, a length, the order of bytes, or their number. */
function spoiled(message: Buffer, pick: Pick): Buffer {
  let bytes = Buffer.from(message)
  for (let changes = 1 + pick(3); changes > 0; changes--) {
    if (bytes.length === 0) return Buffer.from([pick(256), pick(256)])
    const at = pick(bytes.length)
    switch (pick(6)) {
      case 0:
        bytes[at] = pick(256)
        break
      case 1:
        bytes[at]! ^= 1 << pick(8)
        break
      case 2:
        if (at + 4 <= bytes.length) bytes.writeInt32LE([-1, 0, 0x7fffffff, -0x80000000, 65_536][pick(5)]!, at)
        break
      case 3:
        bytes.copyWithin(at, pick(bytes.length))
        break
      case 4:
        bytes = bytes.subarray(0, at)
        break
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(pick(bytes.length))])
    }
  }
  return bytes
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** A connection with corrupted frames: the server closes it, or sees the end of the stream. */
function sayRaw(where: Where, samples: readonly Sample[], pick: Pick): Promise<number> {
  const { messages } = samples[pick(samples.length)]!
  const bytes = spoiled(Buffer.concat([PREFACE, Buffer.alloc(9), ...messages.map((message) => framed(message, pick))]), pick)
  return new Promise((resolve, reject) => {
    const socket = net.connect({ ...where, host: '127.0.0.1' }, () => socket.end(bytes))
    const stuck = setTimeout(() => reject(new Error(`no end to ${bytes.toString('base64')}`)), GRACE_MS)
    socket.on('data', () => {})
    socket.on('end', () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(stuck)
      resolve(messages.length)
    })
  })
}
