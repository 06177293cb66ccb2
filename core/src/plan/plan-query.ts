import type { BoundQuery, BoundRowSet } from '../bind/bound-query.js'
import { planAggregate } from './aggregate-query.js'
import { askedKeys } from './asked-keys.js'
import { planBehind } from './behind.js'
import { planDimensionRows, planExclude } from './dimension-queries.js'
import { planGrouped } from './grouped-query.js'
import type { LogicalPlan } from './logical-plan.js'
import type { PlannerHints } from './planner-hints.js'
import { planRaw } from './raw-query.js'
import { uniquelyNamed } from './unique-names.js'

/** The shape of the computation. It uses no join graph and no model, and cannot fail. */
export function planQuery({ rows, limit, offset, top, tables }: BoundQuery, hints: PlannerHints): LogicalPlan {
  const chosen = top && {
    name: 'top_values',
    values: limited(planAggregate(top.rows, hints), top.n, undefined),
  }
  const input = limited(planRows(rows, hints), limit, offset)
  const plan: LogicalPlan = chosen ? { kind: 'chosen', ...chosen, input } : input
  return uniquelyNamed(hints.keepsTables ? askedKeys(plan, hints) : plan, tables)
}

const limited = (input: LogicalPlan, limit: number | undefined, offset: number | undefined): LogicalPlan =>
  limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }

function planRows(rows: BoundRowSet, hints: PlannerHints): LogicalPlan {
  switch (rows.kind) {
    case 'aggregate':
      return planAggregate(rows, hints)
    case 'grouped':
      return planGrouped(rows, hints)
    case 'exclude':
      return planExclude(rows)
    case 'raw':
      return planRaw(rows)
    case 'behind':
      return planBehind(rows)
    case 'dimension-rows':
      return planDimensionRows(rows)
  }
}
