import type { Socket } from 'node:net'

/**
 * When a connection closes, Node makes an error for each request that waits on it, and one read of a socket can contain a thousand requests.
 * The errors get no stacks, because those take most of the time, and no one reads them.
 */
export function abortBriefly(socket: Socket): void {
  let limit = Error.stackTraceLimit
  // Node has added its own listener before.
  socket.prependOnceListener('close', () => {
    limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = limit
  })
}
