import { inputsOf } from './inputs.js'
import type { LogicalPlan } from './logical-plan.js'

/** The object whose rows come first in a plan, after which its relations are named. */
export function baseOf(plan: LogicalPlan): string {
  if (plan.kind === 'scan') return plan.object
  const [first] = inputsOf(plan)
  return first ? baseOf(first) : plan.kind
}
