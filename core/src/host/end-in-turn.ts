import type { Socket } from 'node:net'
import type { Turn } from './turn.js'

/** The events of a connection that is over. Node, the framework and a handler do their work for its requests in them. */
const ENDINGS: ReadonlySet<unknown> = new Set(['end', 'error', 'close'])

type Event = readonly [name: string | symbol, ...values: unknown[]]

/**
 * The work that the end of a connection causes waits for the next turn if this one is over: a thousand connections can close at once, each with
 * a request under way. The events stay in their order.
 */
export function endInTurn(socket: Socket, turn: Turn): void {
  const emit: (...event: Event) => boolean = socket.emit.bind(socket)
  const waiting: Event[] = []
  const emitBriefly = (event: Event) => withoutStacks(() => emit(...event))
  const next = (): void => {
    for (let [event] = waiting; event !== undefined; [event] = waiting) {
      if (turn.isOver()) return void setImmediate(next)
      try {
        emitBriefly(event)
      } catch (error) {
        // The events that follow come nevertheless.
        setImmediate(next)
        throw error
      } finally {
        // Not before, so that an event within this one follows it.
        waiting.shift()
      }
    }
  }
  socket.emit = (...event: Event): boolean => {
    if (!ENDINGS.has(event[0])) return emit(...event)
    waiting.push(event)
    if (waiting.length === 1) next()
    return true
  }
}

/**
 * Node makes an error for each request that waits on the connection, and one read of a socket can contain a thousand requests. Their stacks take
 * most of the time, and no one reads them.
 */
function withoutStacks(run: () => void): void {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    run()
  } finally {
    Error.stackTraceLimit = limit
  }
}
