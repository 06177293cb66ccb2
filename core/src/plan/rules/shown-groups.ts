import { leavesOf } from '../../model/expression/ast.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import type { Distinct, LogicalPlan, Shared } from '../logical-plan.js'
import { isShownTuples } from '../shown-tuples.js'
import type { Rule } from './rule.js'

/**
 * The groups of a level of shown totals, read from the detail rows that are shown and not from the level with its values: these are looked up for each group, so that
 * the distinct values of its dimensions are the same without them. Each running value reads these groups for its periods, and an engine that writes a common table out
 * wherever it is read would compute all the other values for each of them.
 */
export const shownGroups: Rule = {
  name: 'shown-groups',
  drops: true,
  leavesOut: true,
  rewrite: (node) => {
    if (node.kind !== 'distinct') return undefined
    const input = ofGroups(node.input, namesIn(node.columns))
    return input && { ...node, input }
  },
}

const namesIn = (columns: Distinct['columns']): readonly string[] =>
  columns.flatMap(({ expression }) => leavesOf<RelationColumn>(expression).map(({ name }) => name))

/** The rows of a level read from its groups, if these have all columns of the names; `undefined` for other rows. */
function ofGroups(plan: LogicalPlan, names: readonly string[]): LogicalPlan | undefined {
  if (plan.kind === 'filter') {
    const read = leavesOf<RelationColumn>(plan.condition).map(({ name }) => name)
    const input = ofGroups(plan.input, [...names, ...read])
    return input && { ...plan, input }
  }
  if (plan.kind !== 'shared') return undefined
  const groups = groupsOf(plan.input)
  const known = new Set(groups?.columns.map(({ name }) => name))
  return groups && names.every((name) => known.has(name)) ? ({ ...groups, alias: plan.alias } satisfies Distinct) : undefined
}

/** The shown tuples to which values are joined by their keys. */
function groupsOf(plan: Shared['input']): Distinct | undefined {
  if (plan.kind === 'lookup') return plan.isInner ? undefined : groupsOf(plan.input)
  if (plan.kind !== 'combine') return undefined
  const [first, ...others] = plan.legs
  return first && isShownTuples(first.input) && !others.some(({ contributesRows }) => contributesRows) ? first.input : undefined
}
