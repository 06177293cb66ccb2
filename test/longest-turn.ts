import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Test } from 'tap'

/** The longest time in milliseconds, since the call, in which the event loop of this thread did not turn. */
export type LongestTurn = () => number

/**
 * Counts the processor time of this thread between two turns, not the elapsed time, because other processes run on a busy machine. If the
 * system does not report the time of a thread (only Linux does, in /proc), the clock is used.
 */
export function watchTurns(): LongestTurn {
  const worked = workOfThisThread()
  return worked ? byWork(worked) : byClock()
}

const FIELDS = JSON.stringify(
  Array.from({ length: 10_000 }, (_, i) => ({ name: `field ${i}`, at: (i * 7919) % 10_007, parts: [i] })),
)

/**
 * The limit of a turn in milliseconds: 50 on a machine as fast as the one on which the limit was set. A slower or busier machine gets more,
 * in proportion to its time for a fixed computation of the same kind, because caches and virtual cores are shared.
 */
export function mostOfATurn(): number {
  const worked = workOfThisThread() ?? (() => performance.now())
  const times = Array.from({ length: 5 }, () => {
    const began = worked()
    const fields = (JSON.parse(FIELDS) as { readonly name: string; readonly at: number }[]).sort((a, b) => a.at - b.at)
    if (new Map(fields.map((field) => [field.name, field])).size !== fields.length) throw new Error('the work is wrong')
    return worked() - began
  })
  return Math.max(LEAST_LIMIT, times.sort((a, b) => a - b)[2]! * TURN_PER_WORK)
}

/** Milliseconds. */
const LEAST_LIMIT = 50

/** The fixed computation takes some 13 ms on the machine where the turns of the tests stay below 50. */
const TURN_PER_WORK = 4

/**
 * Code is slow when it runs for the first time, memory is tidied at some time, and other processes run on the machine: the best of some
 * attempts is the turn of the work itself. They end with the first that is short enough.
 */
const ATTEMPTS = 10

/** What the work gave, its longest turn in milliseconds, and how long a turn might take at that time. */
export interface Attempt<T> {
  readonly result: T
  readonly turn: number
  readonly most: number
}

/** The best of several attempts at the same work in this process, by its longest turn, which may take as long as `turns`. */
export const bestOf = <T>(work: () => Promise<T>, turns = 1): Promise<Attempt<T>> =>
  bestAttempt(async () => {
    const longest = watchTurns()
    const result = await work()
    return { result, turn: longest() }
  }, turns)

/** The best of several attempts, each of which says its longest turn, which may take as long as `turns`. */
export async function bestAttempt<T>(
  attempt: () => Promise<{ readonly result: T; readonly turn: number }>,
  turns = 1,
): Promise<Attempt<T>> {
  let best = await limited(attempt, turns)
  for (let made = 1; made < ATTEMPTS && best.turn > best.most; made++) {
    const next = await limited(attempt, turns)
    if (next.turn / next.most < best.turn / best.most) best = next
  }
  return best
}

async function limited<T>(
  attempt: () => Promise<{ readonly result: T; readonly turn: number }>,
  turns: number,
): Promise<Attempt<T>> {
  const { result, turn } = await attempt()
  return { result, turn, most: turns * (turn <= turns * LEAST_LIMIT ? LEAST_LIMIT : mostOfATurn()) }
}

/** Asserts that the turn kept its limit. */
export const keepsTurns = (t: Test, { turn, most }: Attempt<unknown>, what = 'the event loop was held'): unknown =>
  t.ok(turn <= most, `${what} for ${Math.round(turn)} ms of at most ${Math.round(most)}`)

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

/** The first number there is nanoseconds on a processor (Documentation/scheduler/sched-stats in the source of Linux). */
function workOfThisThread(): (() => number) | undefined {
  const file = `/proc/self/task/${process.pid}/schedstat`
  const read = () => Number(readFileSync(file, 'latin1').split(' ', 1)[0]) / 1e6
  try {
    return read() > 0 ? read : undefined
  } catch {
    return undefined
  }
}
