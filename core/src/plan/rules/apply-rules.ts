import { inputsOf, mapPlans } from '../inputs.js'
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
  let ruled: Ruled = { plan, rules: [], fault: undefined }
  // Most rules know no node of a plan: its nodes are listed once for all of these.
  let nodes = nodesOf(plan)
  for (const rule of usableRules(rules, facts.hints, without)) {
    const first = firstRewritten(nodes, rule, facts)
    if (!first) continue
    const before = ruled.plan
    const after = everywhere(before, (node) => (node === first.node ? first.after : rule.rewrite(node, facts)))
    const fault = ruled.fault ?? (isChecked ? ruleFault(rule, before, after) : undefined)
    ruled = { plan: after, rules: [...ruled.rules, rule.name], fault }
    nodes = nodesOf(after)
  }
  return ruled
}

/** Each before its inputs. One list, since a plan of a hundred joins is as deep. */
function nodesOf(plan: LogicalPlan, nodes: LogicalPlan[] = []): readonly LogicalPlan[] {
  nodes.push(plan)
  for (const input of inputsOf(plan)) nodesOf(input, nodes)
  return nodes
}

interface Rewritten {
  readonly node: LogicalPlan
  readonly after: LogicalPlan
}

/** The node that a rule rewrites first, from the top down: no node above it changes. */
function firstRewritten(nodes: readonly LogicalPlan[], rule: Rule, facts: PlanFacts): Rewritten | undefined {
  for (const node of nodes) {
    const after = rule.rewrite(node, facts)
    if (after) return { node, after }
  }
  return undefined
}

function everywhere(plan: LogicalPlan, rewrite: (node: LogicalPlan) => LogicalPlan | undefined): LogicalPlan {
  return mapPlans(rewrite(plan) ?? plan, (input) => everywhere(input, rewrite))
}
