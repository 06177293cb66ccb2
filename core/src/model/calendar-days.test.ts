/** Periods of calendars for known days. */
import t from 'tap'
import { periodAfter, startOfPeriod } from './calendar-days.js'
import type { Calendar, CalendarUnit } from './grain.js'

const DAY = 86_400_000
const dayOf = (date: string): number => Date.parse(date) / DAY
const textOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

const months: Calendar = { kind: 'months', name: 'fiscal', month: 3, day: 6 }
const weeks: Calendar = { kind: 'weeks', name: 'retail', firstWeekday: 0, weekOffset: -1, month: 1, reach: 0, longMonth: 1 }
const nearest: Calendar = { ...weeks, reach: 3, longMonth: 0 }

const CASES: readonly (readonly [Calendar, CalendarUnit, string, string, string])[] = [
  // A tax year from 6 April.
  [months, 'month', '2025-04-05', '2025-03-06', '2025-04-06'],
  [months, 'month', '2025-04-06', '2025-04-06', '2025-05-06'],
  [months, 'quarter', '2025-07-05', '2025-04-06', '2025-07-06'],
  [months, 'year', '2025-04-05', '2024-04-06', '2025-04-06'],
  // The week of 1 February begins on Sunday, 28 January 2024; months of four, five and four weeks.
  [weeks, 'year', '2024-01-27', '2023-01-29', '2024-01-28'],
  [weeks, 'year', '2024-01-28', '2024-01-28', '2025-01-26'],
  [weeks, 'month', '2024-02-24', '2024-01-28', '2024-02-25'],
  [weeks, 'month', '2024-03-30', '2024-02-25', '2024-03-31'],
  [weeks, 'quarter', '2024-04-28', '2024-04-28', '2024-07-28'],
  [weeks, 'week', '2024-02-03', '2024-01-28', '2024-02-04'],
  // With the week that has most of its days in February: 2 February 2025, after a year of 52 weeks from 4 February 2024.
  [nearest, 'year', '2025-02-01', '2024-02-04', '2025-02-02'],
  // 53 weeks from 29 January 2023; the last month takes the additional one.
  [nearest, 'month', '2024-02-03', '2023-12-31', '2024-02-04'],
]

for (const [calendar, unit, day, start, next] of CASES)
  t.test(`${day} is in the ${unit} of '${calendar.name}' that begins on ${start}`, async (t) => {
    const grain = { name: '', unit, calendar }
    t.equal(textOf(startOfPeriod(dayOf(day), grain)), start)
    t.equal(textOf(periodAfter(dayOf(start), grain, 1)), next)
    t.equal(textOf(periodAfter(dayOf(next), grain, -1)), start)
  })
