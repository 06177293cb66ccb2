/** Ranges of local times, and the ranges with which they are compared (docs/time.md). */
import { type CalendarGrain, type Grain, lengthOfGrain, unitOfGrain, type WeekStart } from '../model/grain.js'
import type { Range } from '../time-zones/ranges.js'
import { floor, isSubDay, MICROS_PER_DAY, type Micros, shift } from './time.js'

/** How far a range is moved: by periods, to the first period of a longer one, or by its own length. */
export type Move =
  | { readonly kind: 'by'; readonly unit: Grain; readonly count: number }
  | { readonly kind: 'to-first'; readonly of: Grain }
  | { readonly kind: 'lengths'; readonly count: number }

/** The periods that a level shows; without a grain, the level does not show the time. */
export interface LevelPeriods {
  readonly grain: Grain | undefined
  readonly weekStart: WeekStart
}

/** A range with two ends. */
export type Span = Range & { readonly from: Micros; readonly to: Micros }

export const isSpan = (range: Range): range is Span => range.from !== undefined && range.to !== undefined

/** The period that contains a time. */
export function periodAt(at: Micros, grain: Grain, weekStart: WeekStart): Span {
  const from = floor(at, grain, weekStart)
  return { from, to: shift(from, grain, 1) }
}

/** The range with which a range is compared; it can be empty. A missing end stays missing. */
export function movedRange(range: Range, move: Move, level: LevelPeriods): Range {
  if (move.kind === 'lengths') {
    if (!isSpan(range)) return range
    return byLength(range, (range.to - range.from) * BigInt(move.count))
  }
  if (move.kind === 'to-first') return movedToFirst(range, move.of, level)
  const { unit, count } = move
  const length = lengthOf(unit)
  if (length !== undefined) return byLength(range, length * BigInt(count))
  const { grain, weekStart } = level
  if (grain === undefined || lengthOfGrain(grain) > lengthOfGrain(unit) || range.from === undefined)
    return byMonths(range, unit, count, weekStart)
  const own = periodAt(range.from, grain, weekStart)
  const there = periodAt(movedTime(own.from, unit, count, weekStart), grain, weekStart)
  if (own.from === range.from && own.to === range.to) return there
  // A part of a week keeps its weekdays.
  return unitOfGrain(grain) === 'week' ? byLength(range, there.from - own.from) : byMonths(range, unit, count, weekStart)
}

/** How many periods after the one that begins at a time another one begins, not before it. */
export function periodsFrom(from: Micros, to: Micros, grain: Grain): number {
  const length = lengthOf(grain)
  if (length !== undefined) return Number((to - from) / length)
  let count = 0
  for (let at = from; at < to; at = shift(from, grain, count)) count += 1
  return count
}

/** The first period of a longer one is as many periods of the level away. */
function movedToFirst(range: Range, of: Grain, { grain, weekStart }: LevelPeriods): Range {
  if (grain === undefined || range.from === undefined) return { from: undefined, to: undefined }
  const own = periodAt(range.from, grain, weekStart)
  const first = periodAt(floor(own.from, of, weekStart), grain, weekStart)
  if (own.from === range.from && own.to === range.to) return first
  const length = lengthOf(grain)
  if (length !== undefined) return byLength(range, first.from - own.from)
  let count = 0
  for (let at = own.from; at > first.from; at = shift(at, grain, -1)) count -= 1
  return byMonths(range, grain, count, weekStart)
}

const byLength = ({ from, to }: Range, by: Micros): Range => ({
  from: from === undefined ? undefined : from + by,
  to: to === undefined ? undefined : to + by,
})

/** Both ends by months: a day that does not exist becomes the last of its month, and the end of a whole last month is an end of a month. */
function byMonths({ from, to }: Range, unit: Grain, count: number, weekStart: WeekStart): Range {
  const moved = (at: Micros): Micros => movedTime(at, unit, count, weekStart)
  return {
    from: from === undefined ? undefined : moved(from),
    to:
      to === undefined
        ? undefined
        : endsWholeMonth({ from, to }, unit, weekStart) || !isMidnight(to)
          ? moved(to)
          : moved(to - MICROS_PER_DAY) + MICROS_PER_DAY,
  }
}

function endsWholeMonth(
  { from, to }: { readonly from: Micros | undefined; readonly to: Micros },
  unit: Grain,
  weekStart: WeekStart,
): boolean {
  const month = monthOf(unit)
  return floor(to, month, weekStart) === to && (from === undefined || from <= shift(to, month, -1))
}

/** The same number of days into the month so many units later, or the last day of a shorter month, at the same time of day. */
export function movedTime(at: Micros, unit: Grain, count: number, weekStart: WeekStart): Micros {
  const length = lengthOf(unit)
  if (length !== undefined) return at + length * BigInt(count)
  const month = monthOf(unit)
  const start = floor(at, month, weekStart)
  const there = shift(start, month, count * MONTHS[unitOfGrain(unit)]!)
  const lastDay = shift(there, month, 1) - MICROS_PER_DAY
  const ofDay = floor(at, 'day', weekStart)
  const day = there + (ofDay - start)
  return least(day, lastDay) + (at - ofDay)
}

const least = (a: Micros, b: Micros): Micros => (a < b ? a : b)

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

/** The month of the calendar of a unit. */
const monthOf = (unit: Grain): Grain =>
  typeof unit === 'string' ? 'month' : ({ ...unit, name: `${unit.calendar.name}_month`, unit: 'month' } satisfies CalendarGrain)

/** The length of a unit whose periods have one by the clock. */
function lengthOf(unit: Grain): Micros | undefined {
  const name = unitOfGrain(unit)
  if (name === 'week') return 7n * MICROS_PER_DAY
  if (name === 'day') return MICROS_PER_DAY
  return isSubDay(unit) ? shift(0n, unit, 1) : undefined
}

const isMidnight = (at: Micros): boolean => at % MICROS_PER_DAY === 0n
