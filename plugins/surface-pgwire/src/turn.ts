import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest time in milliseconds before other clients get a turn of the event loop. */
const TURN_MS = 5

/** Measures the time that one client takes while others wait. */
export class Turn {
  #began = performance.now()

  /** Restarts the turn. Call this after waiting for the client, because others were served meanwhile. */
  begin(): void {
    this.#began = performance.now()
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= TURN_MS
  }

  /** Yields to other clients, and restarts the turn. */
  async pass(): Promise<void> {
    await nextTurn()
    this.begin()
  }
}
