/** TLS handshakes of HTTP servers: only so many are under way at once that a burst of them takes short turns. Further connections wait. */
import type { Server, Socket } from 'node:net'
import { clientOf } from '../service/asking.js'
import { Seats } from '../workers/seats.js'

const UNDER_WAY = { most: 240, mostOfOne: 40 }
/** Connections that wait for their handshake. They are closed when they have waited as long as a handshake may take. */
const WAITING = 1000
export const HANDSHAKE_MS = 10_000

type Accept = (this: Server, socket: Socket) => void

export function limitHandshakes(server: Server, underWay = UNDER_WAY): void {
  const seats = new Seats(underWay)
  const waiting = new Map<Socket, NodeJS.Timeout>()
  /** How a handshake ends that is under way, by the address of its client. */
  const ends = new Map<string, () => void>()
  // Node's own listener, which begins the handshake.
  const accept = server.listeners('connection') as Accept[]
  server.removeAllListeners('connection')

  function begins(socket: Socket): boolean {
    const seat = seats.take(clientOf({ address: socket.remoteAddress }))
    if (typeof seat === 'string') return false
    const peer = peerOf(socket)
    const end = () => {
      ends.delete(peer)
      socket.off('close', end)
      seat.leave()
      beginNext()
    }
    ends.set(peer, end)
    socket.once('close', end)
    for (const each of accept) each.call(server, socket)
    return true
  }

  function beginNext(): void {
    for (const [socket, timer] of waiting) {
      if (socket.destroyed || !begins(socket)) continue
      clearTimeout(timer)
      waiting.delete(socket)
    }
  }

  server.on('connection', (socket: Socket) => {
    if (begins(socket)) return
    if (waiting.size >= WAITING) return void socket.destroy()
    const leave = () => {
      clearTimeout(timer)
      waiting.delete(socket)
    }
    const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS)
    waiting.set(socket, timer)
    socket.once('close', leave)
    // Without a listener an error would end the process.
    socket.once('error', () => socket.destroy())
  })
  server.on('secureConnection', (secured: Socket) => ends.get(peerOf(secured))?.())
}

const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`
