import { entryOf } from '../../invariant.js'
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
  const incoming = incomingOf(steps)
  const found: SeveralWays[] = []
  let walked = 0
  for (const [from, own] of steps) {
    if (own.length < 2 || walked > MAX_WALKED) continue
    yield
    const branches = own.map((step) => {
      const everything = reachable(step.to, (node) => (steps.get(node) ?? []).map((s) => s.to), from)
      walked += everything.size
      const plainly = step.oneToOne ? new Set<string>() : withoutCompanions(step.to, steps, from)
      return { step, everything, plainly, plain: withLast(plainly, steps, from) }
    })
    const choices = new Map(reachedTwice(branches).map((to) => [to, choiceOf(to, own, branches)] as const))
    const taken = (to: string, seen: ReadonlySet<string> = new Set()): string | undefined => {
      const { best, isDirect } = entryOf(choices, to)
      if (best.length === 1 || isDirect) return best.length === 1 ? best[0] : undefined
      const [last, ...others] = endsOf(to, branches, incoming)
      if (last === undefined || others.length > 0 || seen.has(last) || !choices.has(last)) return undefined
      return taken(last, new Set([...seen, to]))
    }
    for (const [to, { ways }] of choices) found.push({ from, to, ways, taken: taken(to) })
  }
  return found
}

/** What begins with one step of an object. */
interface Branch {
  readonly step: Step
  readonly everything: ReadonlySet<string>
  /** What is reached without a one-to-one join. */
  readonly plainly: ReadonlySet<string>
  /** What is reached without a one-to-one join, except perhaps the last one. */
  readonly plain: ReadonlySet<string>
}

/** The first objects of all paths to `to`, and of those that precede the others. */
function choiceOf(to: string, own: readonly Step[], branches: readonly Branch[]) {
  const direct = own.filter((step) => step.to === to).map((step) => step.to)
  const open = branches.filter((b) => b.step.to !== to && b.everything.has(to)).map((b) => b.step.to)
  const plain = branches.filter((b) => b.step.to !== to && b.plain.has(to)).map((b) => b.step.to)
  const best = direct.length > 0 ? direct : plain.length > 0 ? plain : open
  return { ways: [...direct, ...open], best, isDirect: direct.length > 0 }
}

/** The objects from which the paths to `to` take their last step; each as often as it has such a step. */
function endsOf(to: string, branches: readonly Branch[], incoming: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const into = incoming.get(to) ?? []
  const plain = into.filter((end) => branches.some((b) => b.plainly.has(end)))
  return plain.length > 0 ? plain : into.filter((end) => branches.some((b) => b.everything.has(end)))
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

function incomingOf(steps: ReadonlyMap<string, readonly Step[]>): ReadonlyMap<string, readonly string[]> {
  const incoming = new Map<string, string[]>()
  for (const [from, own] of steps) for (const { to } of own) put(incoming, to, from)
  return incoming
}

/** Objects that are reached without a one-to-one join. */
const withoutCompanions = (start: string, steps: ReadonlyMap<string, readonly Step[]>, without: string): Set<string> =>
  reachable(start, (node) => (steps.get(node) ?? []).flatMap((s) => (s.oneToOne ? [] : s.to)), without)

/** These objects, and those one more step away. */
const withLast = (plainly: ReadonlySet<string>, steps: ReadonlyMap<string, readonly Step[]>, without: string): Set<string> =>
  new Set([...plainly].flatMap((node) => [node, ...(steps.get(node) ?? []).flatMap((s) => (s.to === without ? [] : s.to))]))
