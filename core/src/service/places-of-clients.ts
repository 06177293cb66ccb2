import { GrainlineError } from '../errors.js'
import { LatelyAsked } from '../lately-asked.js'
import type { Settings } from '../settings/core-variables.js'
import type { Asker } from './asker.js'
import { clientOf } from './asking.js'

export interface PlacesOptions {
  /** Concurrent statements of one client. */
  readonly most: number
  /** Concurrent statements of a client while no other one has asked lately; `most` by default. */
  readonly mostAlone?: number
  /** Longest wait for a place, in milliseconds. */
  readonly waitMs: number
}

/** Longest wait, in milliseconds; the same as for a connection. */
const WAIT_MS = 10_000

/** While several clients ask, none of them may use all connections of a database. */
export const placesOf = ({ CLIENT_MAX_STATEMENTS: most, DB_POOL_SIZE: size }: Sizes): PlacesOptions => ({
  most: most ?? Math.max(1, size - 1),
  mostAlone: most ?? size,
  waitMs: WAIT_MS,
})

type Sizes = Pick<Settings, 'CLIENT_MAX_STATEMENTS' | 'DB_POOL_SIZE'>

interface Line {
  taken: number
  readonly waiting: Set<() => void>
}

/** Limits the concurrent statements of each client: a client with many waits for its own, and others do not wait for it. */
export class PlacesOfClients {
  readonly #lines = new Map<string, Line>()
  readonly #lately: LatelyAsked

  constructor(
    private readonly options: PlacesOptions,
    now?: () => number,
  ) {
    this.#lately = new LatelyAsked(now)
  }

  /**
   * Returns a function that frees the place; calling it twice has no further effect. Rejects with `TOO_MANY_STATEMENTS` after the longest
   * wait, and with the reason of the signal if it aborts first.
   */
  async enter(asker: Asker | undefined, signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted()
    const key = clientOf(asker)
    this.#lately.ask(key)
    const line = this.#lines.get(key) ?? { taken: 0, waiting: new Set() }
    this.#lines.set(key, line)
    const most = this.#mostOf(key)
    if (line.taken < most) line.taken++
    else await this.#wait(line, most, signal)
    let left = false
    return () => {
      if (!left) this.#leave(key, line)
      left = true
    }
  }

  #mostOf(client: string): number {
    const { most, mostAlone = most } = this.options
    return this.#lately.isAlone(client) ? mostAlone : most
  }

  /** The place goes to the statement that has waited longest, unless another client has come meanwhile for whom it is kept free. */
  #leave(key: string, line: Line): void {
    const [next] = line.taken > this.#mostOf(key) ? [] : line.waiting
    if (!next) line.taken--
    if (line.taken === 0) this.#lines.delete(key)
    next?.()
  }

  #wait({ waiting }: Line, most: number, signal: AbortSignal | undefined): Promise<void> {
    const { waitMs } = this.options
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        waiting.delete(give)
        settle()
      }
      const give = end(resolve)
      const abort = end(() => reject(signal?.reason))
      const timer = setTimeout(
        end(() => reject(tooMany(most))),
        waitMs,
      )
      signal?.addEventListener('abort', abort, { once: true })
      waiting.add(give)
    })
  }
}

const tooMany = (most: number): GrainlineError =>
  new GrainlineError('TOO_MANY_STATEMENTS', `${most} of your statements are running, as many as may at one time`, {
    hint: 'Try again when one has ended; the operator may raise CLIENT_MAX_STATEMENTS.',
    context: { retry_after: 1 },
  })
