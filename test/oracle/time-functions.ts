/** The functions of times in expressions. An instant is the local time at which the zone of the query shows it. */
import { addTo, startOfDay, truncate } from './calendar.js'
import { isChoice, type Node, type Ref, refsOf } from './expressions.js'
import { compare, compareShown, Day, int, Moment, type Value } from './values.js'
import { isWhole, wallOf } from './zones.js'

const DAY_MICROS = 86_400_000_000
const PASSING: Readonly<Record<string, number>> = { second: 1_000_000, minute: 60_000_000, hour: 3_600_000_000 }

/** NULL if an argument is NULL; a unit is the first argument. */
export function timeFunction(name: string, args: readonly Value[]): Value {
  if (args.includes(null)) return null
  const [first, second, third] = args as readonly [Value, Value, Value]
  switch (name) {
    case 'day':
      return dayOf(first)
    case 'extract':
      return int(part(String(first), second))
    case 'date_trunc':
      return truncate(String(first), second, { weekStart: 'monday' })
    case 'date_add':
      return moved(String(first), Number((second as { readonly unscaled: bigint }).unscaled), third)
    case 'date_diff':
      return int(between(String(first), shown(second), shown(third)))
    case 'last_day':
      return lastDay(dayOf(first))
    case 'to_char_iso':
      return first instanceof Day ? isoText(startOfDay(first)).slice(0, 10) : isoText(shown(first))
    default:
      throw new Error(`the oracle does not know ${name}`)
  }
}

/** Two instants are compared as instants, and anything else by what clocks show. */
export function compareTimes(a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  if (!(a instanceof Moment && b instanceof Moment)) return compare(a, b)
  return a.instant !== undefined && b.instant !== undefined ? a.instant - b.instant : compareShown(a, b)
}

/** The value of an expression: one of several instants stays an instant, and any other time is the local time that it shows. */
export const ofClock = (node: Node, value: Value, isInstant: (ref: Ref) => boolean): Value =>
  node.kind === 'ref' || (isChoice(node) && refsOf(node).every(isInstant)) ? value : asLocal(value)

/** A local time, which is no longer the instant that it was read from. */
export const asLocal = (value: Value): Value => (value instanceof Moment ? new Moment(value.micros) : value)

const shown = (value: Value): Moment => (value instanceof Day ? startOfDay(value) : (value as Moment))
const dayOf = (value: Value): Day => new Day(Math.floor(shown(value).micros / DAY_MICROS))

function part(unit: string, value: Value): number {
  const date = new Date(Math.floor(shown(value).micros / 1000))
  const parts: Readonly<Record<string, number>> = {
    year: date.getUTCFullYear(),
    quarter: Math.floor(date.getUTCMonth() / 3) + 1,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  }
  return parts[unit]!
}

/** Hours, minutes and seconds pass; longer units are those of the calendar. */
function moved(unit: string, count: number, value: Value): Value {
  const step = PASSING[unit]
  if (step === undefined || !(value instanceof Moment) || value.instant === undefined) return asLocal(addTo(value, unit, count))
  const instant = value.instant + count * step
  return new Moment(wallOf(instant, value.zone!), instant, instant, value.zone)
}

/** The boundaries that clocks show between two times; between instants each as often as it is shown. */
function between(unit: string, from: Moment, to: Moment): number {
  const step = PASSING[unit]
  if (step === undefined) return numberOf(unit, to) - numberOf(unit, from)
  const ofClocks = Math.floor(to.micros / step) - Math.floor(from.micros / step)
  if (from.instant === undefined || to.instant === undefined) return ofClocks
  // Also at instants before the records of the zone, for which engines know different clocks.
  if (isWhole(from.zone!, step)) return Math.floor(to.instant / step) - Math.floor(from.instant / step)
  const set = to.instant - from.instant - (to.micros - from.micros)
  return ofClocks + Math.trunc(set / step)
}

function numberOf(unit: string, at: Moment): number {
  const date = new Date(Math.floor(at.micros / 1000))
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth()
  const numbers: Readonly<Record<string, number>> = {
    day: Math.floor(at.micros / DAY_MICROS),
    month: months,
    quarter: Math.floor(months / 3),
    year: date.getUTCFullYear(),
  }
  return numbers[unit]!
}

function lastDay({ days }: Day): Day {
  const date = new Date(days * 86_400_000)
  return new Day(new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0) / 86_400_000)
}

function isoText({ micros }: Moment): string {
  const seconds = Math.floor(micros / 1_000_000)
  const rest = micros - seconds * 1_000_000
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(6, '0').replace(/0+$/, '')}`
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}`
}
