/** Compares a query with the best hand-written statement for it: both run in turns, and their times are compared. */

export interface Contest {
  readonly name: string
  /** The statement of Grainline. */
  readonly ours: string
  readonly theirs: string
}

export interface Outcome extends Contest {
  /** Milliseconds: the minimum of all rounds. */
  readonly ourTime: number
  readonly theirTime: number
  readonly ratio: number
}

/** Each side runs until this time has passed, and at least three times, so that a short statement runs often. */
const ENOUGH_MS = 400
const ROUNDS = { least: 3, most: 25 }

export async function contested(contest: Contest, run: (sql: string) => Promise<unknown>): Promise<Outcome> {
  const began = performance.now()
  let [ourTime, theirTime] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS.most; round++) {
    if (round >= ROUNDS.least && performance.now() - began > 2 * ENOUGH_MS) break
    // The second statement finds its data in the caches, so the order alternates.
    const [first, second] = round % 2 === 0 ? [contest.ours, contest.theirs] : [contest.theirs, contest.ours]
    const one = await timed(() => run(first))
    const two = await timed(() => run(second))
    const [own, other] = round % 2 === 0 ? [one, two] : [two, one]
    ourTime = Math.min(ourTime, own)
    theirTime = Math.min(theirTime, other)
  }
  return { ...contest, ourTime, theirTime, ratio: ourTime / theirTime }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
