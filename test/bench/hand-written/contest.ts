/** Compares a query with the best hand-written statement for it: both run in turns, and their times are compared. */

export interface Contest {
  readonly name: string
  /** The statement of Grainline. */
  readonly ours: string
  readonly theirs: string
  /** A second contest of the same question, which no median counts. */
  readonly isAgain?: boolean
}

export interface Outcome extends Contest {
  /** Milliseconds: the minimum of all rounds. */
  readonly ourTime: number
  readonly theirTime: number
  readonly ratio: number
}

/** Each side runs until this time has passed, and at least five times, so that a short statement runs often. */
const ENOUGH_MS = 400
const ROUNDS = { least: 5, most: 25 }

/** Milliseconds. Other load on the machine disturbs those of the processor less than those of the wall. */
export type Clock = () => number

export const wallClock: Clock = () => performance.now()

/** For an engine in this process. */
export const processorClock: Clock = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export async function contested(contest: Contest, run: (sql: string) => Promise<unknown>, clock: Clock): Promise<Outcome> {
  const began = clock()
  let [ourTime, theirTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS.most; round++) {
    if (round >= ROUNDS.least && clock() - began > 2 * ENOUGH_MS) break
    // The second statement finds its data in the caches, so the order alternates.
    const [first, second] = round % 2 === 0 ? [contest.ours, contest.theirs] : [contest.theirs, contest.ours]
    const one = await timed(() => run(first), clock)
    const two = await timed(() => run(second), clock)
    const [own, other] = round % 2 === 0 ? [one, two] : [two, one]
    ourTime = Math.min(ourTime, own)
    theirTime = Math.min(theirTime, other)
  }
  return { ...contest, ourTime, theirTime, ratio: ourTime / theirTime }
}

async function timed(work: () => Promise<unknown>, clock: Clock): Promise<number> {
  const began = clock()
  await work()
  return clock() - began
}
