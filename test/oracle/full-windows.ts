/** Whether the window of a running value begins before the first period in which its base has rows (`onlyFull`). */
import { lengthOf } from './calendar.js'
import type { MetricJson } from './model.js'
import { periodRange, type Range } from './moved-range.js'
import { compare, type Value } from './values.js'
import type { World } from './world.js'

/** Periods are those of the rows; a value is not full if its base never has a row. */
export const isFullFrom = (from: Value, first: Value): boolean => first !== null && compare(from, first) >= 0

/** The first period of some, which may be NULL. */
export const firstOfPeriods = (periods: readonly Value[]): Value =>
  periods.filter((period) => period !== null).toSorted(compare)[0] ?? null

/** In which periods the base is read where rows do not show the time, or show longer periods. */
export function grainOfFirst({ cumulativeType, windowGrain, grainToDate }: MetricJson): string {
  const unit = (windowGrain ?? grainToDate)!
  return cumulativeType !== undefined || lengthOf(unit) < lengthOf('day') ? unit : 'day'
}

/**
 * The longest period, not longer than the unit of the window, of which whole ones make up the range; otherwise days. A range of one month begins
 * with the month in which the first rows are, like a row of that month.
 */
export function unitOfFull(world: World, { cumulativeType, windowGrain, grainToDate }: MetricJson, range: Range): string {
  const unit = (windowGrain ?? grainToDate)!
  if (cumulativeType !== undefined || lengthOf(unit) <= lengthOf('day')) return unit
  const [, calendar = '', last = unit] = /^(?:(.*)_)?([a-z]+)$/.exec(unit) ?? []
  const shorter = ['year', 'quarter', 'month'].slice(['year', 'quarter', 'month'].indexOf(last))
  const named = last === 'week' ? [] : shorter.map((name) => (calendar === '' ? name : `${calendar}_${name}`))
  const isEdge = (at: number | undefined, grain: string): boolean => at === undefined || periodRange(grain, at, world).from === at
  return named.find((grain) => isEdge(range.from, grain) && isEdge(range.until, grain)) ?? 'day'
}
