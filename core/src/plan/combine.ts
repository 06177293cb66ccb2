import type { RowColumn } from '../bind/bound-block.js'
import type { LogicalPlan, PlannedLeg } from './logical-plan.js'

/** Blocks of the same rows become one; several are joined by their keys. */
export function combine(keys: readonly RowColumn[], legs: readonly PlannedLeg[]): LogicalPlan {
  const [only] = legs
  if (legs.length === 1 && only) return only.input
  if (keys.length === 0) return legs.slice(1).reduce<LogicalPlan>((left, leg) => besideIt(left, leg), only!.input)
  return {
    kind: 'combine',
    alias: 'combined',
    keys: keys.map(({ name, type }) => ({ name, type })),
    legs: legs.map(({ base: _, ...leg }) => leg),
    reason:
      'each fact is aggregated alone; the rows are united and regrouped, so that NULL keys meet and no fact repeats another',
  }
}

/** Without dimensions every block is one row, and the rows are joined without a condition. */
function besideIt(left: LogicalPlan, leg: PlannedLeg): LogicalPlan {
  const label = { from: '', to: leg.base, columns: [], reason: 'one row each, side by side' }
  return { kind: 'join', type: 'cross', left, right: leg.input, on: [], label }
}
