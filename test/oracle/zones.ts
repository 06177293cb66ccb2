/** The local times of a zone, from the tables of the machine, read hour by hour. */
import { Moment, type Value } from './values.js'

/** The zone of a query, and the zone of timestamps that are written without one; undefined if they are not converted. */
export interface Clocks {
  readonly zone: string
  readonly naive: string | undefined
  /** The zone of timestamps without one, if it is known. */
  readonly written: string | undefined
}

/** A stored timestamp as a local time in the zone of the query. */
export function shownBy({ zone, naive }: Clocks, value: Value, isInstant: boolean): Value {
  if (!(value instanceof Moment) || (!isInstant && naive === undefined)) return value
  const instant = isInstant ? value.micros : readIn(naive!, value.micros)
  return new Moment(wallOf(instant, zone), value.micros, instant, zone)
}

const HOUR = 3_600_000_000
const formats = new Map<string, Intl.DateTimeFormat>()
const PARTS = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const // biome-ignore format: a table
/** Before that time, no clock changed, and the tables count years of another era. */
const FIRST_CLOCK = Date.UTC(1800, 0, 1) * 1000

/** The local time in `zone` at an instant, both in microseconds. */
export const wallOf = (instant: number, zone: string): number => instant + aheadAt(Math.max(instant, FIRST_CLOCK), zone)

/** The offset from UTC. */
function aheadAt(instant: number, zone: string): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...PARTS })
  formats.set(zone, format)
  const second = Math.floor(instant / 1_000_000)
  const at = Object.fromEntries(format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)]))
  return (Date.UTC(at['year']!, at['month']! - 1, at['day']!, at['hour'], at['minute'], at['second']) / 1000 - second) * 1_000_000
}

const FIRST_RECORD = 1970
const LAST_RECORD = 2037
const whole = new Map<string, boolean>()

/** Whether the clocks of a zone have always been a multiple of `step` ahead of UTC, as far as its records go back. */
export function isWhole(zone: string, step: number): boolean {
  const key = `${step} ${zone}`
  const months = Array.from({ length: (LAST_RECORD - FIRST_RECORD) * 12 }, (_, month) => Date.UTC(FIRST_RECORD, month, 15) * 1000)
  const found = whole.get(key) ?? months.every((month) => aheadAt(month, zone) % step === 0)
  whole.set(key, found)
  return found
}

/** The instant of a local time: the first at which clocks showed it, or the one at which they skipped it. */
export const namedIn = (zone: string, wall: number): number => {
  const named = nearby(zone, wall)
  return named.shown ?? named.jump
}

/** The instant for which a local time was written: the same, but in a skipped hour by the offset before it. */
export const readIn = (zone: string, wall: number): number => {
  const { shown, ahead } = nearby(zone, wall)
  return shown ?? wall - ahead
}

interface Nearby {
  /** The first instant that shows the local time. */
  readonly shown: number | undefined
  /** The first instant that shows a later one. */
  readonly jump: number
  /** The offset before. */
  readonly ahead: number
}

const known = new Map<string, Nearby>()

function nearby(zone: string, wall: number): Nearby {
  const key = `${zone} ${wall}`
  const found = known.get(key) ?? sought(zone, wall)
  if (known.size > 10_000) known.clear()
  known.set(key, found)
  return found
}

function sought(zone: string, wall: number): Nearby {
  const hours = Array.from({ length: 61 }, (_, i) => aheadAt(Math.max(wall + (i - 30) * HOUR, FIRST_CLOCK), zone))
  const instants = [...new Set(hours)].map((ahead) => wall - ahead).toSorted((a, b) => a - b)
  const shown = instants.find((instant) => wallOf(instant, zone) === wall)
  // The clocks showed an earlier time at the first of them, and show a later one at the last.
  let [low, high] = [instants[0]! - 1_000_000, instants.at(-1)!]
  while (shown === undefined && high - low > 1_000_000) {
    const middle = low + Math.floor((high - low) / 2_000_000) * 1_000_000
    if (wallOf(middle, zone) > wall) high = middle
    else low = middle
  }
  const whole = Math.ceil(high / 1_000_000) * 1_000_000
  return { shown, jump: whole, ahead: hours[0]! }
}
