/** The local times of a zone: all in microseconds. A zone without a name in the database is treated as UTC. */
import { fail } from '../errors.js'
import { type Micros, type Ranges, rangesOf } from './ranges.js'
import { offsetAt, periodsNear, type TimeZone, timeZone, type ZonePeriod } from './time-zone.js'
import { zoneFault } from './zone-names.js'

const SECOND = 1_000_000n
/** No clock is further from UTC, and none was ever changed by more. */
const FAR = 2n * 86_400n * SECOND

/** The local time in the zone at an instant. */
export function wallAt(instant: Micros, zone: string): Micros {
  return instant + BigInt(offsetAt(known(zone), seconds(instant))) * SECOND
}

/** The instant that a local time denotes: the first of two, and the time of the jump if clocks skipped it. */
export function instantOf(wall: Micros, zone: string): Micros {
  return shownBefore(wall, zone)[0]!.to!
}

/** The instants at which clocks of the zone show a time before `wall`. These are all earlier instants, except where clocks are set back. */
export function shownBefore(wall: Micros, zone: string): Ranges {
  const [low, high] = [wall - FAR, wall + FAR]
  const periods = periodsNear(known(zone), seconds(low), seconds(high))
  const parts = periods.map(({ from, to, offset }) => ({
    from: highest(low, micros(from)),
    to: lowest(micros(to), wall - BigInt(offset) * SECOND),
  }))
  return withAllBefore(low, parts)
}

/**
 * The local times that, read in the zone, denote an instant before this one. Of two instants the first is meant, and a skipped time is read
 * with the offset before the jump.
 */
export function readBefore(instant: Micros, zone: string): Ranges {
  const [low, high] = [instant - FAR, instant + FAR]
  const periods = periodsNear(known(zone), seconds(low - FAR), seconds(high + FAR))
  const parts = periods.map(({ offset }, i) => ({
    from: highest(low, firstRead(periods[i - 1], periods[i]!)),
    to: lowest(periods[i + 1] && firstRead(periods[i], periods[i + 1]!), instant + BigInt(offset) * SECOND),
  }))
  return withAllBefore(low, parts)
}

/** The first local time that belongs to a period and no longer to the one before. */
function firstRead(earlier: ZonePeriod | undefined, { from, offset }: ZonePeriod): Micros | undefined {
  const change = micros(from)
  return earlier && change !== undefined ? change + BigInt(Math.max(earlier.offset, offset)) * SECOND : undefined
}

function withAllBefore(low: Micros, parts: readonly { readonly from: Micros; readonly to: Micros }[]): Ranges {
  return rangesOf([{ to: low }, ...parts])
}

function known(zone: string): TimeZone {
  return timeZone(zone) ?? fail('INVALID_SETTING', zoneFault(zone))
}

const seconds = (at: Micros): number => Number((at - (((at % SECOND) + SECOND) % SECOND)) / SECOND)
const micros = (second: number): Micros | undefined => (Number.isFinite(second) ? BigInt(second) * SECOND : undefined)
const highest = (low: Micros, at: Micros | undefined): Micros => (at === undefined || at < low ? low : at)
const lowest = (at: Micros | undefined, high: Micros): Micros => (at === undefined || at > high ? high : at)
