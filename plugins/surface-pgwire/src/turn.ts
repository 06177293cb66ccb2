import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest turn of the event loop, in milliseconds: others are served between two. */
const TURN_MS = 5

/** The time that one client takes up while others wait. */
export class Turn {
  #began = performance.now()

  /** Starts again: the client had to be waited for, so others had their turn. */
  begin(): void {
    this.#began = performance.now()
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= TURN_MS
  }

  /** Lets others have theirs. */
  async pass(): Promise<void> {
    await nextTurn()
    this.begin()
  }
}
