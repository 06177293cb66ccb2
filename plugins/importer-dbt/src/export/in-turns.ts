import { setImmediate as nextTurn } from 'node:timers/promises'

/** Runs steps one after another, and lets others run in between: a client chooses how long a model is. */
export async function inTurns<T>(steps: Generator<unknown, T>): Promise<T> {
  let begun = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - begun < MOST_MS) continue
    await nextTurn()
    begun = performance.now()
  }
}

const MOST_MS = 10

/** What `make` gives for each item, one step after another. */
export function* eachInSteps<T, U>(items: Iterable<T>, make: (item: T) => U): Generator<void, readonly U[]> {
  const made: U[] = []
  for (const item of items) {
    made.push(make(item))
    yield
  }
  return made
}
