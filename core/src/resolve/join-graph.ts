import { grouped } from '../grouped.js'
import { firstOf } from '../invariant.js'
import type { Join, SemanticModel } from '../model/semantic-model.js'
import { addJoin, type Edge, type Pair } from './join-edges.js'
import { joinsInForce, type Pin } from './joins-in-force.js'

export type { Edge, Pair } from './join-edges.js'
export type { Pin } from './joins-in-force.js'

export type PathResult =
  | { readonly kind: 'path'; readonly edges: readonly Edge[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly at: string; readonly through: readonly string[] }

/** A target, and the object `via` that the path to it must pass. */
interface Target {
  readonly to: string
  readonly via?: string | undefined
}

const NONE: PathResult = { kind: 'none' }
const MAX_SIMPLE_PATHS = 64

/**
 * The directed graph of joins with the pins of one query. Its nodes are objects and pairs, its edges are forward joins. Every result is
 * cached, and it never changes, so the graph without pins is shared by all queries of a model.
 */
export class JoinGraph {
  readonly pairs: ReadonlyMap<string, Pair>
  readonly nodes: readonly string[]
  /** The joins that queries use: primary ones and pinned ones, without those that a pin replaces. */
  readonly joins: readonly Join[]
  /** Some bridge has weights. */
  readonly hasWeights: boolean
  readonly #forward: ReadonlyMap<string, readonly Edge[]>
  readonly #reach = new Map<string, ReadonlySet<string>>()
  readonly #declared = new Map<string, ReadonlySet<string>>()
  readonly #paths = new Map<string, PathResult>()
  readonly #places = new Map<Edge, number>()
  readonly #targets = new Map<string, ReadonlyMap<string, readonly Edge[]>>()
  readonly #leading = new Map<string, readonly Edge[]>()
  readonly #bridges = new Map<string, string | 'ambiguous' | undefined>()

  constructor(
    readonly model: SemanticModel,
    readonly pins: readonly Pin[] = [],
    readonly changed: (join: Join) => Join = (join) => join,
  ) {
    this.joins = joinsInForce(model, pins).map(changed)
    const pairs = new Map<string, Pair>()
    const forward = new Map<string, Edge[]>([...model.dataObjects.keys()].map((name) => [name, []]))
    const removed = model.restriction?.removesFrom
    // Whether a reference is one in the data is not what a principal sees: the row may be removed.
    for (const join of this.joins) addJoin(removed?.has(join.to) ? { ...join, foreignKey: false } : join, forward, pairs)
    this.#forward = forward
    this.pairs = pairs
    this.nodes = [...forward.keys()]
    this.hasWeights = [...model.dataObjects.values()].some(({ weight }) => weight !== undefined)
  }

  edges(node: string): readonly Edge[] {
    return this.#forward.get(node) ?? []
  }

  /** The position of the edge among those between the same two nodes; the first is 1. */
  placeOf(edge: Edge): number {
    const known = this.#places.get(edge)
    if (known !== undefined) return known
    const alike = this.edgesBetween(edge.from, edge.to)
    for (const [i, each] of alike.entries()) this.#places.set(each, i + 1)
    return alike.indexOf(edge) + 1
  }

  edgesBetween(from: string, to: string): readonly Edge[] {
    const targets = this.#targets.get(from) ?? grouped(this.edges(from), (edge) => edge.to)
    this.#targets.set(from, targets)
    return targets.get(to) ?? []
  }

  /** `node` and everything that forward edges reach. */
  reach(node: string): ReadonlySet<string> {
    const known = this.#reach.get(node)
    if (known) return known
    const seen = new Set([node])
    for (const at of seen) for (const edge of this.edges(at)) seen.add(edge.to)
    this.#reach.set(node, seen)
    return seen
  }

  /** Whether `from` reaches `to`; with `via`, whether it reaches `via` first, or is itself on the path from `via` to `to`. */
  reaches(from: string, to: string, via?: string): boolean {
    if (via === undefined) return this.reach(from).has(to)
    if (!this.reach(via).has(to)) return false
    return this.reach(from).has(via) || this.#onTheWay(from, to, via) !== undefined
  }

  /** Whether the path from `from` to `to` passes `via`: only then is an object a bridge to `to`. */
  passes(from: string, to: string, via = from): boolean {
    return this.reach(from).has(via) && this.reach(via).has(to)
  }

  /** The path by the path rule: the pinned one, or the only one, or the edge that the left object itself declares. */
  path(from: string, to: string, via?: string): PathResult {
    const key = `${from}\u0000${to}\u0000${via ?? ''}`
    const known = this.#paths.get(key)
    if (known) return known
    const found = via === undefined ? this.#walk(from, to, new Set()) : this.#pathVia(from, to, via)
    this.#paths.set(key, found)
    return found
  }

  /** The first objects of the other paths to `target`, if the path rule took `edge`. */
  alternatives(edge: Edge, target: string): readonly string[] {
    return this.#leadingTo(target, edge.from).flatMap((e) => (e === edge ? [] : [e.to]))
  }

  /** The edges from a node that lead to `target` and not back. */
  #leadingTo(target: string, from: string): readonly Edge[] {
    const key = `${from}\0${target}`
    const known = this.#leading.get(key)
    if (known) return known
    const here = new Set([from])
    const found = this.edges(from).filter((e) => this.reachesAvoiding(e.to, target, here))
    this.#leading.set(key, found)
    return found
  }

  /** Every forward path without repeated nodes, at most 64. */
  simplePaths(from: string, to: string): readonly (readonly Edge[])[] {
    const found: Edge[][] = []
    const go = (at: string, trail: Edge[], visited: Set<string>): void => {
      if (found.length >= MAX_SIMPLE_PATHS) return
      if (at === to) return void found.push(trail)
      for (const edge of this.edges(at)) {
        if (visited.has(edge.to) || !this.reach(edge.to).has(to)) continue
        go(edge.to, [...trail, edge], new Set([...visited, edge.to]))
      }
    }
    go(from, [], new Set([from]))
    return found
  }

  /**
   * The bridge from `base` to `target` (by `via`): the object that reaches both and that every other such object reaches; if there is none, the
   * declared bridge that reaches the target and shares an object with the base.
   */
  bridge(base: string, target: string, via?: string): string | 'ambiguous' | undefined {
    const key = `${base}\u0000${target}\u0000${via ?? ''}`
    if (this.#bridges.has(key)) return this.#bridges.get(key)
    const between = this.nodes.filter((node) => this.reach(node).has(base) && this.passes(node, target, via))
    const found = between.length > 0 ? this.#between(between, base, { to: target, via }) : this.#table(base, target, via)
    this.#bridges.set(key, found)
    return found
  }

  /** The candidates, if `bridge` is ambiguous. */
  bridgesBetween(base: string, target: string, via?: string): readonly string[] {
    const between = this.nodes.filter((node) => this.reach(node).has(base) && this.passes(node, target, via))
    return between.length > 0 ? between : this.#tables(base, target, via)
  }

  /**
   * Where rows of `base` meet those of a bridge: at the base itself if the bridge reaches it, or else at the nearest object that both
   * reach.
   */
  meeting(base: string, bridge: string): string | undefined {
    if (this.reach(bridge).has(base)) return base
    return this.nearest(this.shared(base, bridge), [base, bridge])
  }

  /** The candidate that every other candidate reaches; of one-to-one candidates see `#main`. */
  lowest(candidates: readonly string[], needed: readonly string[]): string | undefined {
    const ends = candidates.filter((c) => candidates.every((other) => this.reach(other).has(c)))
    return this.#main(
      ends,
      needed.map((to) => ({ to })),
    )
  }

  /**
   * The candidate that reaches every other candidate; of one-to-one candidates the one to which the paths from `from` pass the fewest
   * companions, then the declaring side.
   */
  nearest(candidates: readonly string[], from: readonly string[]): string | undefined {
    const nearest = candidates.filter((c) => candidates.every((other) => this.reach(c).has(other)))
    return this.#declaringSide(least(nearest, (c) => from.reduce((sum, f) => sum + this.#companions(f, { to: c }), 0)))
  }

  /**
   * The candidates that reach no other candidate. Of objects joined one-to-one, one represents all. The ones whose paths to the selected
   * objects pass the fewest companions come first. Of these the declaring side is taken, or else the one that contains a selected field and
   * declares the path to the rest.
   */
  minimal(candidates: readonly string[], selected: readonly string[]): string[] {
    const lowest = candidates.filter((c) => candidates.every((o) => !this.reach(c).has(o) || this.reach(o).has(c)))
    const chosen = lowest.flatMap((c) =>
      this.#standIns(
        lowest.filter((o) => this.reach(c).has(o) && this.reach(o).has(c)),
        selected,
      ),
    )
    return lowest.filter((c) => chosen.includes(c))
  }

  #standIns(mutual: readonly string[], all: readonly string[]): readonly string[] {
    const selected = all.filter((s) => this.reach(firstOf(mutual)).has(s))
    const peers = this.#leastCompanions(
      mutual,
      selected.map((to) => ({ to })),
    )
    const one = this.#declaringSide(peers)
    const leading = () => peers.filter((o) => selected.includes(o) && selected.every((s) => this.#declaredReach(o).has(s)))
    return one !== undefined ? [one] : leading().length === 1 ? leading() : peers
  }

  /** Among objects that all reach each other: the one whose paths to the needed objects pass the fewest companions, then the declaring side. */
  #main(mutual: readonly string[], needed: readonly Target[]): string | undefined {
    return this.#declaringSide(this.#leastCompanions(mutual, needed))
  }

  #leastCompanions(mutual: readonly string[], needed: readonly Target[]): readonly string[] {
    return least(mutual, (c) => needed.reduce((sum, target) => sum + this.#companions(c, target), 0))
  }

  /** The number of one-to-one joins on the path; without a unique path, more than any path has. */
  #companions(from: string, { to, via }: Target): number {
    const path = this.path(from, to, via)
    return path.kind === 'path' ? path.edges.filter((e) => e.oneToOne).length : Number.POSITIVE_INFINITY
  }

  #between(candidates: readonly string[], base: string, target: Target): string | 'ambiguous' {
    const nearest = (among: readonly string[]): string | undefined =>
      this.#main(
        among.filter((c) => among.every((other) => this.reach(other).has(c))),
        [{ to: base }, target],
      )
    return nearest(candidates) ?? nearest(candidates.filter((c) => !this.#isTable(c))) ?? 'ambiguous'
  }

  /** The only declared bridge between `base` and `target`. */
  #table(base: string, target: string, via: string | undefined): string | 'ambiguous' | undefined {
    const [table, ...others] = this.#tables(base, target, via)
    if (table === undefined) return undefined
    return others.length > 0 || this.meeting(base, table) === undefined ? 'ambiguous' : table
  }

  #tables(base: string, target: string, via: string | undefined): readonly string[] {
    return this.nodes.filter(
      (node) => this.#isTable(node) && this.passes(node, target, via) && this.shared(base, node).length > 0,
    )
  }

  #isTable(node: string): boolean {
    return this.model.dataObjects.get(node)?.bridge === true
  }

  /** The objects that both reach. */
  shared(one: string, other: string): readonly string[] {
    return [...this.reach(one)].filter((node) => this.reach(other).has(node))
  }

  /** Among objects that all reach each other: the one from which declared edges lead to the rest. */
  #declaringSide(mutual: readonly string[]): string | undefined {
    return mutual.find((c) => mutual.every((other) => this.#declaredReach(c).has(other)))
  }

  #declaredReach(node: string): ReadonlySet<string> {
    const known = this.#declared.get(node)
    if (known) return known
    const seen = new Set([node])
    for (const at of seen) for (const edge of this.edges(at)) if (edge.declared) seen.add(edge.to)
    this.#declared.set(node, seen)
    return seen
  }

  /** Whether bridge `far` is joined through bridge `near`: `far` reaches `near`, and of two joined one-to-one it has more steps to the base. */
  isBeyond(far: string, near: string, base: string): boolean {
    if (!this.reach(far).has(near)) return false
    if (!this.reach(near).has(far)) return true
    const [a, b] = [this.#steps(far, base), this.#steps(near, base)]
    return a === b ? this.#declaringSide([far, near]) === far : a > b
  }

  #steps(from: string, to: string): number {
    const path = this.path(from, to)
    return path.kind === 'path' ? path.edges.length : Number.POSITIVE_INFINITY
  }

  #pathVia(from: string, to: string, via: string): PathResult {
    if (this.reach(from).has(via)) return joinPaths(this.path(from, via), this.path(via, to))
    const rest = this.#onTheWay(from, to, via)
    return rest ? { kind: 'path', edges: rest } : NONE
  }

  /** The rest of the path from `via` to `to`, starting at `from`, if `from` is on it. */
  #onTheWay(from: string, to: string, via: string): readonly Edge[] | undefined {
    const whole = this.path(via, to)
    if (whole.kind !== 'path') return undefined
    if (from === to) return []
    const at = whole.edges.findIndex((edge) => edge.from === from)
    return at < 0 ? undefined : whole.edges.slice(at)
  }

  #walk(from: string, to: string, visited: ReadonlySet<string>): PathResult {
    if (from === to) return { kind: 'path', edges: [] }
    const direct = this.edges(from).filter((e) => e.to === to)
    if (direct.length === 1) return { kind: 'path', edges: direct }
    const here = new Set([...visited, from])
    const open = this.edges(from).filter((e) => !here.has(e.to) && this.reachesAvoiding(e.to, to, here))
    const plain = open.filter((e) => !e.oneToOne && this.#avoidsCompanions(e.to, to, here))
    const next = direct.length > 1 ? direct : plain.length > 0 ? plain : open
    if (next.length === 0) return NONE
    if (next.length > 1) {
      const last = direct.length > 1 ? undefined : this.#commonEnd(next, to, here)
      const way = last ? this.#walk(from, last.from, new Set([...visited, to])) : NONE
      if (last && way.kind === 'path') return { kind: 'path', edges: [...way.edges, last] }
      return { kind: 'ambiguous', at: from, through: next.map((e) => e.pathName ?? e.to) }
    }
    const rest = this.#walk(firstOf(next).to, to, here)
    return rest.kind === 'path' ? { kind: 'path', edges: [firstOf(next), ...rest.edges] } : rest
  }

  /** The edge with which every path ends that begins with an edge of `next`. Paths through companions count only if there are no others. */
  #commonEnd(next: readonly Edge[], to: string, avoid: ReadonlySet<string>): Edge | undefined {
    const plain = this.#ends(next, to, avoid, (edge) => !edge.oneToOne)
    const [last, ...others] = plain.length > 0 ? plain : this.#ends(next, to, avoid, () => true)
    return others.length > 0 ? undefined : last
  }

  /** The last edges of the paths that begin with an edge of `next`; all edges before the last are `passable`. */
  #ends(next: readonly Edge[], to: string, avoid: ReadonlySet<string>, passable: (edge: Edge) => boolean): readonly Edge[] {
    const isOpen = (edge: Edge): boolean => edge.to !== to && !avoid.has(edge.to) && passable(edge)
    const seen = new Set(next.filter(isOpen).map((edge) => edge.to))
    for (const at of seen) for (const edge of this.edges(at)) if (isOpen(edge)) seen.add(edge.to)
    return [...seen].flatMap((at) => this.edges(at).filter((edge) => edge.to === to))
  }

  /** Whether some path has no one-to-one edge except, perhaps, its last. */
  #avoidsCompanions(from: string, to: string, avoid: ReadonlySet<string>): boolean {
    const seen = new Set([from])
    for (const at of seen) {
      if (this.edges(at).some((edge) => edge.to === to)) return true
      for (const edge of this.edges(at)) if (!edge.oneToOne && !avoid.has(edge.to)) seen.add(edge.to)
    }
    return false
  }

  reachesAvoiding(from: string, to: string, avoid: ReadonlySet<string>): boolean {
    if (!this.reach(from).has(to)) return false
    const seen = new Set([from])
    for (const at of seen) {
      if (at === to) return true
      for (const edge of this.edges(at)) if (!avoid.has(edge.to)) seen.add(edge.to)
    }
    return false
  }
}

function least<T>(items: readonly T[], measure: (item: T) => number): readonly T[] {
  if (items.length < 2) return items
  const sizes = items.map(measure)
  const smallest = Math.min(...sizes)
  return items.filter((_, i) => sizes[i] === smallest)
}

const shared = new WeakMap<SemanticModel, JoinGraph>()

/** The graph of a model with the pins of a query. Throws `UNKNOWN_PATH_NAME`. */
export function joinGraph(model: SemanticModel, pins: readonly Pin[]): JoinGraph {
  if (pins.length > 0) return new JoinGraph(model, pins)
  let graph = shared.get(model)
  if (!graph) {
    graph = new JoinGraph(model)
    shared.set(model, graph)
  }
  return graph
}

function joinPaths(first: PathResult, second: PathResult): PathResult {
  if (first.kind !== 'path') return first
  return second.kind === 'path' ? { kind: 'path', edges: [...first.edges, ...second.edges] } : second
}
