/** Which path leads from one object to another: the path rule, by forward joins. */
import { refuse } from './refusal.js'
import type { Edge, Row, World } from './world.js'

const edgesOf = (world: World, from: string): readonly Edge[] => world.edges.get(from) ?? []

/** By forward joins, itself included, never through an object of `without`. */
export function reaches(world: World, from: string, to: string, without: ReadonlySet<string> = new Set()): boolean {
  if (from === to) return true
  const seen = new Set([...without, from])
  return edgesOf(world, from).some((e) => !without.has(e.to) && reaches(world, e.to, to, seen))
}

/**
 * The path rule: the edge that the left object declares to the target; else, of the edges from which it can be reached, those whose way
 * passes through a one-to-one companion give way to the others, and the only one left is taken, and on from there. If several are left and
 * all their ways end with the same edge, it follows the way to the start of that edge. Refuses with AMBIGUOUS_JOIN or NO_JOIN_PATH.
 */
export function path(world: World, from: string, to: string, visited: ReadonlySet<string> = new Set()): readonly Edge[] {
  if (from === to) return []
  const seen = new Set([...visited, from])
  const own = edgesOf(world, from).filter((e) => e.to === to)
  if (own.length === 1) return own
  const open = edgesOf(world, from).filter((e) => !seen.has(e.to) && reaches(world, e.to, to, seen))
  const plain = open.filter((e) => !e.oneToOne && avoidsCompanions(world, e.to, to, seen))
  const ways = own.length > 1 ? own : plain.length > 0 ? plain : open
  if (ways.length > 1) {
    const last = own.length > 1 ? undefined : commonEnd(world, from, to, visited)
    if (!last) return refuse('AMBIGUOUS_JOIN', `${from} → ${to}`)
    return [...path(world, from, last.from, new Set([...visited, to])), last]
  }
  const [way] = ways
  if (!way) return refuse('NO_JOIN_PATH', `${from} → ${to}`)
  return [way, ...path(world, way.to, to, seen)]
}

/** The edge with which every way ends. Ways through companions count only if there are no others. */
function commonEnd(world: World, from: string, to: string, visited: ReadonlySet<string>): Edge | undefined {
  const all = simplePaths(world, from, to, visited)
  const plain = all.filter((way) => way.slice(0, -1).every((e) => !e.oneToOne))
  const ends = (plain.length > 0 ? plain : all).map((way) => way.at(-1)!)
  return ends.every((e) => e === ends[0]) ? ends[0] : undefined
}

/** Whether some path to the target has no one-to-one join except, perhaps, its last. */
function avoidsCompanions(world: World, from: string, to: string, without: ReadonlySet<string>): boolean {
  const seen = new Set([...without, from])
  return edgesOf(world, from).some(
    (e) => e.to === to || (!e.oneToOne && !seen.has(e.to) && avoidsCompanions(world, e.to, to, seen)),
  )
}

/** The number of one-to-one joins on the path; without a unique path, one more than any other. */
export function companionsPassed(world: World, from: string, { object, via }: Role): number {
  try {
    return (
      pathToRole(world, from, { object, ...(via !== undefined && { via }) })?.filter((e) => e.oneToOne).length ??
      Number.POSITIVE_INFINITY
    )
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Only the path of the rule, or every simple path if the rule is ambiguous: the strict reading for security filters. */
export function everyPath(world: World, from: string, to: string): readonly (readonly Edge[])[] {
  try {
    return [path(world, from, to)]
  } catch {
    return simplePaths(world, from, to, new Set())
  }
}

function simplePaths(world: World, from: string, to: string, visited: ReadonlySet<string>): readonly (readonly Edge[])[] {
  if (from === to) return [[]]
  const seen = new Set([...visited, from])
  return edgesOf(world, from)
    .filter((e) => !seen.has(e.to))
    .flatMap((e) => simplePaths(world, e.to, to, seen).map((rest) => [e, ...rest]))
}

export function follow(row: Row, steps: readonly Edge[]): Row | null {
  let at: Row | null = row
  for (const step of steps) at = at && step.match(at)
  return at
}

/** An object in one of its roles: `via` names an object that the path must pass. */
export interface Role {
  readonly object: string
  readonly via?: string
  /** The row that an `exists` filter is about: none of its values is read. */
  readonly isSubject?: boolean
}

/** True if the way from `from` to the role passes its `via`: only then is an object a bridge to the role. */
export const passesVia = (world: World, from: string, { object, via = from }: Role): boolean =>
  reaches(world, from, via) && reaches(world, via, object)

/** True if every row of `from` has one row of the role (or none). */
export function reachesRole(world: World, from: string, role: Role): boolean {
  return roleParts(world, from, role) !== undefined
}

/** The steps from `from` to the role; undefined if it is not reached. May refuse with AMBIGUOUS_JOIN. */
export function pathToRole(world: World, from: string, role: Role): readonly Edge[] | undefined {
  return roleParts(world, from, role)?.()
}

function roleParts(world: World, from: string, { object, via }: Role): (() => readonly Edge[]) | undefined {
  if (via === undefined) return reaches(world, from, object) ? () => path(world, from, object) : undefined
  if (reaches(world, from, via)) return () => [...path(world, from, via), ...path(world, via, object)]
  const behind = path(world, via, object)
  const at = from === object ? behind.length : behind.findIndex((e) => e.from === from)
  return at < 0 ? undefined : () => behind.slice(at)
}
