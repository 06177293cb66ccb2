/** Counts for all workers together: seats of connections, open sessions, and how fast clients open them. */
import { clientKey } from '../../session/client-key.js'
import { RateLimit } from '../../session/rate-limit.js'
import type { Settings } from '../../settings/core-variables.js'
import { type NoSeat, type Seat, Seats, type SeatsOptions } from '../../workers/seats.js'
import type { Admission } from '../../workers/workers.js'

export interface TakeSeat {
  readonly house: string
  readonly options: SeatsOptions
  readonly client: string
}
export interface MoveSeat {
  readonly seat: number
  readonly client: string
}

type Limits = Pick<Settings, 'MAX_SESSIONS' | 'SESSION_RATE_LIMIT'>

interface Taken {
  readonly seat: Seat
  readonly worker: number
}

/** The counts of a server. Places of a worker are free once it has ended. */
export class FrontDesk {
  readonly #houses = new Map<string, Seats>()
  readonly #taken = new Map<number, Taken>()
  readonly #sessions = new Map<number, number>()
  readonly #rate: RateLimit
  #lastSeat = 0

  constructor(
    private readonly limits: Limits,
    private readonly now: () => number = Date.now,
  ) {
    this.#rate = new RateLimit(limits.SESSION_RATE_LIMIT, 60_000)
  }

  take(worker: number, { house, options, client }: TakeSeat): number | NoSeat {
    const seats = this.#houses.get(house) ?? new Seats(options)
    this.#houses.set(house, seats)
    const seat = seats.take(client)
    if (typeof seat === 'string') return seat
    this.#taken.set(++this.#lastSeat, { seat, worker })
    return this.#lastSeat
  }

  async move({ seat, client }: MoveSeat): Promise<boolean> {
    return (await this.#taken.get(seat)?.seat.move(client)) ?? false
  }

  leave(seat: number): void {
    this.#taken.get(seat)?.seat.leave()
    this.#taken.delete(seat)
  }

  /** Whether one more session may be opened. A second attempt, after room was made, has no `client`: its rate is already counted. */
  admit(worker: number, client: string | undefined): Admission {
    const now = this.now()
    this.#rate.sweep(now)
    const waitMs = client === undefined ? 0 : this.#rate.take(clientKey(client), now)
    if (waitMs > 0) return { kind: 'too-fast', waitMs }
    const held = [...this.#sessions.values()].reduce((sum, count) => sum + count, 0)
    if (held >= this.limits.MAX_SESSIONS) return { kind: 'full', held }
    this.#sessions.set(worker, (this.#sessions.get(worker) ?? 0) + 1)
    return { kind: 'admitted' }
  }

  sessionEnded(worker: number): void {
    this.#sessions.set(worker, Math.max(0, (this.#sessions.get(worker) ?? 0) - 1))
  }

  /** A worker has ended, and its places are free. */
  forget(worker: number): void {
    this.#sessions.delete(worker)
    for (const [id, taken] of this.#taken) if (taken.worker === worker) this.leave(id)
  }
}
