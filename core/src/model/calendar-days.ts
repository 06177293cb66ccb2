/** The periods of a calendar for known days, which are counted from 1970-01-01. */
import type { Calendar, CalendarGrain, CalendarUnit, WeekCalendar } from './grain.js'

const MONTHS: Readonly<Record<Exclude<CalendarUnit, 'week'>, number>> = { month: 1, quarter: 3, year: 12 }

/** The first day of the period that contains `day`. */
export function startOfPeriod(day: number, { calendar, unit }: CalendarGrain): number {
  if (unit === 'week') return startOfWeek(day, calendar as WeekCalendar)
  const month = monthOf(day, calendar)
  return startOfMonth(month - mod(month - calendar.month, MONTHS[unit]), calendar)
}

/** The first day of the period that is `count` periods after the one that begins on `start`. */
export function periodAfter(start: number, { calendar, unit }: CalendarGrain, count: number): number {
  return unit === 'week' ? start + 7 * count : startOfMonth(monthOf(start, calendar) + MONTHS[unit] * count, calendar)
}

/** Every month of a calendar is numbered like a calendar month, the first month of a year like the one near which the year begins. */
function monthOf(day: number, calendar: Calendar): number {
  if (calendar.kind === 'months') return civilMonth(day - (calendar.day - 1))
  // A year has begun if the day that decides is in this week or before.
  const begun = civilMonth(startOfWeek(day, calendar) + 6 - calendar.reach)
  const first = begun - mod(begun - calendar.month, 12)
  const week = Math.floor((day - startOfYear(first, calendar)) / 7)
  return first + monthOfWeek(week, calendar)
}

function startOfMonth(month: number, calendar: Calendar): number {
  if (calendar.kind === 'months') return firstDay(month) + calendar.day - 1
  const inYear = mod(month - calendar.month, 12)
  return startOfYear(month - inYear, calendar) + 7 * weekOfMonth(inYear, calendar)
}

/** The year is identified by the number of its first month. */
const startOfYear = (first: number, calendar: WeekCalendar): number => startOfWeek(firstDay(first) + calendar.reach, calendar)

/** 1970-01-01 was a Thursday. */
const startOfWeek = (day: number, { firstWeekday }: WeekCalendar): number => day - mod(day + 4 - firstWeekday, 7)

/** Three months have thirteen weeks. A 53rd week belongs to the last month. */
const monthOfWeek = (week: number, { longMonth }: WeekCalendar): number => Math.floor((3 * Math.min(week, 51) + longMonth) / 13)
const weekOfMonth = (month: number, { longMonth }: WeekCalendar): number => Math.floor((13 * month + 2 - longMonth) / 3)

function civilMonth(day: number): number {
  const date = new Date(day * 86_400_000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function firstDay(month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), mod(month, 12), 1)
  return date.getTime() / 86_400_000
}

const mod = (n: number, by: number): number => ((n % by) + by) % by
