import { itemAt } from '../invariant.js'
import type { LogicalPlan } from './logical-plan.js'

/** What a plan reads, in an order that `withInputs` takes. */
export function inputsOf(plan: LogicalPlan): readonly LogicalPlan[] {
  switch (plan.kind) {
    case 'scan':
    case 'numbers':
    case 'top-values':
    case 'measured-rows':
      return []
    case 'join':
      return [plan.left, plan.right]
    case 'combine':
      return plan.legs.map((leg) => leg.input)
    case 'union':
      return plan.inputs
    case 'lookup':
      return [plan.input, plan.from]
    case 'chosen':
    case 'measured':
      return [plan.values, plan.input]
    case 'pairs':
      return [plan.nodes, plan.input]
    default:
      return [plan.input]
  }
}

/** The plan with other inputs, in the order of `inputsOf`. */
export function withInputs(plan: LogicalPlan, inputs: readonly LogicalPlan[]): LogicalPlan {
  const input = (at: number): LogicalPlan => itemAt(inputs, at)
  switch (plan.kind) {
    case 'scan':
    case 'numbers':
    case 'top-values':
    case 'measured-rows':
      return plan
    case 'join':
      return { ...plan, left: input(0), right: input(1) }
    case 'combine':
      return { ...plan, legs: plan.legs.map((leg, at) => ({ ...leg, input: input(at) })) }
    case 'union':
      return { ...plan, inputs }
    case 'lookup':
      return { ...plan, input: input(0), from: input(1) }
    case 'chosen':
    case 'measured':
      return { ...plan, values: input(0), input: input(1) }
    case 'pairs':
      return { ...plan, nodes: input(0), input: input(1) }
    default:
      return { ...plan, input: input(0) }
  }
}

/** The plan with each of its inputs mapped; the same plan if none changes. */
export function mapPlans(plan: LogicalPlan, change: (input: LogicalPlan) => LogicalPlan): LogicalPlan {
  const inputs = inputsOf(plan)
  const changed = inputs.map(change)
  return changed.every((one, at) => one === inputs[at]) ? plan : withInputs(plan, changed)
}
