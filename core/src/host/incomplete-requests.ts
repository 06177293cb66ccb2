import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { clientOf } from '../service/asking.js'
import { type Seat, Seats } from '../workers/seats.js'

/** A connection. */
interface Client {
  readonly name: string
  /** What it has while no request has arrived on it, or one has begun to. */
  seat: Seat | undefined
  request: IncomingMessage | undefined
  /** Ends its time without a seat. */
  seated: () => void
}

/** Connections without a seat that may still send the request that is refused. Further ones are closed at once. */
const STANDING = { most: 64, mostOfOne: 32 }
/** The time that they have for it. */
const STANDING_MS = 1000

/**
 * Counts the connections on which the first request is awaited, or on which a request has begun to arrive and is not complete. Each address has
 * a maximum number of them, so that it cannot make a server wait for thousands of requests, and close all of them at once.
 */
export class IncompleteRequests {
  readonly #clients = new WeakMap<Socket, Client>()
  readonly #seats: Seats
  readonly #standing = new Seats(STANDING)

  constructor(mostOfOne: number) {
    this.#seats = new Seats({ most: Number.POSITIVE_INFINITY, mostOfOne })
  }

  /** A client has connected. False: its address has so many connections that this one is not read, and is to be closed. */
  connect(socket: Socket): boolean {
    const name = clientOf({ address: socket.remoteAddress })
    const client: Client = { name, seat: undefined, request: undefined, seated: () => undefined }
    if (!this.#isSeated(client) && !this.#stands(client, socket)) return false
    this.#clients.set(socket, client)
    socket.once('close', () => {
      leave(client)
      client.seated()
    })
    return true
  }

  /** The headers of a request have arrived. False: its address has the maximum, so that it is refused. */
  admits(request: IncomingMessage): boolean {
    const client = this.#clients.get(request.socket)
    // The request is injected, or has come to a server of the application.
    if (client === undefined) return true
    if (!this.#isSeated(client)) return false
    client.seated()
    client.request = request
    if (!hasBody(request)) leave(client)
    // The next request may have begun before this one has been read.
    else request.once('end', () => client.request === request && leave(client))
    return true
  }

  #isSeated(client: Client): boolean {
    if (client.seat !== undefined) return true
    const seat = this.#seats.take(client.name)
    if (typeof seat === 'string') return false
    client.seat = seat
    return true
  }

  #stands(client: Client, socket: Socket): boolean {
    const place = this.#standing.take(client.name)
    if (typeof place === 'string') return false
    const late = setTimeout(() => socket.destroy(), STANDING_MS)
    client.seated = () => {
      clearTimeout(late)
      place.leave()
    }
    return true
  }
}

function leave(client: Client): void {
  client.seat?.leave()
  client.seat = undefined
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
