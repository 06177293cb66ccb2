/** Runs at most so many pieces of work at once: the tiles of a dashboard must not take every connection to the database. */
export function fewAtOnce(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>((begin) => waiting.push(begin))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
