import type { RowExpr } from '../resolve/relation-column.js'
import type { Join, LogicalPlan } from './logical-plan.js'
import { neededBy } from './needed-relations.js'

/**
 * Joins of which every row must meet these conditions. Where no row without a match can meet them, the join is an inner one, and so is every join
 * on the way to it: engines order inner joins by what they cost, and outer ones hardly.
 */
export function innerWhere(plan: LogicalPlan, conditions: readonly RowExpr[]): LogicalPlan {
  const needed = new Set(conditions.flatMap((condition) => [...neededBy(condition)]))
  return needed.size === 0 ? plan : inner(plan, needed)
}

/** From the last join to the first: a join reads only what was joined before it. */
function inner(plan: LogicalPlan, needed: Set<string>): LogicalPlan {
  if (plan.kind !== 'join') return plan
  const type = plan.type === 'left' && needed.has(relationOf(plan)) ? 'inner' : plan.type
  if (type === 'inner' && plan.on) for (const relation of neededBy(plan.on)) needed.add(relation)
  const left = inner(plan.left, needed)
  return left === plan.left && type === plan.type ? plan : { ...plan, type, left }
}

const relationOf = ({ right }: Join): string => ('alias' in right ? right.alias : '')
