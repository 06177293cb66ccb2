import type { OutgoingMessage } from 'node:http'
import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Ends the connection of a response in the middle, so that the client sees it. Chunks of HTTP/1.1 and TLS have an end of their own, which is
 * then missing; an answer over HTTP/1.0 ends where the connection is closed, so only a reset tells a cut answer from a whole one.
 */
export function resetConnection({ socket }: Pick<OutgoingMessage, 'socket'>): void {
  // A request from within the process has no connection.
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || socket.remotePort === undefined) return
  socket.resetAndDestroy()
}
