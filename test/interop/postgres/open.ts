import { type Client, openClient } from './client.js'
import { startServer } from './server.js'

export interface Postgres {
  readonly client: Client
  /** The folder of the server's socket. */
  readonly socket: string
  readonly close: () => Promise<void>
}

/** A new server with a client to it; if that is not possible, a sentence with the reason, which the test prints when it is skipped. */
export async function openPostgres(): Promise<Postgres | string> {
  const server = await startServer()
  if (typeof server === 'string') return server
  const client = await openClient(server.socket)
  if (typeof client === 'string') {
    await server.stop()
    return client
  }
  const close = async (): Promise<void> => {
    await client.end()
    await server.stop()
  }
  return { client, socket: server.socket, close }
}
