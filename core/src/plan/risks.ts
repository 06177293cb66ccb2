import { leavesOf } from '../model/expression/ast.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { conditionOf } from '../resolve/row-terms.js'
import { inputsOf } from './inputs.js'
import type { LogicalPlan, RowExpr } from './logical-plan.js'

/** The columns that are in a condition that may fail on some value. */
export interface Risks {
  /** Whether a column of a relation is one of them. */
  readonly has: (alias: string, name: string) => boolean
  /** Whether any column of a relation is. */
  readonly hasAny: (alias: string) => boolean
}

/** Of the conditions of a plan. One that reads a relation that the plan computes may read any column of its rows. */
export function risksOf(plan: LogicalPlan, scans: Pick<ReadonlySet<string>, 'has'>): Risks {
  const columns = new Map<string, Set<string>>()
  let all = false
  const note = (leaf: RelationColumn): void => {
    if (scans.has(leaf.table)) columns.set(leaf.table, (columns.get(leaf.table) ?? new Set()).add(leaf.name))
    else all = true
  }
  const visit = (part: LogicalPlan): void => {
    for (const condition of conditionsOf(part)) for (const leaf of leavesAtRisk(condition)) note(leaf)
    for (const input of inputsOf(part)) visit(input)
  }
  visit(plan)
  return { has: (alias, name) => all || columns.get(alias)?.has(name) === true, hasAny: (alias) => all || columns.has(alias) }
}

function conditionsOf(plan: LogicalPlan): readonly RowExpr[] {
  switch (plan.kind) {
    case 'filter':
      return [plan.condition]
    case 'join':
      return [conditionOf(plan.on) ?? []].flat()
    case 'lookup':
      return plan.keys.map(({ own }) => own)
    default:
      return []
  }
}

const COMPARISONS: ReadonlySet<string> = new Set(['and', 'or', '=', '<>', '!=', '<', '<=', '>', '>='])

/** The columns under a function, a conversion or arithmetic, or that are converted when they are read. Comparisons of columns cannot fail. */
function leavesAtRisk(expression: RowExpr): readonly RelationColumn[] {
  switch (expression.kind) {
    case 'column':
      return expression.stored ? [expression] : []
    case 'literal':
    case 'parameter':
      return []
    case 'is-null':
      return leavesAtRisk(expression.operand)
    case 'in':
      return [expression.operand, ...expression.list].flatMap(leavesAtRisk)
    case 'case':
      return [
        ...expression.branches.flatMap(({ when, then }) => [...leavesAtRisk(when), ...leavesAtRisk(then)]),
        ...(expression.otherwise ? leavesAtRisk(expression.otherwise) : []),
      ]
    case 'unary':
      return expression.operator === 'not' ? leavesAtRisk(expression.operand) : leavesOf<RelationColumn>(expression)
    case 'binary':
      return COMPARISONS.has(expression.operator)
        ? [...leavesAtRisk(expression.left), ...leavesAtRisk(expression.right)]
        : leavesOf<RelationColumn>(expression)
    default:
      return leavesOf<RelationColumn>(expression)
  }
}
