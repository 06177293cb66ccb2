import { GrainlineError } from '../errors.js'

/** How long the database may work on one question, and what the operator calls that. */
export interface TimeLimit {
  readonly timeoutMs?: number | undefined
  /** The setting that says so. */
  readonly timeoutSetting?: string | undefined
}

/**
 * Passes a stream on; `stop` is called when its source has worked longer than it may. Only the time in which something is asked of the source
 * counts: a reader may be as slow as they like.
 */
export async function* withinTime<T>(
  source: AsyncIterable<T>,
  limit: TimeLimit,
  stop: (reason: GrainlineError) => void,
): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]()
  let left = limit.timeoutMs
  try {
    for (;;) {
      const asked = performance.now()
      const timer = left === undefined ? undefined : setTimeout(() => stop(timedOut(limit)), Math.max(0, left))
      const { done, value } = await iterator.next().finally(() => clearTimeout(timer))
      if (done === true) return
      if (left !== undefined) left -= performance.now() - asked
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

export function timedOut({ timeoutMs = 0, timeoutSetting }: TimeLimit): GrainlineError {
  const hint = timeoutSetting === undefined ? {} : { hint: `Narrow the question; the operator may raise ${timeoutSetting}.` }
  const message = `The query took longer than ${timeoutMs / 1000} s and was cancelled in the database`
  return new GrainlineError('QUERY_TIMEOUT', message, hint)
}
