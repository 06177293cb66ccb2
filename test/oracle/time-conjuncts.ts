/** Conjuncts on the column of a time dimension: which they are, and their upper bounds of time. */
import { addPeriods, truncate } from './calendar.js'
import { type CalendarColumn, calendarColumns, isOfGenerated, lastDayOf, nameOnePeriod, sameDays } from './calendar-tables.js'
import { type Asked, addressOf, askedDimension } from './fields.js'
import type { Level } from './levels.js'
import type { FilterJson, Json, LeafJson } from './model.js'
import { canonical } from './operators.js'
import { columnsUnder, isOfTime, timeNamed } from './periods.js'
import { refuse } from './refusal.js'
import { onlyBy } from './shown.js'
import { Day, isoDay, isoMoment, Moment } from './values.js'
import type { World } from './world.js'
import { wallOf } from './zones.js'

/**
 * What `filter` reads: the column of the time that is shown, or else of `time`, something else, or both. For the rows of `home` that are the days of a
 * calendar, the column by which a fact joins them, or another calendar, is something else: a day need not have a row of the fact.
 */
export function readingOf(
  world: World,
  filter: FilterJson,
  time: string,
  asked: readonly Asked[],
  home?: string,
): 'time' | 'other' | 'mixed' {
  const along = timeNamed(world, asked, time)
  const own = along ? columnsUnder(world, along) : [addressOf(world, time)]
  const read = columnsRead(world, filter, asked)
  const days = (along?.coalesced ?? [along?.name ?? time]).flatMap((name) => calendarColumns(world, name))
  const isOwn = (address: string): boolean => own.includes(address) || saysDaysOf(world, address, days, home)
  if (!read.some(isOwn)) return 'other'
  return read.every(isOwn) ? 'time' : 'mixed'
}

/** Whether a column says the days, or a period, of a calendar that one of these columns says, too. Only columns of the same calendar say those of its rows. */
const saysDaysOf = (world: World, address: string, times: readonly CalendarColumn[], home: string | undefined): boolean =>
  times.length > 0 &&
  calendarColumns(world, address).some(
    (column) =>
      column.says !== 'attribute' &&
      times.some(
        (time) =>
          sameDays(world, column, time) && (time.calendar !== home || (column.calendar === home && column.fact === undefined)),
      ),
  )

/** The condition for the rows of an object; undefined if it was removed for them. */
export function conditionFor(filter: FilterJson | undefined, home: string): FilterJson | undefined {
  if (filter?.ofDays?.calendar === home) return filter.ofDays.filter
  return filter?.ofDays && 'logic' in filter && filter.filters.length === 0 ? undefined : filter
}

/** A condition on the time, and what is left of it; whole for the days of a calendar of which it is none. */
function edited(
  { world, time, asked }: { readonly world: World; readonly time: string; readonly asked: readonly Asked[] },
  filter: FilterJson,
  left: FilterJson | undefined,
): FilterJson | undefined {
  if (filter.ofDays) return { ...(left ?? { logic: 'and', filters: [] }), ofDays: filter.ofDays }
  const calendars = Object.keys(world.model.dataObjects).filter((name) => world.model.dataObjects[name]!.calendar)
  const apart = calendars.find((home) => readingOf(world, filter, time, asked, home) !== 'time')
  if (!apart) return left
  return { ...(left ?? { logic: 'and', filters: [] }), ofDays: { calendar: apart, filter } }
}

/** Whether a condition on time reads a column of periods of a calendar. */
export function isNamed(world: World, filter: FilterJson, asked: readonly Asked[]): boolean {
  return columnsRead(world, filter, asked).some((address) =>
    calendarColumns(world, address).some(({ says }) => says === 'period'),
  )
}

/** Whether the time is a column of periods, and the condition on it reads another column of the calendar: the table knows the periods of its days. */
export function readsDaysOfPeriods(world: World, filter: FilterJson, time: string, asked: readonly Asked[]): boolean {
  const isOfPeriods = calendarColumns(world, time).some(({ says }) => says === 'period')
  return (
    isOfPeriods &&
    readingOf(world, filter, time, asked) === 'time' &&
    columnsRead(world, filter, asked).some((address) => address !== addressOf(world, time))
  )
}

/** The conditions on columns of periods among those on the time; refuses those that do not name one period. */
export function namedPeriods(
  world: World,
  where: readonly (FilterJson | undefined)[],
  time: string,
  asked: readonly Asked[],
): readonly FilterJson[] {
  const named = where.filter((f) => f && readingOf(world, f, time, asked) === 'time' && isNamed(world, f, asked)) as FilterJson[]
  if (nameOnePeriod(world, named)) return named
  return refuse('TIME_FILTER_NOT_A_RANGE', JSON.stringify(named))
}

/** `exists` reads the rows of its subject, never the column. */
export function columnsRead(world: World, filter: FilterJson, asked: readonly Asked[]): readonly string[] {
  if ('logic' in filter) return filter.filters.flatMap((f) => columnsRead(world, f, asked))
  if (filter.shown) return []
  if (filter.subquery) return [`exists ${filter.field}`]
  const alias = asked.find((a) => a.coalesced && a.name === filter.field)
  return alias?.coalesced ? alias.coalesced.map((m) => addressOf(world, m)) : [addressOf(world, filter.field)]
}

/** `filter`, which reads only time, without all but its upper bounds; undefined if it has none. */
export function upperBounds(filter: FilterJson, now: Date, world: World, negated = false): FilterJson | undefined {
  if (!('logic' in filter)) return upperBound(filter, now, world, negated)
  const inner = negated !== (filter.negated === true)
  const parts = filter.filters.filter((f) => !isOfNoTime(f, inner)).map((f) => upperBounds(f, now, world, inner))
  const all = (filter.logic === 'and') !== inner
  if (!all && parts.includes(undefined)) return undefined
  const filters = parts.filter((f) => f !== undefined)
  return filters.length === 0 ? undefined : { logic: all ? 'and' : 'or', filters }
}

/** Accepts only a missing time, which is beyond no bound. */
function isOfNoTime(filter: FilterJson, negated: boolean): boolean {
  if ('logic' in filter) return false
  return (
    canonical(filter.op) === (negated ? 'is_not_null' : 'is_null') ||
    (!negated && canonical(filter.op) === 'eq' && filter.value === null)
  )
}

const OPPOSITE: Readonly<Record<string, string>> = {
  gt: 'lte',
  gte: 'lt',
  neq: 'eq',
  not_in: 'in',
  not_between: 'between',
}

function upperBound({ field, op, value }: LeafJson, now: Date, world: World, negated: boolean): FilterJson | undefined {
  const operator = negated ? OPPOSITE[canonical(op)] : canonical(op)
  const atMost = (v: Json): FilterJson | undefined => (v === null ? undefined : { field, op: 'lte', value: v })
  switch (operator) {
    case 'lt':
      return { field, op: 'lt', value: value! }
    case 'lte':
    case 'eq':
      return atMost(value ?? null)
    case 'between':
      return atMost((value as readonly Json[])[1]!)
    case 'in': {
      const filters = (value as readonly Json[]).flatMap((v) => atMost(v) ?? [])
      if (filters.length > 0) return { logic: 'or', filters }
      return (value as readonly Json[]).length === 0 ? { field, op: 'in', value: [] } : undefined
    }
    case 'relative':
      return { field, op: 'lt', value: endOf(value as unknown as Range, now, world) }
    default:
      return undefined
  }
}

interface Range {
  readonly unit: string
  readonly count: number
  readonly direction?: string
  readonly include_current?: boolean
}

/** The end of a relative range. */
function endOf({ unit, count, direction, include_current: current = true }: Range, now: Date, world: World): string {
  const start = truncate(unit, new Moment(wallOf(now.getTime() * 1000, world.clocks.zone)), world) as Day | Moment
  const end = addPeriods(unit, start, direction === 'future' ? (current ? count : count + 1) : current ? 1 : 0, world)
  return end instanceof Day ? isoDay(end.days) : isoMoment(end.micros)
}

/**
 * The conjuncts of a level without those on time alone; with a clock, with only their upper bounds. Refuses one that combines time with another field. Of the
 * detail rows that are shown, it leaves the dimensions that are on the time of these rows, or of the level.
 */
export function withoutTime(
  { world, where, asked, dimensions }: Pick<Level, 'world' | 'where' | 'asked' | 'dimensions'>,
  time: string,
  now?: Date,
): readonly (FilterJson | undefined)[] {
  const named = namedPeriods(world, where, time, asked)
  const along = timeNamed(world, asked, time) ?? askedDimension(world, time)
  const own = timeNamed(world, dimensions, time) ?? along
  const edit = (filter: FilterJson): FilterJson | undefined => {
    if (now === undefined) return undefined
    if (!named.includes(filter)) return upperBounds(filter, now, world)
    // The time that is shown: beside the day of a calendar, that of a fact is the same.
    return filter === named[0] ? upToTheEndOf(world, named, along.coalesced ? time : along.name, asked, now) : undefined
  }
  return where.map((filter) => {
    if (filter && !('logic' in filter) && filter.shown)
      return onlyBy(filter.shown, (one) => !isOfTime(world, one, along) && !isOfTime(world, one, own))
    const reading = filter && readingOf(world, filter, time, asked)
    if (reading === 'mixed') return refuse('TIME_FILTER_NOT_SEPARABLE', JSON.stringify(filter))
    return reading === 'time' ? edited({ world, time, asked }, filter!, edit(filter!)) : filter
  })
}

function upToTheEndOf(world: World, named: readonly FilterJson[], time: string, asked: readonly Asked[], now: Date): FilterJson {
  const field = addressOf(world, time)
  const last = lastDayOf(world, named, asked, now)
  const ofTable = !named.every((one) => isOfGenerated(world, one))
  return last ? { field, op: 'lte', value: isoDay(last.days), ...(ofTable && { ofTable }) } : { field, op: 'in', value: [] }
}
