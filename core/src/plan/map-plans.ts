import type { LogicalPlan } from './logical-plan.js'

/** The plan with each of its inputs changed. */
export function mapPlans(plan: LogicalPlan, change: (input: LogicalPlan) => LogicalPlan): LogicalPlan {
  switch (plan.kind) {
    case 'scan':
    case 'numbers':
    case 'top-values':
      return plan
    case 'join':
      return { ...plan, left: change(plan.left), right: change(plan.right) }
    case 'combine':
      return { ...plan, legs: plan.legs.map((leg) => ({ ...leg, input: change(leg.input) })) }
    case 'union':
      return { ...plan, inputs: plan.inputs.map(change) }
    case 'lookup':
      return { ...plan, input: change(plan.input), from: change(plan.from) }
    case 'chosen':
      return { ...plan, input: change(plan.input), values: change(plan.values) }
    default:
      return { ...plan, input: change(plan.input) }
  }
}
