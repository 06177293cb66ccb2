import { allOf, binary, integer, isNotNull } from '../resolve/expressions.js'
import { periodAfter, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { Fold, PeriodWindow, ResolvedDimension } from '../resolve/resolved-query.js'
import { isFactsTime, type OverWindow, planAcrossWindow } from './across-window.js'
import { balanceKeys, takenAndSummed } from './balance.js'
import { type BlockRows, inTimes, planBlock, planBlockRows } from './block.js'
import type { BlockRequest } from './block-request.js'
import {
  type Aggregate,
  type Join,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
} from './logical-plan.js'
import { sameOrBothNull } from './null-safe.js'
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

export interface Windowed {
  readonly window: PeriodWindow
  readonly right: LogicalPlan
  /** Under which `right` is read; it has the window's dimensions by name. */
  readonly alias: string
  /** Columns of `right` that the rows of a window are grouped by within it. */
  readonly apart?: readonly ResolvedDimension[]
  readonly aggregates: readonly NamedAggregate[]
  /** `right` is there at every time. */
  readonly timeless?: boolean
}

function overWindows(
  { window, right, alias, apart = [], aggregates, timeless = false }: Windowed,
  rows: Shared,
  context: RowsContext,
): Aggregate {
  const spine = periodsOf(window, rows, context)
  return {
    kind: 'aggregate',
    input: joined(spine, right, alias, window, timeless),
    alias: context.aliases.derived('running'),
    keys: [...dimensionsOf(window).map((d) => sameColumn(d, spine.alias)), ...apart.map((d) => sameColumn(d, alias))],
    aggregates,
    reason: 'the rows of each window',
  }
}

/** Through a bridge, a home row counts once per window: the pairs of window and home key are made distinct first. */
function oncePerWindow(
  block: BlockRows,
  window: PeriodWindow,
  apart: readonly ResolvedDimension[],
  rows: Shared,
  context: RowsContext,
): Aggregate {
  const spine = periodsOf(window, rows, context)
  const alias = context.aliases.derived('in_window')
  const dimensions = dimensionsOf(window)
  const carried = block.columns.slice(dimensions.length).map((c) => sameColumn(c, block.alias))
  const distinct: LogicalPlan = {
    kind: 'distinct',
    input: joined(spine, block.plan, block.alias, window),
    alias,
    columns: [...dimensions.map((d) => sameColumn(d, spine.alias)), ...carried],
    reason: 'each home row once in each window',
  }
  const moved = (e: RowExpr): RowExpr => ({ ...(e as RelationColumn), table: alias })
  const aggregates = block.aggregates.map((a) => ({
    ...a,
    args: a.args.map(moved),
    orderBy: a.orderBy.map((o) => ({ ...o, expression: moved(o.expression) })),
  }))
  return {
    kind: 'aggregate',
    input: distinct,
    alias: context.aliases.derived('running'),
    keys: [...dimensions, ...apart].map((d) => sameColumn(d, alias)),
    aggregates,
    reason: 'the rows of each window',
  }
}

const dimensionsOf = ({ time, partition }: PeriodWindow): readonly ResolvedDimension[] => [time, ...partition]
/** The times and partitions of the answer, each once; rows without a time are in no window. */
function periodsOf(window: PeriodWindow, rows: Shared, context: RowsContext): LogicalPlan & { readonly kind: 'distinct' } {
  const { time } = window
  const condition = isNotNull<RelationColumn>(relationColumn('', time.name, time.type))
  return {
    kind: 'distinct',
    input: { kind: 'filter', input: rows, condition, reason: 'a row without a time is in no window' },
    alias: context.aliases.derived('periods'),
    columns: dimensionsOf(window).map((d) => sameColumn(d, '')),
    reason: 'the times and partitions of the answer',
  }
}

function joined(
  spine: LogicalPlan & { readonly alias: string },
  right: LogicalPlan,
  alias: string,
  window: PeriodWindow,
  timeless = false,
): Join {
  const { time, period, partition } = window
  const same = partition.map((d) =>
    sameOrBothNull<RelationColumn>(relationColumn(spine.alias, d.name, d.type), relationColumn(alias, d.name, d.type), d.type),
  )
  const on = allOf(timeless ? same : [...same, ...inRange(window, spine.alias, relationColumn(alias, period.name, period.type))])
  const label = { from: time.label, to: alias, columns: [], reason: 'the rows of each window' }
  return { kind: 'join', type: on ? 'inner' : 'cross', left: spine, right, on, label }
}

/** From the start of the window to the row's own period. */
function inRange(window: PeriodWindow, spine: string, theirs: RowExpr): RowExpr[] {
  const { time, period, grain } = window
  const raw = relationColumn(spine, time.name, time.type)
  const at: RowExpr = time === period ? raw : truncated(grain, raw)
  const start = startOf(window, at)
  return [binary('<=', theirs, at), ...(start ? [binary<RelationColumn>('>=', theirs, start)] : [])]
}

function startOf({ grain, periods, toDate }: PeriodWindow, at: RowExpr): RowExpr | undefined {
  if (toDate !== undefined) return truncated(toDate, at)
  return periods === undefined ? undefined : periodAfter(grain, integer(1 - periods), at)
}
