import type { DataType } from '../model/data-type.js'
import { leavesOf } from '../model/expression/ast.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { unlike } from '../same.js'
import { expressionsIn } from './expressions-in.js'
import { inputsOf } from './inputs.js'
import type { Filter, Join, Limit, LogicalPlan, Sort } from './logical-plan.js'

/** A node above which the columns of its rows are read under the names that they have below it. */
export type SpineStep = Join | Filter | Sort | Limit

/** Rows with all that is joined to them, and what filters and orders them, from the lowest step on. */
export interface Spine {
  readonly start: LogicalPlan
  readonly steps: readonly SpineStep[]
}

export type TypeOf = (expression: RowExpr) => DataType

/** Rows, and the node that reads them. */
export interface ReadSpine {
  readonly spine: Spine
  readonly reader: LogicalPlan
}

/** A join of a spine, what is below it, and what reads its rows. */
export interface JoinOfSpine {
  readonly join: Join
  readonly below: Spine
  readonly above: readonly SpineStep[]
  readonly reader: LogicalPlan
}

export const isSpineStep = (plan: LogicalPlan): plan is SpineStep =>
  plan.kind === 'join' || plan.kind === 'filter' || plan.kind === 'sort' || plan.kind === 'limit'

export function spineOf(plan: LogicalPlan): Spine {
  const steps: SpineStep[] = []
  let at = plan
  for (; isSpineStep(at); at = at.kind === 'join' ? at.left : at.input) steps.push(at)
  return { start: at, steps: steps.toReversed() }
}

export const planOfSpine = ({ start, steps }: Spine): LogicalPlan =>
  steps.reduce<LogicalPlan>((below, step) => (step.kind === 'join' ? { ...step, left: below } : { ...step, input: below }), start)

/** The columns that nodes read in their own expressions, each once. */
export const columnsRead = (nodes: readonly LogicalPlan[]): readonly RelationColumn[] =>
  unlike(nodes.flatMap(expressionsIn).flatMap((expression) => leavesOf<RelationColumn>(expression)))

/** The names under which the columns of rows are read. */
export function relationsOf(plan: LogicalPlan): readonly string[] {
  if ('alias' in plan) return [plan.alias]
  return plan.kind === 'chosen' || plan.kind === 'measured' || plan.kind === 'pairs'
    ? relationsOf(plan.input)
    : inputsOf(plan).flatMap(relationsOf)
}
