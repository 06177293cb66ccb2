import { FairShares } from './fair-shares.js'

interface Waiter {
  readonly client: string
  readonly enter: () => void
}

/** Runs so much work at one time. The next of the waiting clients is the one with the least recent use: clients with much work wait longest. */
export class FairLine {
  readonly #shares: FairShares
  readonly #waiting = new Set<Waiter>()
  #working = 0

  constructor(
    private readonly most: number,
    now?: () => number,
  ) {
    this.#shares = new FairShares(now)
  }

  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.most) this.#working++
    else await new Promise<void>((enter) => this.#waiting.add({ client, enter }))
    this.#shares.take(client)
    try {
      return await work()
    } finally {
      this.#shares.leave(client)
      this.#letIn()
    }
  }

  #letIn(): void {
    const next = this.#shares.next(this.#waiting)
    if (next === undefined) this.#working--
    else {
      this.#waiting.delete(next)
      next.enter()
    }
  }
}
