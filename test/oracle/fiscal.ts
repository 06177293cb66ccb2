/** Calendars of a model, computed by a walk through the days one by one. */
import { Day } from './values.js'

export interface CalendarJson {
  /** MM-DD. */
  readonly yearStart?: string
  readonly pattern?: '4-4-5' | '4-5-4' | '5-4-4'
  readonly yearEnd?: { readonly weekday: string; readonly month: number; readonly rule: 'last' | 'nearest' }
  readonly label?: 'start' | 'end'
  /** The periods that a table of days names, in the order of their first days. Days may be in none. */
  readonly periods?: readonly NamedDays[]
}

/** The days of one period of a table. */
export interface NamedDays {
  readonly start: number
  readonly days: ReadonlySet<number>
}

type Unit = 'week' | 'month' | 'quarter' | 'year'
/** The first days of all periods, ascending. */
type Starts = Readonly<Record<Unit, readonly number[]>>

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const [FIRST, LAST] = ['1700-01-01', '2400-12-31'].map((text) => Date.parse(text) / 86_400_000) as [number, number]
const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

/** `fiscal_quarter` as a calendar and a unit; undefined if it is no grain of these calendars. */
export function calendarGrain(
  grain: string,
  calendars: Readonly<Record<string, CalendarJson>> = {},
): { readonly calendar: CalendarJson; readonly unit: Unit } | undefined {
  const [, name = '', unit = ''] = /^(.*)_(week|month|quarter|year)$/.exec(grain) ?? []
  const calendar = calendars[name]
  if (!calendar || (unit === 'week' && !calendar.pattern)) return undefined
  return { calendar, unit: unit as Unit }
}

/** Days that no table has stand for the periods before its first one and after its last one. */
const FAR = 1_000_000

/** The first day of the period of a table that has the day. */
export function ownStart(periods: readonly NamedDays[], { days: day }: Day): Day | null {
  const found = Math.abs(day) > FAR / 2 ? day : periods.find(({ days }) => days.has(day))?.start
  return found === undefined ? null : new Day(found)
}

function ownAfter(periods: readonly NamedDays[], start: number, count: number): Day {
  const at = start < -FAR / 2 ? start + FAR : start > FAR / 2 ? start - FAR : periods.findIndex((one) => one.start === start)
  const place = at + count
  return new Day(place < 0 ? place - FAR : (periods[place]?.start ?? FAR + place))
}

/** The first day of the period that contains `day`. */
export function fiscalStart(calendar: CalendarJson, unit: Unit, { days }: Day): Day {
  const starts = startsOf(calendar)[unit]
  return inWalk(days, (day) => starts[indexOf(starts, day)])
}

/** The first day of the period that is `count` periods after the one that begins on `start`. */
export function fiscalAfter(calendar: CalendarJson, unit: Unit, start: Day, count: number): Day {
  if (calendar.periods) return ownAfter(calendar.periods, start.days, count)
  const starts = startsOf(calendar)[unit]
  return inWalk(start.days, (day) => starts[indexOf(starts, day) + count])
}

/** The same number of days into the month that many units later; at most its last day. */
export function fiscalLater(calendar: CalendarJson, unit: Unit, { days }: Day, count: number): Day {
  if (calendar.periods) return ownAfter(calendar.periods, days, count)
  if (unit === 'week') return new Day(days + 7 * count)
  const { month } = startsOf(calendar)
  return inWalk(days, (day) => {
    const at = indexOf(month, day)
    const there = at + count * MONTHS[unit]!
    const [start, next] = [month[there], month[there + 1]]
    return start === undefined || next === undefined ? undefined : Math.min(start + day - month[at]!, next - 1)
  })
}

/** The days of 400 years. They are whole weeks, so calendars repeat after them: each day has the same period as one day of the walk. */
const CYCLE = 146_097
const MIDDLE = Date.parse('1900-01-01') / 86_400_000

function inWalk(day: number, found: (day: number) => number | undefined): Day {
  const turns = Math.floor((day - MIDDLE) / CYCLE) * CYCLE
  const there = found(day - turns)
  if (there === undefined) throw new Error('the walk is too short')
  return new Day(there + turns)
}

function indexOf(starts: readonly number[], day: number): number {
  let [low, high] = [0, starts.length - 1]
  if (high < 0 || starts[0]! > day) throw new Error('the walk is too short')
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= day) low = middle
    else high = middle - 1
  }
  return low
}

const walked = new Map<string, Starts>()

function startsOf(calendar: CalendarJson): Starts {
  const key = JSON.stringify(calendar)
  const known = walked.get(key)
  if (known) return known
  const made = calendar.pattern ? walkWeeks(calendar) : walkMonths(calendar.yearStart!)
  walked.set(key, made)
  return made
}

/** The number of days before and after the walks that the decision about a day reads. */
const AROUND = 7

/** The days of the walks and those around them, computed once, because a `Date` for each day of each walk takes half of the time of a run. */
class Almanac {
  readonly #first = FIRST - AROUND
  readonly #weekdays = new Uint8Array(LAST + AROUND + 1 - this.#first)
  readonly #months = new Uint8Array(this.#weekdays.length)
  readonly #dates = new Uint8Array(this.#weekdays.length)

  constructor() {
    for (let i = 0; i < this.#dates.length; i++) {
      const date = new Date((this.#first + i) * 86_400_000)
      this.#weekdays[i] = date.getUTCDay()
      this.#months[i] = date.getUTCMonth() + 1
      this.#dates[i] = date.getUTCDate()
    }
  }

  weekday = (day: number): number => this.#weekdays[day - this.#first]!
  month = (day: number): number => this.#months[day - this.#first]!
  date = (day: number): number => this.#dates[day - this.#first]!
}
let almanac: Almanac | undefined
const daysOf = (): Almanac => {
  almanac ??= new Almanac()
  return almanac
}

function walkMonths(yearStart: string): Starts {
  const starts = { week: [] as number[], month: [] as number[], quarter: [] as number[], year: [] as number[] }
  const [first, on] = yearStart.split('-').map(Number) as [number, number]
  const days = daysOf()
  let month = -1
  for (let day = FIRST; day <= LAST; day++) {
    if (days.date(day) !== on) continue
    const begins = days.month(day) === first
    if (month < 0 && !begins) continue
    month = begins ? 0 : month + 1
    starts.month.push(day)
    if (month % 3 === 0) starts.quarter.push(day)
    if (begins) starts.year.push(day)
  }
  return starts
}

function walkWeeks({ pattern, yearEnd }: CalendarJson): Starts {
  const starts = { week: [] as number[], month: [] as number[], quarter: [] as number[], year: [] as number[] }
  const lengths = pattern!.split('-').map(Number)
  let [inMonth, month] = [0, 0]
  let running = false
  for (let day = FIRST; day <= LAST; day++) {
    if (isYearEnd(day - 1, yearEnd!)) {
      running = true
      inMonth = month = 0
      starts.year.push(day)
      starts.quarter.push(day)
      starts.month.push(day)
    } else if (!running || (day - starts.year.at(-1)!) % 7 !== 0) continue
    else {
      inMonth++
      // The last month of a year has the remaining weeks.
      if (month < 11 && inMonth === lengths[month % 3]) {
        month++
        inMonth = 0
        starts.month.push(day)
        if (month % 3 === 0) starts.quarter.push(day)
      }
    }
    starts.week.push(day)
  }
  return starts
}

function isYearEnd(day: number, { weekday, month, rule }: NonNullable<CalendarJson['yearEnd']>): boolean {
  const days = daysOf()
  if (days.weekday(day) !== WEEKDAYS.indexOf(weekday)) return false
  if (rule === 'last') return days.month(day) === month && days.month(day + 7) !== month
  for (let d = day - 3; d <= day + 3; d++) if (days.month(d) === month && days.month(d + 1) !== month) return true
  return false
}
