import { fail } from '../errors.js'
import type { Term } from '../model/join-term.js'
import { longerPath, rootPath } from '../relation/relation.js'
import { ambiguousJoin } from '../resolve/helpful-pins.js'
import type { Edge, JoinGraph, Pair } from '../resolve/join-graph.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { FieldSource } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import type { BoundJoin, TypedExpr } from './bound-block.js'
import { nextRole, objectRole, type Role, rootRole } from './role.js'

/**
 * The rows of one object (or of a many-to-many pair), from which the objects of all forward joins can be read. Forward joins never multiply
 * rows, so the number of rows is that of the object. The read columns decide which objects are joined (`bound-rows.ts`).
 */
export interface Rows {
  readonly context: BindContext
  readonly node: string
  /** `required` edges restrict the rows of a base, but not those of a bridge or of an `exists` target. */
  readonly isBase: boolean
  readonly root: Role
  /** For a pair: its scanned objects. */
  readonly parts: readonly Role[]
  /** Roles that no forward join reaches. */
  readonly matched: readonly Matched[]
  /** The rows of coarse data, once for each day of their periods. */
  readonly days?: DaysOfRows
}

/** The days of the periods of coarse data. */
export interface DaysOfRows {
  /** The time column of the root, in place of which the day is read. */
  readonly column: string
  readonly day: RowExpr
  /** The part of a value for the day. */
  readonly part: (value: TypedExpr) => RowExpr
  readonly join: BoundJoin
}

/** A role with an inner join to the rows of another. */
export interface Matched {
  readonly role: Role
  readonly from: Role
  readonly on: readonly Term<string>[]
  readonly reason: string
}

/** The role of the rows in a block. */
export interface Place {
  readonly isBase?: boolean
  /** The side of a pair that is joined from outside; only the other side is scanned then. */
  readonly anchored?: string | undefined
  /** A root column by which the rows are joined to others; NULL if the rows are missing. */
  readonly linkedBy?: string | undefined
}

export function rowsOf(context: BindContext, node: string, { isBase = false, anchored, linkedBy }: Place = {}): Rows {
  const pair = context.graph.pairs.get(node)
  if (!pair) {
    const root = linkedBy === undefined ? objectRole(node, context.graph) : rootRole(rootPath(node), node, linkedBy)
    return { context, node, isBase, root, parts: [], matched: [] }
  }
  if (anchored === undefined) return { context, node, isBase, ...bothOf(pair) }
  const root = partOf(pair, pair.left === anchored ? pair.right : pair.left, linkedBy)
  return { context, node, isBase, root, parts: [root], matched: [] }
}

function bothOf(pair: Pair): Pick<Rows, 'root' | 'parts' | 'matched'> {
  const { left, right, on } = pair
  const root = partOf(pair, left)
  const role = partOf(pair, right, undefined, left === right ? 2 : 1)
  const matched = { role, from: root, on, reason: 'the matching pairs of a many-to-many join' }
  return { root, parts: [root, role], matched: [matched] }
}

/** For a pair that joins an object to itself, the second object has `n` = 2. */
const partOf = ({ name }: Pair, object: string, linkedBy?: string, n = 1): Role =>
  rootRole(longerPath(rootPath(name), object, n), object, linkedBy)

type Read = Pick<FieldSource, 'object'> & Partial<Pick<FieldSource, 'via' | 'name'>>

/** The role of an object by the path rule, from the root or another role. Throws `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`. */
export function roleOf(rows: Rows, { object, via, name }: Read, base?: Role): Role {
  const { graph } = rows.context
  const from = base === undefined ? rows.node : base.object
  const path = graph.path(from, object, via)
  if (path.kind === 'path') return roleAt(rows, path.edges, base)
  if (path.kind === 'none') return fail('NO_JOIN_PATH', `'${from}' does not reach '${object}'${whoReaches(from, object, graph)}`)
  return ambiguousJoin({ object, found: path, name }, graph)
}

/** The role at the end of joins from the root or another role. */
export const roleAt = (rows: Rows, edges: readonly Edge[], base = rows.root): Role =>
  edges.reduce((role, edge) => stepOf(rows, role, edge), base)

function stepOf(rows: Rows, from: Role, edge: Edge): Role {
  const { context, isBase, parts } = rows
  if (edge.kind === 'join') return nextRole(from, edge, context.graph, isBase)
  const part = parts.findLast((role) => role.object === edge.to)
  return part ?? fail('INTERNAL_ERROR', `'${edge.to}' is not scanned by the pair '${edge.from}'`)
}

/** The paths to an object: the one by the path rule, or each of several. */
export function waysTo({ context: { graph }, node }: Rows, object: string): readonly (readonly Edge[])[] {
  const path = graph.path(node, object)
  return path.kind === 'path' ? [path.edges] : graph.simplePaths(node, object)
}

/** An object that reaches both, so that an expression over both can be declared there. */
function whoReaches(from: string, object: string, graph: JoinGraph): string {
  const both = graph.nodes.filter((n) => graph.model.dataObjects.has(n) && graph.reach(n).has(from) && graph.reach(n).has(object))
  const nearest = graph.lowest(both, [from, object]) ?? both[0]
  return nearest === undefined ? '; declare a join that leads there' : `; '${nearest}' reaches both: declare the expression there`
}
