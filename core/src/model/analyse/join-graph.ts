import { reachable } from '../graph.js'
import type { Join } from '../semantic-model.js'

/** The directions of joins: many-to-one forward, one-to-one both ways. */
export interface ForwardGraph {
  readonly forward: (object: string) => readonly string[]
  readonly backward: (object: string) => readonly string[]
}

/** `secondary` joins are included only on request, because queries use them only if they are pinned. */
export function forwardGraph(joins: Iterable<Join>, secondary: boolean): ForwardGraph {
  const forward = new Map<string, string[]>()
  const backward = new Map<string, string[]>()
  const link = (from: string, to: string): void => {
    put(forward, from, to)
    put(backward, to, from)
  }
  for (const join of joins) {
    if ((join.secondary && !secondary) || join.cardinality === 'many-to-many') continue
    link(join.from, join.to)
    if (join.cardinality === 'one-to-one') link(join.to, join.from)
  }
  return { forward: (object) => forward.get(object) ?? [], backward: (object) => backward.get(object) ?? [] }
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** Several paths between two objects. */
export interface SeveralWays {
  readonly from: string
  readonly to: string
  /** The objects with which the paths begin; `to` itself for a direct join. */
  readonly ways: readonly string[]
  /** The one that a rule selects; `undefined` if none decides. */
  readonly taken: string | undefined
}

/** For every object, the objects that it reaches on several paths along primary joins. Yields between objects. */
export function* severalWays(joins: Iterable<Join>): Generator<undefined, readonly SeveralWays[]> {
  const steps = stepsOf(joins)
  const found: SeveralWays[] = []
  let walked = 0
  for (const [from, own] of steps) {
    if (own.length < 2 || walked > MAX_WALKED) continue
    yield
    const branches = own.map((step) => {
      const everything = reachable(step.to, (node) => (steps.get(node) ?? []).map((s) => s.to), from)
      walked += everything.size
      return { step, everything, plain: step.oneToOne ? new Set<string>() : withoutCompanions(step.to, steps, from) }
    })
    for (const to of reachedTwice(branches)) {
      const direct = own.filter((step) => step.to === to)
      const open = branches.filter((b) => b.step.to !== to && b.everything.has(to)).map((b) => b.step.to)
      const plain = branches.filter((b) => b.step.to !== to && b.plain.has(to)).map((b) => b.step.to)
      const ways = [...direct.map((step) => step.to), ...open]
      const best = direct.length > 0 ? direct.map((step) => step.to) : plain.length > 0 ? plain : open
      found.push({ from, to, ways, taken: best.length === 1 ? best[0] : undefined })
    }
  }
  return found
}

/** Objects that several branches reach; most objects are reached by one. */
function reachedTwice(branches: readonly { readonly everything: ReadonlySet<string> }[]): readonly string[] {
  const [seen, again] = [new Set<string>(), new Set<string>()]
  for (const { everything } of branches) for (const to of everything) (seen.has(to) ? again : seen).add(to)
  return [...seen].filter((to) => again.has(to))
}

/**
 * The maximum number of objects visited in the search for several paths. In a larger model the remarks are omitted, so that loading remains
 * fast.
 */
const MAX_WALKED = 1_000_000

interface Step {
  readonly to: string
  readonly oneToOne: boolean
}

function stepsOf(joins: Iterable<Join>): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>()
  for (const { from, to, secondary, cardinality } of joins) {
    if (secondary || cardinality === 'many-to-many') continue
    const oneToOne = cardinality === 'one-to-one'
    put(steps, from, { to, oneToOne })
    if (oneToOne) put(steps, to, { to: from, oneToOne })
  }
  return steps
}

/** Objects that are reached without a one-to-one join, except perhaps the last one. */
function withoutCompanions(start: string, steps: ReadonlyMap<string, readonly Step[]>, without: string): Set<string> {
  const plain = reachable(start, (node) => (steps.get(node) ?? []).flatMap((s) => (s.oneToOne ? [] : s.to)), without)
  return new Set([...plain].flatMap((node) => [node, ...(steps.get(node) ?? []).flatMap((s) => (s.to === without ? [] : s.to))]))
}
