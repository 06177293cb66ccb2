import { relationColumn } from '../resolve/relation-column.js'
import type { Fold, PeriodWindow, ResolvedDimension } from '../resolve/resolved-query.js'
import { isFactsTime, type OverWindow, planAcrossWindow } from './across-window.js'
import { balanceKeys, takenAndSummed } from './balance.js'
import { type BlockRows, inTimes, planBlock, planBlockRows } from './block.js'
import type { BlockRequest } from './block-request.js'
import {
  type Aggregate,
  type LogicalPlan,
  type Lookup,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
} from './logical-plan.js'
import { dimensionsOf, oncePerWindow, overWindows } from './over-windows.js'
import { REFOLD } from './refold.js'
import type { RowsContext } from './rows-context.js'

/** Values over the window of each row, brought to the rows that asked. */
export interface Running {
  readonly window: PeriodWindow
  readonly plan: Aggregate | Project
  readonly values: Lookup['values']
}

/** Per-period values folded over the periods of each row's window. `inner` has the window's dimensions and `value`. */
export function planFold(fold: Fold, inner: LogicalPlan, rows: Shared, context: RowsContext): Running {
  const { window, name, type, aggregate } = fold
  const alias = context.aliases.derived('per_period')
  const value = fold.query.outputs.at(-1)!
  const columns = [window.period, ...window.partition, value].map((c) => sameColumn(c))
  const periods: LogicalPlan = { kind: 'project', input: inner, alias, columns, stage: true }
  const call = plainAggregate(name, aggregate, [relationColumn(alias, value.name, value.type)], type)
  const plan = overWindows({ window, right: periods, alias, aggregates: [call] }, rows, context)
  return { window, plan, values: [{ name, type, emptyIsZero: false }] }
}

/** Measures evaluated over the home rows of each row's window: distinct things are counted once in it, however many periods they stand in. */
export function planOverRows(request: BlockRequest, asked: PeriodWindow, rows: Shared, context: RowsContext): Running {
  const kept = (d: ResolvedDimension): boolean => request.dimensions.includes(d)
  const window = { ...asked, partition: asked.partition.filter(kept), apart: asked.apart.filter(kept) }
  const values = valuesOf(request)
  const { balance } = request
  if (!balance) return { window, values, plan: inWindows(request, window, rows, context) }
  const times = { ...window, apart: [...window.apart, ...balanceKeys(balance)] }
  const inTime = inWindows(inTimes(request, balance), times, rows, context)
  const groups = [...dimensionsOf(window), ...window.apart]
  const plan = takenAndSummed(inTime, groups, { ...request, balance }, context.aliases.derived('running'), context)
  return { window, values, plan }
}

/** The rows of a block aggregated per window and by what is apart in it. */
function inWindows(request: BlockRequest, window: PeriodWindow, rows: Shared, context: RowsContext): Aggregate {
  const { across } = request
  if (across && isFactsTime(request, window)) {
    const over: OverWindow = (right) => overWindows({ window, ...right }, rows, context)
    return planAcrossWindow({ ...request, across }, window, over, context)
  }
  const folded =
    request.bridges.size === 0 && request.atoms.every(({ measure }) => !measure.distinct && measure.aggregation in REFOLD)
  if (folded) return overFolds(request, window, rows, context)
  return overBlock(planBlockRows(request, context), window, window.apart, rows, context)
}

/** The rows of a block aggregated per window, and by `apart`, columns of the block, within it. */
function overBlock(
  block: BlockRows,
  window: PeriodWindow,
  apart: readonly ResolvedDimension[],
  rows: Shared,
  context: RowsContext,
): Aggregate {
  const { plan: right, alias, aggregates, distinct } = block
  if (!distinct) return overWindows({ window, right, alias, apart, aggregates }, rows, context)
  return oncePerWindow(block, window, apart, rows, context)
}

const valuesOf = ({ atoms }: BlockRequest): Running['values'] =>
  atoms.map(({ name, type }) => ({ name, type, emptyIsZero: false }))

/** Each home row stands in one period, so the rows are aggregated per period first and the few that come out are folded. */
function overFolds(request: BlockRequest, window: PeriodWindow, rows: Shared, context: RowsContext): Aggregate {
  const alias = context.aliases.derived(request.home, '_periods')
  const aggregates = request.atoms.map(({ name, type, measure }) =>
    plainAggregate(name, REFOLD[measure.aggregation]!, [relationColumn(alias, name, type)], type),
  )
  return overWindows({ window, right: planBlock(request, context, alias), alias, apart: window.apart, aggregates }, rows, context)
}
