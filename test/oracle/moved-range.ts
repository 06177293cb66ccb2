/** The range of a row, and the range with which a comparison compares it: by days that are counted one by one. */
import { addPeriods, addTo, dayAfter, lengthOf, type Reckoning, startOfDay, truncate } from './calendar.js'
import { calendarGrain } from './fiscal.js'
import { Day, Moment } from './values.js'

/** Local times in microseconds: the first one, and the first one after the last; undefined if there is no such end. */
export interface Range {
  readonly from: number | undefined
  readonly until: number | undefined
}

export interface Move {
  readonly unit?: string
  readonly count?: number
  /** The first period of this grain. */
  readonly toFirstOf?: string
  /** By so many times its own length. */
  readonly lengths?: number
}

const DAY = 86_400_000_000
const dayOf = (micros: number): Day => new Day(Math.floor(micros / DAY))
const clockOf = (micros: number): number => micros - Math.floor(micros / DAY) * DAY
const startOf = (value: Day | Moment): number => (value instanceof Day ? startOfDay(value).micros : value.micros)

/** The period that contains a time. */
export function periodRange(grain: string, micros: number, world: Reckoning): { readonly from: number; readonly until: number } {
  const first = truncate(grain, new Moment(micros), world) as Day | Moment
  return { from: startOf(first), until: startOf(addPeriods(grain, first, 1, world)) }
}

/** `grain` is that of the level; undefined if it does not show the time. */
export function moveRange(range: Range, move: Move, grain: string | undefined, world: Reckoning): Range {
  const { from, until } = range
  if (move.lengths !== undefined) {
    if (from === undefined || until === undefined) return range
    return later(range, move.lengths * (until - from))
  }
  const own = grain === undefined || from === undefined ? undefined : periodRange(grain, from, world)
  const isWhole = own !== undefined && own.from === from && own.until === until
  if (move.toFirstOf !== undefined) {
    if (own === undefined) return { from: undefined, until: undefined }
    const first = periodRange(grain!, startOf(truncate(move.toFirstOf, new Moment(own!.from), world) as Day | Moment), world)
    if (isWhole) return first
    return moveRange(range, { unit: grain!, count: -periodsBetween(grain!, first.from, own!.from, world) }, undefined, world)
  }
  const { unit = 'day', count = 0 } = move
  if (['second', 'minute', 'hour', 'day'].includes(unit) || unit.split('_').at(-1) === 'week')
    return later(range, startOf(addTo(new Moment(0), unit.includes('_') ? 'week' : unit, count)))
  if (own && lengthOf(grain) <= lengthOf(unit)) {
    const there = periodRange(grain!, startOf(addTo(new Moment(own.from), unit, count, world)), world)
    if (isWhole) return there
    if (grain!.split('_').at(-1) === 'week') return later(range, there.from - own.from)
  }
  return {
    from: from === undefined ? undefined : startOf(addTo(dayOf(from), unit, count, world)) + clockOf(from),
    until: until === undefined ? undefined : movedEnd(range.from, until, unit, count, world),
  }
}

const later = ({ from, until }: Range, by: number): Range => ({
  from: from === undefined ? undefined : from + by,
  until: until === undefined ? undefined : until + by,
})

function periodsBetween(grain: string, from: number, until: number, world: Reckoning): number {
  let n = 0
  for (let at = truncate(grain, new Moment(from), world) as Day | Moment; startOf(at) < until; n++)
    at = addPeriods(grain, at, 1, world)
  return n
}

/** The end of the moved last day, or the clock time of an end within a day. */
function movedEnd(from: number | undefined, until: number, unit: string, count: number, world: Reckoning): number {
  if (clockOf(until) !== 0) return startOf(addTo(dayOf(until), unit, count, world)) + clockOf(until)
  const last = new Day(dayOf(until).days - 1)
  const month = calendarGrain(unit, world.calendars) ? unit.replace(/_[a-z]+$/, '_month') : 'month'
  const { from: first, until: end } = periodRange(month, startOf(last), world)
  const there = addTo(last, unit, count, world)
  if (end !== until || (from !== undefined && from > first)) return startOf(dayAfter(there))
  // The range has the whole of its last month.
  return periodRange(month, startOf(addTo(dayOf(first), unit, count, world)), world).until
}
