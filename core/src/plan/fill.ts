import type { BoundFill } from '../bind/bound-query.js'
import { both, lastOf } from '../invariant.js'
import { INT, isInDefaultZone, TIMESTAMP } from '../model/data-type.js'
import { type Grain, type TimeGrain, unitOfGrain } from '../model/grain.js'
import { freeName } from '../resolve/aliases.js'
import { allOf, binary, call, integer, isNull, sameOrBothNull, text } from '../resolve/expressions.js'
import { periodAfter, periodsBetween, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { type Fill, hasDimension, isDimension, isOfTime, type ResolvedDimension } from '../resolve/resolved-query.js'
import { equal, holds } from '../resolve/row-terms.js'
import { isSubDay } from '../resolve/time.js'
import { leapsSince, timeZone } from '../time-zones/time-zone.js'
import { planPartsOf } from './block.js'
import { planRows } from './from.js'
import {
  type Combine,
  type Leg,
  type LogicalPlan,
  type NamedExpr,
  type Numbers,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
  staged,
} from './logical-plan.js'

/** Rows by dimensions, with values. */
interface Found {
  readonly rows: LogicalPlan
  readonly dimensions: readonly ResolvedDimension[]
  readonly values: Leg['values']
}

/** The existing rows and every missing period from the first to the last. */
export function filled({ rows, dimensions, values }: Found, fill: BoundFill): Combine {
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
  const nests = fill.time.grain !== 'week' || fill.siblingGrains.every(({ grain }) => grain === undefined)
  const periods = nests
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

type Column = Pick<NamedExpr, 'name' | 'type'>

/** Every period, with the columns of a calendar that follow from it. */
function spineOf(
  found: Shared,
  fill: BoundFill,
  { dimensions, alias }: Pick<Found, 'dimensions'> & { readonly alias: string },
): Project {
  const { calendar, time } = fill
  if (!calendar) return spine(found, fill, { dimensions, alias })
  const { columns } = calendar
  const follows = (d: ResolvedDimension): boolean => columns.some(({ name }) => name === d.name)
  const periods = spine(found, fill, { dimensions: dimensions.filter((d) => !follows(d)), alias: 'periods' })
  if (calendar.kind === 'computed') {
    const value = new Map(columns.map((column) => [column.name, column]))
    return staged(
      periods,
      alias,
      dimensions.map((d) => value.get(d.name) ?? sameColumn(d, periods.alias)),
    )
  }
  const { rows, period } = calendar
  const known: LogicalPlan = {
    kind: 'distinct',
    input: planRows(rows, planPartsOf()),
    alias: 'calendar_periods',
    columns: [period, ...columns],
    reason: 'the columns of the calendar for each period',
  }
  const at = (table: string, { name, type }: Column): RowExpr => relationColumn(table, name, type)
  const input: LogicalPlan = {
    kind: 'join',
    type: 'left',
    left: periods,
    right: known,
    on: [equal(at(periods.alias, time), at('calendar_periods', period))],
    findsOne: true,
    label: { from: '', to: '', columns: [], reason: 'the columns of the calendar' },
  }
  return staged(
    input,
    alias,
    dimensions.map((d) => sameColumn(d, follows(d) ? 'calendar_periods' : periods.alias)),
  )
}

/** Every period × the tuples of the other dimensions; if each tuple has its own first and last period, between those. */
function spine(
  found: Shared,
  { time, siblingGrains, perTuple, clocks }: BoundFill,
  { dimensions, alias }: Pick<Found, 'dimensions'> & { readonly alias: string },
): Project {
  const others = dimensions.filter((d) => !isOfTime(d, { time, siblingGrains }))
  const spans = inParts(spansOf(found, time, perTuple ? others : []), time.grain!)
  const { numbers, conditions, count } = counted(spans, placesOf(time.grain!), others)
  const tuples = 'tuples'
  const periods = cross(spans.rows, numbers)
  const all = perTuple || others.length === 0 ? periods : cross(periods, distinctOf(found, others, tuples))
  const other = (d: ResolvedDimension): RowExpr => relationColumn(perTuple ? spans.alias : tuples, d.name, d.type)
  const number = { name: lastOf(numbers.names), type: INT, expression: count }
  const first = sameColumn(spans.first, spans.alias)
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

/** The maximum number of digits of a number of periods: from the first possible date to the last. */
const DIGITS: Readonly<Record<TimeGrain, number>> = {
  second: 12,
  minute: 10,
  hour: 8,
  day: 7,
  week: 6,
  month: 6,
  quarter: 5,
  year: 5,
}
/** The number of digits that are generated at once. Not every engine removes numbers that are too high before it has generated the rest. */
const AT_ONCE = 7

/** The decimal places that are generated together, from the highest on. */
function placesOf(grain: Grain): readonly number[] {
  const digits = Math.min(DIGITS[unitOfGrain(grain)], AT_ONCE)
  return Array.from({ length: digits }, (_, i) => 10 ** (digits - 1 - i))
}

/** A first period, and the number of periods to the last one; `begun` is the part that has been generated. */
interface Spans {
  readonly rows: Project
  readonly alias: string
  readonly tuple: readonly ResolvedDimension[]
  readonly first: NamedExpr
  readonly later: string
  readonly begun: string | undefined
}

/** If there can be more periods than are generated at once: a row for each of the greatest parts of their number. */
function inParts(spans: Spans, grain: Grain): Spans {
  const digits = DIGITS[unitOfGrain(grain)]
  if (digits <= AT_ONCE) return spans
  const places = Array.from({ length: digits - AT_ONCE }, (_, i) => 10 ** (digits - 1 - i))
  const { numbers, conditions, count } = counted(spans, places, spans.tuple)
  const input: LogicalPlan = {
    kind: 'filter',
    input: cross(spans.rows, numbers),
    condition: allOf(conditions)!,
    reason: 'up to the last part',
  }
  const own = [...spans.tuple, spans.first, { name: spans.later, type: INT }].map((column) => sameColumn(column, spans.alias))
  const [alias, begun] = ['parts', freeName('begun', own)]
  const rows = staged(input, alias, [...own, { name: begun, type: INT, expression: count }])
  return { ...spans, rows, alias, begun }
}

/** The numbers of periods, such that none of them, rounded or not, exceeds the last. */
function counted({ alias, later, begun }: Spans, places: readonly number[], beside: readonly ResolvedDimension[]) {
  const names = places.map((place) => freeName(place === 1 ? 'n' : `n_${place}`, beside))
  const numbers: Numbers = { kind: 'numbers', alias: 'digits', names, places }
  const counts = names.map((name): RowExpr => {
    const number = relationColumn('', name, INT)
    return begun === undefined ? number : binary('+', relationColumn(alias, begun, INT), number)
  })
  const conditions = counts.map((count) => binary('<=', count, relationColumn(alias, later, INT)))
  return { numbers, conditions, count: lastOf(counts) }
}

/** The first period of all rows, or of each tuple, and the number of periods to the last one. */
function spansOf(found: Shared, time: ResolvedDimension, tuple: readonly ResolvedDimension[]): Spans {
  const [first, last] = both(['first', 'last'], (name) => freeName(name, tuple))
  const later = freeName('later', tuple)
  const at = relationColumn('', time.name, time.type)
  const ends: LogicalPlan = {
    kind: 'aggregate',
    input: found,
    alias: 'ends',
    keys: tuple.map((d) => sameColumn(d)),
    aggregates: [plainAggregate(first, 'min', [at], time.type), plainAggregate(last, 'max', [at], time.type)],
    reason: 'the first and the last period',
  }
  const [from, to] = both([first, last], (name): RowExpr => relationColumn('', name, time.type))
  const alias = 'spans'
  const rows = staged(ends, alias, [
    ...tuple.map((d) => sameColumn(d)),
    { name: first, type: time.type, expression: from },
    { name: later, type: INT, expression: periodsBetween(time.grain!, from, to) },
  ])
  return { rows, alias, tuple, first: { name: first, type: time.type, expression: from }, later, begun: undefined }
}

/** The periods and tuples without rows: a week that rows show in one month, or in two, is not added in the month of its first day. */
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
  }: Pick<Fill, 'time' | 'siblingGrains'> & Pick<Found, 'dimensions'> & { readonly alias: string },
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

function cross(left: LogicalPlan, right: LogicalPlan): LogicalPlan {
  const label = { from: '', to: '', columns: [], reason: 'each with each' }
  return { kind: 'join', type: 'cross', left, right, on: [], label }
}
