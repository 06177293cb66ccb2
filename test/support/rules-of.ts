import type { Explain } from '../../core/src/plan/explain-plan.js'
import { loweredRules, spelledRules, statementRules } from '../../core/src/sql/rules/statement-rules.js'

/** Nothing notes whether they changed a statement. */
const OF_STATEMENTS = [...statementRules, ...loweredRules, ...spelledRules].map(({ name }) => name)

/** The rules that can have changed a statement: those that the explanation of its plan names, and the ones of statements. Another one changes nothing if it is left out. */
export const rulesOf = ({ rules }: Explain): readonly string[] => [...new Set([...rules, ...OF_STATEMENTS])]
