import type { BoundGrouped } from '../bind/bound-query.js'
import { firstOf } from '../invariant.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { planAggregate } from './aggregate-query.js'
import { displayed, sorted } from './answer.js'
import type { LogicalPlan } from './logical-plan.js'

/** Every level planned as a separate query, then united. */
export function planGrouped({ levels, outputs, order }: BoundGrouped): LogicalPlan {
  const as = (expression: RowExpr): RowExpr => expression
  const inputs = levels.map((level) => planAggregate(level))
  const columns = firstOf(levels).outputs.map(({ name, type, displayAs }) => ({ name, type: displayAs ?? type }))
  const rows: LogicalPlan =
    inputs.length === 1
      ? firstOf(inputs)
      : { kind: 'union', inputs, alias: 'levels', columns, reason: 'each subtotal level is recomputed from rows' }
  return { kind: 'project', input: sorted(rows, order, as), alias: 'answer', columns: displayed(outputs, as) }
}
