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
}

/** Why there is no seat: all are taken, or the client has its maximum. */
export type NoSeat = 'full' | 'share'

/** Assigns seats of one process, or seats that several processes share. */
export interface Seating {
  take(client: string): Seat | NoSeat | Promise<Seat | NoSeat>
}

/** The seats of a process, of which one client can take a share. */
export class Seats implements Seating {
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(private readonly options: SeatsOptions) {}

  take(client: string): (Seat & { move(client: string): boolean }) | NoSeat {
    if (this.#all >= this.options.most) return 'full'
    if (!this.#hasRoom(client)) return 'share'
    this.#all++
    this.#count(client, 1)
    let holder: string | undefined = client
    return {
      move: (other) => {
        if (holder === undefined || other === holder) return true
        if (!this.#hasRoom(other)) return false
        this.#count(holder, -1)
        this.#count(other, 1)
        holder = other
        return true
      },
      leave: () => {
        if (holder === undefined) return
        this.#all--
        this.#count(holder, -1)
        holder = undefined
      },
    }
  }

  #hasRoom(client: string): boolean {
    return (this.#taken.get(client) ?? 0) < this.options.mostOfOne
  }

  #count(client: string, change: number): void {
    const count = (this.#taken.get(client) ?? 0) + change
    if (count === 0) this.#taken.delete(client)
    else this.#taken.set(client, count)
  }
}
