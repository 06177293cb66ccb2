import type { BoundQuery, BoundRowSet } from '../bind/bound-query.js'
import { Aliases } from '../resolve/aliases.js'
import { planAggregate } from './aggregate-query.js'
import { askedKeys } from './asked-keys.js'
import { planBehind } from './behind.js'
import { planDimensionRows, planExclude } from './dimension-queries.js'
import { planGrouped } from './grouped-query.js'
import type { LogicalPlan } from './logical-plan.js'
import { planRaw } from './raw-query.js'

/** What an engine can do that makes another plan the better one. */
export interface PlanFor {
  readonly groupingSets: boolean
  /** What a statement reads twice is computed once. */
  readonly keepsTables: boolean
  /** Windows may begin an interval before each row. */
  readonly rangeFrames: boolean
}

/** The shape of the computation. It knows no joins and no model, and cannot fail. */
export function planQuery({ rows, limit, offset, top, reserved }: BoundQuery, engine: PlanFor): LogicalPlan {
  const names = new Aliases(reserved.relations, reserved.columns)
  const chosen = top && {
    name: names.derived('top_values'),
    values: limited(planAggregate(top.rows, names, engine), top.n, undefined),
  }
  const input = limited(planRows(rows, names, engine), limit, offset)
  const plan: LogicalPlan = chosen ? { kind: 'chosen', ...chosen, input } : input
  return engine.keepsTables ? askedKeys(plan, names) : plan
}

const limited = (input: LogicalPlan, limit: number | undefined, offset: number | undefined): LogicalPlan =>
  limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }

function planRows(rows: BoundRowSet, names: Aliases, engine: PlanFor): LogicalPlan {
  switch (rows.kind) {
    case 'aggregate':
      return planAggregate(rows, names, engine)
    case 'grouped':
      return planGrouped(rows, names, engine)
    case 'exclude':
      return planExclude(rows, names)
    case 'raw':
      return planRaw(rows, names)
    case 'behind':
      return planBehind(rows, names)
    case 'dimension-rows':
      return planDimensionRows(rows, names)
  }
}
