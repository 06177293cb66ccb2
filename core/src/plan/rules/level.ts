import type { RowColumn } from '../../bind/bound-block.js'
import { firstOf } from '../../invariant.js'
import type { Aggregate, Filter, Leg, LogicalPlan, Project } from '../logical-plan.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'

/** A level of subtotals that is nothing but an aggregation of each fact, and expressions over their values. */
export interface Level {
  readonly answer: Project
  readonly having: Filter | undefined
  /** From the top. */
  readonly stages: readonly Project[]
  readonly rows: LogicalPlan
  readonly keys: readonly RowColumn[]
  readonly facts: readonly Fact[]
  /** What is combined, but for its rows; absent without keys, where the facts have one row each. */
  readonly legs: readonly Omit<Leg, 'input'>[] | undefined
}

interface Fact {
  readonly node: Aggregate
  readonly keys: Aggregate['keys']
  readonly rows: PlainRows
}

export function levelOf(plan: LogicalPlan): Level | undefined {
  if (plan.kind !== 'project') return undefined
  const having = plan.input.kind === 'filter' ? plan.input : undefined
  const stages: Project[] = []
  let rows = having ? having.input : plan.input
  for (; rows.kind === 'project' && rows.stage; rows = rows.input) stages.push(rows)
  const nodes = aggregatesOf(rows)
  const facts = nodes.flatMap((node) => factOf(node) ?? [])
  if (facts.length === 0 || facts.length < nodes.length) return undefined
  const keys = (rows.kind === 'combine' ? rows.keys : firstOf(facts).keys).map(({ name, type }) => ({ name, type }))
  const legs = rows.kind === 'combine' ? rows.legs.map(({ input: _, ...leg }) => leg) : undefined
  return { answer: plan, having, stages, rows, keys, facts, legs }
}

/** What is combined, or joined as one row each. */
function aggregatesOf(rows: LogicalPlan): readonly LogicalPlan[] {
  if (rows.kind === 'combine') return rows.legs.map(({ input }) => input)
  if (rows.kind === 'join' && rows.type === 'cross') return [...aggregatesOf(rows.left), ...aggregatesOf(rows.right)]
  return [rows]
}

/** Aggregates that are the same in the grouping sets of every engine. */
const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'count', 'count_if', 'count_distinct', 'any_value'])

function factOf(node: LogicalPlan): Fact | undefined {
  if (node.kind !== 'aggregate' || node.aggregates.length === 0) return undefined
  const rows = plainRowsOf(node)
  return rows && node.aggregates.every(({ aggregate }) => AGGREGATES.has(aggregate)) ? { node, keys: node.keys, rows } : undefined
}
