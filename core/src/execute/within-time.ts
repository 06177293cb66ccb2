import { GrainlineError } from '../errors.js'

/** The time limit of the database for one query, and the name of its setting. */
export interface TimeLimit {
  readonly timeoutMs?: number | undefined
  /** The setting in the error message. */
  readonly timeoutSetting?: string | undefined
}

/** Longest wait of a statement for a connection, in milliseconds. */
const LONGEST_WAIT_MS = 10_000

/**
 * Passes a stream on; `stop` is called when its source has worked longer than the limit. Only the time in which the source is read counts,
 * so a reader may be slow. The wait for a connection does not count either, if the source reports its end.
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

/** Counts down while it runs. It can start once more, and then forgets the time before. */
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
