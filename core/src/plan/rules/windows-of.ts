import { isRunning, isTrailing } from '../../bind/running-windows.js'
import type { PeriodWindow } from '../../resolve/resolved-query.js'
import type { Aggregate, LogicalPlan, Lookup, Shared } from '../logical-plan.js'
import type { PlannerHints } from '../planner-hints.js'

/** Values of windows that a lookup reads, and the rows of the answer with these windows. */
export interface WindowValues {
  readonly window: PeriodWindow
  readonly rows: Shared
  readonly right: LogicalPlan
  readonly values: Aggregate
}

/** What a lookup reads, if it is the values of windows. */
export function windowValuesOf({ from }: Lookup): WindowValues | undefined {
  if (from.kind !== 'aggregate' || from.sets || from.input.kind !== 'join') return undefined
  const { window, left, right } = from.input
  const rows = left.kind === 'distinct' && left.input.kind === 'filter' ? left.input.input : undefined
  return window && rows?.kind === 'shared' ? { window, rows, right, values: from } : undefined
}

/** The same, if a window function can have these values on this engine. */
export function framedValuesOf(lookup: Lookup, { rangeFrames, peerFrames }: PlannerHints): WindowValues | undefined {
  const found = windowValuesOf(lookup)
  return found && ((peerFrames && isRunning(found.window)) || (rangeFrames && isTrailing(found.window))) ? found : undefined
}
