import { inputsOf, mapPlans } from './inputs.js'
import type { LogicalPlan } from './logical-plan.js'

/** The plan without the pairs of closures that nothing of it reads: a rule may have removed the last reader. */
export function readPairs(plan: LogicalPlan): LogicalPlan {
  const changed = mapPlans(plan, readPairs)
  return changed.kind === 'pairs' && !scans(changed.input, changed.object) ? changed.input : changed
}

const scans = (plan: LogicalPlan, object: string): boolean =>
  plan.kind === 'scan' ? plan.object === object : inputsOf(plan).some((input) => scans(input, object))
