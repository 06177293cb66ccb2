/** Through which object a home row is connected to what it does not reach, and by which rows. */
import { groupBy } from './group-by.js'
import { declaringSide } from './homes.js'
import { everyPath, follow, path, pathToRole, type Role, reaches, reachesRole } from './paths.js'
import { refuse } from './refusal.js'
import { staticConditionsOf } from './static-filters.js'
import type { Edge, Row, World } from './world.js'

/** Where the row of a role is found: on the home row (`bridge` undefined) or on a connection, and by which steps. */
export interface Place {
  readonly bridge: string | undefined
  readonly steps: readonly Edge[]
}

/** The place of a role for rows of `home`; undefined when it is reachable neither directly nor by a bridge. */
export function locate(world: World, home: string, role: Role): Place | undefined {
  const direct = pathToRole(world, home, role)
  if (direct) return { bridge: undefined, steps: direct }
  const candidates = [...world.things.keys()].filter((b) => b !== home && reaches(world, b, home) && reachesRole(world, b, role))
  if (candidates.length === 0) return undefined
  const bridge =
    nearestBridge(world, candidates, role) ??
    refuse('AMBIGUOUS_JOIN', `bridges ${candidates.join(', ')} between ${home} and ${role.object}`)
  return { bridge, steps: pathToRole(world, bridge, role)! }
}

/** The candidate that every other reaches; of several (joined one-to-one) the one from which the role is nearest, else the declaring side. */
function nearestBridge(world: World, candidates: readonly string[], role: Role): string | undefined {
  const reached = candidates.filter((c) => candidates.every((other) => reaches(world, other, c)))
  if (reached.length < 2) return reached[0]
  const distance = (c: string): number => pathToRole(world, c, role)!.length
  const least = Math.min(...reached.map(distance))
  return declaringSide(
    world,
    reached.filter((c) => distance(c) === least),
  )
}

/** A connection of a home row: for each read bridge its row, or null where there is none. */
export type Connection = ReadonlyMap<string, Row | null>

/** How to find the connections of a home row through `bridges`: the outward left join along the forest that they form. */
export function connector(world: World, home: string, bridges: ReadonlySet<string>): (row: Row) => readonly Connection[] {
  const parents = new Map([...bridges].map((b) => [b, parentOf(world, home, b, bridges)]))
  const rowsUnder = new Map([...bridges].map((b) => [b, rowsByParent(world, b, parents.get(b) ?? home)]))
  const outward = (parent: string | undefined, row: Row | null): readonly Connection[] => {
    const children = [...bridges].filter((b) => parents.get(b) === parent)
    return product(children.map((child) => widened(child, row && rowsUnder.get(child)!.get(row))))
  }
  const widened = (bridge: string, rows: readonly Row[] | null | undefined): readonly Connection[] =>
    (rows && rows.length > 0 ? rows : [null]).flatMap((r) => outward(bridge, r).map((rest) => new Map([[bridge, r], ...rest])))
  return (row) => outward(undefined, row)
}

/** The nearest read bridge that `bridge` reaches; undefined when that is home itself. */
function parentOf(world: World, home: string, bridge: string, bridges: ReadonlySet<string>): string | undefined {
  const beyond = (far: string, near: string): boolean =>
    reaches(world, far, near) && (!reaches(world, near, far) || isFarther(world, home, far, near))
  const nearer = [...bridges].filter((b) => b !== bridge && beyond(bridge, b))
  if (nearer.length === 0) return undefined
  const nearest = nearer.find((b) => nearer.every((other) => b === other || beyond(b, other)))
  return nearest ?? refuse('AMBIGUOUS_JOIN', `${bridge} lies behind ${nearer.join(' and ')}`)
}

/** Of two bridges joined one-to-one: by steps to home, then by which side declares. */
function isFarther(world: World, home: string, far: string, near: string): boolean {
  const [a, b] = [stepsHome(world, home, far), stepsHome(world, home, near)]
  return a === b ? declaringSide(world, [far, near]) === far : a > b
}

/** A bridge that has no one way home is as far as can be. */
function stepsHome(world: World, home: string, bridge: string): number {
  const ways = everyPath(world, bridge, home)
  return ways.length === 1 ? ways[0]!.length : Number.POSITIVE_INFINITY
}

function rowsByParent(world: World, bridge: string, parent: string): ReadonlyMap<Row | null, Row[]> {
  const steps = path(world, bridge, parent)
  return groupBy(visibleRows(world, bridge), (row) => follow(row, steps))
}

function product(lists: readonly (readonly Connection[])[]): readonly Connection[] {
  return lists.reduce<readonly Connection[]>(
    (left, right) => left.flatMap((a) => right.map((b) => new Map([...a, ...b]))),
    [new Map()],
  )
}

/** The rows of an object that its static filters, and those of every object that it reaches, leave. */
export function visibleRows(world: World, object: string): readonly Row[] {
  const known = world.memo.get(`visible ${object}`) as readonly Row[] | undefined
  const rows = known ?? world.things.get(object)!.rows.filter((row) => passesStaticFilters(world, object, row))
  world.memo.set(`visible ${object}`, rows)
  return rows
}

/** The rows of a home: its visible rows, without those that a `required` edge drops. */
export function homeRows(world: World, home: string): readonly Row[] {
  const required = [...world.edges.values()].flat().filter((e) => e.required && reaches(world, home, e.from))
  const restrictions = required.flatMap((edge) => everyPath(world, home, edge.from).map((steps) => ({ edge, steps })))
  return visibleRows(world, home).filter((row) => restrictions.every(({ edge, steps }) => hasMatch(edge, follow(row, steps))))
}

const hasMatch = (edge: Edge, left: Row | null): boolean => left === null || edge.match(left) !== null

function passesStaticFilters(world: World, object: string, row: Row): boolean {
  return staticConditionsOf(world).every(
    ({ on, holds }) =>
      !reaches(world, object, on) || everyPath(world, object, on).every((steps) => holds(follow(row, steps)) === true),
  )
}
