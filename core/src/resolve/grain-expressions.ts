/**
 * Truncating, shifting and counting by any grain, as expressions that every dialect supports. The periods of a calendar are arithmetic over
 * dates, as `calendar-days.ts` defines it for known days.
 */
import { DATE, type DataType } from '../model/data-type.js'
import { type Expr, nodeOf } from '../model/expression/ast.js'
import {
  type CalendarGrain,
  type Grain,
  lengthOfGrain,
  type MonthCalendar,
  type TimeGrain,
  type WeekCalendar,
} from '../model/grain.js'
import { binary, call, integer, text } from './expressions.js'
import type { RowExpr } from './relation-column.js'

/** The start of the period that contains `value`. */
export function truncated<L>(grain: Grain, value: Expr<L>): Expr<L> {
  if (typeof grain === 'string') return cut(grain, value)
  const { calendar, unit } = grain
  if (calendar.kind === 'months')
    return onCalendar(calendar, value, (day) => cutYearFrom(calendar.month % MONTHS[unit]!, unit, day))
  if (unit === 'week') return startOfWeek(value, calendar)
  const year = startOfYear(yearOf(value, calendar), calendar)
  if (unit === 'year') return year
  const week = div(daysBetween(year, value), 7)
  const into = unit === 'quarter' ? times(91, quarterOfWeek(week)) : times(7, weekOfMonth(monthOfWeek(week, calendar), calendar))
  return moveBy('day', into, year)
}

/** The value whose day this is, where it is a date, which is its own day; any other expression unchanged. */
export function dateItself(value: RowExpr): RowExpr {
  const [unit, date] = value.kind === 'call' && value.name === 'date_trunc' ? value.args : []
  const isDay = unit?.kind === 'literal' && unit.value === 'day'
  return isDay && date?.kind === 'column' && date.type.kind === 'date' ? date : value
}

/**
 * The start of the period that is `count` periods after the one that begins at `start`, which must be the start of a month of the calendar
 * at least.
 */
export function periodAfter<L>(grain: Grain, count: Expr<L>, start: Expr<L>): Expr<L> {
  if (typeof grain === 'string') return moveBy(grain, count, start)
  const { calendar, unit } = grain
  if (calendar.kind === 'months') return onCalendar(calendar, start, (day) => moveBy(unit, count, day))
  return unit === 'week' ? moveBy(unit, count, start) : startOfMonth(moveBy(unit, count, monthFrom(start, calendar)), calendar)
}

/** The number of periods between two starts. */
export function periodsBetween<L>(grain: Grain, from: Expr<L>, to: Expr<L>): Expr<L> {
  if (typeof grain === 'string') return call('date_diff', text(grain), from, to)
  const { calendar, unit } = grain
  if (calendar.kind === 'months') return call('date_diff', text(unit), from, to)
  if (unit === 'week') return div(daysBetween(from, to), 7)
  const months = call('date_diff', text('month'), ...[from, to].map((start) => monthFrom(start, calendar)))
  return unit === 'month' ? months : div(months, MONTHS[unit]!)
}

/** `value`, of `type`, `count` units later: the same number of days into its month, or the last day of a shorter one. */
function moved<L>(grain: Grain, count: number, value: Expr<L>, type: DataType): Expr<L> {
  if (typeof grain === 'string') return moveBy(grain, integer(count), value)
  const { calendar, unit } = grain
  if (calendar.kind === 'months' || unit === 'week') return periodAfter(grain, integer(count), value)
  const day = unit === 'year' ? movedByYears(count, value, calendar) : movedByMonths(grain, count, value, calendar)
  return type.kind === DATE.kind ? day : moveBy('day', daysBetween(value, day), value)
}

/** The start of the period of `grain` that is `count` units away from a value, or from the start of such a period if it `isStart`. */
export function startAway<L>(
  grain: Grain,
  [unit, count]: readonly [Grain, number],
  { value, type, isStart }: { readonly value: Expr<L>; readonly type: DataType; readonly isStart: boolean },
): Expr<L> {
  const known = isStart && staysOnStarts(grain, unit)
  const there = known ? periodAfter(unit, integer(count), value) : moved(unit, count, value, type)
  return known && lengthOfGrain(unit) >= lengthOfGrain(grain) ? there : truncated(grain, there)
}

/** The start of the period of `grain` that contains a value after these moves are undone, the last one first. */
export const startBefore = <L>(
  grain: Grain,
  moves: readonly { readonly unit: Grain; readonly count: number }[],
  { value, type }: { readonly value: Expr<L>; readonly type: DataType },
): Expr<L> =>
  truncated(
    grain,
    moves.reduceRight((at, { unit, count }) => moved(unit, -count, at, type), value),
  )

/** Whether starts of periods are still starts of a month, or of the same week, after a shift by units of one calendar. */
const staysOnStarts = (grain: Grain, unit: Grain): boolean =>
  typeof grain === 'object' &&
  typeof unit === 'object' &&
  grain.calendar === unit.calendar &&
  (grain.unit !== 'week' || unit.unit === 'week')

// ---- months that begin on another day -----------------------------------------------------------------------------------------------

const MONTHS: Partial<Record<TimeGrain, number>> = { month: 1, quarter: 3, year: 12 }

/** Applies `change` to the value as if months began on the first: it shifts the value to such months and back. */
const onCalendar = <L>({ day }: MonthCalendar, value: Expr<L>, change: (value: Expr<L>) => Expr<L>): Expr<L> =>
  add('day', day - 1, change(add('day', 1 - day, value)))

/** Years and quarters that begin so many calendar months later. */
const cutYearFrom = <L>(months: number, unit: TimeGrain, value: Expr<L>): Expr<L> =>
  add('month', months, cut(unit, add('month', -months, value)))

// ---- years of whole weeks -----------------------------------------------------------------------------------------------------------

const startOfWeek = <L>(value: Expr<L>, { weekOffset }: WeekCalendar): Expr<L> =>
  add('day', weekOffset, cut('week', add('day', -weekOffset, value)))

/** The first of the calendar month near which the year of `value` begins; a year that begins in this week has begun already. */
const yearOf = <L>(value: Expr<L>, calendar: WeekCalendar): Expr<L> =>
  cutYearFrom(calendar.month, 'year', add('day', 6 - calendar.reach, startOfWeek(value, calendar)))

const startOfYear = <L>(first: Expr<L>, calendar: WeekCalendar): Expr<L> =>
  startOfWeek(add('day', calendar.reach, first), calendar)

/**
 * The first of the calendar month that corresponds to the month of weeks that begins at `start`. After so many days, it has certainly
 * begun.
 */
const monthFrom = <L>(start: Expr<L>, { reach }: WeekCalendar): Expr<L> => cut('month', add('day', 16 - reach, start))

function startOfMonth<L>(month: Expr<L>, calendar: WeekCalendar): Expr<L> {
  const number = binary('+', call('extract', text('month'), month), integer(11 - calendar.month))
  const weeks = weekOfMonth(call('mod', number, integer(12)), calendar)
  return moveBy('day', times(7, weeks), startOfYear(cutYearFrom(calendar.month, 'year', month), calendar))
}

/** From 0. Three months have thirteen weeks, and the 53rd week of a year counts as the 52nd. */
const monthOfWeek = <L>(week: Expr<L>, { longMonth }: WeekCalendar): Expr<L> =>
  div(plus(times(3, div(plus(times(51, week), 51), 52)), longMonth), 13)
const weekOfMonth = <L>(month: Expr<L>, { longMonth }: WeekCalendar): Expr<L> => div(plus(times(13, month), 2 - longMonth), 3)
/** From 0; the 53rd week is in the last one. */
const quarterOfWeek = <L>(week: Expr<L>): Expr<L> => div(plus(times(4, week), 3), 53)

function movedByYears<L>(count: number, value: Expr<L>, calendar: WeekCalendar): Expr<L> {
  const year = yearOf(value, calendar)
  const days = daysBetween(startOfYear(year, calendar), value)
  return within(days, (more) => startOfYear(moveBy('year', integer(count + more), year), calendar))
}

function movedByMonths<L>({ unit }: CalendarGrain, count: number, value: Expr<L>, calendar: WeekCalendar): Expr<L> {
  const start = truncated({ name: '', unit: 'month', calendar }, value)
  const month = moveBy(unit, integer(count), monthFrom(start, calendar))
  return within(daysBetween(start, value), (more) => startOfMonth(add('month', more, month), calendar))
}

/** So many days into a period, or its last day; `starts` returns the start of it and of the next. */
const within = <L>(days: Expr<L>, starts: (more: 0 | 1) => Expr<L>): Expr<L> =>
  call('least', moveBy('day', days, starts(0)), add('day', -1, starts(1)))

// ---- expressions --------------------------------------------------------------------------------------------------------------------

const cut = <L>(unit: TimeGrain, value: Expr<L>): Expr<L> => call('date_trunc', text(unit), value)
const moveBy = <L>(unit: TimeGrain, count: Expr<L>, value: Expr<L>): Expr<L> => call('date_add', text(unit), count, value)
const daysBetween = <L>(from: Expr<L>, to: Expr<L>): Expr<L> => call('date_diff', text('day'), from, to)
const div = <L>(value: Expr<L>, by: number): Expr<L> => call('div', value, integer(by))
const times = <L>(by: number, value: Expr<L>): Expr<L> => binary('*', integer(by), value)
const plus = <L>(value: Expr<L>, more: number): Expr<L> => (more === 0 ? value : binary('+', value, integer(more)))

/** Adjacent shifts by days become one number, and a shift by none is omitted. */
function add<L>(unit: 'day' | 'month', count: number, value: Expr<L>): Expr<L> {
  const known = unit === 'day' ? daysAdded(value) : undefined
  if (known) return add(unit, count + known.count, known.to)
  return count === 0 ? value : moveBy(unit, integer(count), value)
}

function daysAdded<L>(value: Expr<L>): { readonly count: number; readonly to: Expr<L> } | undefined {
  const node = nodeOf(value)
  if (node?.kind !== 'call' || node.name !== 'date_add') return undefined
  const [unit, count] = node.args.map((arg) => nodeOf(arg))
  const to = node.args[2]
  if (unit?.kind !== 'literal' || unit.value !== 'day' || count?.kind !== 'literal' || to === undefined) return undefined
  return { count: Number(count.value), to }
}
