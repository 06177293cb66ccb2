import type { StaticFilter } from '../model/semantic-model.js'
import { binary, isNotNull, isNull, TRUE } from '../resolve/expressions.js'
import type { Edge } from '../resolve/join-graph.js'
import { modelCondition } from '../resolve/model-condition.js'
import { type RowExpr, tablesIn } from '../resolve/relation-column.js'
import { presenceOf, readBeside, readColumn } from './read-rows.js'
import { alwaysMatches } from './referring-column.js'
import { nextRole, type Role } from './role.js'
import { type Rows, roleAt, waysTo } from './rows.js'

/** A static filter and the joins to its object. */
export interface StaticPath {
  readonly filter: StaticFilter
  readonly edges: readonly Edge[]
}

/** Static filters of every object that these rows are or reach. */
export const staticConditions = (rows: Rows): RowExpr[] => staticPaths(rows).map((path) => staticCondition(rows, path))

/** A static filter of what a role reaches. */
export function staticCondition(rows: Rows, { filter, edges }: StaticPath, from = rows.root): RowExpr {
  const role = roleAt(rows, edges, from)
  return modelCondition(filter.condition, (ref) => readBeside(rows, role, ref), rows.context)
}

/** The paths on which static filters apply here, except those that the rows at the other end of `link` apply themselves. */
export function staticPaths(rows: Rows, link: readonly Edge[] = [], behind?: Rows): readonly StaticPath[] {
  const { model } = rows.context
  const isMet = (object: string, edges: readonly Edge[]): boolean =>
    behind !== undefined && startsWith(edges, link) && meets(behind, object, edges.slice(link.length))
  return model.filters
    .flatMap((filter) => waysTo(rows, filter.dataObject).map((edges) => ({ filter, edges })))
    .filter(({ filter, edges }) => !isMet(filter.dataObject, edges))
}

/** Whether a static filter on `object` applies here along exactly these edges. */
const meets = (rows: Rows, object: string, edges: readonly Edge[]): boolean =>
  waysTo(rows, object).some((way) => way.length === edges.length && startsWith(way, edges))

const startsWith = (edges: readonly Edge[], prefix: readonly Edge[]): boolean => prefix.every((edge, i) => edges[i] === edge)

/** The joins of every reachable required edge, and conditions if they are not all inner joins. */
export interface Required {
  /** Read if a join must exist although no condition reads it. */
  readonly presences: readonly RowExpr[]
  readonly conditions: readonly RowExpr[]
}

export function requiredOf(rows: Rows): Required {
  const roles = requiredRoles(rows)
  return {
    presences: roles.map(({ presence }) => presence),
    conditions: roles.flatMap((join) => (join.right.whole ? keyPresent(join) : [bothOrNone(rows, join)])),
  }
}

interface RequiredJoin {
  readonly left: Role
  readonly right: Role
  /** NULL exactly if the right has no row. */
  readonly presence: RowExpr
}

function requiredRoles(rows: Rows): readonly RequiredJoin[] {
  const { graph, model } = rows.context
  const joins = [...graph.reach(rows.node)].flatMap((object) => graph.edges(object))
  const required = joins.filter((edge) => edge.required && !alwaysMatches(edge, model))
  return required.flatMap((edge) =>
    waysTo(rows, edge.from).map((way) => {
      const left = roleAt(rows, way)
      const right = nextRole(left, edge, graph, rows.isBase)
      return { left, right, presence: readColumn(rows, right, right.presentBy) }
    }),
  )
}

/** A match that a foreign key proves needs no join, but its columns must not be NULL. */
const keyPresent = ({ right, presence }: RequiredJoin): readonly RowExpr[] =>
  tablesIn(presence).includes(right.alias) ? [] : [isNotNull(presence)]

/** If the row on the left exists, so does the one on the right. */
const bothOrNone = (rows: Rows, { left, presence }: RequiredJoin): RowExpr =>
  binary('or', isNull(presenceOf(rows, left) ?? TRUE), isNotNull(presence))
