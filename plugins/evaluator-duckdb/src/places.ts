/** Evaluations that may run at one time; the others wait in line. */
export class Places {
  readonly #waiting: (() => void)[] = []
  readonly #idle: (() => void)[] = []
  #taken = 0

  constructor(private readonly size: number) {}

  /** Runs the work in a place of its own. Rejects with the signal's reason when it aborts before there is one. */
  async use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Resolves when nothing runs any more. */
  async empty(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#taken < this.size) {
      this.#taken++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const give = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(give), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(give)
    })
  }

  /** The place goes to the one who has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) {
      next()
      return
    }
    this.#taken--
    if (this.#taken === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}
