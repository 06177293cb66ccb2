import type { RowExpr } from '../resolve/relation-column.js'
import { mapTerms } from '../resolve/row-terms.js'
import type { LogicalPlan, NamedAggregate, NamedWindow } from './logical-plan.js'

/** The plan with each of its expressions mapped; those of its inputs are unchanged. */
export function mapExpressions(plan: LogicalPlan, change: (expression: RowExpr) => RowExpr): LogicalPlan {
  const of = <T extends { readonly expression: RowExpr }>(value: T): T => ({ ...value, expression: change(value.expression) })
  switch (plan.kind) {
    case 'join':
      return { ...plan, on: mapTerms(plan.on, change) }
    case 'filter':
      return { ...plan, condition: change(plan.condition) }
    case 'project':
    case 'distinct':
      return { ...plan, columns: plan.columns.map(of) }
    case 'aggregate':
      return { ...plan, keys: plan.keys.map(of), aggregates: plan.aggregates.map((call) => changedAggregate(call, change)) }
    case 'lookup':
      return { ...plan, keys: plan.keys.map((key) => ({ ...key, own: change(key.own) })) }
    case 'window':
      return { ...plan, columns: plan.columns.map(of), calls: plan.calls.map((call) => changedWindow(call, change)) }
    case 'sort':
      return { ...plan, keys: plan.keys.map(of) }
    default:
      return plan
  }
}

const changedAggregate = (call: NamedAggregate, change: (expression: RowExpr) => RowExpr): NamedAggregate => ({
  ...call,
  args: call.args.map(change),
  orderBy: call.orderBy.map((key) => ({ ...key, expression: change(key.expression) })),
  filter: call.filter && change(call.filter),
  ...(call.onlyWith && { onlyWith: change(call.onlyWith) }),
})

const changedWindow = (call: NamedWindow, change: (expression: RowExpr) => RowExpr): NamedWindow => ({
  ...call,
  args: call.args.map(change),
  partitionBy: call.partitionBy.map(change),
  orderBy: call.orderBy.map((key) => ({ ...key, expression: change(key.expression) })),
  ...(call.where && { where: change(call.where) }),
})
