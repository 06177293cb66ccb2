import { LINKS, ZONES } from './zone-data.js'

/** Seconds since 1970-01-01 in UTC. */
type Second = number

/** A period in which the clocks of a zone are `offset` seconds ahead of UTC. */
export interface ZonePeriod {
  readonly from: Second
  readonly to: Second
  readonly offset: number
}

/** The periods of a zone in order, from the beginning of time. Those from `cycle` on repeat every 400 years, as the calendar does. */
export interface TimeZone {
  readonly starts: readonly Second[]
  readonly offsets: readonly number[]
  readonly cycle: Second | undefined
}

/** The zone of this exact name in the database, or of one of its aliases; `undefined` if there is none. */
export function timeZone(name: string): TimeZone | undefined {
  const found = known.get(name)
  if (found) return found
  const written = entry(ZONES, entry(LINKS, name) ?? name)
  if (written === undefined) return undefined
  const zone = unpacked(written)
  known.set(name, zone)
  return zone
}

/** The offset of the zone from UTC in seconds. */
export function offsetAt(zone: TimeZone, second: Second): number {
  return zone.offsets[indexAt(zone, second - laps(zone, second) * CYCLE)]!
}

/** The periods that overlap [`from`, `to`), with those just before and after them; the range is some days, not centuries. */
export function periodsNear(zone: TimeZone, from: Second, to: Second): readonly ZonePeriod[] {
  const turned = laps(zone, from) * CYCLE
  const [first, last] = [indexAt(zone, from - turned) - 1, indexAt(zone, to - turned) + 1]
  const periods: ZonePeriod[] = []
  for (let i = Math.max(first, 0); i <= Math.min(last, zone.starts.length - 1); i++)
    periods.push({
      from: zone.starts[i]! + turned,
      to: (zone.starts[i + 1] ?? Number.POSITIVE_INFINITY) + turned,
      offset: zone.offsets[i]!,
    })
  return periods
}

/** The amounts in seconds by which the clocks were ever changed `forward` or back since `since`: each once, the smallest first. */
export function leapsSince(zone: TimeZone, since: Second, forward: boolean): readonly number[] {
  const leaps = zone.offsets.flatMap((offset, i) => {
    const leap = i > 0 && zone.starts[i]! >= since ? (offset - zone.offsets[i - 1]!) * (forward ? 1 : -1) : 0
    return leap > 0 ? [leap] : []
  })
  return [...new Set(leaps)].toSorted((a, b) => a - b)
}

/** The few hundred names of the database limit the size of this cache. */
const known = new Map<string, TimeZone>()
const entry = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const DAY = 86_400
/** Four hundred years are whole weeks. */
const CYCLE = 146_097 * DAY

const laps = ({ cycle }: TimeZone, second: Second): number =>
  cycle === undefined ? 0 : Math.max(0, Math.floor((second - cycle) / CYCLE))

/** The position of the last start that is not after the second. */
function indexAt({ starts }: TimeZone, second: Second): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= second) low = middle
    else high = middle - 1
  }
  return low
}

/** The format of `scripts/time-zones.mjs`. */
function unpacked(written: string): TimeZone {
  const [offsetTexts = '', stepTexts = '', rule = ''] = written.split('|')
  const all = offsetTexts.split(' ').map(Number)
  const starts = [Number.NEGATIVE_INFINITY]
  const offsets = [all[0]!]
  let at = 0
  for (const step of stepTexts === '' ? [] : stepTexts.split(' ')) {
    const [seconds = 0, offset = 0] = step.split(':').map((digits) => Number.parseInt(digits, 36))
    at += seconds
    starts.push(at)
    offsets.push(all[offset]!)
  }
  return rule === '' ? { starts, offsets, cycle: undefined } : withRule(starts, offsets, rule)
}

/** The changes of a rule for one cycle and a year after the last explicit one. */
function withRule(starts: Second[], offsets: number[], rule: string): TimeZone {
  const [winter, summer, begins = '', ends = ''] = rule.split(' ')
  const [standard, daylight] = [Number(winter), Number(summer)]
  const after = starts.at(-1)!
  const first = new Date(Math.max(after, 0) * 1000).getUTCFullYear()
  for (let year = first; year <= first + 402; year++) {
    const changes = [
      { at: dayOfRule(begins, year) - standard, offset: daylight },
      { at: dayOfRule(ends, year) - daylight, offset: standard },
    ]
    for (const change of changes.toSorted((a, b) => a.at - b.at)) {
      if (change.at <= after) continue
      starts.push(change.at)
      offsets.push(change.offset)
    }
  }
  return { starts, offsets, cycle: Date.UTC(first + 1, 0, 1) / 1000 }
}

/** `month.week.weekday/seconds` of a year, in local time: the fifth week is the last. */
function dayOfRule(written: string, year: number): Second {
  const [month = 1, week = 1, weekday = 0, seconds = 0] = written.split(/[./]/).map(Number)
  const first = Date.UTC(year, month - 1, 1) / 1000
  const toWeekday = (weekday - new Date(first * 1000).getUTCDay() + 7) % 7
  const day = first + (toWeekday + 7 * (week - 1)) * DAY
  const isPast = new Date(day * 1000).getUTCMonth() !== month - 1
  return (isPast ? day - 7 * DAY : day) + seconds
}
