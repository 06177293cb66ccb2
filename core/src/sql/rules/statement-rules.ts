import type { PlannerHints } from '../../plan/planner-hints.js'
import { type NamedRule, usableRules } from '../../plan/rules/rule.js'
import { dropImplied } from '../drop-implied.js'
import { earlySubqueries } from '../early-subqueries.js'
import { pruneColumns } from '../prune-columns.js'
import { shareTables } from '../share-tables.js'
import type { Statement } from '../statement.js'

/** A rewriting of a statement for speed or brevity: the same columns of the same rows. */
export interface StatementRule extends NamedRule {
  readonly rewrite: (statement: Statement) => Statement
}

/** Before the statement is lowered for an engine. */
export const statementRules: readonly StatementRule[] = [
  { name: 'drop-implied', rewrite: dropImplied },
  { name: 'prune-columns', rewrite: pruneColumns },
  { name: 'share-tables', rewrite: shareTables },
]

/** After that: about tables and subqueries as the engine sees them. */
export const loweredRules: readonly StatementRule[] = [
  { name: 'early-subqueries', needs: ['earlySubqueries'], rewrite: earlySubqueries },
]

/** The statement rewritten by each rule in turn, except by those that are named in `without`. */
export const applyStatementRules = (
  statement: Statement,
  rules: readonly StatementRule[],
  { hints, without }: { readonly hints: PlannerHints; readonly without: ReadonlySet<string> },
): Statement => usableRules(rules, hints, without).reduce((before, rule) => rule.rewrite(before), statement)
