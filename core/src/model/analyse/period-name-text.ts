/** The names of the periods of a calendar that has a `label`, as expressions over a day: `FY2025`, `FY2025 Q3`, `FY2025 M07`, `FY2025 W31`. */
import { type Calendar, type CalendarGrain, endsLater, type MonthCalendar, type WeekCalendar } from '../grain.js'

/** The numbers of the periods that contain a day: the year in which theirs begins, and from 1 their places in it. */
interface Places {
  readonly year: string
  readonly quarter: string
  readonly month: string
  readonly week: string
}

/** The name of the period that contains `day`, as text of a model's expression. */
export function periodNameOf({ calendar, unit }: CalendarGrain, day: string): string {
  const places = calendar.kind === 'months' ? placesOfMonths(calendar, day) : placesOfWeeks(calendar, day)
  const year = `'FY', CAST(${yearNamed(calendar, places.year)} AS string)`
  switch (unit) {
    case 'year':
      return `concat(${year})`
    case 'quarter':
      return `concat(${year}, ' Q', CAST(${places.quarter} AS string))`
    case 'month':
      return `concat(${year}, ' M', ${twoDigits(places.month)})`
    case 'week':
      return `concat(${year}, ' W', ${twoDigits(places.week)})`
  }
}

const yearNamed = (calendar: Calendar, start: string): string =>
  calendar.label === 'end' && endsLater(calendar) ? `${start} + 1` : start

const twoDigits = (number: string): string => `lpad(CAST(${number} AS string), 2, '0')`

/** Moved back to a year that begins on the first of January, a day has the places of the calendar year. */
function placesOfMonths({ month, day: first }: MonthCalendar, day: string): Places {
  const moved = later('month', -month, later('day', 1 - first, day))
  return { year: extract('year', moved), quarter: extract('quarter', moved), month: extract('month', moved), week: '' }
}

/** By whole weeks since the start of the year; a 53rd week is in the last month. The day that decides is moved back as above. */
function placesOfWeeks(calendar: WeekCalendar, day: string): Places {
  const { month, reach, longMonth } = calendar
  const moved = later('month', -month, later('day', 6 - reach, startOfWeek(calendar, day)))
  const first = later('month', month, `date_trunc('year', ${moved})`)
  const week = `div(date_diff('day', ${startOfWeek(calendar, later('day', reach, first))}, ${day}), 7)`
  return {
    year: extract('year', moved),
    quarter: `least(div(${week}, 13), 3) + 1`,
    month: `div(3 * least(${week}, 51) + ${longMonth}, 13) + 1`,
    week: `${week} + 1`,
  }
}

const startOfWeek = ({ weekOffset }: WeekCalendar, day: string): string =>
  later('day', weekOffset, `date_trunc('week', ${later('day', -weekOffset, day)})`)

const later = (unit: 'day' | 'month', count: number, day: string): string =>
  count === 0 ? day : `date_add('${unit}', ${count}, ${day})`

const extract = (unit: 'year' | 'quarter' | 'month', day: string): string => `extract('${unit}', ${day})`
