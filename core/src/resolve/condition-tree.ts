/** Conditions that may be unknown, and groups of such: as one expression in which the unknown is kept where a filter asks for that. */
import type { Expr } from '../model/expression/ast.js'
import { allOf, anyOf, not, TRUE } from './expressions.js'

/** A condition, and when it is unknown; without `unknown`, it is true or false of every row. */
export interface Condition<L> {
  readonly kind: 'condition'
  readonly expression: Expr<L>
  readonly unknown?: Expr<L> | undefined
  readonly orMissing?: boolean | undefined
}

export interface ConditionGroup<L> {
  readonly kind: 'group'
  readonly logic: 'and' | 'or'
  readonly parts: readonly ConditionTree<L>[]
  readonly negated: boolean
  readonly orMissing?: boolean | undefined
}

export type ConditionTree<L> = Condition<L> | ConditionGroup<L>

/** The tree as a three-valued expression. */
export function treeExpression<L>(tree: ConditionTree<L>): Expr<L> {
  if (tree.kind === 'condition') return tree.orMissing ? isNotFalse(tree) : tree.expression
  if (tree.negated && tree.orMissing) return isNotTrue(asWritten(tree))
  const joined = together(tree.logic, tree.parts.map(treeExpression))
  return tree.negated ? not(joined) : joined
}

/** True where a tree is false or unknown, and false where it is true. Only a condition has to say when it is unknown. */
function isNotTrue<L>(tree: ConditionTree<L>): Expr<L> {
  if (tree.kind === 'condition') return tree.orMissing ? not(isNotFalse(tree)) : orUnknown(not(tree.expression), tree)
  if (tree.negated) return tree.orMissing ? not(isNotTrue(asWritten(tree))) : isNotFalse(asWritten(tree))
  return together(tree.logic === 'and' ? 'or' : 'and', tree.parts.map(isNotTrue))
}

/** True where a tree is true or unknown, and false where it is false. */
function isNotFalse<L>(tree: ConditionTree<L>): Expr<L> {
  if (tree.kind === 'condition') return orUnknown(tree.expression, tree)
  return tree.negated ? isNotTrue(asWritten(tree)) : together(tree.logic, tree.parts.map(isNotFalse))
}

const orUnknown = <L>(expression: Expr<L>, { unknown }: Condition<L>): Expr<L> =>
  unknown ? anyOf([expression, unknown]) : expression

/** What a negated group is the opposite of. */
const asWritten = <L>(group: ConditionGroup<L>): ConditionGroup<L> => ({ ...group, negated: false, orMissing: undefined })

const together = <L>(logic: 'and' | 'or', parts: readonly Expr<L>[]): Expr<L> =>
  logic === 'and' ? (allOf(parts) ?? TRUE) : anyOf(parts)
