/** GROUP BY in all its forms → the grouping keys and levels. */
import { firstOf } from '@grainline/core'
import { bodyOf, type Node } from '../grammar/node.js'
import { type Place, unsupported } from '../refusal.js'

export interface GroupBy {
  /** Every grouping expression once, in the order of first occurrence. */
  readonly keys: readonly Node[]
  /** The levels as positions in `keys`; `undefined` if there is only the level of all keys. */
  readonly levels: readonly (readonly number[])[] | undefined
}

const MAX_LEVELS = 64

interface Reading {
  /** The expression that an item means: itself, that of its position, or that of its alias. */
  readonly meant: (node: Node) => Node
  /** Identifies an expression. */
  readonly identity: (node: Node) => string
  readonly place: (node: Node) => Place | undefined
}

export function groupByOf(
  clause: readonly Node[] | undefined,
  trailing: 'rollup' | 'cube' | undefined,
  reading: Reading,
): GroupBy | undefined {
  if (!clause || clause.length === 0) return undefined
  const keys: Node[] = []
  const known = new Map<string, number>()
  const indexOf = (node: Node): number => {
    const meant = reading.meant(node)
    const identity = reading.identity(meant)
    const index = known.get(identity) ?? keys.push(meant) - 1
    known.set(identity, index)
    return index
  }
  const sets = clause
    .map((item) => levelsOf(item, indexOf, reading))
    .reduce((left, right) => product(left, right, reading, firstOf(clause)))
  const all =
    trailing === 'rollup'
      ? prefixes(firstOf(sets).map((key) => [key]))
      : trailing === 'cube'
        ? subsets(firstOf(sets).map((key) => [key]))
        : sets
  return { keys, levels: all.length === 1 && firstOf(all).length === keys.length ? undefined : all }
}

type Levels = readonly (readonly number[])[]

function levelsOf(item: Node, indexOf: (node: Node) => number, reading: Reading): Levels {
  const set = bodyOf(item, 'GroupingSet')
  if (!set) return [composite(item, indexOf)]
  const content = set.content ?? []
  switch (set.kind) {
    case 'GROUPING_SET_EMPTY':
      return [[]]
    case 'GROUPING_SET_ROLLUP':
      return prefixes(content.map((each) => composite(each, indexOf)))
    case 'GROUPING_SET_CUBE':
      if (2 ** content.length > MAX_LEVELS) tooMany(reading, item)
      return subsets(content.map((each) => composite(each, indexOf)))
    default:
      return content.flatMap((each) => levelsOf(each, indexOf, reading))
  }
}

/** `(a, b)` counts as one. */
const composite = (item: Node, indexOf: (node: Node) => number): readonly number[] =>
  (bodyOf(item, 'RowExpr')?.args ?? [item]).map(indexOf)

const prefixes = (parts: Levels): Levels =>
  Array.from({ length: parts.length + 1 }, (_, i) => parts.slice(0, parts.length - i).flat())

/** The largest first. */
function subsets(parts: Levels): Levels {
  const all = Array.from({ length: 2 ** parts.length }, (_, mask) => parts.filter((_p, i) => (mask & (1 << i)) === 0))
  return all.toSorted((a, b) => b.length - a.length).map((set) => set.flat())
}

function product(left: Levels, right: Levels, reading: Reading, at: Node): Levels {
  if (left.length * right.length > MAX_LEVELS) tooMany(reading, at)
  return left.flatMap((a) => right.map((b) => [...new Set([...a, ...b])]))
}

function tooMany(reading: Reading, node: Node): never {
  return unsupported('GROUP BY', `GROUP BY makes more than ${MAX_LEVELS} levels`, { at: reading.place(node) })
}

/** `rollup` or `cube` where the levels are exactly those of all keys in order. */
export function shapeOf({ keys, levels }: GroupBy): 'rollup' | 'cube' | undefined {
  const single = keys.map((_, i) => [i])
  const same = (other: Levels) => JSON.stringify(sorted(levels ?? [])) === JSON.stringify(sorted(other))
  if (same(prefixes(single))) return 'rollup'
  return 2 ** keys.length <= MAX_LEVELS && same(subsets(single)) ? 'cube' : undefined
}

const sorted = (levels: Levels): readonly string[] => levels.map((level) => level.toSorted((a, b) => a - b).join()).toSorted()
