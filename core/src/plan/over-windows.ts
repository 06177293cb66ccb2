import type { RowColumn } from '../bind/bound-block.js'
import { mapLeaves } from '../model/expression/ast.js'
import { freeName, plainName } from '../resolve/aliases.js'
import { binary, integer, isNotNull, sameOrBothNull } from '../resolve/expressions.js'
import { periodAfter, startAway, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow, ResolvedDimension } from '../resolve/resolved-query.js'
import { holds } from '../resolve/row-terms.js'
import type { BlockRows } from './block.js'
import {
  type Aggregate,
  type Join,
  type LogicalPlan,
  type NamedAggregate,
  type NamedExpr,
  type Shared,
  sameColumn,
} from './logical-plan.js'

/** The rows that are aggregated in windows. */
export interface Windowed {
  readonly window: PeriodWindow
  readonly right: LogicalPlan
  /** The alias of `right`, which has the window's dimensions by name. */
  readonly alias: string
  /** Columns of `right` by which the rows of a window are grouped within it. */
  readonly groupBy?: readonly RowColumn[]
  readonly aggregates: readonly NamedAggregate[]
  /** `right` exists at every time. */
  readonly timeless?: boolean
}

/** Rows joined to the windows that contain them, grouped by the window and within it. */
export function overWindows(
  { window, right, alias, groupBy = [], aggregates, timeless = false }: Windowed,
  rows: Shared,
): Aggregate {
  const spine = spineOf(window, rows)
  return {
    kind: 'aggregate',
    input: joined(spine, { window, right, alias, timeless }),
    alias: 'running',
    keys: [...dimensionsOf(window).map((d) => sameColumn(d, spine.plan.alias)), ...groupBy.map((d) => sameColumn(d, alias))],
    aggregates,
    reason: 'the rows of each window',
  }
}

/** Through a bridge, a base row counts once per window: the pairs of window and base key are made distinct first. */
export function oncePerWindow(
  block: BlockRows,
  { window, groupBy }: Pick<Windowed, 'window'> & Required<Pick<Windowed, 'groupBy'>>,
  rows: Shared,
): Aggregate {
  const spine = spineOf(window, rows)
  const alias = 'in_window'
  const dimensions = dimensionsOf(window)
  const carried = block.columns.slice(dimensions.length).map((c) => sameColumn(c, block.alias))
  const distinct: LogicalPlan = {
    kind: 'distinct',
    input: joined(spine, { window, right: block.plan, alias: block.alias }),
    alias,
    columns: [...dimensions.map((d) => sameColumn(d, spine.plan.alias)), ...carried],
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
    alias: 'running',
    keys: [...dimensions, ...groupBy].map((d) => sameColumn(d, alias)),
    aggregates,
    reason: 'the rows of each window',
  }
}

export const dimensionsOf = ({ time, partition }: PeriodWindow): readonly ResolvedDimension[] => [time, ...partition]

/** The windows of the answer: each begins at `since`, or after it, if it has a beginning, and ends with the period `at`. */
interface Spine {
  readonly plan: LogicalPlan & { readonly kind: 'distinct' }
  readonly at: RowExpr
  readonly since: { readonly operator: '>' | '>='; readonly expression: RowExpr } | undefined
}

/**
 * The times and partitions of the answer, each once; rows without a time are in no window. The bounds of a window are columns, because an
 * expression in the join condition would be computed for each pair.
 */
function spineOf(window: PeriodWindow, rows: Shared): Spine {
  const { time, own } = window
  const condition = isNotNull<RelationColumn>(relationColumn('', time.name, time.type))
  const alias = 'periods'
  const dimensions = dimensionsOf(window)
  const added: NamedExpr[] = []
  const column = (name: string, expression: RowExpr): RowExpr => {
    if (expression.kind === 'column') return { ...expression, table: alias }
    const made = { name: freeName(name, dimensions), expression, type: window.period.type }
    added.push(made)
    return sameColumn(made, alias).expression
  }
  const at = column('period', own)
  const start = startOf(window)
  const since = start && { ...start, expression: column('since', start.expression) }
  const plan = {
    kind: 'distinct',
    input: { kind: 'filter', input: rows, condition, reason: 'a row without a time is in no window' },
    alias,
    columns: [...dimensions.map((d) => sameColumn(d, '')), ...added],
    reason: 'the times and partitions of the answer',
  } as const
  return { plan, at, since }
}

function joined(
  { plan: left, at, since }: Spine,
  { window, right, alias, timeless = false }: Omit<Windowed, 'aggregates' | 'groupBy'>,
): Join {
  const { time, period, partition } = window
  const same = partition.map((d) =>
    sameOrBothNull<RelationColumn>(relationColumn(left.alias, d.name, d.type), relationColumn(alias, d.name, d.type)),
  )
  const theirs = relationColumn(alias, period.name, period.type)
  const range = [binary<RelationColumn>('<=', theirs, at), ...(since ? [binary(since.operator, theirs, since.expression)] : [])]
  const on = (timeless ? same : [...same, ...range]).map((condition) => holds(condition))
  const label = { from: time.label, to: plainName(alias), columns: [], reason: 'the rows of each window' }
  const type = on.length > 0 ? 'inner' : 'cross'
  return { kind: 'join', type, left, right, on, ...(!timeless && { window }), label }
}

/** The period with which, or after which, the window of a row begins. */
function startOf({ own, grain, periods, unit, toDate, period, since }: PeriodWindow): Spine['since'] {
  if (since) return { operator: '>=', expression: since }
  if (toDate !== undefined) return { operator: '>=', expression: truncated(toDate, own) }
  if (periods === undefined) return undefined
  if (unit === undefined || unit === grain) return { operator: '>=', expression: periodAfter(grain, integer(1 - periods), own) }
  return { operator: '>', expression: startAway(grain, [unit, -periods], { value: own, type: period.type, isStart: true }) }
}
