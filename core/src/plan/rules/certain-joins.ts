import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { conditionOf } from '../../resolve/row-terms.js'
import { type JoinedRows, mapJoinedRows, relationOf } from '../joined-rows.js'
import { neededBy, refusesNull } from '../null-rejecting.js'
import type { Rule } from './rule.js'

/**
 * Joins that always find a row as inner joins: by a foreign key that is not NULL in any row that meets the conditions. Such a join removes no row. Engines order
 * inner joins by what they cost, and outer ones hardly.
 */
export const certainJoins: Rule = {
  name: 'certain-joins',
  rewrite: (node) => mapJoinedRows(node, withCertain),
}

function withCertain(rows: JoinedRows): JoinedRows | undefined {
  if (!rows.joins.some(({ type, matchedBy }) => type === 'left' && matchedBy)) return undefined
  const met = metConditions(rows)
  const isHeld = (column: RelationColumn): boolean => met.some((condition) => refusesNull(condition, column))
  const joins = rows.joins.map((join) =>
    join.type === 'left' && join.matchedBy?.every(isHeld) ? { ...join, type: 'inner' as const } : join,
  )
  return joins.every((join, at) => join === rows.joins[at]) ? undefined : { ...rows, joins }
}

/** The conditions that every row meets: those on rows, and those of joins without whose row one of them is never true. */
function metConditions({ joins, filters }: JoinedRows): readonly RowExpr[] {
  const met = filters.map(({ condition }) => condition)
  const needed = new Set(met.flatMap((condition) => [...neededBy(condition)]))
  for (const join of joins.toReversed()) {
    if (join.type === 'left' && !needed.has(relationOf(join))) continue
    const on = conditionOf(join.on)
    if (!on) continue
    met.push(on)
    for (const relation of neededBy(on)) needed.add(relation)
  }
  return met
}
