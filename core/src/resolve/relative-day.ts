import type { RelativeDay } from '../model/calendar-table.js'
import { type Clock, currentPeriod } from './clock.js'
import { floor, MICROS_PER_DAY, type Micros, shift } from './time.js'

/** The local midnight with which such a day begins. */
export function relativeDay(day: RelativeDay, clock: Clock): Micros {
  if (day.kind === 'ago') return currentPeriod(clock, 'day') - BigInt(day.days) * MICROS_PER_DAY
  const start = currentPeriod(clock, day.grain)
  return day.end === 'start' ? start : floor(shift(start, day.grain, 1), day.grain, clock.weekStart) - MICROS_PER_DAY
}
