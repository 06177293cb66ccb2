import { GrainlineError, type TlsOptions } from '@grainline/core'
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'

export interface Listener {
  readonly address: string
  /** Lets calls end for a moment, then cuts them; the port is free when it resolves. */
  readonly stop: () => Promise<void>
}

/** Bytes of one message from a client: a statement with its values is far smaller. */
const LARGEST_REQUEST = 2 * 2 ** 20
/** How long calls may take to end once the server stops. */
const GRACE_MS = 1000

type Services = readonly (readonly [definition: ServiceDefinition, implementation: UntypedServiceImplementation])[]

interface Where {
  readonly host: string
  readonly port: number
  readonly tls: TlsOptions | undefined
}

export async function listen({ host, port, tls }: Where, services: Services): Promise<Listener> {
  const server = new Server({
    'grpc.max_receive_message_length': LARGEST_REQUEST,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': 1000,
    // A client that is gone without a goodbye is noticed.
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  })
  for (const [definition, implementation] of services) server.addService(definition, implementation)
  const bound = await bind(server, host, port, credentialsOf(tls))
  return { address: `${tls === undefined ? 'grpc' : 'grpc+tls'}://${host}:${bound}`, stop: () => stop(server) }
}

function credentialsOf(tls: TlsOptions | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure()
  return ServerCredentials.createSsl(tls.ca ?? null, [{ cert_chain: tls.cert, private_key: tls.key }], tls.ca !== undefined)
}

function bind(server: Server, host: string, port: number, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (cause, bound) => {
      if (cause === null) return resolve(bound)
      const reason = /EADDRINUSE/.test(cause.message) ? 'the port is taken' : cause.message
      const message = `FLIGHT_PORT=${port} on ${host} cannot be listened on: ${reason}`
      reject(new GrainlineError('INVALID_VARIABLE', message, { path: 'FLIGHT_PORT', cause }))
    })
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), GRACE_MS)
    server.tryShutdown(() => {
      clearTimeout(force)
      server.forceShutdown()
      resolve()
    })
  })
}
