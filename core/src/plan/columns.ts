import type { RowColumn } from '../bind/bound-block.js'
import type { LogicalPlan } from './logical-plan.js'

/** The names and types of the columns that a plan computes, in order; none for rows of tables, whose columns name their table. */
export function columnsOf(plan: LogicalPlan): readonly RowColumn[] {
  switch (plan.kind) {
    case 'limit':
    case 'sort':
    case 'filter':
    case 'chosen':
    case 'measured':
    case 'pairs':
      return columnsOf(plan.input)
    case 'project':
    case 'distinct':
    case 'union':
    case 'shared':
      return plan.columns.map(plain)
    case 'aggregate':
      return [...plan.keys, ...plan.aggregates].map(plain)
    case 'combine':
      return [...plan.keys, ...plan.legs.flatMap(({ values }) => values)].map(plain)
    case 'lookup':
      return [...columnsOf(plan.input), ...plan.values.map(plain)]
    case 'window':
      return [...plan.columns, ...plan.calls].map(plain)
    default:
      return []
  }
}

const plain = ({ name, type }: RowColumn): RowColumn => ({ name, type })
