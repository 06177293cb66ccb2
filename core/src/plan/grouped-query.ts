import type { BoundGrouped } from '../bind/bound-query.js'
import { INT } from '../model/data-type.js'
import type { Aliases } from '../resolve/aliases.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { planAggregate, withMetrics } from './aggregate-query.js'
import { displayed, sorted } from './answer.js'
import { planBlock } from './block.js'
import { type GroupingSets, inGroupingSets } from './grouping-sets.js'
import { type LogicalPlan, plainAggregate } from './logical-plan.js'

/** Every level planned as the query that it is, then united; in one aggregation where an engine takes sets of groups and one will do. */
export function planGrouped(grouped: BoundGrouped, names: Aliases, takesSets: boolean): LogicalPlan {
  const { outputs, order } = grouped
  const sets = takesSets ? inGroupingSets(grouped, names) : undefined
  const rows = sets ? planSets(sets, names) : planLevels(grouped, names)
  const as = (expression: RowExpr): RowExpr => expression
  return { kind: 'project', input: sorted(rows, order, as), alias: 'answer', columns: displayed(outputs, as) }
}

const planLevels = ({ levels }: BoundGrouped, names: Aliases): LogicalPlan => ({
  kind: 'union',
  inputs: levels.map((level) => planAggregate(level, names)),
  alias: names.derived('levels'),
  columns: levels[0]!.outputs.map(({ name, type, displayAs }) => ({ name, type: displayAs ?? type })),
  reason: 'each subtotal level is recomputed from rows',
})

/** The detail grouped by every set, with the flags that say which one a row is of. */
function planSets({ detail, sets, flags }: GroupingSets, names: Aliases): LogicalPlan {
  const { block } = detail.legs[0]!
  const found = planBlock(block, names, names.derived(block.base, '_facts'))
  const grouping = flags.map(({ name, dimension }) => {
    const key = found.keys.find((k) => k.name === dimension)!
    return plainAggregate(name, 'grouping', [key.expression], INT)
  })
  const reason = `${found.reason}; every level in one aggregation`
  return withMetrics({ ...found, aggregates: [...found.aggregates, ...grouping], sets, reason }, detail, names)
}
