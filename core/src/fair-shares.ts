/** Whose turn it is, where clients share what there are few of. */

interface Share {
  /** Places that it has now. */
  held: number
  /** Milliseconds that it had places, as they count at `at`. */
  used: number
  at: number
}

/** After so long a time, what a client used counts half. */
const HALF_LIFE_MS = 5 * 60_000
/** A place that is held counts as so much time from its beginning. */
const HELD_MS = 1000
const LIGHT_MS = 1000
const MOST_CLIENTS = 10_000

/** What clients have had of the places lately, and who of those that wait comes next. */
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

  /** It had places for less than a second lately, or for less than half the time of those that have some now. */
  isLight(client: string): boolean {
    const cost = this.#cost(client)
    if (cost < LIGHT_MS) return true
    const others = [...this.#holders].map((holder) => this.#cost(holder))
    return cost < others.reduce((sum, each) => sum + each, 0) / others.length / 2
  }

  /** Of those that wait, in their order, the first of the client that has had the fewest seconds. */
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

  /** Counted up to now, and the last to be forgotten. */
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
