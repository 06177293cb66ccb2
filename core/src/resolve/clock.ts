import type { Grain, TimeGrain, WeekStart } from '../model/grain.js'
import { zoneOffset } from '../result/zone-offset.js'
import { floor, type Micros } from './time.js'

/** What a question learns of the present: in which period of a calendar it is asked. It remembers what it was asked. */
export interface Clock {
  /** Wall-clock start of the period that it is now, in the question's zone. */
  current(unit: Grain): Micros
  readonly readings: Readings
}

/** What was read of a clock: an answer that rests on it stays right as long as every period is still the current one. */
export interface Readings {
  readonly zone: string
  readonly weekStart: WeekStart
  readonly starts: ReadonlyMap<TimeGrain, Micros>
}

export function clockAt(now: Date, zone: string, weekStart: WeekStart): Clock {
  const starts = new Map<TimeGrain, Micros>()
  return {
    current(unit) {
      // Of a calendar it is known from the day.
      if (typeof unit !== 'string') return floor(this.current('day'), unit, weekStart)
      const start = starts.get(unit) ?? startOf(now, unit, zone, weekStart)
      starts.set(unit, start)
      return start
    },
    readings: { zone, weekStart, starts },
  }
}

/** Whether a clock at `now` would have said the same. */
export function stillReads({ zone, weekStart, starts }: Readings, now: Date): boolean {
  for (const [unit, start] of starts) if (startOf(now, unit, zone, weekStart) !== start) return false
  return true
}

function startOf(now: Date, unit: TimeGrain, zone: string, weekStart: WeekStart): Micros {
  const instant = BigInt(now.getTime()) * 1000n
  return floor(instant + BigInt(zoneOffset(zone)?.(instant) ?? 0) * 1_000_000n, unit, weekStart)
}
