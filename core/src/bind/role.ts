import { atEndOf, longerPath, type Path, type Relation, rootPath } from '../relation/relation.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
import { WeakPairs } from '../weak-pairs.js'
import { presenceIn } from './presence.js'
import { alwaysMatches } from './referring-column.js'

/** An object at the end of one path, which provides its own columns only. */
export interface Role {
  readonly path: Path
  readonly alias: Relation
  readonly object: string
  /** The role at the start of its last join; `undefined` for a root. */
  readonly from: Role | undefined
  /** The joins from a root to it. */
  readonly edges: readonly Edge[]
  /** No row is missing here: a root, or an object joined only by edges that are required or always match. */
  readonly whole: boolean
  /** A column that is NULL exactly if the role has no row; `undefined` for a root. */
  readonly presentBy: string | undefined
}

/** A role that a join reaches. */
export interface JoinedRole extends Role {
  readonly presentBy: string
}

/** A role from which others are reached. Rows may be missing if it is `linkedBy` a column. */
export const rootRole = (path: Path, object: string, linkedBy?: string): Role => ({
  path,
  alias: atEndOf(path),
  object,
  from: undefined,
  edges: [],
  whole: linkedBy === undefined,
  presentBy: linkedBy,
})

/** The role of the rows of an object, the same one for all questions to a graph, and so are those that joins reach from it. */
export function objectRole(object: string, graph: JoinGraph): Role {
  const known = roots.get(graph) ?? new Map<string, Role>()
  const role = known.get(object) ?? rootRole(rootPath(object), object)
  known.set(object, role)
  roots.set(graph, known)
  return role
}

const roots = new WeakMap<JoinGraph, Map<string, Role>>()

/** The role at the end of one more join, which drops rows without a match if it is `required` and these rows are those of a base. */
export function nextRole(from: Role, edge: Edge, graph: JoinGraph, isBase: boolean): JoinedRole {
  const reached = isBase ? reachedByBases : reachedByOthers
  const known = reached.get(from, edge)
  if (known) return known
  const role = joinedRole(from, edge, graph, isBase)
  reached.set(from, edge, role)
  return role
}

/** An edge is one of a single graph. */
const [reachedByBases, reachedByOthers] = [new WeakPairs<Role, Edge, JoinedRole>(), new WeakPairs<Role, Edge, JoinedRole>()]

function joinedRole(from: Role, edge: Edge, graph: JoinGraph, isBase: boolean): JoinedRole {
  const path = longerPath(from.path, edge.to, graph.placeOf(edge))
  return {
    path,
    alias: atEndOf(path),
    object: edge.to,
    from,
    edges: [...from.edges, edge],
    whole: from.whole && isBase && (edge.required || alwaysMatches(edge, graph.model)),
    presentBy: presenceIn(edge.on, edge.to, graph.model),
  }
}

/** The objects on the path to a role, from the first on. */
export const wayOf = ({ object, edges: [first, ...rest] }: Role): readonly string[] =>
  first ? [first.from, first.to, ...rest.map((edge) => edge.to)] : [object]
