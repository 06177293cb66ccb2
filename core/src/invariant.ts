/** Assertions of conditions that the code relies on. A broken invariant is a bug of ours: the message names the key or the lengths. */
import { fail } from './errors.js'

/** A list with at least one item. */
export type NonEmpty<T> = readonly [T, ...T[]]

/** The entry of a map for a key that was checked before: references of a valid model never dangle. */
export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  return map.get(key) ?? fail('INTERNAL_ERROR', `Nothing is known by '${String(key)}'`)
}

/** The item at a position that exists in a list; from the end if it is negative. */
export function itemAt<T>(list: readonly T[], place: number): T {
  const item = list.at(place)
  return item === undefined ? fail('INTERNAL_ERROR', `A list of ${list.length} has no item at ${place}`) : item
}

/** The first item of a list that has one. */
export const firstOf = <T>(list: readonly T[]): T => itemAt(list, 0)
/** The last item of a list that has one. */
export const lastOf = <T>(list: readonly T[]): T => itemAt(list, -1)

/** The only item of a list that has exactly one. */
export const onlyOf = <T>(list: readonly T[]): T =>
  list.length === 1 ? firstOf(list) : fail('INTERNAL_ERROR', `A list has ${list.length} items instead of one`)

/** The system error code of a thrown value, if it has one. */
export const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined

/** An integer in the range in which doubles are exact. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** Pairs the items of two lists of equal length. */
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

/** Maps both members of a pair; the result is a pair. */
export const both = <A, B>([left, right]: readonly [A, A], make: (item: A) => B): [B, B] => [make(left), make(right)]

/** The message of any thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
