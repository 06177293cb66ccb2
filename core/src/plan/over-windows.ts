import type { RowColumn } from '../bind/bound-block.js'
import { mapLeaves } from '../model/expression/ast.js'
import type { Aliases } from '../resolve/aliases.js'
import { allOf, binary, integer, isNotNull } from '../resolve/expressions.js'
import { periodAfter, startAway, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow, ResolvedDimension } from '../resolve/resolved-query.js'
import type { BlockRows } from './block.js'
import { type Aggregate, type Join, type LogicalPlan, type NamedAggregate, type Shared, sameColumn } from './logical-plan.js'
import { sameOrBothNull } from './null-safe.js'

/** The rows of the answer, whose windows are meant, and the names of the statement. */
export interface Answered {
  readonly rows: Shared
  readonly names: Aliases
  /** Windows may begin an interval before each row. */
  readonly rangeFrames: boolean
}

/** What is brought to windows. */
export interface Windowed {
  readonly window: PeriodWindow
  readonly right: LogicalPlan
  /** Under which `right` is read; it has the window's dimensions by name. */
  readonly alias: string
  /** Columns of `right` that the rows of a window are grouped by within it. */
  readonly apart?: readonly RowColumn[]
  readonly aggregates: readonly NamedAggregate[]
  /** `right` is there at every time. */
  readonly timeless?: boolean
}

/** Rows brought to the windows that they lie in, grouped by window and by what is apart in it. */
export function overWindows(
  { window, right, alias, apart = [], aggregates, timeless = false }: Windowed,
  { rows, names }: Answered,
): Aggregate {
  const spine = periodsOf(window, rows, names)
  return {
    kind: 'aggregate',
    input: joined(spine, { window, right, alias, timeless }),
    alias: names.derived('running'),
    keys: [...dimensionsOf(window).map((d) => sameColumn(d, spine.alias)), ...apart.map((d) => sameColumn(d, alias))],
    aggregates,
    reason: 'the rows of each window',
  }
}

/** Through a bridge, a base row counts once per window: the pairs of window and base key are made distinct first. */
export function oncePerWindow(
  block: BlockRows,
  { window, apart }: Pick<Windowed, 'window'> & Required<Pick<Windowed, 'apart'>>,
  { rows, names }: Answered,
): Aggregate {
  const spine = periodsOf(window, rows, names)
  const alias = names.derived('in_window')
  const dimensions = dimensionsOf(window)
  const carried = block.columns.slice(dimensions.length).map((c) => sameColumn(c, block.alias))
  const distinct: LogicalPlan = {
    kind: 'distinct',
    input: joined(spine, { window, right: block.plan, alias: block.alias }),
    alias,
    columns: [...dimensions.map((d) => sameColumn(d, spine.alias)), ...carried],
    reason: 'each base row once in each window',
  }
  const moved = (e: RowExpr): RowExpr => mapLeaves<RelationColumn, RelationColumn>(e, (leaf) => ({ ...leaf, table: alias }))
  const aggregates = block.aggregates.map((a) => ({
    ...a,
    args: a.args.map(moved),
    orderBy: a.orderBy.map((o) => ({ ...o, expression: moved(o.expression) })),
  }))
  return {
    kind: 'aggregate',
    input: distinct,
    alias: names.derived('running'),
    keys: [...dimensions, ...apart].map((d) => sameColumn(d, alias)),
    aggregates,
    reason: 'the rows of each window',
  }
}

export const dimensionsOf = ({ time, partition }: PeriodWindow): readonly ResolvedDimension[] => [time, ...partition]
/** The times and partitions of the answer, each once; rows without a time are in no window. */
function periodsOf(window: PeriodWindow, rows: Shared, names: Aliases): LogicalPlan & { readonly kind: 'distinct' } {
  const { time } = window
  const condition = isNotNull<RelationColumn>(relationColumn('', time.name, time.type))
  return {
    kind: 'distinct',
    input: { kind: 'filter', input: rows, condition, reason: 'a row without a time is in no window' },
    alias: names.derived('periods'),
    columns: dimensionsOf(window).map((d) => sameColumn(d, '')),
    reason: 'the times and partitions of the answer',
  }
}

function joined(
  spine: LogicalPlan & { readonly alias: string },
  { window, right, alias, timeless = false }: Omit<Windowed, 'aggregates' | 'apart'>,
): Join {
  const { time, period, partition } = window
  const same = partition.map((d) =>
    sameOrBothNull<RelationColumn>(relationColumn(spine.alias, d.name, d.type), relationColumn(alias, d.name, d.type)),
  )
  const on = allOf(timeless ? same : [...same, ...inRange(window, spine.alias, relationColumn(alias, period.name, period.type))])
  const label = { from: time.label, to: alias, columns: [], reason: 'the rows of each window' }
  return { kind: 'join', type: on ? 'inner' : 'cross', left: spine, right, on, label }
}

/** From the start of the window to the row's own period. */
function inRange(window: PeriodWindow, spine: string, theirs: RowExpr): RowExpr[] {
  const at = mapLeaves<RelationColumn, RelationColumn>(window.own, (leaf) => ({ ...leaf, table: spine }))
  return [binary('<=', theirs, at), ...startOf(window, theirs, at)]
}

function startOf({ grain, periods, unit, toDate, period }: PeriodWindow, theirs: RowExpr, at: RowExpr): RowExpr[] {
  if (toDate !== undefined) return [binary('>=', theirs, truncated(toDate, at))]
  if (periods === undefined) return []
  if (unit === undefined || unit === grain) return [binary('>=', theirs, periodAfter(grain, integer(1 - periods), at))]
  return [binary('>', theirs, startAway(grain, [unit, -periods], { value: at, type: period.type, isStart: true }))]
}
