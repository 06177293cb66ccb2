import { isSame } from '../../same.js'
import { type Combine, type Leg, type LogicalPlan, sameColumn } from '../logical-plan.js'
import { leadingLeg, mapKeptFacts } from './leading-leg.js'
import type { Rule } from './rule.js'

/**
 * Rows of combined facts that bring no value, such as the members that only a compared period has, are not looked for where one fact has every row that is kept: each
 * of its keys is one row of it already, and rows with other keys are left out by the condition above.
 */
export const leadingRows: Rule = {
  name: 'leading-rows',
  drops: true,
  leavesOut: true,
  rewrite(node) {
    const kept = mapKeptFacts(node, (facts, isKept) => ofLeading(facts, leadingLeg(facts, isKept)))
    return kept === node ? undefined : kept
  },
}

function ofLeading(plan: Combine, leading: number | undefined): LogicalPlan | undefined {
  const legs = plan.legs.filter(({ values }, at) => at === leading || values.length > 0)
  if (leading === undefined || legs.length === plan.legs.length) return undefined
  const [leg, ...others] = legs
  if (!leg || others.length > 0) return { ...plan, legs }
  const making = [0]
  return sameRowsOf(leg) ?? { ...plan, legs, making, reason: 'one has every row that is kept, and the others bring no value' }
}

/** The rows of a leg that only names them: their counts are 0 already where there is nothing to count. */
function sameRowsOf({ input }: Leg): LogicalPlan | undefined {
  const rows = input.kind === 'project' && input.input.kind === 'shared' ? input.input : undefined
  const isCounted = rows?.input.kind === 'aggregate' || rows?.input.kind === 'combine'
  const isNamed =
    input.kind === 'project' &&
    isSame(
      input.columns,
      rows?.columns.map((column) => sameColumn(column)),
    )
  return isCounted && isNamed ? rows : undefined
}
