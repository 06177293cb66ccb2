import { fail } from '../errors.js'

/** Seconds that a zone's wall clock is ahead of UTC at an instant in microseconds. */
export type ZoneOffset = (micros: bigint) => number

const QUARTER_HOUR = 900
// The years in which `Date` and `Intl` answer; outside of them a zone keeps its first or last offset.
const FIRST_SECOND = -62_135_596_800
const LAST_SECOND = 253_402_300_799

/** The offsets of an IANA zone; `undefined` for UTC, which needs none. Throws `INVALID_SETTING` for a name that is no zone. */
export function zoneOffset(zone: string): ZoneOffset | undefined {
  if (/^(UTC|Etc\/UTC|Z)$/i.test(zone)) return undefined
  const found = known.get(zone) ?? offsetsOf(zone)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(zone, found)
  return found
}

/** Asking a zone for its offsets is slow the first time, and few zones are asked for. */
const known = new Map<string, ZoneOffset>()
const MOST_KNOWN = 32

function offsetsOf(zone: string): ZoneOffset {
  const exact = exactOffset(zone)
  const quarters = new Map<number, number | undefined>()
  return (micros) => {
    const second = Math.min(Math.max(Math.floor(Number(micros / 1000n) / 1000), FIRST_SECOND), LAST_SECOND)
    const quarter = Math.floor(second / QUARTER_HOUR)
    if (!quarters.has(quarter)) {
      if (quarters.size >= 65_536) quarters.clear()
      quarters.set(quarter, offsetOfQuarter(exact, quarter))
    }
    return quarters.get(quarter) ?? exact(second)
  }
}

/** The offset that holds all through a quarter of an hour; `undefined` in one of the few in which a historic zone changed. */
function offsetOfQuarter(exact: (second: number) => number, quarter: number): number | undefined {
  const first = exact(quarter * QUARTER_HOUR)
  return first === exact(quarter * QUARTER_HOUR + QUARTER_HOUR - 1) ? first : undefined
}

function exactOffset(zone: string): (second: number) => number {
  const format = zoneFormat(zone)
  return (second) => {
    const { year, month, day, hour, minute, second: seconds } = partsOf(format, second)
    // Through the leap year 2000, because `Date.UTC` reads years below 100 as 19xx.
    const wall = new Date(Date.UTC(2000, month - 1, day, hour, minute, seconds))
    return wall.setUTCFullYear(year, month - 1, day) / 1000 - second
  }
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

function partsOf(format: Intl.DateTimeFormat, second: number): Record<Field, number> {
  const part = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of format.formatToParts(second * 1000)) if (type in part) part[type as Field] = Number(value)
  return part
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const numeric = 'numeric'
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
  } catch {
    return fail('INVALID_SETTING', `'${zone}' is not an IANA time zone such as 'Europe/Berlin'`)
  }
}
