import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { status } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { FLIGHT_SERVICE } from '../flight-messages.js'
import { connectFlightSql } from './connect.js'

const OPEN = { ':status': 200, 'content-type': 'application/grpc' }

/** A server that opens every answer and ends none, except that of `ListFlights`. */
async function openEnded(t: Test) {
  const open = new Set<ServerHttp2Stream>()
  const server = createServer().on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (headers[':path'] === `/${FLIGHT_SERVICE}/ListFlights`)
      return stream.respond({ ...OPEN, 'grpc-status': '0' }, { endStream: true })
    open.add(stream)
    stream.on('close', () => open.delete(stream))
    stream.respond(OPEN)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = await connectFlightSql({ host: '127.0.0.1', port })
  t.teardown(() => {
    client.close()
    server.close()
  })
  /** When this is answered, everything that was sent on the connection before has arrived. */
  const roundTrip = async () => {
    for await (const _ of client.calls.stream('ListFlights', Buffer.alloc(0)));
  }
  return { calls: client.calls, open, roundTrip }
}

t.test('a call that is cancelled at any time ends at the server, too', async (t) => {
  const { calls, open, roundTrip } = await openEnded(t)
  const later: readonly ((cancel: () => void) => void)[] = [
    (cancel) => cancel(),
    (cancel) => void Promise.resolve().then(cancel),
    (cancel) => process.nextTick(cancel),
    (cancel) => void setImmediate(cancel),
  ]
  for (const when of later) {
    const stop = new AbortController()
    const ended = (async () => {
      for await (const _ of calls.stream('DoGet', Buffer.alloc(0), stop.signal));
    })()
    when(() => stop.abort())
    await t.rejects(ended, { code: status.CANCELLED })
  }
  const stopped = new AbortController()
  stopped.abort()
  await t.rejects(calls.unary('GetFlightInfo', Buffer.alloc(0), stopped.signal), { code: status.CANCELLED })
  await roundTrip()
  t.equal(open.size, 0)
})

t.test('a reader that starts after the failure gets the error', async (t) => {
  const { calls } = await openEnded(t)
  const stop = new AbortController()
  const call = calls.stream('DoGet', Buffer.alloc(0), stop.signal)
  const failed = new Promise((resolve) => call.once('status', resolve))
  stop.abort()
  await failed
  const read = async () => {
    for await (const _ of call);
  }
  await t.rejects(read(), { code: status.CANCELLED })
})
