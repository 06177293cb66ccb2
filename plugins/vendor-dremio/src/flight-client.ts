import { flight } from '@grainline/core'
import type { CallOptions, ClientReadableStream, Client as GrpcClient, Metadata, ServiceError } from '@grpc/grpc-js'
import type { Driver } from './driver.js'
import type { DremioPlan } from './options.js'

const CONNECT_MS = 10_000
/** Of one record batch; an engine sends them of some thousand rows. */
const LARGEST_MESSAGE = 256 * 2 ** 20

const raw = (bytes: Buffer): Buffer => bytes

export interface FlightClient {
  /** Plans a statement. The bytes are what `CancelFlightInfo` wants back. */
  info(sql: string, signal: AbortSignal): Promise<{ readonly bytes: Buffer; readonly info: flight.FlightInfo }>
  /** The parts of an answer, of which no more are read from the wire than are asked for. */
  get(ticket: flight.Ticket, signal: AbortSignal): ClientReadableStream<flight.FlightData>
  /** Tells the engine that nobody waits for an answer any more. */
  cancelInfo(bytes: Buffer): Promise<void>
  close(): void
}

/** A connection that has shown who asks. Rejects with the error of gRPC. */
export async function openFlight(plan: DremioPlan, { grpc }: Driver): Promise<FlightClient> {
  const client = new grpc.Client(
    `${plan.host.includes(':') ? `[${plan.host}]` : plan.host}:${plan.port}`,
    credentialsOf(plan, grpc),
    {
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.keepalive_time_ms': 30_000,
    },
  )
  const metadata = new grpc.Metadata()
  for (const [name, value] of Object.entries(plan.headers)) metadata.set(name, value)
  try {
    await ready(client, grpc)
    await authenticate(client, plan, metadata)
  } catch (error) {
    client.close()
    throw error
  }
  const within = (): CallOptions =>
    plan.statementTimeoutMs === undefined ? {} : { deadline: Date.now() + plan.statementTimeoutMs }

  return {
    info: (sql, signal) =>
      new Promise((resolve, reject) => {
        const cmd = flight.named('CommandStatementQuery', flight.commandStatementQuery.encode({ query: sql }))
        const asked = flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd })
        const path = `${flight.FLIGHT_SERVICE}/GetFlightInfo`
        const call = client.makeUnaryRequest(path, raw, raw, asked, metadata, within(), (error, bytes) =>
          error ? reject(error) : resolve({ bytes: bytes!, info: flight.flightInfo.decode(bytes!) }),
        )
        cancelOn(signal, call)
      }),
    get(ticket, signal) {
      const path = `${flight.FLIGHT_SERVICE}/DoGet`
      const { encode } = flight.ticket
      const call = client.makeServerStreamRequest(path, encode, flight.flightData.decode, ticket, metadata, within())
      cancelOn(signal, call)
      return call
    },
    async cancelInfo(bytes) {
      const body = flight.cancelFlightInfoRequest.encode({ info: bytes })
      const path = `${flight.FLIGHT_SERVICE}/DoAction`
      const call = client.makeServerStreamRequest(
        path,
        raw,
        raw,
        flight.action.encode({ type: 'CancelFlightInfo', body }),
        metadata,
        {
          deadline: Date.now() + CONNECT_MS,
        },
      )
      for await (const _ of call);
    },
    close: () => client.close(),
  }
}

function credentialsOf({ tls }: DremioPlan, grpc: Driver['grpc']) {
  if (tls === false) return grpc.credentials.createInsecure()
  if (tls === true) return grpc.credentials.createSsl()
  const bytes = (pem: string | undefined): Buffer | null => (pem === undefined ? null : Buffer.from(pem))
  const { ca, key, cert, rejectUnauthorized } = tls
  return grpc.credentials.createSsl(bytes(ca), bytes(key), bytes(cert), { rejectUnauthorized: rejectUnauthorized ?? true })
}

/** Rejects at the first attempt that fails: `waitForReady` goes on trying until its time is up. */
async function ready(client: GrpcClient, { connectivityState, status }: Driver['grpc']): Promise<void> {
  const channel = client.getChannel()
  const deadline = Date.now() + CONNECT_MS
  for (;;) {
    const state = channel.getConnectivityState(true)
    if (state === connectivityState.READY) return
    const changed = await new Promise<boolean>((resolve) =>
      channel.watchConnectivityState(state, deadline, (late) => resolve(late === undefined)),
    )
    if (
      !changed ||
      state === connectivityState.TRANSIENT_FAILURE ||
      channel.getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE
    )
      throw Object.assign(new Error('The server does not answer'), { code: status.UNAVAILABLE })
  }
}

/** A token is shown with every call; for a password the engine gives one: https://arrow.apache.org/docs/format/Flight.html#authentication */
async function authenticate(client: GrpcClient, { credentials }: DremioPlan, metadata: Metadata): Promise<void> {
  if (credentials === undefined) return
  if ('token' in credentials) return metadata.set('authorization', `Bearer ${credentials.token}`)
  const first = metadata.clone()
  first.set('authorization', `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`)
  const answered = await handshake(client, first)
  for (const cookie of answered.get('set-cookie')) metadata.add('cookie', String(cookie).split(';')[0]!)
  const [bearer] = answered.get('authorization')
  if (bearer !== undefined) metadata.set('authorization', bearer)
}

const handshake = (client: GrpcClient, metadata: Metadata): Promise<Metadata> =>
  new Promise((resolve, reject) => {
    const { encode, decode } = flight.handshakeMessage
    const options = { deadline: Date.now() + CONNECT_MS }
    const call = client.makeBidiStreamRequest(`${flight.FLIGHT_SERVICE}/Handshake`, encode, decode, metadata, options)
    let answered = metadata
    call.on('metadata', (headers: Metadata) => {
      answered = headers
    })
    call.on('error', reject)
    call.on('data', () => {})
    call.on('end', () => resolve(answered))
    call.end()
  })

/** A call that is cancelled tells its end as an error, to whoever waits for it. */
function cancelOn(
  signal: AbortSignal,
  call: { cancel(): void; on(event: 'error' | 'status', heard: (told: ServiceError) => void): unknown },
): void {
  const cancel = (): void => call.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  call.on('status', () => signal.removeEventListener('abort', cancel))
  if (signal.aborted) cancel()
}
