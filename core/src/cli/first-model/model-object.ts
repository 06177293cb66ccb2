import type { DraftTable } from './draft.js'
import type { Link } from './structure.js'

/** A data object: a table, or one of the roles of a table. */
export interface ModelObject {
  readonly label: string
  readonly table: DraftTable
  /** The words of one of its rows: `origin airport`. */
  readonly row: readonly string[]
  /** The suffix that distinguishes it from the other roles of its table; empty for the only role. */
  readonly role: readonly string[]
  /** It is only looked up: it has no joins, although its table has some. */
  readonly isEnd?: boolean
  readonly joins: ObjectJoin[]
}

export interface ObjectJoin {
  readonly link: Link
  readonly to: ModelObject
  /** The name with which a query pins it, if it would close a cycle or be a second path. */
  pathName?: string
  /** Why it has a path name, if the data say so. */
  readonly why?: string
}

/** The objects of a model while it grows: each new one gets another name. */
export interface Parts {
  readonly list: ModelObject[]
  /** A role without joins. */
  addEnd(of: ModelObject, role: readonly string[]): ModelObject
  /** A role with the joins of its table. */
  copy(of: ModelObject, role: readonly string[]): ModelObject
}

export function replaceJoin(object: ModelObject, join: ObjectJoin, to: ModelObject): void {
  object.joins.splice(object.joins.indexOf(join), 1, { ...join, to })
}

export const pathNameOf = ({ link }: ObjectJoin): string => link.columnsFrom.map(({ name }) => name).join('_')

/** The objects that the joins of an object lead to without a choice. */
export const stepsOf = ({ joins }: ModelObject): readonly ModelObject[] => [
  ...new Set(joins.flatMap(({ to, pathName }) => (pathName === undefined ? [to] : []))),
]

/** The object itself, and all that its joins lead to. */
export function allReached(from: ModelObject): ReadonlySet<ModelObject> {
  const seen = new Set([from])
  // A set is read to its end, with what is added meanwhile.
  for (const part of seen) for (const step of stepsOf(part)) seen.add(step)
  return seen
}
