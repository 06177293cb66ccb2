/** Windows that begin before the first period in which the base of a running value has rows are not full (`onlyFull`). */
import { type CalendarGrain, type Grain, lengthOfGrain, unitOfGrain, type WeekStart } from '../model/grain.js'
import type { CumulativeMetric } from '../model/semantic-model.js'
import type { Range } from '../time-zones/ranges.js'
import { timeLiteral } from './bucket.js'
import { binary, integer } from './expressions.js'
import { periodAfter, startAway, truncated } from './grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Nested, PeriodWindow } from './resolved-query.js'
import { floor } from './time.js'

/** A value, or NULL if its window is not full. */
export const whenFull = (isFull: RowExpr, value: RowExpr): RowExpr => ({
  kind: 'case',
  branches: [{ when: isFull, then: value }],
  otherwise: undefined,
})

/** The period with which the window of a row begins; it has a beginning. */
export function beginOf({ own, grain, periods, unit, toDate, period, since }: PeriodWindow): RowExpr {
  if (since) return since
  if (toDate !== undefined || periods === undefined) return truncated(toDate ?? grain, own)
  if (unit === undefined || unit === grain) return periodAfter(grain, integer(1 - periods), own)
  const before = startAway<RelationColumn>(grain, [unit, -periods], { value: own, type: period.type, isStart: true })
  return periodAfter(grain, integer(1), before)
}

/** In which periods the first rows are read where rows do not show the time, or show longer periods. */
export function grainOfFirst(metric: CumulativeMetric): Grain {
  const unit = unitOf(metric)
  return metric.cumulativeType || lengthOfGrain(unit) <= lengthOfGrain('day') ? unit : 'day'
}

/** A period and the shorter ones of which it consists. */
const WITHIN: Readonly<Record<string, readonly CalendarGrain['unit'][]>> = {
  year: ['year', 'quarter', 'month'],
  quarter: ['quarter', 'month'],
  month: ['month'],
}

/**
 * The longest period, not longer than the unit of the window, of which whole ones make up a range; otherwise days. So a range of one month is full
 * from the month of the first rows, like a row of that month.
 */
export function unitOfFull(metric: CumulativeMetric, { from, to }: Range, weekStart: WeekStart): Grain {
  const unit = unitOf(metric)
  if (metric.cumulativeType || lengthOfGrain(unit) <= lengthOfGrain('day')) return unit
  const isEdge = (at: bigint | undefined, grain: Grain): boolean => at === undefined || floor(at, grain, weekStart) === at
  const periods = (WITHIN[unitOfGrain(unit)] ?? []).map((name) => ofCalendar(unit, name))
  return periods.find((grain) => isEdge(from, grain) && isEdge(to, grain)) ?? 'day'
}

const unitOf = ({ windowGrain, grainToDate }: CumulativeMetric): Grain => windowGrain ?? grainToDate ?? 'day'

const ofCalendar = (grain: Grain, unit: CalendarGrain['unit']): Grain =>
  typeof grain === 'string' ? unit : ({ ...grain, name: `${grain.calendar.name}_${unit}`, unit } satisfies CalendarGrain)

/** The first period in which a base has rows, read in periods of a grain. */
export interface FirstPeriod extends Pick<Nested, 'name' | 'type'> {
  readonly grain: Grain
}

export const columnOf = ({ name, type }: FirstPeriod): RowExpr => relationColumn('', name, type)

/** The first period, in periods that are not shorter. */
export const firstIn = (unit: Grain, first: FirstPeriod): RowExpr =>
  unit === first.grain ? columnOf(first) : truncated<RelationColumn>(unit, columnOf(first))

/** Whether a window that begins at a known time begins no earlier than the period of the first rows. */
export function isFullFrom(begin: bigint, unit: Grain, first: FirstPeriod, weekStart: WeekStart): RowExpr {
  const at = first.type.kind === 'date' ? floor(begin, 'day', weekStart) : begin
  return binary<RelationColumn>('<=', firstIn(unit, first), timeLiteral(at, first.type))
}
