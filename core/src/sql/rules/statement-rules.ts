import { fail } from '../../errors.js'
import type { PlannerHints } from '../../plan/planner-hints.js'
import { type NamedRule, usableRules } from '../../plan/rules/rule.js'
import { isSame } from '../../same.js'
import { antiJoins } from '../anti-joins.js'
import { computedOnce } from '../computed-once.js'
import { dropImplied } from '../drop-implied.js'
import { earlySubqueries } from '../early-subqueries.js'
import { keptTables } from '../kept-tables.js'
import { namedValues } from '../named-values.js'
import { pruneColumns } from '../prune-columns.js'
import type { RenderContext } from '../render-expression.js'
import { semiJoins } from '../semi-joins.js'
import { shareTables } from '../share-tables.js'
import type { Statement } from '../statement.js'
import { statementFault } from './statement-fault.js'

/** A rewriting of a statement for speed or brevity: the same columns of the same rows. */
export interface StatementRule extends NamedRule {
  readonly rewrite: (statement: Statement, spelling: RenderContext) => Statement
}

/** Before the statement is lowered for an engine. */
export const statementRules: readonly StatementRule[] = [
  { name: 'drop-implied', rewrite: dropImplied },
  { name: 'prune-columns', rewrite: pruneColumns },
  { name: 'share-tables', rewrite: shareTables },
]

/** After that: about tables and subqueries as the engine sees them. A join that became a subquery is no longer a table. */
export const loweredRules: readonly StatementRule[] = [
  { name: 'semi-joins', rewrite: (statement, { dialect }) => semiJoins(statement, dialect) },
  { name: 'anti-joins', needs: ['antiJoins'], rewrite: antiJoins },
  { name: 'early-subqueries', needs: ['earlySubqueries'], rewrite: earlySubqueries },
]

/** At the end: about the texts of values and of tables. */
export const spelledRules: readonly StatementRule[] = [
  { name: 'named-values', rewrite: namedValues },
  { name: 'computed-once', rewrite: computedOnce },
  { name: 'kept-tables', needs: ['keepsIfAsked'], rewrite: keptTables },
]

interface Options {
  readonly hints: PlannerHints
  readonly without: ReadonlySet<string>
  readonly spelling: RenderContext
  /** Whether a rule that changes what the statement answers is found. */
  readonly isChecked: boolean
}

/** A statement after some rules, and the names of those that changed it. */
interface RuledStatement {
  readonly statement: Statement
  readonly rules: readonly string[]
}

/** The statement rewritten by each rule in turn, except by those that are named in `without`. */
export function applyStatementRules(
  given: Statement,
  rules: readonly StatementRule[],
  { hints, without, spelling, isChecked }: Options,
): RuledStatement {
  let statement = given
  const changing: string[] = []
  for (const rule of usableRules(rules, hints, without)) {
    const after = rule.rewrite(statement, spelling)
    if (isSame(after, statement)) continue
    const fault = isChecked ? statementFault(rule, statement, after) : undefined
    if (fault !== undefined) fail('INTERNAL_ERROR', fault)
    statement = after
    changing.push(rule.name)
  }
  return { statement, rules: changing }
}
