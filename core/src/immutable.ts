/** Values that never change, so that results computed from one of them remain valid while it exists. */
const known = new WeakSet<object>()

/** The value, deeply frozen. It must be plain data. */
export function immutable<T>(value: T): T {
  const ahead: unknown[] = [value]
  while (ahead.length > 0) {
    const next = ahead.pop()
    if (typeof next !== 'object' || next === null || known.has(next)) continue
    known.add(Object.freeze(next))
    for (const each of Object.values(next)) ahead.push(each)
  }
  return value
}

export const isImmutable = (value: unknown): value is object => typeof value === 'object' && value !== null && known.has(value)

/** The same function, which remembers its results for immutable values. Errors are not remembered. */
export function remembering<A, B extends NonNullable<unknown>>(work: (value: A) => B): (value: A) => B {
  const results = new WeakMap<object, B>()
  return (value) => {
    if (!isImmutable(value)) return work(value)
    const found = results.get(value)
    if (found !== undefined) return found
    const made = work(value)
    results.set(value, made)
    return made
  }
}
