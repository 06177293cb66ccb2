import { mapPlans } from '../inputs.js'
import type { Combine, LogicalPlan } from '../logical-plan.js'
import { leadingLeg, mapKeptFacts } from './leading-leg.js'
import type { Rule } from './rule.js'

/**
 * Facts are joined by their keys instead of united and grouped again: each has one row for each key. If one has every row that is kept, the others are joined to its
 * rows. The rows of two meet in a full join.
 */
export const joinedFacts: Rule = {
  name: 'joined-facts',
  needs: ['hashJoins'],
  rewrite(node) {
    // What is joined to other rows has one name, which joined facts have not.
    if (node.kind === 'join') return undefined
    const kept = mapKeptFacts(node, (facts, kept) => joinedFactsOf(facts, leadingLeg(facts, kept)))
    const joined = mapPlans(kept, (input) => (input.kind === 'combine' ? joinedFactsOf(input, leadingLeg(input)) : input))
    return joined === node ? undefined : joined
  },
}

/** With more facts, a key of the second full join would be a choice between those of two. */
const MOST_FACTS = 2

function joinedFactsOf(plan: Combine, leading: number | undefined): Combine {
  const own = plan.legs.flatMap(({ contributesRows }, at) => (contributesRows ? [at] : []))
  const making = leading === undefined ? own : [leading]
  if (plan.making || plan.keys.length === 0 || making.length > MOST_FACTS || plan.legs.some(({ input }) => isOfSharedRows(input)))
    return plan
  const met = making.length === 1 ? 'one has every row that is kept, and the others bring it their values' : TWO
  return { ...plan, making, reason: `each fact is aggregated alone; ${met}` }
}

const TWO = 'the rows of two meet by their keys, of which NULLs are equal, and a row without a partner is kept'

/** Few rows, such as those of an answer and its periods, are united as fast. */
const isOfSharedRows = (plan: LogicalPlan): boolean => plan.kind === 'project' && plan.input.kind === 'shared'
