import type { RowExpr } from '../resolve/relation-column.js'
import { expressionsOn } from '../resolve/row-terms.js'
import type { LogicalPlan, NamedAggregate, NamedWindow } from './logical-plan.js'

/** The expressions of a plan, without those of its inputs: those that `mapExpressions` maps. */
export function expressionsIn(plan: LogicalPlan): readonly RowExpr[] {
  switch (plan.kind) {
    case 'join':
      return expressionsOn(plan.on)
    case 'filter':
      return [plan.condition]
    case 'project':
    case 'distinct':
      return plan.columns.map(expressionOf)
    case 'aggregate':
      return [...plan.keys.map(expressionOf), ...plan.aggregates.flatMap(inAggregate)]
    case 'lookup':
      return plan.keys.map(({ own }) => own)
    case 'window':
      return [...plan.columns.map(expressionOf), ...plan.calls.flatMap(inWindow)]
    case 'sort':
      return plan.keys.map(expressionOf)
    default:
      return []
  }
}

const expressionOf = ({ expression }: { readonly expression: RowExpr }): RowExpr => expression

const inAggregate = ({ args, orderBy, filter, onlyWith }: NamedAggregate): readonly RowExpr[] => [
  ...args,
  ...orderBy.map(expressionOf),
  ...(filter ? [filter] : []),
  ...(onlyWith ? [onlyWith] : []),
]

const inWindow = ({ args, partitionBy, orderBy, where }: NamedWindow): readonly RowExpr[] => [
  ...args,
  ...partitionBy,
  ...orderBy.map(expressionOf),
  ...(where ? [where] : []),
]
