import { GrainlineError } from '@grainline/core'

/** How often the memory is looked at while anything runs. */
const EVERY_MS = 25
/** The process may grow by so many times the limit: the allocator keeps some of what was let go. */
const TIMES = 2

/** Stops what runs when the process has grown by more than evaluations may take; what the engine counts by itself is not all it takes. */
export class MemoryGuard {
  readonly #stops = new Set<(reason: GrainlineError) => void>()
  #timer: NodeJS.Timeout | undefined
  #before = 0

  constructor(
    private readonly most: number,
    private readonly memory: () => number = process.memoryUsage.rss,
  ) {}

  /** Watches until the returned function is called. */
  watch(stop: (reason: GrainlineError) => void): () => void {
    if (this.#stops.size === 0) {
      this.#before = this.memory()
      this.#timer = setInterval(() => this.#look(), EVERY_MS)
      this.#timer.unref()
    }
    this.#stops.add(stop)
    return () => {
      this.#stops.delete(stop)
      if (this.#stops.size === 0) clearInterval(this.#timer)
    }
  }

  #look(): void {
    if (this.memory() - this.#before < this.most * TIMES) return
    const reason = tooMuch()
    for (const stop of this.#stops) stop(reason)
  }
}

export const tooMuch = (): GrainlineError =>
  new GrainlineError('EVALUATION_TOO_LARGE', 'The statement around the models needs more memory than it may have', {
    path: 'sql',
    hint: "Filter or group inside the subqueries; the operator may raise the evaluator's memoryLimit.",
  })

const UNITS: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
}

/** Of a size as DuckDB reads it; what is not one bounds nothing here, and DuckDB refuses it. */
export function bytesOf(size: string): number {
  const [, number, unit = ''] = /^\s*([\d.]+)\s*([KMGT]i?B)\s*$/i.exec(size) ?? []
  return number === undefined ? Number.POSITIVE_INFINITY : Number(number) * UNITS[unit.toUpperCase()]!
}
