import { createServer, type Socket } from 'node:net'
import { listenAt } from '@grainline/core/surface'
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import type { TlsCredentials } from './tls-credentials.js'

export interface Listener {
  readonly address: string
  /** Waits briefly for calls to end, then closes every connection. The port is free when it resolves. */
  readonly stop: () => Promise<void>
}

/** The size limit of a client message. A statement with its values is far smaller. */
const LARGEST_REQUEST = 2 * 2 ** 20
const MOST_CONNECTIONS = 1000
/** The time that calls have to end when the server stops. */
const GRACE_MS = 1000

type Services = readonly (readonly [definition: ServiceDefinition, implementation: UntypedServiceImplementation])[]

interface Where {
  readonly host: string
  readonly port: number
  readonly tls: TlsCredentials | undefined
}

/** A separate listener passes its connections to gRPC, so that the server can also close idle ones. */
export async function listen({ host, port, tls }: Where, services: Services): Promise<Listener> {
  const grpc = new Server({
    'grpc.max_receive_message_length': LARGEST_REQUEST,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': 1000,
    // These detect clients that disappeared without closing the connection.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  })
  for (const [definition, implementation] of services) grpc.addService(definition, implementation)
  const connections = grpc.createConnectionInjector(tls ?? ServerCredentials.createInsecure())
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // An error of one connection must not end the process.
    socket.on('error', () => socket.destroy())
    connections.injectConnection(socket)
  })
  server.maxConnections = MOST_CONNECTIONS
  const bound = await listenAt(server, { host, port, variable: 'FLIGHT_PORT' })
  return {
    address: `${tls === undefined ? 'grpc' : 'grpc+tls'}://${host}:${bound}`,
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
