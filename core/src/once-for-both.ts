/** The same function of two values, which remembers each result as long as both exist. */
export function onceForBoth<A extends object, B extends object, R extends object>(
  make: (one: A, other: B) => R,
): (one: A, other: B) => R {
  const known = new WeakMap<A, WeakMap<B, R>>()
  return (one, other) => {
    const results = known.get(one) ?? new WeakMap<B, R>()
    known.set(one, results)
    const result = results.get(other) ?? make(one, other)
    results.set(other, result)
    return result
  }
}
