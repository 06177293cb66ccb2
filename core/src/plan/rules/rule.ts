import type { DataType } from '../../model/data-type.js'
import type { LogicalPlan, RowExpr } from '../logical-plan.js'
import type { PlannerHints } from '../planner-hints.js'

/** What a rule may ask about a plan besides its nodes. */
export interface PlanFacts {
  readonly hints: PlannerHints
  readonly typeOf: (expression: RowExpr) => DataType
}

/** What the drivers of plans and of statements ask of a rule. */
export interface NamedRule {
  /** As in `--without early-sums`. */
  readonly name: string
  /** The hints of a dialect without which it does not pay. */
  readonly needs?: readonly (keyof PlannerHints)[]
}

/** The rules that are not left out, and whose hints a dialect gives. */
export const usableRules = <R extends NamedRule>(
  rules: readonly R[],
  hints: PlannerHints,
  without: ReadonlySet<string>,
): readonly R[] => rules.filter(({ name, needs = [] }) => !without.has(name) && needs.every((hint) => hints[hint]))

/**
 * A rewriting for speed. Each rule has its law in its docstring: why the rewritten plan has the same rows. A rule leaves each node alone that it does not know, so
 * that new kinds of plans are slow at worst.
 */
export interface Rule extends NamedRule {
  /** It says the same conditions in other words, so that only the tables that a value is computed from can be compared. */
  readonly rephrases?: boolean
  /** It moves or drops joins that leave out and repeat no row, and that no value reads, so that their tables are not compared. */
  readonly drops?: boolean
  /** It leaves out rows that bring no value, so that what is computed for them alone may go, and the others may be computed from less. */
  readonly leavesOut?: boolean
  /** It computes values together that were computed apart, so that each may be computed from the tables of the others, too. */
  readonly shares?: boolean
  /** It aggregates columns that carry values and what filters them, so that both are compared as if they were aggregated without columns. */
  readonly carries?: boolean
  /** The node rewritten; `undefined` if the rule does not know it, or gains nothing. Its inputs are rewritten afterwards. */
  readonly rewrite: (node: LogicalPlan, facts: PlanFacts) => LogicalPlan | undefined
}
