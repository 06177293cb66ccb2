/**
 * Watches the memory of the process while statements run: DuckDB's own limit does not count the results of functions, the texts of
 * aggregates and some of their states.
 */

/** The memory of the process outside the heap of the server, in bytes. */
export function nativeMemory(): number {
  const { rss, heapTotal, external } = process.memoryUsage()
  return rss - heapTotal - external
}

/**
 * Statements may grow the memory by twice the limit of the engine, because allocators keep some freed memory, but at most by half of what the limit
 * leaves of the machine or container.
 */
export const mostGrowth = (limit: number, available: number): number =>
  Math.min(2 * limit, limit + Math.max(0, available - limit) / 2)

/** How often the memory is measured while anything runs. */
const EVERY_MS = 25
/** The memory without statements is measured at most so often. */
const BASE_MS = 1000
/** After a statement was ended, the memory may grow by this share of the limit before the next one is ended: freed memory is not always returned. */
const STEP = 1 / 8

export interface WatchOptions {
  /** Statements may grow the memory by so many bytes. */
  readonly most: number
  readonly memory?: () => number
  readonly now?: () => number
}

/** One watch for all statements of a database. */
export class MemoryWatch {
  readonly #running = new Set<() => void>()
  readonly #opened: number
  #base: number
  #measuredAt: number
  #most: number
  #timer: NodeJS.Timeout | undefined
  #ending: (() => void) | undefined

  constructor(private readonly options: WatchOptions) {
    this.#opened = this.#memory()
    this.#base = this.#opened
    this.#measuredAt = this.#now()
    this.#most = options.most
  }

  /** Watches a statement while it computes. `end` ends it; of several, the one that has computed longest without a row is ended first. */
  enter(end: () => void): () => void {
    if (this.#running.size === 0) this.#begin()
    this.#running.add(end)
    return () => {
      this.#running.delete(end)
      if (this.#ending === end) this.#settle()
      if (this.#running.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  /** Other parts of the process grow as well, but what statements leave must not grow without a limit. */
  #begin(): void {
    if (this.#now() - this.#measuredAt >= BASE_MS) {
      this.#base = Math.min(this.#memory(), this.#opened + this.options.most)
      this.#measuredAt = this.#now()
    }
    this.#most = this.options.most
    this.#timer = setInterval(() => this.look(), EVERY_MS).unref()
  }

  /** Ends a statement if the memory has grown too much. No other one is ended before it has stopped. */
  look(): void {
    if (this.#ending !== undefined || this.#memory() - this.#base < this.#most) return
    const [longest] = this.#running
    this.#ending = longest
    longest?.()
  }

  #settle(): void {
    this.#ending = undefined
    this.#most = Math.max(this.#most, this.#memory() - this.#base) + this.options.most * STEP
  }

  #memory(): number {
    return (this.options.memory ?? nativeMemory)()
  }

  #now(): number {
    return (this.options.now ?? performance.now.bind(performance))()
  }
}
