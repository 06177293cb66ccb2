import { BOOLEAN } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { condition } from '../resolve/conditions.js'
import { allOf, anyOf, not, TRUE } from '../resolve/expressions.js'
import { settledValues } from '../resolve/given-parameters.js'
import { inClocks } from '../resolve/in-clocks.js'
import { columnOf } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'

/** A condition of the model with its columns read by `read`. */
export function modelCondition<L>(given: ModelCondition, read: (ref: ColumnRef) => Expr<L>, context: BindContext): Expr<L> {
  if (given.kind === 'group') {
    const parts = given.filters.map((part) => modelCondition(part, read, context))
    const joined = given.logic === 'and' ? (allOf(parts) ?? TRUE) : anyOf(parts)
    return given.negated ? not(joined) : joined
  }
  if (given.kind === 'expression') {
    const typeAt = (ref: ColumnRef) => columnOf(context.model, ref).type
    const written = { expression: given.expression, type: BOOLEAN }
    return inClocks<ColumnRef, L>(written, context, (ref) => ({ expression: read(ref), type: typeAt(ref) }))
  }
  const { column, grain, operator, values, path } = given
  const { type } = columnOf(context.model, column)
  const subject = { expression: read(column), type, grain, name: column.column }
  return condition(subject, { operator, values: settledValues(values), path }, context.time)
}
