import { LatelyAsked } from '../lately-asked.js'

/** The place of a connection from its first byte to its last. */
export interface Seat {
  /** Counts for another client from now on; false if that client has its maximum. */
  move(client: string): boolean | Promise<boolean>
  leave(): void
}

/** The number of seats. */
export interface SeatsOptions {
  /** Concurrent connections of all clients. */
  readonly most: number
  /** Concurrent connections of one client. */
  readonly mostOfOne: number
  /** Concurrent connections of a client while no other one has asked lately; `mostOfOne` by default. */
  readonly mostAlone?: number
}

/** Why there is no seat: all are taken, or the client has its maximum. */
export type NoSeat = 'full' | 'share'

/** Assigns seats of one process, or seats that several processes share. */
export interface Seating {
  take(client: string): Seat | NoSeat | Promise<Seat | NoSeat>
}

/**
 * The seats of a process. While several clients ask, each of them can take a share; a client that asks alone can take all seats. A connection
 * counts for its address until it moves to its client, and connections that have not moved never take more than a share.
 */
export class Seats implements Seating {
  readonly #taken = new Map<string, number>()
  readonly #unmoved = new Map<string, number>()
  readonly #lately: LatelyAsked
  #all = 0

  constructor(
    private readonly options: SeatsOptions,
    now?: () => number,
  ) {
    this.#lately = new LatelyAsked(now)
  }

  /** Only a client that has moved or was refused counts as one that asks: an address before that is most often one of the same client. */
  take(client: string): (Seat & { move(client: string): boolean }) | NoSeat {
    const refused = this.#all >= this.options.most ? 'full' : this.#mayStart(client) ? undefined : 'share'
    if (refused !== undefined) {
      this.#lately.ask(client)
      return refused
    }
    this.#all++
    change(this.#taken, client, 1)
    change(this.#unmoved, client, 1)
    let holder: string | undefined = client
    let hasMoved = false
    const arrive = (): void => {
      if (!hasMoved) change(this.#unmoved, client, -1)
      hasMoved = true
    }
    return {
      move: (other) => {
        if (holder === undefined) return true
        this.#lately.ask(other)
        if (other !== holder && !this.#hasRoom(other)) return false
        change(this.#taken, holder, -1)
        change(this.#taken, other, 1)
        holder = other
        arrive()
        return true
      },
      leave: () => {
        if (holder === undefined) return
        this.#all--
        change(this.#taken, holder, -1)
        holder = undefined
        arrive()
      },
    }
  }

  #mayStart(client: string): boolean {
    return (this.#unmoved.get(client) ?? 0) < this.options.mostOfOne && this.#hasRoom(client)
  }

  #hasRoom(client: string): boolean {
    const { mostOfOne, mostAlone = mostOfOne } = this.options
    return (this.#taken.get(client) ?? 0) < (this.#lately.isAlone(client) ? mostAlone : mostOfOne)
  }
}

function change(counts: Map<string, number>, client: string, by: number): void {
  const count = (counts.get(client) ?? 0) + by
  if (count === 0) counts.delete(client)
  else counts.set(client, count)
}
