import type { Result } from '@duckdb/node-bindings'
import { fail } from '@grainline/core'

/**
 * A statement that was set going. DuckDB keeps up to 76 KB outside V8's heap for a result, until its object is collected. A request that has
 * waited for a connection is old by then, and V8 collects what an old object refers to only when it marks the whole heap, so the result is
 * let go of by hand.
 */
export class Running {
  #result: Result | undefined

  /** `finish` is to be called when no row is left. It throws when the statement ended with an error. */
  constructor(
    result: Result,
    readonly finish: () => Promise<void>,
  ) {
    this.#result = result
  }

  get result(): Result {
    return this.#result ?? fail('INTERNAL_ERROR', 'A result is read that was let go of')
  }

  /** To be called when nothing is read any more. */
  letGo(): void {
    this.#result = undefined
  }
}
