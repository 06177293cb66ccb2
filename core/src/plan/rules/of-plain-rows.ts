import { mapLeaves } from '../../model/expression/ast.js'
import { allOf } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { mapPlans } from '../inputs.js'
import type { Aggregate, LogicalPlan, NamedAggregate, Project } from '../logical-plan.js'

/**
 * The plan with its aggregates in one form: over the rows themselves where columns of these carry what is aggregated, and with a CASE around a
 * value as the filter that it is.
 */
export const ofPlainRows = (plan: LogicalPlan): LogicalPlan => {
  const own = plan.kind === 'aggregate' ? withFilters(overRows(plan)) : plan
  return mapPlans(own, ofPlainRows)
}

function overRows(node: Aggregate): Aggregate {
  const { input } = node
  if (input.kind !== 'project') return node
  const plain = (expression: RowExpr): RowExpr => throughColumns(expression, input)
  return overRows({
    ...node,
    input: input.input,
    keys: node.keys.map((key) => ({ ...key, expression: plain(key.expression) })),
    aggregates: node.aggregates.map((call) => ({
      ...call,
      args: call.args.map(plain),
      filter: call.filter && plain(call.filter),
    })),
  })
}

const throughColumns = (expression: RowExpr, { columns }: Project): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(
    expression,
    (leaf) => columns.find(({ name }) => name === leaf.name)?.expression ?? leaf,
  )

const withFilters = (node: Aggregate): Aggregate => ({ ...node, aggregates: node.aggregates.map(withFilter) })

function withFilter(call: NamedAggregate): NamedAggregate {
  const [value, ...more] = call.args
  if (value?.kind !== 'case' || value.branches.length > 1 || value.otherwise) return call
  const [branch] = value.branches
  if (!branch) return call
  const filter = allOf(call.filter ? [call.filter, branch.when] : [branch.when])
  return withFilter({ ...call, args: [branch.then, ...more], filter })
}
