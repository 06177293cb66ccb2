import type { NonEmpty } from './invariant.js'

/** The items by their key, in the order of the first item of each key. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, NonEmpty<T>> {
  const found = new Map<string, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = found.get(key)
    if (group) group.push(item)
    else found.set(key, [item])
  }
  return found
}
