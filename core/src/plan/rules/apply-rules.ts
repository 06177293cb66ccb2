import { mapPlans } from '../inputs.js'
import type { LogicalPlan } from '../logical-plan.js'
import { planRules } from './plan-rules.js'
import type { PlanFacts, Rule } from './rule.js'

/** A plan after some rules, and the names of those that changed it. */
export interface Ruled {
  readonly plan: LogicalPlan
  readonly rules: readonly string[]
}

/** The plan rewritten by each rule in turn, from the top of the plan down, except by those that are named in `without`. */
export function applyRules(plan: LogicalPlan, facts: PlanFacts, without: ReadonlySet<string>): Ruled {
  const usable = planRules.filter((rule) => !without.has(rule.name) && isUsable(rule, facts))
  return usable.reduce<Ruled>(
    (before, rule) => {
      const after = everywhere(before.plan, rule, facts)
      return after === before.plan ? before : { plan: after, rules: [...before.rules, rule.name] }
    },
    { plan, rules: [] },
  )
}

const isUsable = ({ needs = [] }: Rule, { hints }: PlanFacts): boolean => needs.every((hint) => hints[hint])

function everywhere(plan: LogicalPlan, rule: Rule, facts: PlanFacts): LogicalPlan {
  return mapPlans(rule.rewrite(plan, facts) ?? plan, (input) => everywhere(input, rule, facts))
}
