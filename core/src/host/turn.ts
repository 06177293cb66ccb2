/** How long a turn of the event loop has taken up work. Work that finds it over waits for the next one. */
export class Turn {
  #began: number | undefined

  isOver(): boolean {
    const now = performance.now()
    if (this.#began === undefined) {
      this.#began = now
      setImmediate(() => {
        this.#began = undefined
      })
    }
    return now - this.#began > MOST_MS
  }
}

const MOST_MS = 10
