/** The names of the periods of calendars with a label, by a walk through the periods of a year. */
import { type CalendarJson, calendarGrain, fiscalAfter, fiscalStart } from './fiscal.js'
import { Day } from './values.js'

export interface NamedPeriod {
  /** The column of a generated calendar. */
  readonly title: string
  readonly grain: string
  /** The name of the period that contains a day. */
  readonly of: (day: number) => string
}

const UNITS = { Year: '', Quarter: ' Q', Month: ' M', Week: ' W' } as const

export const namedPeriods = (calendars: Readonly<Record<string, CalendarJson>> = {}): readonly NamedPeriod[] =>
  Object.entries(calendars).flatMap(([name, calendar]) =>
    Object.entries(UNITS).flatMap(([unit, mark]) => {
      const grain = `${name}_${unit.toLowerCase()}`
      if (calendar.label === undefined || !calendarGrain(grain, calendars)) return []
      const title = `${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${unit} Name`
      const of = ofPeriods(calendar, unit.toLowerCase() as Unit, (start) =>
        nameIn(calendar, unit.toLowerCase() as Unit, mark, start),
      )
      return [{ title, grain, of }]
    }),
  )

type Unit = 'year' | 'quarter' | 'month' | 'week'

/** A function of the first day of a period, each of which is computed once. */
function ofPeriods(calendar: CalendarJson, unit: Unit, name: (start: number) => string): (day: number) => string {
  const known = new Map<number, string>()
  return (day) => {
    const start = fiscalStart(calendar, unit, new Day(day)).days
    const found = known.get(start) ?? name(start)
    known.set(start, found)
    return found
  }
}

function nameIn(calendar: CalendarJson, unit: Unit, mark: string, day: number): string {
  const start = fiscalStart(calendar, 'year', new Day(day))
  const [before, last] = [start.days - 1, lastDay(calendar, start)].map((end) => nearestEnd(calendar, end)) as [number, number]
  const year = `FY${yearOf(calendar.label === 'start' ? before + 1 : last)}`
  if (unit === 'year') return year
  let place = 1
  for (let at = fiscalStart(calendar, unit, start); ; place++, at = fiscalAfter(calendar, unit, at, 1))
    if (fiscalAfter(calendar, unit, at, 1).days > day) break
  return `${year}${mark}${unit === 'quarter' ? place : String(place).padStart(2, '0')}`
}

const lastDay = (calendar: CalendarJson, start: Day): number => fiscalAfter(calendar, 'year', start, 1).days - 1

/** A year of whole weeks ends near the end of a month, which decides its calendar year; it begins after such an end. */
function nearestEnd({ yearEnd }: CalendarJson, day: number): number {
  if (!yearEnd) return day
  const year = yearOf(day)
  const ends = [year - 1, year, year + 1].map((y) => Date.UTC(y, yearEnd.month, 0) / 86_400_000)
  return ends.toSorted((a, b) => Math.abs(a - day) - Math.abs(b - day))[0]!
}

const yearOf = (day: number): number => new Date(day * 86_400_000).getUTCFullYear()
