import { GrainlineError } from '@grainline/core'

/** How often the memory is looked at while anything runs. */
const EVERY_MS = 25
/** The process may grow by so many times the limit, because the allocator keeps some freed memory. */
const TIMES = 2
/** By so many times it has grown in spite of an interrupt. */
const TIMES_AT_WORST = 3

/** Watches the memory of the evaluator's process, because the engine does not count all of it. */
export class MemoryGuard {
  #timer: NodeJS.Timeout | undefined
  #before: number | undefined

  constructor(
    private readonly most: number,
    private readonly memory: () => number = process.memoryUsage.rss,
  ) {}

  /** Reports growth until `rest`; `worst` means that only the end of the process helps. */
  watch(grown: (worst: boolean) => void): void {
    this.#before ??= this.memory()
    this.#timer ??= setInterval(() => {
      const growth = this.#growth()
      if (growth >= this.most * TIMES) grown(growth >= this.most * TIMES_AT_WORST)
    }, EVERY_MS)
  }

  /** Nothing runs any more. True when the process keeps more than it should. */
  rest(): boolean {
    clearInterval(this.#timer)
    this.#timer = undefined
    return this.#growth() >= this.most
  }

  #growth(): number {
    return this.memory() - (this.#before ?? 0)
  }
}

export const tooMuch = (): GrainlineError =>
  new GrainlineError('EVALUATION_TOO_LARGE', 'The outer statement needs more memory than it may have', {
    path: 'sql',
    hint: "Filter or group inside the subqueries; the operator may raise the evaluator's memoryLimit.",
  })
