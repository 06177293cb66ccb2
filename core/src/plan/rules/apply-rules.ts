import { mapPlans } from '../inputs.js'
import type { LogicalPlan } from '../logical-plan.js'
import { checkRule } from './check-rule.js'
import { planRules } from './plan-rules.js'
import type { PlanFacts, Rule } from './rule.js'

/** A plan after some rules, and the names of those that changed it. */
export interface Ruled {
  readonly plan: LogicalPlan
  readonly rules: readonly string[]
}

interface Options {
  /** The names of rules that are left out. */
  readonly without: ReadonlySet<string>
  readonly isChecked: boolean
}

/** The plan rewritten by each rule in turn, from the top of the plan down. Throws `INTERNAL_ERROR` if a rule is checked and changes what a value is computed from. */
export function applyRules(plan: LogicalPlan, facts: PlanFacts, { without, isChecked }: Options): Ruled {
  const usable = planRules.filter((rule) => !without.has(rule.name) && isUsable(rule, facts))
  return usable.reduce<Ruled>(
    (before, rule) => {
      const after = everywhere(before.plan, rule, facts)
      if (after === before.plan) return before
      if (isChecked) checkRule(rule, before.plan, after)
      return { plan: after, rules: [...before.rules, rule.name] }
    },
    { plan, rules: [] },
  )
}

const isUsable = ({ needs = [] }: Rule, { hints }: PlanFacts): boolean => needs.every((hint) => hints[hint])

function everywhere(plan: LogicalPlan, rule: Rule, facts: PlanFacts): LogicalPlan {
  return mapPlans(rule.rewrite(plan, facts) ?? plan, (input) => everywhere(input, rule, facts))
}
