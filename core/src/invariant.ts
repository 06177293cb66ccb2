/** What the code relies on, checked where it is relied on. A broken invariant is a bug of ours: the message names the key or the lengths. */
import { fail } from './errors.js'

/** A list with at least one item. */
export type NonEmpty<T> = readonly [T, ...T[]]

/** What a map holds for a key that was checked before: references of a valid model never dangle. */
export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  return map.get(key) ?? fail('INTERNAL_ERROR', `Nothing is known by '${String(key)}'`)
}

/** The item at a place that a list is known to have; from the end where it is negative. */
export function itemAt<T>(list: readonly T[], place: number): T {
  const item = list.at(place)
  return item === undefined ? fail('INTERNAL_ERROR', `A list of ${list.length} has no item at ${place}`) : item
}

export const firstOf = <T>(list: readonly T[]): T => itemAt(list, 0)
export const lastOf = <T>(list: readonly T[]): T => itemAt(list, -1)

/** The item of a list that is known to have one. */
export const onlyOf = <T>(list: readonly T[]): T =>
  list.length === 1 ? firstOf(list) : fail('INTERNAL_ERROR', `A list has ${list.length} items instead of one`)

/** The code by which systems tell faults apart, where what was thrown has one. */
export const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined

/** A whole number in the range in which doubles are exact. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** The items of two lists of one length, side by side. */
export function zip<A, B>(left: readonly A[], right: readonly B[]): [A, B][] {
  if (left.length !== right.length) fail('INTERNAL_ERROR', `${left.length} items have ${right.length} counterparts`)
  const found: [A, B][] = []
  const others = right.values()
  for (const item of left) {
    const other = others.next()
    if (!other.done) found.push([item, other.value])
  }
  return found
}

/** Both of two, each made into another: a pair stays a pair. */
export const both = <A, B>([left, right]: readonly [A, A], make: (item: A) => B): [B, B] => [make(left), make(right)]

/** The sentence of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
