import type { BoundMeasured } from '../bind/bound-query.js'
import { madeOf, measuredColumn } from '../relation/relation.js'
import { planAggregate } from './aggregate-query.js'
import { planPartsOf } from './block.js'
import { planFound, planWindowed } from './from.js'
import type { LogicalPlan } from './logical-plan.js'

/** The plan with the values of columns over other rows before it, each after those that it reads. `within` begins their names. */
export const withMeasured = (plan: LogicalPlan, measured: readonly BoundMeasured[], within = ''): LogicalPlan =>
  measured.reduceRight<LogicalPlan>(
    (input, { of, rows }) => ({
      kind: 'measured',
      of,
      name: madeOf(`${within} ${measuredColumn(of)}`.trim(), ''),
      values: planValues(rows),
      input,
    }),
    plan,
  )

function planValues(rows: BoundMeasured['rows']): LogicalPlan {
  switch (rows.kind) {
    case 'found':
      return planFound(rows, planPartsOf())
    case 'windowed':
      return planWindowed(rows, planPartsOf())
    default:
      return planAggregate(rows)
  }
}
