import type { RelativeDay } from '../model/calendar-table.js'
import type { Grain, TimeGrain, WeekStart } from '../model/grain.js'
import { zoneOffset } from '../result/zone-offset.js'
import { floor, MICROS_PER_DAY, type Micros, shift } from './time.js'

/** The present for a query. */
export interface Clock {
  /** The current local time in the zone. */
  readonly wall: Micros
  readonly zone: string
  readonly weekStart: WeekStart
}

/** The periods that were read from a clock. An answer that depends on them is correct as long as every one is still the current period. */
export interface Readings {
  readonly zone: string
  readonly weekStart: WeekStart
  readonly starts: ReadonlyMap<TimeGrain, Micros>
}

/** The time of a query in a zone, for its relative periods. */
export function clockAt(now: Date, zone: string, weekStart: WeekStart): Clock {
  const instant = BigInt(now.getTime()) * 1000n
  return { wall: instant + BigInt(zoneOffset(zone)?.(instant) ?? 0) * 1_000_000n, zone, weekStart }
}

/** Local time at the start of the current period. */
export const currentPeriod = ({ wall, weekStart }: Clock, unit: Grain): Micros => floor(wall, unit, weekStart)

/** The local midnight with which such a day begins. */
export function relativeDay(day: RelativeDay, clock: Clock): Micros {
  if (day.kind === 'ago') return currentPeriod(clock, 'day') - BigInt(day.days) * MICROS_PER_DAY
  const start = currentPeriod(clock, day.grain)
  return day.end === 'start' ? start : floor(shift(start, day.grain, 1), day.grain, clock.weekStart) - MICROS_PER_DAY
}

/** The current periods of these units. The day determines the period of a calendar. */
export function readingsOf(clock: Clock, units: Iterable<Grain>): Readings {
  const read = [...units].map((unit) => (typeof unit === 'string' ? unit : 'day'))
  const { zone, weekStart } = clock
  return { zone, weekStart, starts: new Map(read.map((unit) => [unit, currentPeriod(clock, unit)])) }
}

/** Whether a clock at `now` gives the same periods. */
export function stillReads({ zone, weekStart, starts }: Readings, now: Date): boolean {
  if (starts.size === 0) return true
  const clock = clockAt(now, zone, weekStart)
  for (const [unit, start] of starts) if (currentPeriod(clock, unit) !== start) return false
  return true
}

/** The clock and calendar of the conditions, one per query. */
export interface TimeContext {
  readonly clock: Clock
  readonly zone: string
  readonly weekStart: WeekStart
  /** The zone of timestamps without zone; `undefined` if they are not converted. */
  readonly naiveZone: string | undefined
  /** The zone in which stored instants are days, where it is not that of the query: of keys that of the data, of access rules that of the model. */
  readonly daysIn?: string
  /** The query has a time zone, but the zone of timestamps without zone is unknown. */
  readonly leavesNaive: boolean
}
