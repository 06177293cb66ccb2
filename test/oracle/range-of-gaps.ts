/** The times for which a query reports every period: those that its conditions on the time leave for the fields that it selects. */
import { lengthOf, startOfDay, truncate } from './calendar.js'
import { calendarColumns, daysLeft, sameDays } from './calendar-tables.js'
import { byLevel } from './compared-rows.js'
import { componentsOf, rowMetricOf } from './components.js'
import type { Asked } from './fields.js'
import type { Level } from './levels.js'
import type { FilterJson } from './model.js'
import type { Range } from './moved-range.js'
import { refuse } from './refusal.js'
import { applies, homeOf, seesConjunct, timesLeft } from './row-ranges.js'
import { isOfTable } from './table-grains.js'
import { columnsRead, isNamed, namedPeriods, readingOf, readsDaysOfPeriods } from './time-conjuncts.js'
import { type Day, keyOf, type Value } from './values.js'

export interface RangeOfGaps extends Range {
  /** Whether the conditions on attributes of the calendar leave a day of the period. */
  readonly admits: (period: Value) => boolean
  /** The ends that some of the aggregates have where others have none: the periods reach them, also without rows. */
  readonly reached: Range
}

/** An aggregate at the level at which it is evaluated: some end at the clock. */
interface Read {
  readonly at: Level
  readonly atom: string | undefined
}

const DAY = 86_400_000_000

/** What an aggregate of other values reads is what these read. */
const readBy = (level: Level, names: readonly string[]): readonly Read[] =>
  [...byLevel(level, names)].flatMap(([at, atoms]) =>
    atoms.flatMap((atom) => {
      const metric = rowMetricOf(level.world, atom)
      return metric?.type === 'aggregate' ? readBy(at, componentsOf(metric)) : [{ at, atom }]
    }),
  )

export function rangeOfGaps(level: Level, gaps: Asked, names: readonly string[]): RangeOfGaps {
  const time = gaps.coalesced?.[0] ?? gaps.name
  const { world, asked } = level
  const conditionsOf = (at: Level) => at.where.flatMap((filter, i) => (filter ? [{ filter, at: i }] : []))
  const onTimeOf = (at: Level, home?: string) =>
    conditionsOf(at).filter(({ filter }) => readingOf(world, filter, time, asked, home) === 'time')
  const where = conditionsOf(level)
  const named = onTimeOf(level).filter(({ filter }) => isNamed(world, filter, asked))
  const read = readBy(level, names)
  const all = read.length === 0 ? [{ at: level, atom: undefined }] : read
  const seenBy = ({ at, atom }: Read, i: number): boolean =>
    atom === undefined || (seesConjunct(at, atom, at.written[i]!) && applies(at, atom, i))
  if (named.some(({ at }) => all.some((one) => seenBy(one, at)) && !all.every((one) => seenBy(one, at))))
    refuse('TIME_FILTER_NOT_A_RANGE', 'fields see different periods')
  const inForce = named.filter(({ at }) => all.every((one) => seenBy(one, at))).map(({ filter }) => filter)
  namedPeriods(world, inForce, time, asked)
  if (isOfTable(gaps.grain) && where.length > 0) refuse('TIME_FILTER_NOT_A_RANGE', 'periods that only the table knows')
  if (onTimeOf(level).some((c) => readsDaysOfPeriods(world, c.filter, time, asked) && all.some((one) => seenBy(one, c.at))))
    refuse('TIME_FILTER_NOT_A_RANGE', 'periods of days that only the table knows')
  const ranges = all.map((one) =>
    timesLeft(
      one.at,
      onTimeOf(one.at, one.atom === undefined ? undefined : homeOf(world, one.atom))
        .filter(({ filter, at }) => !named.some((n) => n.filter === filter) && seenBy(one, at))
        .map((c) => c.filter),
      time,
    ),
  )
  const hull = hullOf(ranges.flat())
  const days = inForce.length > 0 ? daysLeft(level, inForce) : undefined
  const attributes = where
    .filter(({ filter, at }) => isOfAttributes(level, filter, time) && all.every((one) => seenBy(one, at)))
    .map((c) => c.filter)
  const calendars = new Set(attributes.map((filter) => calendarRead(level, filter)))
  if (calendars.size > 1) refuse('TIME_FILTER_NOT_A_RANGE', 'attributes of two calendars')
  const calendar = attributes.length > 0 ? daysLeft(level, attributes) : undefined
  const { grain } = gaps
  const cut = (value: Value): string => keyOf(truncate(lengthOf(grain) < lengthOf('day') ? 'day' : grain!, value, world))
  const left = calendar && new Set(calendar.map((day) => cut(day)))
  return {
    ...(days ? both(hull, daysRange(days)) : hull),
    admits: (period) => !left || left.has(cut(period)),
    // Of several parts of a time, only the outermost ends count.
    reached: endsOf(ranges.filter((parts) => parts.length > 0).map(hullOf)),
  }
}

function hullOf(ranges: readonly Range[]): Range {
  if (ranges.length === 0) return { from: 0, until: 0 }
  const { from, until } = endsOf(ranges)
  return {
    from: ranges.some((r) => r.from === undefined) ? undefined : from,
    until: ranges.some((r) => r.until === undefined) ? undefined : until,
  }
}

/** The first beginning and the last end of those that have one. */
function endsOf(ranges: readonly Range[]): Range {
  const from = ranges.flatMap((r) => r.from ?? [])
  const until = ranges.flatMap((r) => r.until ?? [])
  return {
    from: from.length === 0 ? undefined : Math.min(...from),
    until: until.length === 0 ? undefined : Math.max(...until),
  }
}

const daysRange = (days: readonly Day[]): Range =>
  days.length === 0
    ? { from: 0, until: 0 }
    : {
        from: Math.min(...days.map((day) => startOfDay(day).micros)),
        until: Math.max(...days.map((day) => startOfDay(day).micros)) + DAY,
      }

const both = (a: Range, b: Range): Range => ({
  from: Math.max(a.from ?? -Infinity, b.from!),
  until: Math.min(a.until ?? Infinity, b.until!),
})

/** The calendar that a condition on its columns reads. */
const calendarRead = ({ world, asked }: Level, filter: FilterJson): string | undefined =>
  columnsRead(world, filter, asked).flatMap((address) => calendarColumns(world, address).map(({ calendar }) => calendar))[0]

/** Whether a condition reads the calendar of a time alone, and not only its periods. */
function isOfAttributes({ world, asked }: Level, filter: FilterJson, time: string): boolean {
  const days = calendarColumns(world, time)
  const read = columnsRead(world, filter, asked).map((address) =>
    calendarColumns(world, address).find(
      (column) => column.fact === undefined && days.some((day) => sameDays(world, column, day)),
    ),
  )
  return read.length > 0 && read.every((column) => column !== undefined) && read.some((column) => column?.says === 'attribute')
}
