/** ISO text to days and timestamps, and the start of a period. */
import { type CalendarJson, calendarGrain, fiscalAfter, fiscalLater, fiscalStart, ownStart } from './fiscal.js'
import { Day, Moment, type Value } from './values.js'

const DAY_MICROS = 86_400_000_000
const SECOND = 1_000_000
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?$/

export type WeekStart = 'monday' | 'sunday'
/** The calendar settings of a model. */
export interface Reckoning {
  readonly weekStart: WeekStart
  readonly calendars?: Readonly<Record<string, CalendarJson>> | undefined
}
export const GRAINS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

export function parseDay(text: string): Day | undefined {
  const m = DATE.exec(text)
  return m ? dayOf(Number(m[1]), Number(m[2]) - 1, Number(m[3])) : undefined
}

export function parseMoment(text: string): Moment | undefined {
  const m = TIMESTAMP.exec(text)
  if (!m) return undefined
  const day = dayOf(Number(m[1]), Number(m[2]) - 1, Number(m[3]))
  const seconds = Number(m[4]) * 3600 + Number(m[5]) * 60 + Number(m[6] ?? 0)
  return new Moment(day.days * DAY_MICROS + seconds * SECOND + Number((m[7] ?? '').padEnd(6, '0')))
}

/** Years below 100 are those of the first century. */
const dayOf = (year: number, month: number, day: number): Day =>
  new Day(new Date(0).setUTCFullYear(year, month, day) / 86_400_000)

export const startOfDay = (day: Day): Moment => new Moment(day.days * DAY_MICROS)
export const dayAfter = (day: Day): Day => new Day(day.days + 1)

/** The start of the period that contains `value`: a Day for `day` and coarser, a Moment for finer grains. */
export function truncate(grain: string, value: Value, { weekStart, calendars }: Reckoning): Value {
  if (value === null) return null
  if (!(value instanceof Day || value instanceof Moment)) throw new Error(`no time: ${String(value)}`)
  const step = { second: SECOND, minute: 60 * SECOND, hour: 3600 * SECOND }[grain]
  const moment = value instanceof Day ? startOfDay(value) : value
  const fiscal = calendarGrain(grain, calendars)
  const day = new Day(Math.floor(moment.micros / DAY_MICROS))
  if (fiscal)
    return fiscal.calendar.periods ? ownStart(fiscal.calendar.periods, day) : fiscalStart(fiscal.calendar, fiscal.unit, day)
  if (step !== undefined) return new Moment(Math.floor(moment.micros / step) * step)
  return truncateDay(grain, Math.floor(moment.micros / DAY_MICROS), weekStart)
}

function truncateDay(grain: string, days: number, weekStart: WeekStart): Day {
  const date = new Date(days * 86_400_000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (grain) {
    case 'day':
      return new Day(days)
    case 'week':
      return new Day(days - (weekStart === 'sunday' ? date.getUTCDay() : (date.getUTCDay() + 6) % 7))
    case 'month':
      return dayOf(year, month, 1)
    case 'quarter':
      return dayOf(year, month - (month % 3), 1)
    case 'year':
      return dayOf(year, 0, 1)
    default:
      throw new Error(`no grain: ${grain}`)
  }
}

/** The start of the period `count` periods after the one that starts at `start`. */
export function addPeriods(grain: string, start: Day | Moment, count: number, { calendars }: Reckoning): Day | Moment {
  const fiscal = calendarGrain(grain, calendars)
  if (fiscal) return fiscalAfter(fiscal.calendar, fiscal.unit, start as Day, count)
  const step = { second: SECOND, minute: 60 * SECOND, hour: 3600 * SECOND }[grain]
  if (step !== undefined) return new Moment((start instanceof Day ? startOfDay(start) : start).micros + count * step)
  if (!(start instanceof Day)) throw new Error('a period of days starts at a Day')
  if (grain === 'day' || grain === 'week') return new Day(start.days + count * (grain === 'week' ? 7 : 1))
  const date = new Date(start.days * 86_400_000)
  const months = count * ({ month: 1, quarter: 3, year: 12 }[grain] ?? Number.NaN)
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

/** `count` units after `time`, not truncated; a day that does not exist in the month becomes its last day. */
export function addTo(time: Day, unit: string, count: number, reckoning?: Reckoning): Day
export function addTo(time: Value, unit: string, count: number, reckoning?: Reckoning): Day | Moment
export function addTo(time: Value, unit: string, count: number, reckoning?: Reckoning): Day | Moment {
  if (time instanceof Moment) {
    const step = { second: SECOND, minute: 60 * SECOND, hour: 3600 * SECOND }[unit]
    if (step !== undefined) return new Moment(time.micros + count * step)
    const days = Math.floor(time.micros / DAY_MICROS)
    return new Moment(addTo(new Day(days), unit, count, reckoning).days * DAY_MICROS + (time.micros - days * DAY_MICROS))
  }
  if (!(time instanceof Day)) throw new Error(`no time: ${String(time)}`)
  const fiscal = calendarGrain(unit, reckoning?.calendars)
  if (fiscal) return fiscalLater(fiscal.calendar, fiscal.unit, time, count)
  if (unit === 'day' || unit === 'week') return new Day(time.days + count * (unit === 'week' ? 7 : 1))
  const date = new Date(time.days * 86_400_000)
  const month = date.getUTCMonth() + count * ({ month: 1, quarter: 3, year: 12 }[unit] ?? Number.NaN)
  const lastOfMonth = dayOf(date.getUTCFullYear(), month + 1, 0).days
  return new Day(Math.min(dayOf(date.getUTCFullYear(), month, date.getUTCDate()).days, lastOfMonth))
}

/** Longer grains have greater numbers, and those of a calendar have the number of the unit that they are named after; −1 for none. */
export const lengthOf = (grain: string | undefined): number =>
  grain === undefined ? -1 : GRAINS.indexOf(grain.split('_').at(-1)!)
