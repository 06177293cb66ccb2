import { atEndOf, longerPath, type Path, type Relation } from '../relation/relation.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
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

/** The role at the end of one more join, which drops rows without a match if it is `required` and these rows are those of a base. */
export function nextRole(from: Role, edge: Edge, graph: JoinGraph, isBase: boolean): JoinedRole {
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
