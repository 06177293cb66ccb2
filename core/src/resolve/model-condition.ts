import { GrainlineError } from '../errors.js'
import { BOOLEAN } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import { isReference } from '../model/parameter.js'
import type { ExistsCondition, ModelCondition } from '../model/semantic-model.js'
import { type ConditionTree, treeExpression } from './condition-tree.js'
import { knownCondition } from './conditions.js'
import { isNull, not } from './expressions.js'
import { settledValues } from './given-parameters.js'
import { heldCondition } from './held-condition.js'
import { inClocks } from './in-clocks.js'
import { columnOf, type ResolveContext } from './resolved-query.js'

type Context = Pick<ResolveContext, 'model' | 'time' | 'functions'>

/** How the parts of a condition are read: its columns, and its tests for rows of other objects. */
interface Reading<L> {
  readonly read: (ref: ColumnRef) => Expr<L>
  readonly found: (test: ExistsCondition) => Expr<L>
}

/** A condition of the model with its columns read by `read`, and its tests for rows of other objects by `found`. */
export const modelCondition = <L>(
  given: ModelCondition,
  read: (ref: ColumnRef) => Expr<L>,
  context: Context,
  found: (test: ExistsCondition) => Expr<L> = refuseTest,
): Expr<L> => treeExpression(treeOf(given, { read, found }, context))

function treeOf<L>(given: ModelCondition, reading: Reading<L>, context: Context): ConditionTree<L> {
  const { read, found } = reading
  // A test is true or false.
  if (given.kind === 'exists') return { kind: 'condition', expression: given.negated ? not(found(given)) : found(given) }
  if (given.kind === 'group') {
    const { logic, negated, orMissing, filters } = given
    return { kind: 'group', logic, negated, orMissing, parts: filters.map((part) => treeOf(part, reading, context)) }
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
  const { held } = context.model.restriction ?? {}
  if (held && values.some(isReference)) return heldCondition(subject, { operator, values, orMissing, path }, held)
  return knownCondition(subject, { operator, values: settledValues(values), orMissing, path }, context.time)
}

/** They are conditions of queries before filters are bound. */
const refuseTest = ({ target }: ExistsCondition): never => {
  throw new GrainlineError('INTERNAL_ERROR', `a test for rows of '${target}' is read as a condition on a row`)
}
