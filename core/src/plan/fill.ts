import type { BoundFill, CalendarColumns } from '../bind/bound-query.js'
import { both, lastOf } from '../invariant.js'
import { DATE, INT, isInDefaultZone, TIMESTAMP } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { allOf, binary, call, integer, isNull, sameOrBothNull, text } from '../resolve/expressions.js'
import { periodAfter, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { type Fill, hasDimension, isDimension, isOfTime, type ResolvedDimension } from '../resolve/resolved-query.js'
import { equal, holds } from '../resolve/row-terms.js'
import { isSubDay } from '../resolve/time.js'
import { isAstride } from '../resolve/time-dimension.js'
import { leapsSince, timeZone } from '../time-zones/time-zone.js'
import { planPartsOf } from './block.js'
import { planRows } from './from.js'
import { counted, cross, crossed, daysOf, placesOf, spansOf } from './gap-spans.js'
import {
  type Combine,
  type Leg,
  type LogicalPlan,
  type NamedExpr,
  type Project,
  type Shared,
  sameColumn,
  staged,
} from './logical-plan.js'

/** Rows by dimensions, with values. */
interface RowsWithGaps {
  readonly rows: LogicalPlan
  readonly dimensions: readonly ResolvedDimension[]
  readonly values: Leg['values']
}

/** The existing rows and every missing period from the first to the last. */
export function filled({ rows, dimensions, values }: RowsWithGaps, fill: BoundFill): Combine {
  const columns = [...dimensions, ...values].map(({ name, type }) => ({ name, type }))
  const found: Shared = { kind: 'shared', alias: 'found_rows', input: rows, columns }
  const keys = dimensions.map(({ name, type }) => ({ name, type }))
  const [withValues, withoutGaps] = ['with_values', 'all_periods']
  const own = staged(
    found,
    withValues,
    columns.map((c) => sameColumn(c)),
  )
  const all = spineOf(found, fill, { dimensions, alias: withoutGaps })
  const periods = areTold(fill)
    ? all
    : unseen(
        all,
        found,
        dimensions.filter((d) => !hasDimension(fill.siblingGrains, d)),
      )
  return {
    kind: 'combine',
    alias: 'filled',
    keys,
    legs: [
      { input: own, name: withValues, contributesRows: true, values },
      { input: periods, name: periods.alias, contributesRows: true, values: [] },
    ],
    reason: 'every period between the first and the last, with rows or without',
  }
}

/** Whether the rows of a period have what is derived from it, so that it is the same row. */
const areTold = (fill: BoundFill): boolean => !isAstride(fill) && fill.calendars.every(({ isApart }) => !isApart)

type Column = Pick<NamedExpr, 'name' | 'type'>

/** Every period, with the columns of calendars that follow from it. */
function spineOf(
  found: Shared,
  fill: BoundFill,
  { dimensions, alias }: Pick<RowsWithGaps, 'dimensions'> & { readonly alias: string },
): Project {
  const { calendars } = fill
  if (calendars.length === 0) return leftSpine(found, fill, { dimensions, alias })
  const isOf = (d: ResolvedDimension, { columns }: Pick<CalendarColumns, 'columns'>): boolean =>
    columns.some(({ name }) => name === d.name)
  const own = dimensions.filter((d) => !calendars.some((calendar) => isOf(d, calendar)))
  const periods = leftSpine(found, fill, { dimensions: own, alias: 'periods' })
  const lookedUp = calendars.flatMap((one, i) => (one.kind === 'looked-up' ? [{ ...one, alias: aliasOf(i) }] : []))
  const computed = calendars.flatMap((one) => (one.kind === 'computed' ? one.columns : []))
  const value = new Map(computed.map((column) => [column.name, column]))
  const known =
    computed.length === 0
      ? periods
      : staged(
          periods,
          lookedUp.length === 0 ? alias : 'known_periods',
          dimensions
            .filter((d) => !lookedUp.some((calendar) => isOf(d, calendar)))
            .map((d) => value.get(d.name) ?? sameColumn(d, periods.alias)),
        )
  if (lookedUp.length === 0) return known
  const input = lookedUp.reduce<LogicalPlan>((left, calendar) => withLookedUp(left, calendar, relationOf(known, fill)), known)
  return staged(
    input,
    alias,
    dimensions.map((d) => sameColumn(d, lookedUp.find((calendar) => isOf(d, calendar))?.alias ?? known.alias)),
  )
}

const aliasOf = (at: number): string => (at === 0 ? 'calendar_periods' : `calendar_periods_${at + 1}`)

/** The periods in a row of the spine. */
const relationOf = ({ alias }: Project, { time }: BoundFill): RowExpr => relationColumn(alias, time.name, time.type)

function withLookedUp(
  left: LogicalPlan,
  { rows, period, columns, alias }: Extract<CalendarColumns, { kind: 'looked-up' }> & { readonly alias: string },
  at: RowExpr,
): LogicalPlan {
  const right: LogicalPlan = {
    kind: 'distinct',
    input: planRows(rows, planPartsOf()),
    alias,
    columns: [period, ...columns],
    reason: 'the columns of the calendar for each period',
  }
  return {
    kind: 'join',
    type: 'left',
    left,
    right,
    on: [equal(at, relationColumn(alias, period.name, period.type))],
    findsOne: true,
    label: { from: '', to: '', columns: [], reason: 'the columns of the calendar' },
  }
}

/** Only the periods with a day that the conditions on attributes of the calendar leave. */
function leftSpine(
  found: Shared,
  fill: BoundFill,
  { dimensions, alias }: Pick<RowsWithGaps, 'dimensions'> & { readonly alias: string },
): Project {
  const { time, days } = fill
  const { left } = days
  if (left === undefined) return spine(found, fill, { dimensions, alias })
  const every = spine(found, fill, { dimensions, alias: 'every_period' })
  const columns = dimensions.map((d) => sameColumn(d, every.alias))
  const reason = 'the periods that the conditions on the calendar leave'
  if (left.kind !== 'days') return staged({ kind: 'filter', input: every, condition: left, reason }, alias, columns)
  const isLong = !isSubDay(time.grain!)
  const name = freeName('period', dimensions)
  const type = isLong ? time.type : DATE
  const right = daysOf(left, 'periods_left', [{ name, type, expression: isLong ? truncated(time.grain!, left.day) : left.day }])
  const at = relationColumn(every.alias, time.name, time.type)
  const own: RowExpr = isLong ? at : { kind: 'cast', operand: at, type: DATE }
  const on = [equal(own, relationColumn(right.alias, name, type))]
  const label = { from: '', to: '', columns: [], reason }
  return staged({ kind: 'join', type: 'inner', left: every, right, on, label }, alias, columns)
}

/** Every period × the tuples of the other dimensions; if each tuple has its own first and last period, between those. */
function spine(
  found: Shared,
  fill: BoundFill,
  { dimensions, alias }: Pick<RowsWithGaps, 'dimensions'> & { readonly alias: string },
): Project {
  const { time, siblingGrains, perTuple, clocks } = fill
  const others = dimensions.filter((d) => !isOfTime(d, { time, siblingGrains }))
  const spans = spansOf(found, fill, perTuple ? others : [])
  const { numbers, conditions, count } = counted(spans, placesOf(spans), others)
  const tuples = 'tuples'
  const periods = crossed(spans.rows, numbers)
  const all = perTuple || others.length === 0 ? periods : cross(periods, distinctOf(found, others, tuples))
  const other = (d: ResolvedDimension): RowExpr => relationColumn(perTuple ? spans.rows!.alias : tuples, d.name, d.type)
  const number = { name: lastOf(numbers.names), type: INT, expression: count }
  const { first } = spans
  const rest = others.map((d) => ({ ...d, expression: other(d) }))
  const shownEver =
    typeof time.grain === 'string'
      ? wasShown(time, periodAfter(time.grain, number.expression, first.expression), clocks)
      : undefined
  const condition = allOf([...conditions, ...(shownEver ? [shownEver] : [])])!
  const input: LogicalPlan = { kind: 'filter', input: all, condition, reason: 'up to the last period' }
  if (typeof time.grain !== 'string') return inStages(input, { number, first, rest }, { time, siblingGrains, dimensions, alias })
  const period = periodAfter(time.grain, number.expression, first.expression)
  const shown = (d: ResolvedDimension): RowExpr => {
    if (isDimension(d, time)) return period
    return hasDimension(siblingGrains, d) ? truncated(d.grain!, period) : other(d)
  }
  return staged(
    input,
    alias,
    dimensions.map((d) => ({ ...d, expression: shown(d) })),
  )
}

/** Whether clocks ever showed a time of the period; `undefined` if they skipped none of its length. */
function wasShown(
  { grain, members, type }: ResolvedDimension,
  period: RowExpr,
  { zone, naiveZone }: BoundFill['clocks'],
): RowExpr | undefined {
  const isMoved = members.some((m) => m.type.kind === 'timestamp_tz' || (isInDefaultZone(m.type) && naiveZone !== undefined))
  const skipped = isMoved ? leapsSince(timeZone(zone)!, 0, true).at(-1) : undefined
  if (skipped === undefined || (!isSubDay(grain!) && (grain !== 'day' || skipped < A_DAY))) return undefined
  const start: RowExpr = type.kind === 'date' ? { kind: 'cast', operand: period, type: TIMESTAMP } : period
  const named = call<RelationColumn>('from_zone', start, text(zone))
  return binary('=', truncated(grain!, call('in_zone', named, text(zone))), period)
}

const A_DAY = 86_400

/**
 * The periods and tuples without rows: a week that rows show in one month, or in two, is not added in the month of its first day, nor a day
 * that rows show without what another calendar says about it.
 */
function unseen(all: Project, found: Shared, keys: readonly ResolvedDimension[]): Project {
  const hit = freeName('hit', keys)
  const seen = staged(distinctOf(found, keys, 'periods_with_rows'), 'seen', [
    ...keys.map((key) => sameColumn(key)),
    { name: hit, type: INT, expression: integer(1) },
  ])
  const on = keys.map(({ name, type }) =>
    holds(sameOrBothNull<RelationColumn>(relationColumn(all.alias, name, type), relationColumn(seen.alias, name, type))),
  )
  const label = { from: '', to: '', columns: [], reason: 'the periods that have rows' }
  const beside: LogicalPlan = { kind: 'join', type: 'left', left: all, right: seen, on, label }
  const condition = isNull(relationColumn(seen.alias, hit, INT))
  const input: LogicalPlan = { kind: 'filter', input: beside, condition, reason: 'periods without rows' }
  return staged(
    input,
    'periods_without_rows',
    all.columns.map((column) => sameColumn(column, all.alias)),
  )
}

/**
 * A period of a calendar is a long expression: its inputs are computed in a subquery before it, and the period in one before the
 * expressions that use it.
 */
function inStages(
  input: LogicalPlan,
  { number, first, rest }: { readonly number: NamedExpr; readonly first: NamedExpr; readonly rest: readonly NamedExpr[] },
  {
    time,
    siblingGrains,
    dimensions,
    alias,
  }: Pick<Fill, 'time' | 'siblingGrains'> & Pick<RowsWithGaps, 'dimensions'> & { readonly alias: string },
): Project {
  const counted = staged(input, 'numbered', [number, first, ...rest])
  const [count, from] = both([number, first], (column): RowExpr => relationColumn(counted.alias, column.name, column.type))
  const period = { ...time, expression: periodAfter(time.grain!, count, from) }
  const begun = staged(counted, 'begun', [period, ...rest.map((column) => sameColumn(column, counted.alias))])
  const start = relationColumn(begun.alias, time.name, time.type)
  const shown = (d: ResolvedDimension): NamedExpr =>
    hasDimension(siblingGrains, d) ? { ...d, expression: truncated(d.grain!, start) } : sameColumn(d, begun.alias)
  return staged(begun, alias, dimensions.map(shown))
}

function distinctOf(input: LogicalPlan, columns: readonly Column[], alias: string): LogicalPlan {
  return {
    kind: 'distinct',
    input,
    alias,
    columns: columns.map((c) => sameColumn(c)),
    reason: 'the tuples of the other dimensions',
  }
}
