import type { ChannelCredentials, Client } from '@grpc/grpc-js'
import type { ConnectOptions } from './options.js'

type Grpc = typeof import('@grpc/grpc-js')

/** The maximum size of a message, which is one record batch; engines send batches of some thousand rows. */
const LARGEST_MESSAGE = 256 * 2 ** 20

/** A separate, connected channel. Rejects with the error of gRPC. */
export async function openChannel(options: ConnectOptions, grpc: Grpc, timeoutMs: number): Promise<Client> {
  const { host, port, largestMessage = LARGEST_MESSAGE } = options
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const client = new grpc.Client(address, credentialsOf(options, grpc), {
    'grpc.max_receive_message_length': largestMessage,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.keepalive_time_ms': 30_000,
  })
  try {
    await ready(client, grpc, Date.now() + timeoutMs)
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

function credentialsOf({ tls }: ConnectOptions, { credentials }: Grpc): ChannelCredentials {
  if (tls === undefined || tls === false) return credentials.createInsecure()
  if (tls === true) return credentials.createSsl()
  const bytes = (pem: string | Uint8Array | undefined): Buffer | null => (pem === undefined ? null : Buffer.from(pem))
  const { ca, key, cert, rejectUnauthorized = true } = tls
  return credentials.createSsl(bytes(ca), bytes(key), bytes(cert), { rejectUnauthorized })
}

/** Rejects at the first attempt that fails: `waitForReady` would retry until its deadline. */
async function ready(client: Client, { connectivityState, status }: Grpc, deadline: number): Promise<void> {
  const channel = client.getChannel()
  for (;;) {
    const state = channel.getConnectivityState(true)
    if (state === connectivityState.READY) return
    const changed = await new Promise<boolean>((resolve) =>
      channel.watchConnectivityState(state, deadline, (late) => resolve(late === undefined)),
    )
    const failed = [state, channel.getConnectivityState(false)].includes(connectivityState.TRANSIENT_FAILURE)
    if (!changed || failed) throw Object.assign(new Error('The server does not answer'), { code: status.UNAVAILABLE })
  }
}
