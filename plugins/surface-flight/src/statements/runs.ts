import { GrainlineError, Lru } from '@grainline/core'

/** What runs now, by the id in its ticket, so that another call can cancel it. */
export class Runs {
  readonly #running = new Map<string, AbortController>()
  /** Tickets that were cancelled before they were used. */
  readonly #cancelled = new Lru<true>({ maxEntries: 10_000, maxBytes: 10_000 })

  /** Runs the work under a signal that ends with the call's own, or with a cancellation by id. */
  async run<T>(id: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController()
    if (this.#cancelled.get(id)) own.abort(cancelled())
    this.#running.set(id, own)
    try {
      return await work(AbortSignal.any([signal, own.signal]))
    } finally {
      this.#running.delete(id)
    }
  }

  cancel(id: string): void {
    this.#cancelled.set(id, true, 1)
    this.#running.get(id)?.abort(cancelled())
  }
}

const cancelled = (): GrainlineError => new GrainlineError('QUERY_CANCELLED', 'The query was cancelled')
