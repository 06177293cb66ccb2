import type { BoundFrom, BoundJoin, Condition } from '../bind/bound-block.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { neededBy, refusesNull } from './null-rejecting.js'

/**
 * The joins that always find a row as inner joins: by a foreign key that is not NULL in any row that meets the conditions. Engines order
 * inner joins by what they cost, and outer ones hardly.
 */
export function withCertainJoins(from: BoundFrom, where: readonly Condition[]): BoundFrom {
  const { joins } = from.base
  if (!joins.some(({ matchedBy }) => matchedBy)) return from
  const met = metConditions(joins, where)
  const isHeld = (column: RelationColumn): boolean => met.some((condition) => refusesNull(condition, column))
  const certain = joins.map((join) => (join.matchedBy?.every(isHeld) ? { ...join, type: 'inner' as const } : join))
  return { ...from, base: { ...from.base, joins: certain } }
}

/** The conditions that every row meets: those on rows, and those of joins without whose row one of them is never true. */
function metConditions(joins: readonly BoundJoin[], where: readonly Condition[]): readonly RowExpr[] {
  const met = where.map(({ expression }) => expression)
  const needed = new Set(met.flatMap((condition) => [...neededBy(condition)]))
  for (const { type, right, on } of joins.toReversed()) {
    if (!on || (type === 'left' && !needed.has(right.alias))) continue
    met.push(on)
    for (const relation of neededBy(on)) needed.add(relation)
  }
  return met
}
