import { BOOLEAN } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { type ConditionTree, treeExpression } from '../resolve/condition-tree.js'
import { knownCondition } from '../resolve/conditions.js'
import { isNull } from '../resolve/expressions.js'
import { settledValues } from '../resolve/given-parameters.js'
import { inClocks } from '../resolve/in-clocks.js'
import { columnOf } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'

/** A condition of the model with its columns read by `read`. */
export const modelCondition = <L>(given: ModelCondition, read: (ref: ColumnRef) => Expr<L>, context: BindContext): Expr<L> =>
  treeExpression(treeOf(given, read, context))

function treeOf<L>(given: ModelCondition, read: (ref: ColumnRef) => Expr<L>, context: BindContext): ConditionTree<L> {
  if (given.kind === 'group') {
    const { logic, negated, orMissing, filters } = given
    return { kind: 'group', logic, negated, orMissing, parts: filters.map((part) => treeOf(part, read, context)) }
  }
  if (given.kind === 'expression') {
    const typeAt = (ref: ColumnRef) => columnOf(context.model, ref).type
    const written = { expression: given.expression, type: BOOLEAN }
    const expression = inClocks<ColumnRef, L>(written, context, (ref) => ({ expression: read(ref), type: typeAt(ref) }))
    return { kind: 'condition', expression, unknown: isNull(expression) }
  }
  const { column, grain, operator, values, orMissing, path } = given
  const { type } = columnOf(context.model, column)
  const subject = { expression: read(column), type, grain, name: column.column }
  return knownCondition(subject, { operator, values: settledValues(values), orMissing, path }, context.time)
}
