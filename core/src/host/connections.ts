import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import tls from 'node:tls'
import type { Logger } from '../logger.js'
import { endInTurn } from './end-in-turn.js'
import { inTurn } from './in-turn.js'
import { IncompleteRequests } from './incomplete-requests.js'
import { Turn } from './turn.js'

type Accept = (this: Server, socket: Socket) => void

export interface ConnectionLimits {
  /** Maximum number of connections of one address without a complete request. */
  readonly incomplete: number
  /** Answers a request of an address that has more, and closes the connection. */
  readonly refuse: RequestListener
}

/** The connections of HTTP servers that share a handler: their requests are handled in turn, and all of them end within a limit. */
export class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #turn = new Turn()
  readonly #incomplete: IncompleteRequests
  readonly #refused = new WeakSet<IncomingMessage>()
  readonly #refuse: RequestListener
  // Not a set: one whose entries come and go is built again every few requests, and the tables that it leaves hold on to ended requests until
  // the whole heap is marked.
  readonly #answers: (ServerResponse | undefined)[] = []
  #quiet: (() => void) | undefined

  constructor({ incomplete, refuse }: ConnectionLimits) {
    this.#incomplete = new IncompleteRequests(incomplete)
    this.#refuse = refuse
  }

  /** The handler of every server that is `watch`ed. */
  handler(handle: RequestListener): RequestListener {
    const self = this
    function ended(this: ServerResponse): void {
      self.#replace(this, undefined)
      if (self.#quiet !== undefined && self.#running().length === 0) self.#quiet()
    }
    const answer = inTurn((request, response) => {
      if (this.#refused.has(request)) return this.#refuse(request, response)
      this.#replace(undefined, response)
      response.on('close', ended)
      handle(request, response)
    }, this.#turn)
    return (request, response) => {
      if (!this.#incomplete.admits(request)) this.#refused.add(request)
      answer(request, response)
    }
  }

  /** Every connection that the server accepts is closed by `end`, also one that has not sent a request, or is still in its TLS handshake. */
  watch(server: Server): void {
    if (server instanceof tls.Server) {
      server.on('connection', (socket: Socket) => this.#hold(socket))
      server.on('secureConnection', (socket: Socket) => void (this.#receives(socket) || socket.destroy()))
      return
    }
    // Node's own listener, which prepares to read requests. A thousand connections of one address are refused before it, so that those of
    // others do not wait for it.
    const accept = server.listeners('connection') as Accept[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (!this.#receives(socket)) return void socket.destroy()
      this.#hold(socket)
      for (const each of accept) each.call(server, socket)
    })
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #receives(socket: Socket): boolean {
    if (!this.#incomplete.connect(socket)) return false
    endInTurn(socket, this.#turn)
    return true
  }

  /** Waits until the answers under way have been sent, at most `milliseconds`, and closes every connection. */
  async end(milliseconds: number, logger: Pick<Logger, 'error'>): Promise<void> {
    if (this.#running().length > 0) await this.#quietWithin(milliseconds, logger)
    for (const socket of this.#sockets) socket.destroy()
  }

  #quietWithin(milliseconds: number, logger: Pick<Logger, 'error'>): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        const requests = this.#running().length
        logger.error({ requests, milliseconds }, `Requests did not finish within ${milliseconds} ms; their connections are cut`)
        resolve()
      }, milliseconds)
      this.#quiet = () => {
        clearTimeout(deadline)
        resolve()
      }
    })
  }

  #running(): readonly ServerResponse[] {
    return this.#answers.filter((response) => response !== undefined)
  }

  #replace(found: ServerResponse | undefined, by: ServerResponse | undefined): void {
    const at = this.#answers.indexOf(found)
    this.#answers[at === -1 ? this.#answers.length : at] = by
  }
}
