/** Through which object a base row is connected to objects that it does not reach, and by which rows. */
import { groupBy } from './group-by.js'
import { declaringSide, mainOf, nearestShared, realObjects } from './homes.js'
import { everyPath, follow, passesVia, path, pathToRole, type Role, reaches } from './paths.js'
import { refuse } from './refusal.js'
import { checkStaticFilters, staticConditionsOf } from './static-filters.js'
import { int, multiply, type Value } from './values.js'
import { type Edge, type Row, readColumn, type World } from './world.js'

/** Where the row of a role is found: on the base row (`bridge` undefined) or on a connection, and by which steps. */
export interface Place {
  readonly bridge: string | undefined
  readonly steps: readonly Edge[]
}

/** The place of a role for rows of `home`; undefined if it is reachable neither directly nor by a bridge. */
export function locate(world: World, home: string, role: Role): Place | undefined {
  const direct = pathToRole(world, home, role)
  if (direct) return { bridge: undefined, steps: direct }
  const between = [...world.things.keys()].filter((b) => b !== home && reaches(world, b, home) && passesVia(world, b, role))
  const bridge = between.length > 0 ? bridgeBetween(world, between, home, role) : bridgeTable(world, home, role)
  return bridge === undefined ? undefined : { bridge, steps: pathToRole(world, bridge, role)! }
}

/** The candidate that every other one reaches; if there is none, the same among those that are not declared bridges. */
function bridgeBetween(world: World, candidates: readonly string[], home: string, role: Role): string {
  const nearest = (among: readonly string[]): string | undefined =>
    mainOf(
      world,
      among.filter((c) => among.every((other) => reaches(world, other, c))),
      [{ object: home }, role],
    )
  return (
    nearest(candidates) ??
    nearest(candidates.filter((c) => !isBridgeTable(world, c))) ??
    refuse('AMBIGUOUS_JOIN', `bridges ${candidates.join(', ')} between ${home} and ${role.object}`)
  )
}

/** The only declared bridge that reaches the role and shares an object with the base object; there must be one nearest shared object. */
function bridgeTable(world: World, home: string, role: Role): string | undefined {
  const tables = realObjects(world).filter(
    (b) => isBridgeTable(world, b) && passesVia(world, b, role) && shared(world, home, b).length > 0,
  )
  const [table, ...others] = tables
  if (table === undefined) return undefined
  if (others.length > 0) return refuse('AMBIGUOUS_JOIN', `${tables.join(' and ')} lead to ${role.object}`)
  meetingOf(world, home, table)
  return table
}

const isBridgeTable = (world: World, object: string): boolean => world.model.dataObjects[object]?.bridge === true

const shared = (world: World, home: string, bridge: string): readonly string[] =>
  realObjects(world).filter((s) => reaches(world, home, s) && reaches(world, bridge, s))

/**
 * Where rows of the base object meet those of a bridge: the base object itself if the bridge reaches it, or else the nearest object that
 * both reach.
 */
function meetingOf(world: World, home: string, bridge: string): string {
  if (reaches(world, bridge, home)) return home
  const all = shared(world, home, bridge)
  return nearestShared(world, all, [home, bridge]) ?? refuse('AMBIGUOUS_JOIN', `${home} and ${bridge} meet in ${all.join(', ')}`)
}

/** A connection of a base row: for each bridge that is read its row, or null if there is none. */
export type Connection = ReadonlyMap<string, Row | null>

/** How to find the connections of a base row through `bridges`: the left join along the forest that they form. */
export function connector(world: World, home: string, bridges: ReadonlySet<string>): (row: Row) => readonly Connection[] {
  const parents = new Map([...bridges].map((b) => [b, parentOf(world, home, b, bridges)]))
  const rowsUnder = new Map([...bridges].map((b) => [b, rowsByParent(world, b, parents.get(b) ?? meetingOf(world, home, b))]))
  const meets = new Map(
    [...bridges].map((b) => [b, parents.get(b) === undefined ? path(world, home, meetingOf(world, home, b)) : []]),
  )
  const underRow = (child: string, row: Row | null): readonly Row[] | undefined => {
    const at = row && follow(row, meets.get(child)!)
    return at ? rowsUnder.get(child)!.get(at.share?.row ?? at) : undefined
  }
  const outward = (parent: string | undefined, row: Row | null): readonly Connection[] => {
    const children = [...bridges].filter((b) => parents.get(b) === parent)
    return product(children.map((child) => widened(child, underRow(child, row))))
  }
  const widened = (bridge: string, rows: readonly Row[] | undefined): readonly Connection[] =>
    (rows && rows.length > 0 ? rows : [null]).flatMap((r) => outward(bridge, r).map((rest) => new Map([[bridge, r], ...rest])))
  return (row) => outward(undefined, row)
}

/** The weight of each connection of a base row: the product of the weights of its rows of `bridges`; the weight of an absent row is 1. */
export function weigher(world: World, bridges: ReadonlySet<string>): ((connection: Connection) => Weighed) | undefined {
  const weighing = [...bridges].flatMap((b) => {
    const column = world.model.dataObjects[b]?.weight
    return column === undefined ? [] : [{ bridge: b, column }]
  })
  if (weighing.length === 0) return undefined
  return (connection) => {
    const rows = weighing.map(({ bridge }) => connection.get(bridge) ?? null)
    const weights = rows.map((row, i) =>
      row === null ? int(1) : readColumn(world, weighing[i]!.bridge, row, weighing[i]!.column),
    )
    return { rows, weight: weights.reduce(multiply) }
  }
}

/** The rows of weighted bridges of one connection, and their weight; NULL if one of them has none. */
export interface Weighed {
  readonly rows: readonly (Row | null)[]
  readonly weight: Value
}

/** The nearest bridge that is read and that `bridge` reaches; undefined if that is the base object itself. */
function parentOf(world: World, home: string, bridge: string, bridges: ReadonlySet<string>): string | undefined {
  const beyond = (far: string, near: string): boolean =>
    reaches(world, far, near) && (!reaches(world, near, far) || isFarther(world, home, far, near))
  const nearer = [...bridges].filter((b) => b !== bridge && beyond(bridge, b))
  if (nearer.length === 0) return undefined
  const nearest = nearer.find((b) => nearer.every((other) => b === other || beyond(b, other)))
  return nearest ?? refuse('AMBIGUOUS_JOIN', `${bridge} lies behind ${nearer.join(' and ')}`)
}

/** Of two bridges joined one-to-one: by the number of steps to the base object, then by the side that declares the join. */
function isFarther(world: World, home: string, far: string, near: string): boolean {
  const [a, b] = [stepsHome(world, home, far), stepsHome(world, home, near)]
  return a === b ? declaringSide(world, [far, near]) === far : a > b
}

/** A bridge without a unique path to the base object counts as infinitely far. */
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

/** The rows of an object that remain after its static filters and those of every object that it reaches. */
export function visibleRows(world: World, object: string): readonly Row[] {
  const known = world.memo.get(`visible ${object}`) as readonly Row[] | undefined
  if (!known) checkStaticFilters(world, (on) => reaches(world, object, on))
  const rows = known ?? world.things.get(object)!.rows.filter((row) => passesStaticFilters(world, object, row))
  world.memo.set(`visible ${object}`, rows)
  return rows
}

/** The rows of a base object: its visible rows without those that a `required` join removes. */
export function homeRows(world: World, home: string, days?: (row: Row) => readonly Row[]): readonly Row[] {
  const required = [...world.edges.values()].flat().filter((e) => e.required && reaches(world, home, e.from))
  const restrictions = required.flatMap((edge) => everyPath(world, home, edge.from).map((steps) => ({ edge, steps })))
  const visible = visibleRows(world, home)
  const own = days
    ? world.things
        .get(home)!
        .rows.flatMap(days)
        .filter((row) => passesStaticFilters(world, home, row))
    : visible
  return own.filter((row) => restrictions.every(({ edge, steps }) => hasMatch(edge, follow(row, steps))))
}

const hasMatch = (edge: Edge, left: Row | null): boolean => left === null || edge.match(left) !== null

function passesStaticFilters(world: World, object: string, row: Row): boolean {
  return staticConditionsOf(world).every(
    ({ on, holds }) =>
      !reaches(world, object, on) || everyPath(world, object, on).every((steps) => holds(follow(row, steps)) === true),
  )
}
