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
      const { done, value } = await iterator.next()
      clock.pause()
      if (done === true) return
      yield value
    }
  } finally {
    clock.end()
    await iterator.return?.()
  }
}

/**
 * Counts down while it runs, and can start once more. Its timer goes on while it pauses, and is set again for the time of the pauses: Node has a
 * list for each duration of timers, so one that is set to what is left each time takes a list each time.
 */
function clockOf({ timeoutMs }: TimeLimit, over: () => void, before: number) {
  if (timeoutMs === undefined) return { run: () => {}, pause: () => {}, begin: () => {}, end: () => {} }
  let timer: NodeJS.Timeout | undefined
  let left = timeoutMs + before
  let paused = 0
  let pausedAt: number | undefined
  let begun = false
  const set = (ms: number) => {
    paused = 0
    timer = setTimeout(look, ms)
  }
  const look = () => {
    timer = undefined
    left = paused + (pausedAt === undefined ? 0 : performance.now() - pausedAt)
    if (pausedAt !== undefined) return
    if (left < 1) over()
    else set(left)
  }
  return {
    run() {
      if (timer === undefined) set(left)
      else if (pausedAt !== undefined) paused += performance.now() - pausedAt
      pausedAt = undefined
    },
    pause() {
      pausedAt = performance.now()
    },
    begin() {
      if (begun) return
      begun = true
      clearTimeout(timer)
      set(timeoutMs)
    },
    end: () => clearTimeout(timer),
  }
}

export function timedOut({ timeoutMs = 0, timeoutSetting }: TimeLimit): GrainlineError {
  const hint = timeoutSetting === undefined ? {} : { hint: `Narrow the question; the operator may raise ${timeoutSetting}.` }
  const message = `The query took longer than ${timeoutMs / 1000} s and was cancelled in the database`
  return new GrainlineError('QUERY_TIMEOUT', message, hint)
}
