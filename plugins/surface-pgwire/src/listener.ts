import { createServer, type Server, type Socket } from 'node:net'
import type { Settings } from '@grainline/core'
import { clientOf, listenAt, type Seating, Seats } from '@grainline/core/surface'
import { type ConnectionContext, serveConnection } from './connection.js'

export interface Listener {
  readonly address: string
  /** Stops listening and closes every connection. */
  readonly stop: () => Promise<void>
}

type Where = Pick<Settings, 'PGWIRE_HOST' | 'PGWIRE_PORT'>

/** Connections without a seat that are read, because one may be a cancellation. Further ones are closed at once. */
const STANDING = { most: 64, mostOfOne: 32 }

export async function listen(where: Where, seats: Seating, context: ConnectionContext): Promise<Listener> {
  const sockets = new Set<Socket>()
  const standing = new Seats(STANDING)
  // The seat is taken when the connection arrives: if many arrived first, all of them would be refused.
  const accept = async (socket: Socket) => {
    const client = clientOf({ address: socket.remoteAddress })
    sockets.add(socket)
    // An error before the connection is served must not end the process.
    const lost = () => socket.destroy()
    socket.once('error', lost)
    socket.once('close', () => sockets.delete(socket))
    const seat = await seats.take(client)
    const place = typeof seat === 'string' ? standing.take(client) : seat
    if (typeof place === 'string') return socket.destroy()
    // The client may have disconnected meanwhile.
    if (socket.destroyed) return place.leave()
    socket.once('close', () => place.leave())
    socket.off('error', lost)
    await serveConnection(socket, seat, context)
  }
  // A client that has closed its sending side still gets answers that need no query.
  const server = createServer({ noDelay: true, keepAlive: true, allowHalfOpen: true }, (socket) => void accept(socket))
  await listenAt(server, { host: where.PGWIRE_HOST, port: where.PGWIRE_PORT, variable: 'PGWIRE_PORT' })
  return {
    address: addressOf(server),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') return String(address)
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `postgres://${host}:${address.port}`
}
