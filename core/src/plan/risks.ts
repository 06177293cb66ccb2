import { leavesOf } from '../model/expression/ast.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { conditionOf } from '../resolve/row-terms.js'
import { inputsOf } from './inputs.js'
import type { LogicalPlan, RowExpr } from './logical-plan.js'

/** Whether a column of a relation is in a condition that may fail on some value. */
export type Risks = (alias: string, name: string) => boolean

/** Of the conditions of a plan. One that reads a relation that the plan computes may read any column of its rows. */
export function risksOf(plan: LogicalPlan, scans: ReadonlySet<string>): Risks {
  const columns = new Set<string>()
  let all = false
  const note = (leaf: RelationColumn): void => {
    if (scans.has(leaf.table)) columns.add(`${leaf.table}\0${leaf.name}`)
    else all = true
  }
  const visit = (part: LogicalPlan): void => {
    for (const condition of conditionsOf(part)) for (const leaf of leavesAtRisk(condition)) note(leaf)
    for (const input of inputsOf(part)) visit(input)
  }
  visit(plan)
  return (alias, name) => all || columns.has(`${alias}\0${name}`)
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
