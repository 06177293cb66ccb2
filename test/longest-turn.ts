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

const FIELDS = JSON.stringify(
  Array.from({ length: 10_000 }, (_, i) => ({ name: `field ${i}`, at: (i * 7919) % 10_007, parts: [i] })),
)

/**
 * How long a turn may be, in milliseconds: 50 where the machine is as quick as the one that the limit was set on. A slower or a busier one has
 * more, as much as it takes longer for fixed work of the same kind: caches are shared, and so are cores that pretend to be two.
 */
export function mostOfATurn(): number {
  const worked = workOfThisThread() ?? (() => performance.now())
  const times = Array.from({ length: 5 }, () => {
    const began = worked()
    const fields = (JSON.parse(FIELDS) as { readonly name: string; readonly at: number }[]).sort((a, b) => a.at - b.at)
    if (new Map(fields.map((field) => [field.name, field])).size !== fields.length) throw new Error('the work is wrong')
    return worked() - began
  })
  return Math.max(50, times.sort((a, b) => a - b)[2]! * TURN_PER_WORK)
}

/** The fixed work takes some 13 ms where no turn of the tests takes 50. */
const TURN_PER_WORK = 4

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
