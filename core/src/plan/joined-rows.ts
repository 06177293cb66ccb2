import { inputsOf, withInputs } from './inputs.js'
import { isKnownJoin } from './known-join.js'
import type { Filter, Join, LogicalPlan } from './logical-plan.js'

/** Rows with the rows that are joined to them one after another, and the conditions on the result. */
export interface JoinedRows {
  readonly start: LogicalPlan
  readonly joins: readonly Join[]
  /** The innermost one first. */
  readonly filters: readonly Filter[]
}

/** The name of the relation that a join brings; empty if it has none. */
export const relationOf = ({ right }: Join): string => ('alias' in right ? right.alias : '')

export function joinedRowsOf(plan: LogicalPlan): JoinedRows {
  const filters: Filter[] = []
  const joins: Join[] = []
  let at = plan
  for (; at.kind === 'filter'; at = at.input) filters.push(at)
  for (; at.kind === 'join'; at = at.left) joins.push(at)
  return { start: at, joins: joins.toReversed(), filters: filters.toReversed() }
}

/** The plan of these rows. */
export function planOf({ start, joins, filters }: JoinedRows): LogicalPlan {
  const joined = joins.reduce((left: LogicalPlan, join) => (join.left === left ? join : { ...join, left }), start)
  return filters.reduce((input: LogicalPlan, filter) => (filter.input === input ? filter : { ...filter, input }), joined)
}

const isOfJoins = ({ kind }: LogicalPlan): boolean => kind === 'filter' || kind === 'join'

/** The node with `change` applied to each of its inputs that are rows joined in known ways, as a whole; `undefined` if none changes. */
export function mapJoinedRows(node: LogicalPlan, change: (rows: JoinedRows) => JoinedRows | undefined): LogicalPlan | undefined {
  const inputs = inputsOf(node)
  if (!inputs.some(isOfJoins)) return undefined
  const changed = inputs.map((input, at) => {
    if (!isOfJoins(input)) return input
    const isPart = at === 0 && (node.kind === 'filter' || (node.kind === 'join' && input.kind === 'join'))
    const rows = isPart ? undefined : joinedRowsOf(input)
    const changed = rows?.joins.every(isKnownJoin) ? change(rows) : undefined
    return changed ? planOf(changed) : input
  })
  return changed.every((input, at) => input === inputs[at]) ? undefined : withInputs(node, changed)
}
