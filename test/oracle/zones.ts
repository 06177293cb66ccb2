/** What the clocks of a zone show, by the tables that the machine has. */
import { Moment, type Value } from './values.js'

/** In which zone a question looks at time, and in which one timestamps without zone are written; undefined where they stay as they are. */
export interface Clocks {
  readonly zone: string
  readonly naive: string | undefined
}

/** A stored timestamp as the clocks of the question's zone showed it. */
export function shownBy({ zone, naive }: Clocks, value: Value, isInstant: boolean): Value {
  if (!(value instanceof Moment) || (!isInstant && naive === undefined)) return value
  const instant = isInstant ? value.micros : instantOf(value.micros, naive!)
  return new Moment(wallOf(instant, zone), value.micros)
}

const formats = new Map<string, Intl.DateTimeFormat>()
const PARTS = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const // biome-ignore format: a table

/** The wall clock of `zone` at an instant, both in microseconds. */
export function wallOf(micros: number, zone: string): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...PARTS })
  formats.set(zone, format)
  const second = Math.floor(micros / 1_000_000)
  const at = Object.fromEntries(format.formatToParts(second * 1000).map(({ type, value }) => [type, Number(value)]))
  const wall = Date.UTC(at['year']!, at['month']! - 1, at['day']!, at['hour'], at['minute'], at['second'])
  return wall * 1000 + (micros - second * 1_000_000)
}

/** The instant at which the clocks of `zone` showed it; of two, and where there is none, nobody asks. */
function instantOf(wall: number, zone: string): number {
  const guess = wall - (wallOf(wall, zone) - wall)
  return wall - (wallOf(guess, zone) - guess)
}
