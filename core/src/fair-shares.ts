/** The order in which clients get a scarce resource. */

interface Share {
  /** The places that it has now. */
  held: number
  /** Milliseconds that it had places, weighted as of `at`. */
  used: number
  at: number
}

/** After this time, the use of a client counts half. */
const HALF_LIFE_MS = 5 * 60_000
/** A place that is held counts as so much time from its start. */
const HELD_MS = 1000
const LIGHT_MS = 1000
const MOST_CLIENTS = 10_000

/** The recent use of the places by each client, and the order of those that wait. */
export class FairShares {
  readonly #shares = new Map<string, Share>()
  readonly #holders = new Set<string>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  take(client: string): void {
    this.#current(client).held++
    this.#holders.add(client)
    this.#forget()
  }

  leave(client: string): void {
    const share = this.#current(client)
    share.held--
    if (share.held === 0) this.#holders.delete(client)
  }

  held(client: string): number {
    return this.#shares.get(client)?.held ?? 0
  }

  /** It had places for less than a second recently, or for less than half the time of the clients that have places now. */
  isLight(client: string): boolean {
    const cost = this.#cost(client)
    if (cost < LIGHT_MS) return true
    const others = [...this.#holders].map((holder) => this.#cost(holder))
    return cost < others.reduce((sum, each) => sum + each, 0) / others.length / 2
  }

  /** Of the waiting ones, in their order, the first one of the client with the least recent use. */
  next<W extends { readonly client: string }>(waiting: Iterable<W>): W | undefined {
    const first = new Map<string, W>()
    for (const waiter of waiting) if (!first.has(waiter.client)) first.set(waiter.client, waiter)
    const costs = [...first.values()].map((waiter) => ({ waiter, cost: Math.floor(this.#cost(waiter.client) / 1000) }))
    return costs.toSorted((a, b) => a.cost - b.cost)[0]?.waiter
  }

  #cost(client: string): number {
    if (!this.#shares.has(client)) return 0
    const { used, held } = this.#current(client)
    return used + held * HELD_MS
  }

  /** Updates the use, and moves the client to the end of the list of those to be forgotten. */
  #current(client: string): Share {
    const now = this.now()
    const { held, used, at } = this.#shares.get(client) ?? { held: 0, used: 0, at: now }
    const passed = now - at
    const share = { held, used: used * 0.5 ** (passed / HALF_LIFE_MS) + held * passed, at: now }
    this.#shares.delete(client)
    this.#shares.set(client, share)
    return share
  }

  #forget(): void {
    if (this.#shares.size <= MOST_CLIENTS) return
    for (const [client, { held }] of this.#shares) {
      if (held === 0) {
        this.#shares.delete(client)
        return
      }
    }
  }
}
