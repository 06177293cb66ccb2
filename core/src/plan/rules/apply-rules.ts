import { mapPlans } from '../inputs.js'
import type { LogicalPlan } from '../logical-plan.js'
import { planRules } from './plan-rules.js'
import { type PlanFacts, type Rule, usableRules } from './rule.js'
import { ruleFault } from './rule-fault.js'

/** A plan after some rules, and the names of those that changed it. */
export interface Ruled {
  readonly plan: LogicalPlan
  readonly rules: readonly string[]
  /** What a rule changed that it must not, if rules are checked. */
  readonly fault: string | undefined
}

interface Options {
  readonly rules?: readonly Rule[]
  /** The names of rules that are left out. */
  readonly without: ReadonlySet<string>
  readonly isChecked: boolean
}

/** The plan rewritten by each rule in turn, from the top of the plan down. */
export function applyRules(plan: LogicalPlan, facts: PlanFacts, { rules = planRules, without, isChecked }: Options): Ruled {
  return usableRules(rules, facts.hints, without).reduce<Ruled>(
    (before, rule) => {
      const after = everywhere(before.plan, rule, facts)
      if (after === before.plan) return before
      const fault = before.fault ?? (isChecked ? ruleFault(rule, before.plan, after) : undefined)
      return { plan: after, rules: [...before.rules, rule.name], fault }
    },
    { plan, rules: [], fault: undefined },
  )
}

function everywhere(plan: LogicalPlan, rule: Rule, facts: PlanFacts): LogicalPlan {
  return mapPlans(rule.rewrite(plan, facts) ?? plan, (input) => everywhere(input, rule, facts))
}
