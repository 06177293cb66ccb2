import type { ServerHttp2Stream } from 'node:http2'
import { createServer, type Socket } from 'node:net'
import { clientOf, listenAt, Seats, Turn } from '@grainline/core/surface'
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import type { TlsCredentials } from './tls-credentials.js'

export interface Listener {
  readonly address: string
  /** The client with this address (`host:port`) has shown its credential, or needs none: its connection stays open. */
  readonly admitted: (peer: string) => void
  /** Waits briefly for calls to end, then closes every connection. The port is free when it resolves. */
  readonly stop: () => Promise<void>
}

/** The size limit of a client message. A statement with its values is far smaller. */
const LARGEST_REQUEST = 2 * 2 ** 20
const CONNECTIONS = { most: 1000, mostOfOne: 750 }
/** Connections on which no call has been admitted yet. */
const STRANGERS = { most: 500, mostOfOne: 100 }
/** The time that a connection has for its first call that is admitted. */
const LOGIN_MS = 10_000
/** The time that calls have to end when the server stops. */
const GRACE_MS = 1000

type Services = readonly (readonly [definition: ServiceDefinition, implementation: UntypedServiceImplementation])[]

interface Where {
  readonly host: string
  readonly port: number
  readonly tls: TlsCredentials | undefined
  readonly loginMs?: number
}

/** A separate listener passes its connections to gRPC, so that the server can also close idle ones. */
export async function listen({ host, port, tls, loginMs = LOGIN_MS }: Where, services: Services): Promise<Listener> {
  const grpc = new Server({
    'grpc.max_receive_message_length': LARGEST_REQUEST,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': 100,
    // Statistics of each call, which nothing reads.
    'grpc.enable_channelz': 0,
    // These detect clients that disappeared without closing the connection.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  })
  for (const [definition, implementation] of services) grpc.addService(definition, implementation)
  const connections = grpc.createConnectionInjector(tls ?? ServerCredentials.createInsecure())
  takeInTurn(grpc)
  const sockets = new Set<Socket>()
  const seats = new Seats(CONNECTIONS)
  const strangers = new Seats(STRANGERS)
  const admissions = new Map<string, () => void>()
  const server = createServer({ noDelay: true }, (socket) => {
    const client = clientOf({ address: socket.remoteAddress })
    const [seat, place] = [seats.take(client), strangers.take(client)]
    const taken = [seat, place].flatMap((one) => (typeof one === 'string' ? [] : [one]))
    const leave = () => {
      for (const one of taken) one.leave()
    }
    if (typeof place === 'string' || taken.length < 2) {
      leave()
      return void socket.destroy()
    }
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    const late = setTimeout(() => socket.destroy(), loginMs)
    const decided = () => {
      clearTimeout(late)
      admissions.delete(peer)
      place.leave()
    }
    admissions.set(peer, decided)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      decided()
      leave()
    })
    // An error of one connection must not end the process.
    socket.on('error', () => socket.destroy())
    connections.injectConnection(socket)
  })
  const bound = await listenAt(server, { host, port, variable: 'FLIGHT_PORT' })
  return {
    address: `${tls === undefined ? 'grpc' : 'grpc+tls'}://${host}:${bound}`,
    admitted: (peer) => admissions.get(peer)?.(),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      connections.drain(GRACE_MS)
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, GRACE_MS)
      await closed
      clearTimeout(cut)
      connections.destroy()
      grpc.forceShutdown()
    },
  }
}

type StreamHandler = (stream: ServerHttp2Stream, ...rest: readonly unknown[]) => void
/** The servers of gRPC, which it keeps to itself. */
interface Inner {
  readonly http2Servers?: ReadonlyMap<
    {
      listeners(event: 'stream'): unknown[]
      removeAllListeners(event: 'stream'): void
      on(event: 'stream', heard: StreamHandler): void
    },
    unknown
  >
}

/**
 * A turn of the event loop takes up calls for a few milliseconds, and a call that was reset meanwhile is not made at all: a client may open and
 * reset a thousand in one packet.
 */
function takeInTurn(grpc: Server): void {
  const turn = new Turn()
  for (const server of (grpc as unknown as Inner).http2Servers?.keys() ?? []) {
    const handlers = server.listeners('stream') as StreamHandler[]
    server.removeAllListeners('stream')
    const take: StreamHandler = (stream, ...rest) => {
      if (stream.destroyed || stream.closed) return
      if (turn.isOver()) return void setImmediate(take, stream, ...rest)
      for (const handle of handlers) handle(stream, ...rest)
    }
    server.on('stream', (stream, ...rest) => {
      // A call that is reset while it waits has no other listener.
      stream.once('error', () => undefined)
      take(stream, ...rest)
    })
  }
}
