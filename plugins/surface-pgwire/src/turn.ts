import { Turn as TurnOfAll } from '@grainline/core/surface'

/** The longest time in milliseconds before other clients get a turn of the event loop. */
const TURN_MS = 5

/** All sessions together take a limited time of one turn of the event loop, because many clients may send much at once. */
const ofAll = new TurnOfAll()
const waiting: (() => void)[] = []

/** Measures the time that one client takes while others wait. */
export class Turn {
  #began = performance.now()

  /** Restarts the turn. Call this after waiting for the client, because others were served meanwhile. */
  begin(): void {
    this.#began = performance.now()
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= TURN_MS || ofAll.isOver()
  }

  /** Yields to other clients, and restarts the turn. */
  async pass(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(resume)
    })
    this.begin()
  }
}

/** One client continues in each turn of the event loop, in the order in which they began to wait. */
function resume(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resume)
}
