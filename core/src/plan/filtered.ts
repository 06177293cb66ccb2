import { allOf } from '../resolve/expressions.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type { LogicalPlan } from './logical-plan.js'

/** A condition, and why rows must meet it. */
export interface Condition {
  readonly expression: RowExpr
  readonly reason: string
}

/** A plan is walked by recursion, so that many conditions are one filter instead of one on another. */
const MOST_FILTERS = 50

/** The rows that meet every condition. */
export function filtered(plan: LogicalPlan, conditions: readonly Condition[]): LogicalPlan {
  const all = conditions.length > MOST_FILTERS ? allOf(conditions.map((c) => c.expression)) : undefined
  if (all) return { kind: 'filter', input: plan, condition: all, reason: `${conditions.length} conditions` }
  return conditions.reduce<LogicalPlan>(
    (input, { expression, reason }) => ({ kind: 'filter', input, condition: expression, reason }),
    plan,
  )
}
