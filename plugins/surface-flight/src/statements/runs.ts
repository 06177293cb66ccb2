import { GrainlineError } from '@grainline/core'
import { Lru } from '@grainline/core/language'
import { topic, type Workers } from '@grainline/core/surface'
import type { CallContext } from '../server/context.js'

const CANCEL = topic<string, void>('flight.cancel')

/** The running statements by the id of their tickets, so that another call can cancel one. */
export class Runs {
  readonly #running = new Map<string, CallContext['abort']>()
  /** Cancelled tickets, which may not have been used yet. */
  readonly #cancelled = new Lru<true>({ maxEntries: 10_000, maxBytes: 10_000 })

  constructor(private readonly workers?: Workers) {
    workers?.answer(CANCEL, (id) => this.#cancelHere(id))
  }

  /** Runs the work of a call. Another call can cancel it by this id. */
  async run<T>(id: string, { abort }: Pick<CallContext, 'abort'>, work: () => Promise<T>): Promise<T> {
    if (this.#cancelled.get(id)) throw cancelled()
    this.#running.set(id, abort)
    try {
      return await work()
    } finally {
      this.#running.delete(id)
    }
  }

  /** Cancels a ticket on all workers, because any of them may receive it. */
  async cancel(id: string): Promise<void> {
    this.#cancelHere(id)
    await this.workers?.askOthers(CANCEL, id)
  }

  #cancelHere(id: string): void {
    this.#cancelled.set(id, true, 1)
    this.#running.get(id)?.(cancelled())
  }
}

const cancelled = (): GrainlineError => new GrainlineError('QUERY_CANCELLED', 'The query was cancelled')
