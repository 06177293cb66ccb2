import { type CalendarDocument, WEEKDAYS } from '../document.js'
import {
  type Calendar,
  type Grain,
  type MonthCalendar,
  TIME_GRAINS,
  unitsOf,
  type WeekCalendar,
  type WeekStart,
  type YearLabel,
} from '../grain.js'
import type { Segments } from '../parse/locate.js'
import type { Context } from './context.js'

/** The context without the grains: reading the calendars produces them. */
type Reading = Omit<Context, 'grains' | 'parameters'>

/** The standard grains and, as `<calendar>_<unit>`, those of the model's calendars. */
export function readGrains(context: Reading, weekStart: WeekStart): ReadonlyMap<string, Grain> {
  const grains = new Map<string, Grain>(TIME_GRAINS.map((grain) => [grain, grain]))
  for (const [name, entry] of Object.entries(context.document.calendars ?? {})) {
    const segments = ['calendars', name]
    if (context.isBroken(segments) || !isWord(name, segments, context)) continue
    const calendar = readCalendar({ name, entry, segments }, weekStart, context)
    for (const unit of calendar ? unitsOf(calendar) : [])
      grains.set(`${name}_${unit}`, { name: `${name}_${unit}`, unit, calendar: calendar! })
  }
  return grains
}

/** The grain that an entry names; reports an unknown one. */
export function grainOf(name: string | undefined, segments: Segments, { grains, faults }: Context): Grain | undefined {
  const grain = name === undefined ? undefined : grains.get(name)
  if (name !== undefined && !grain)
    faults.unknown('SCHEMA_VALIDATION', segments, {
      message: `'${name}' is not one of ${[...grains.keys()].join(', ')}`,
      name,
      known: grains.keys(),
    })
  return grain
}

/** Its grains are written after a colon, so they must be plain words to be distinguishable from names. */
function isWord(name: string, segments: Segments, { faults }: Reading): boolean {
  if (/^[A-Za-z]\w*$/.test(name)) return true
  faults.error('INVALID_SETTING', segments, `'${name}' names grains, so it is made of letters, digits and _ alone`, {
    onKey: true,
  })
  return false
}

/** A calendar as the model writes it. */
interface WrittenCalendar {
  readonly name: string
  readonly entry: CalendarDocument
  readonly segments: Segments
}

function readCalendar({ name, entry, segments }: WrittenCalendar, weekStart: WeekStart, context: Reading): Calendar | undefined {
  const { yearStart, pattern, yearEnd, label } = entry
  if (yearStart !== undefined && pattern === undefined && yearEnd === undefined) {
    const calendar = monthCalendar(name, yearStart, [...segments, 'yearStart'], context)
    return calendar && labelled(calendar, label)
  }
  if (yearStart === undefined && pattern !== undefined && yearEnd !== undefined)
    return labelled(weekCalendar(name, pattern, yearEnd, weekStart), label)
  const message = "A calendar has either a 'yearStart', or a 'pattern' and a 'yearEnd'"
  context.faults.error('INVALID_SETTING', segments, message, { onKey: true })
  return undefined
}

const labelled = (calendar: Calendar, label: YearLabel | undefined): Calendar =>
  label === undefined ? calendar : { ...calendar, label }

function monthCalendar(name: string, yearStart: string, segments: Segments, { faults }: Reading): MonthCalendar | undefined {
  const [, month, day] = /^(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/.exec(yearStart) ?? []
  if (month !== undefined && day !== undefined) return { kind: 'months', name, month: Number(month) - 1, day: Number(day) }
  const message = `'${yearStart}' is not MM-DD with a day from 01 to 28, which every month has`
  faults.error('INVALID_SETTING', segments, message)
  return undefined
}

function weekCalendar(
  name: string,
  pattern: NonNullable<CalendarDocument['pattern']>,
  { weekday, month, rule }: NonNullable<CalendarDocument['yearEnd']>,
  weekStart: WeekStart,
): WeekCalendar {
  const firstWeekday = (WEEKDAYS.indexOf(weekday) + 1) % 7
  const after = (firstWeekday - WEEKDAYS.indexOf(weekStart) + 7) % 7
  return {
    kind: 'weeks',
    name,
    firstWeekday,
    weekOffset: after > 3 ? after - 7 : after,
    // The month after the one that ends: the year begins near its first day.
    month: month % 12,
    reach: rule === 'nearest' ? 3 : 0,
    longMonth: pattern.split('-').indexOf('5'),
  }
}
