import { semiAdditiveKeys } from '../bind/block-request.js'
import type { BoundBlock } from '../bind/bound-block.js'
import type { BlockWindow, BoundFold } from '../bind/bound-query.js'
import { REFOLD } from '../bind/window-totals.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import { type BlockRows, planBlockRows, planUntaken } from './block.js'
import { type Aggregate, type LogicalPlan, type Lookup, type Project, plainAggregate, sameColumn } from './logical-plan.js'
import { planMultiFactWindow } from './multi-fact-window.js'
import { type Answered, dimensionsOf, oncePerWindow, overWindows } from './over-windows.js'
import { relationNaming } from './relation-naming.js'
import { takenAndSummed } from './semi-additive.js'

/** Values over the window of each row, brought to the rows that asked. */
export interface Cumulative {
  readonly window: PeriodWindow
  readonly plan: Aggregate | Project
  readonly values: Lookup['values']
}

/** Per-period values folded over the periods of each row's window. `inner` has the window's dimensions and `value`. */
export function planFold(fold: BoundFold, inner: LogicalPlan, answered: Answered): Cumulative {
  const { window, name, type, aggregate } = fold
  const alias = answered.names.derived('per_period')
  const value = fold.query.outputs.at(-1)!
  const columns = [window.period, ...window.partition, value].map((c) => sameColumn(c))
  const right: LogicalPlan = { kind: 'project', input: inner, alias, columns, stage: true }
  const call = plainAggregate(name, aggregate, [relationColumn(alias, value.name, value.type)], type)
  const plan = overWindows({ window, right, alias, aggregates: [call] }, answered)
  return { window, plan, values: [{ name, type, emptyIsZero: false }] }
}

/** A block over the base rows of each row's window: distinct things are counted once in it, however many periods they stand in. */
export function planOverRows(bound: BoundBlock, over: BlockWindow, answered: Answered): Cumulative {
  const { names } = answered
  const naming = relationNaming(bound.relations, names)
  const block = naming.block(bound)
  const facts = over.facts && naming.facts(over.facts)
  const { window } = over
  const { semiAdditive } = block
  const values = block.values.map(({ name, type }) => ({ name, type, emptyIsZero: false }))
  if (!semiAdditive) return { window, values, plan: inWindows(block, { window, facts }, answered) }
  const times = { ...window, apart: [...window.apart, ...semiAdditiveKeys(semiAdditive)] }
  const inTime = inWindows(block, { window: times, facts }, answered)
  const groups = [...dimensionsOf(window), ...window.apart]
  const plan = takenAndSummed(inTime, { ...block, groups, semiAdditive }, names, names.derived('running'))
  return { window, values, plan }
}

/** The rows of a named block aggregated per window and by what is apart in it. */
function inWindows(block: BoundBlock, { window, facts }: BlockWindow, answered: Answered): Aggregate {
  if (facts) return planMultiFactWindow(block, facts, window, answered)
  const isFolded = block.from.bridges.length === 0 && block.aggregates.every((a) => !a.distinct && a.aggregate in REFOLD)
  return isFolded ? overFolds(block, window, answered) : overRows(planBlockRows(block, answered.names), window, answered)
}

/** The rows of a block aggregated per window, and by what is apart within it. */
function overRows(block: BlockRows, window: PeriodWindow, answered: Answered): Aggregate {
  const { plan: right, alias, aggregates, distinct } = block
  const { apart } = window
  return distinct
    ? oncePerWindow(block, { window, apart }, answered)
    : overWindows({ window, right, alias, apart, aggregates }, answered)
}

/** Each base row stands in one period, so the rows are aggregated per period first and the few that come out are folded. */
function overFolds(block: BoundBlock, window: PeriodWindow, answered: Answered): Aggregate {
  const alias = answered.names.derived(block.base, '_periods')
  const aggregates = block.aggregates.map(({ name, type, aggregate }) =>
    plainAggregate(name, REFOLD[aggregate]!, [relationColumn(alias, name, type)], type),
  )
  const right = planUntaken(block, answered.names, alias)
  return overWindows({ window, right, alias, apart: window.apart, aggregates }, answered)
}
