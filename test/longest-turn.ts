import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds for which the event loop of this thread stood still at most since the call. */
export type LongestTurn = () => number

/**
 * Counts what this thread worked between two turns, not what passed on the clock: on a busy machine others work meanwhile. Where the
 * system does not tell a thread's work (it is Linux that does, in /proc), the clock must do.
 */
export function watchTurns(): LongestTurn {
  const worked = workOfThisThread()
  return worked ? byWork(worked) : byClock()
}

function byWork(worked: () => number): LongestTurn {
  let last = worked()
  let longest = 0
  const turn = () => {
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(turn, 5)
  return () => {
    turn()
    clearInterval(timer)
    return longest
  }
}

function byClock(): LongestTurn {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  return () => {
    delay.disable()
    return delay.max / 1e6
  }
}

/** Nanoseconds on a processor are the first number there (Documentation/scheduler/sched-stats in the source of Linux). */
function workOfThisThread(): (() => number) | undefined {
  const file = `/proc/self/task/${process.pid}/schedstat`
  const read = () => Number(readFileSync(file, 'latin1').split(' ', 1)[0]) / 1e6
  try {
    return read() > 0 ? read : undefined
  } catch {
    return undefined
  }
}
