import { GrainlineError } from '@grainline/core'
import { Lru, topic, type Workers } from '@grainline/core/surface'
import type { CallContext } from '../server/context.js'

const CANCEL = topic<string, void>('flight.cancel')

/** The running statements by the id in their tickets, so that another call can cancel one. */
export class Runs {
  readonly #running = new Map<string, CallContext['abort']>()
  /** Tickets that were cancelled before they were used. */
  readonly #cancelled = new Lru<true>({ maxEntries: 10_000, maxBytes: 10_000 })

  constructor(private readonly workers?: Workers) {
    workers?.answer(CANCEL, (id) => this.#cancelHere(id))
  }

  /** Does the work of a call, which ends when another call cancels this id. */
  async run<T>(id: string, { abort }: Pick<CallContext, 'abort'>, work: () => Promise<T>): Promise<T> {
    if (this.#cancelled.get(id)) throw cancelled()
    this.#running.set(id, abort)
    try {
      return await work()
    } finally {
      this.#running.delete(id)
    }
  }

  /** Wherever it runs, or is about to: any worker may be given the ticket. */
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
