import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Turn } from './turn.js'

type Waiting = readonly [request: IncomingMessage, response: ServerResponse]

/** The requests of a connection that wait until the answer before theirs has been sent. */
interface Line {
  busy: boolean
  readonly waiting: Waiting[]
}

/** A connection on which so many requests wait is not read until one of them is answered. */
const MOST_WAITING = 8

/**
 * Handles the requests of a connection one after the other: HTTP/1.1 allows a client to send thousands before it reads an answer, and their
 * answers would all be held at once. One turn of the event loop takes up requests for a few milliseconds, from however many connections.
 */
export function inTurn(handle: RequestListener, turn = new Turn()): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { busy: false, waiting: [] }
    lines.set(socket, line)
    // Node reads on after each answer.
    socket.on('resume', () => line.waiting.length >= MOST_WAITING && socket.pause())
    return line
  }

  function answer(line: Line, [request, response]: Waiting): void {
    const { socket } = request
    if (socket.destroyed) return void line.waiting.splice(0)
    if (turn.isOver()) return void setImmediate(answer, line, [request, response])
    response.once('close', () => next(line, socket))
    handle(request, response)
  }

  function next(line: Line, socket: Socket): void {
    const first = line.waiting.shift()
    line.busy = first !== undefined
    if (line.waiting.length < MOST_WAITING && socket.isPaused()) socket.resume()
    // Small answers are sent at once, so that without a pause all of them would be made in one turn.
    if (first !== undefined) setImmediate(answer, line, first)
  }

  return (request, response) => {
    const line = lineOf(request.socket)
    if (!line.busy) {
      line.busy = true
      return answer(line, [request, response])
    }
    line.waiting.push([request, response])
    if (line.waiting.length >= MOST_WAITING) request.socket.pause()
  }
}
