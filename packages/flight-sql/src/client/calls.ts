/** The calls of Arrow Flight, in bytes: authentication, cookies, deadlines and cancellation. */
import type { CallOptions, Client, ClientReadableStream, Metadata } from '@grpc/grpc-js'
import { FLIGHT_SERVICE, handshakeMessage } from '../flight-messages.js'
import { Cookies } from './cookies.js'
import { openChannel } from './open-channel.js'
import type { ConnectOptions } from './options.js'

type Grpc = typeof import('@grpc/grpc-js')
type UnaryMethod = 'GetFlightInfo' | 'GetSchema' | 'PollFlightInfo'
type StreamMethod = 'DoGet' | 'DoAction' | 'ListActions' | 'ListFlights'

export interface FlightCalls {
  unary(method: UnaryMethod, request: Uint8Array, signal?: AbortSignal): Promise<Buffer>
  /** The answer is read from the connection on demand. */
  stream(method: StreamMethod, request: Uint8Array, signal?: AbortSignal): ClientReadableStream<Buffer>
  /** Sends the messages and resolves to the answers. */
  put(requests: readonly Uint8Array[], signal?: AbortSignal): Promise<readonly Buffer[]>
  close(): void
}

const CONNECT_MS = 10_000
const raw = (bytes: Uint8Array): Buffer => bytes as Buffer
const path = (method: string): string => `/${FLIGHT_SERVICE}/${method}`

/** Resolves when the server has answered and authenticated the client. Rejects with the error of gRPC. */
export async function openCalls(options: ConnectOptions): Promise<FlightCalls> {
  const grpc = await import('@grpc/grpc-js')
  const { connectTimeoutMs = CONNECT_MS, callTimeoutMs } = options
  const client = await openChannel(options, grpc, connectTimeoutMs)
  const cookies = new Cookies()
  const own = new grpc.Metadata()
  for (const [name, value] of Object.entries(options.headers ?? {})) own.set(name, value)
  try {
    await authenticate({ client, own, cookies, grpc, options, deadline: Date.now() + connectTimeoutMs })
  } catch (error) {
    client.close()
    throw error
  }
  const within = (): CallOptions => (callTimeoutMs === undefined ? {} : { deadline: Date.now() + callTimeoutMs })
  const metadata = (): Metadata => cookies.addedTo(own)

  return {
    unary: (method, request, signal) =>
      new Promise((resolve, reject) => {
        const call = client.makeUnaryRequest(path(method), raw, raw, request, metadata(), within(), (error, answer) =>
          error ? reject(error) : resolve(answer!),
        )
        call.on('metadata', cookies.keep)
        cancelOn(signal, call)
      }),
    stream(method, request, signal) {
      const call = client.makeServerStreamRequest(path(method), raw, raw, request, metadata(), within())
      call.on('metadata', cookies.keep)
      // The failure is permanent: a later reader gets the error too, not just an end.
      call.on('error', (error) => call.destroyed || call.destroy(error))
      cancelOn(signal, call)
      return call
    },
    put: (requests, signal) =>
      new Promise((resolve, reject) => {
        const call = client.makeBidiStreamRequest(path('DoPut'), raw, raw, metadata(), within())
        const answers: Buffer[] = []
        cancelOn(signal, call)
        call.on('metadata', cookies.keep)
        call.on('data', (answer: Buffer) => answers.push(answer))
        call.on('error', reject)
        call.on('end', () => resolve(answers))
        for (const request of requests) call.write(request)
        call.end()
      }),
    close: () => client.close(),
  }
}

interface Authentication {
  readonly client: Client
  readonly own: Metadata
  readonly cookies: Cookies
  readonly grpc: Grpc
  readonly options: ConnectOptions
  readonly deadline: number
}

/** A token is sent with every call; a password is exchanged for one: https://arrow.apache.org/docs/format/Flight.html#authentication */
async function authenticate({ client, own, cookies, options: { credentials }, deadline }: Authentication): Promise<void> {
  if (credentials === undefined) return
  if ('token' in credentials) return own.set('authorization', `Bearer ${credentials.token}`)
  const basic = own.clone()
  basic.set('authorization', `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`)
  const answered = await handshake(client, basic, deadline)
  cookies.keep(answered)
  const [bearer] = answered.get('authorization')
  if (bearer !== undefined) own.set('authorization', bearer)
}

const handshake = (client: Client, metadata: Metadata, deadline: number): Promise<Metadata> =>
  new Promise((resolve, reject) => {
    const { encode, decode } = handshakeMessage
    const call = client.makeBidiStreamRequest(path('Handshake'), encode, decode, metadata, { deadline })
    let answered = metadata
    call.on('metadata', (headers: Metadata) => {
      answered = headers
    })
    call.on('error', reject)
    call.on('data', () => {})
    call.on('end', () => resolve(answered))
    call.end()
  })

/**
 * A cancelled call ends with an error for its caller. If a call is cancelled in the turn of the event loop that started it, gRPC does not
 * tell the server, whose answer then waits for ever. So it is cancelled in the next turn.
 */
function cancelOn(
  signal: AbortSignal | undefined,
  call: { cancel(): void; on(event: 'status', heard: () => void): unknown },
): void {
  if (signal === undefined) return
  const cancel = (): void => void setImmediate(() => call.cancel())
  signal.addEventListener('abort', cancel, { once: true })
  call.on('status', () => signal.removeEventListener('abort', cancel))
  if (signal.aborted) cancel()
}
