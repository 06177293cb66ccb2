/** The times for which a query reports every period: those that its conditions on the time leave for the fields that it selects. */
import { lengthOf, startOfDay, truncate } from './calendar.js'
import { calendarColumns, daysLeft, sameDays } from './calendar-tables.js'
import { atomNames } from './components.js'
import type { Asked } from './fields.js'
import type { Level } from './levels.js'
import type { FilterJson } from './model.js'
import type { Range } from './moved-range.js'
import { refuse } from './refusal.js'
import { applies, seesConjunct, timesLeft } from './row-ranges.js'
import { columnsRead, isNamed, namedPeriods, readingOf } from './time-conjuncts.js'
import { type Day, keyOf, type Value } from './values.js'

export interface RangeOfGaps extends Range {
  /** Whether the conditions on attributes of the calendar leave a day of the period. */
  readonly admits: (period: Value) => boolean
}

const DAY = 86_400_000_000

export function rangeOfGaps(level: Level, gaps: Asked, names: readonly string[]): RangeOfGaps {
  const { world, asked } = level
  const time = gaps.coalesced?.[0] ?? gaps.name
  const atoms = [...new Set(names.flatMap((name) => atomNames(world, name)))]
  const where = level.where.flatMap((filter, at) => (filter ? [{ filter, at }] : []))
  const onTime = where.filter(({ filter }) => readingOf(world, filter, time, asked) === 'time')
  const named = onTime.filter(({ filter }) => isNamed(world, filter, asked))
  const seenBy = (atom: string | undefined, at: number): boolean =>
    atom === undefined || (seesConjunct(level, atom, level.written[at]!) && applies(level, atom, at))
  const all = atoms.length === 0 ? [undefined] : atoms
  if (named.some(({ at }) => all.some((atom) => seenBy(atom, at)) && !all.every((atom) => seenBy(atom, at))))
    refuse('TIME_FILTER_NOT_A_RANGE', 'fields see different periods')
  const inForce = named.filter(({ at }) => all.every((atom) => seenBy(atom, at))).map(({ filter }) => filter)
  namedPeriods(world, inForce, time, asked)
  const ranges = all.flatMap((atom) =>
    timesLeft(
      level,
      onTime.filter(({ filter, at }) => !named.some((n) => n.filter === filter) && seenBy(atom, at)).map((c) => c.filter),
      time,
    ),
  )
  const hull = hullOf(ranges)
  const days = inForce.length > 0 ? daysLeft(level, inForce) : undefined
  const attributes = where
    .filter(({ filter, at }) => isOfAttributes(level, filter, time) && all.every((atom) => seenBy(atom, at)))
    .map((c) => c.filter)
  const calendar = attributes.length > 0 ? daysLeft(level, attributes) : undefined
  const { grain } = gaps
  const cut = (value: Value): string => keyOf(truncate(lengthOf(grain) < lengthOf('day') ? 'day' : grain!, value, world))
  const left = calendar && new Set(calendar.map((day) => cut(day)))
  return { ...(days ? both(hull, daysRange(days)) : hull), admits: (period) => !left || left.has(cut(period)) }
}

function hullOf(ranges: readonly Range[]): Range {
  if (ranges.length === 0) return { from: 0, until: 0 }
  const [from, until] = [ranges.map((r) => r.from), ranges.map((r) => r.until)]
  return {
    from: from.includes(undefined) ? undefined : Math.min(...(from as number[])),
    until: until.includes(undefined) ? undefined : Math.max(...(until as number[])),
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

/** Whether a condition reads the calendar of a time alone, and not only its periods. */
function isOfAttributes({ world, asked }: Level, filter: FilterJson, time: string): boolean {
  const days = calendarColumns(world, time)
  const read = columnsRead(world, filter, asked).map((address) =>
    calendarColumns(world, address).find((column) => column.fact === undefined && days.some((day) => sameDays(column, day))),
  )
  return read.length > 0 && read.every((column) => column !== undefined) && read.some((column) => column?.says === 'attribute')
}
