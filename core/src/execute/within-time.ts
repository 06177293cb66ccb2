import { GrainlineError } from '../errors.js'

/** How long the database may work on one question, and what the operator calls that. */
export interface TimeLimit {
  readonly timeoutMs?: number | undefined
  /** The setting that says so. */
  readonly timeoutSetting?: string | undefined
}

/** Longest wait of a statement for a connection, in milliseconds. */
const LONGEST_WAIT_MS = 10_000

/**
 * Passes a stream on; `stop` is called when its source has worked longer than it may. Only the time in which something is asked of the source
 * counts: a reader may be as slow as they like. Neither does the wait for a connection count, where the source says when it is over.
 */
export async function* withinTime<T>(
  source: AsyncIterable<T> | ((started: () => void) => AsyncIterable<T>),
  limit: TimeLimit,
  stop: (reason: GrainlineError) => void,
): AsyncGenerator<T, void> {
  const clock = clockOf(limit, () => stop(timedOut(limit)), typeof source === 'function' ? LONGEST_WAIT_MS : 0)
  const iterator = (typeof source === 'function' ? source(clock.begin) : source)[Symbol.asyncIterator]()
  try {
    for (;;) {
      clock.run()
      const { done, value } = await iterator.next().finally(clock.pause)
      if (done === true) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Counts down while it runs. It begins once, and what was before is forgotten. */
function clockOf({ timeoutMs }: TimeLimit, over: () => void, before: number) {
  if (timeoutMs === undefined) return { run: () => {}, pause: () => {}, begin: () => {} }
  let left = timeoutMs + before
  let begun = false
  let asked = 0
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    asked = performance.now()
    clearTimeout(timer)
    timer = setTimeout(over, Math.max(0, left))
  }
  const pause = () => {
    clearTimeout(timer)
    left -= performance.now() - asked
  }
  const begin = () => {
    if (begun) return
    begun = true
    left = timeoutMs
    run()
  }
  return { run, pause, begin }
}

export function timedOut({ timeoutMs = 0, timeoutSetting }: TimeLimit): GrainlineError {
  const hint = timeoutSetting === undefined ? {} : { hint: `Narrow the question; the operator may raise ${timeoutSetting}.` }
  const message = `The query took longer than ${timeoutMs / 1000} s and was cancelled in the database`
  return new GrainlineError('QUERY_TIMEOUT', message, hint)
}
