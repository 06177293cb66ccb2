import type { BoundQuery, BoundRowSet, BoundTuples } from '../bind/bound-query.js'
import { planAggregate } from './aggregate-query.js'
import { planBehind } from './behind.js'
import { planDimensionRows, planExclude } from './dimension-queries.js'
import { planGrouped } from './grouped-query.js'
import { type LogicalPlan, limited } from './logical-plan.js'
import { planRaw } from './raw-query.js'
import { SHOWN } from './shown-tuples.js'
import { withMeasured } from './with-measured.js'

/** The shape of the computation, before rules rewrite it. It uses no join graph and no model, and cannot fail. Several of its relations may have one name. */
export const planQuery = ({ measureColumns, ...query }: BoundQuery): LogicalPlan =>
  withMeasured(planAnswer(query), measureColumns)

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

function planRows(rows: BoundRowSet): LogicalPlan {
  switch (rows.kind) {
    case 'aggregate':
      return planAggregate(rows)
    case 'grouped':
      return rows.shown ? withShown(planGrouped(rows), rows.shown) : planGrouped(rows)
    case 'exclude':
      return planExclude(rows)
    case 'raw':
      return planRaw(rows)
    case 'behind':
      return rows.tuples ? withShown(planBehind(rows), rows.tuples) : planBehind(rows)
    case 'dimension-rows':
      return planDimensionRows(rows)
  }
}

/** The plan with the detail rows that the answer shows before it. */
const withShown = (input: LogicalPlan, { rows, limit, offset }: BoundTuples): LogicalPlan => ({
  kind: 'measured',
  of: SHOWN,
  name: 'shown_rows',
  values: limited(planAggregate(rows), limit, offset),
  input,
})
