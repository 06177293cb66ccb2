import { firstOf } from '../invariant.js'
import type { Edge, JoinGraph } from '../resolve/join-graph.js'
import { roleName } from './block-names.js'

/** An object at the end of one way: its columns, and only its, are read through it. */
export interface Role {
  readonly alias: string
  readonly object: string
  /** The role from which the last of its joins leads to it; `undefined` for a root. */
  readonly from: Role | undefined
  /** The joins from a root to it. */
  readonly edges: readonly Edge[]
  /** No row is missing here: a root, or joined by required edges all the way. */
  readonly whole: boolean
  /** A column that is NULL exactly where the role has no row; `undefined` for a root. */
  readonly presentBy: string | undefined
}

/** A role from which others are reached. Rows are missing where it is `linkedBy` a column to what it may not meet. */
export const rootRole = (alias: string, object: string, linkedBy?: string): Role => ({
  alias,
  object,
  from: undefined,
  edges: [],
  whole: linkedBy === undefined,
  presentBy: linkedBy,
})

/** The role at the end of one more join, which drops rows without a match if it is `required` and these rows are those of a base. */
export const nextRole = (from: Role, edge: Edge, graph: JoinGraph, isBase: boolean): Role => ({
  alias: roleName(from.alias, edge.to, graph.placeOf(edge)),
  object: edge.to,
  from,
  edges: [...from.edges, edge],
  whole: edge.required && from.whole && isBase,
  presentBy: firstOf(edge.columnsTo),
})

/** The objects on the way to a role, from the first on. */
export const wayOf = ({ object, edges: [first, ...rest] }: Role): readonly string[] =>
  first ? [first.from, first.to, ...rest.map((edge) => edge.to)] : [object]
