import type { BoundQuery, BoundRowSet } from '../bind/bound-query.js'
import { planAggregate } from './aggregate-query.js'
import { planBehind } from './behind.js'
import { planDimensionRows, planExclude } from './dimension-queries.js'
import { planGrouped } from './grouped-query.js'
import type { LogicalPlan } from './logical-plan.js'
import { planRaw } from './raw-query.js'
import { withMeasured } from './with-measured.js'

/** The shape of the computation, before rules rewrite it. It uses no join graph and no model, and cannot fail. Several of its relations may have one name. */
export const planQuery = ({ measured, ...query }: BoundQuery): LogicalPlan => withMeasured(planAnswer(query), measured)

function planAnswer({ rows, limit, offset, top }: Pick<BoundQuery, 'rows' | 'limit' | 'offset' | 'top'>): LogicalPlan {
  const input = limited(planRows(rows), limit, offset)
  if (!top) return input
  return {
    kind: 'chosen',
    name: 'top_values',
    values: limited(planAggregate(top.rows), top.n, undefined),
    input,
  }
}

const limited = (input: LogicalPlan, limit: number | undefined, offset: number | undefined): LogicalPlan =>
  limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }

function planRows(rows: BoundRowSet): LogicalPlan {
  switch (rows.kind) {
    case 'aggregate':
      return planAggregate(rows)
    case 'grouped':
      return planGrouped(rows)
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
