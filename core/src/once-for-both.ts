import { WeakPairs } from './weak-pairs.js'

/** The same function of two values, which remembers each result as long as both exist. */
export function onceForBoth<A extends object, B extends object, R extends object>(
  make: (one: A, other: B) => R,
): (one: A, other: B) => R {
  const known = new WeakPairs<A, B, R>()
  return (one, other) => {
    const result = known.get(one, other) ?? make(one, other)
    known.set(one, other, result)
    return result
  }
}
