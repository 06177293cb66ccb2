import type { BoundRestriction, NamedExpr, Scan } from '../bind/bound-block.js'
import { allOf } from '../resolve/expressions.js'
import { filtered, planRows } from './from.js'
import { inputsOf, mapPlans } from './inputs.js'
import { type LogicalPlan, staged } from './logical-plan.js'
import { type Risks, risksOf } from './risks.js'

/**
 * The plan with each object read only in the rows that remain of it, wherever it is read: this is the only place that removes rows from a principal. An engine may
 * compute a condition of the query before that of the policy, so a column in a condition that can fail is NULL on the removed rows.
 */
export function restricted(plan: LogicalPlan, restrictions: ReadonlyMap<string, BoundRestriction>): LogicalPlan {
  if (restrictions.size === 0) return plan
  const risks = risksOf(plan, aliasesOf(plan))
  const within = (part: LogicalPlan): LogicalPlan => {
    if (part.kind !== 'scan') return mapPlans(part, within)
    const restriction = restrictions.get(part.object)
    return restriction ? remaining(part, restriction, risks) : part
  }
  return within(plan)
}

function remaining({ object, alias }: Scan, { rows, where, columns }: BoundRestriction, risks: Risks): LogicalPlan {
  const conditions = where.map((expression) => ({ expression, reason: 'rows that the access rules leave' }))
  const read = columns.map((column) => (risks(alias, column.name) ? guarded(column, where) : column))
  return { ...staged(filtered(planRows(rows, NOTHING_INSIDE), conditions), alias, read), rowsOf: object }
}

function guarded(column: NamedExpr, where: BoundRestriction['where']): NamedExpr {
  const when = allOf(where)
  if (when === undefined) return column
  return { ...column, expression: { kind: 'case', branches: [{ when, then: column.expression }], otherwise: undefined } }
}

/** The names of the relations that are rows of objects. */
function aliasesOf(plan: LogicalPlan, found = new Set<string>()): ReadonlySet<string> {
  if (plan.kind === 'scan') found.add(plan.alias)
  for (const input of inputsOf(plan)) aliasesOf(input, found)
  return found
}

/** Policies read rows of objects only. */
const NOTHING_INSIDE = {
  events: () => NEVER,
  passed: () => NEVER,
  facts: () => [],
}
const NEVER: LogicalPlan = { kind: 'numbers', alias: 'nothing', names: [], places: [] }
