/** The periods that names such as `FY2025`, `FY2025 Q3` and `Q3 FY25` mean, in a calendar whose years have a `label`. */
import { nearest } from '../nearest.js'
import { periodAfter, startOfPeriod } from './calendar-days.js'
import { type CalendarGrain, type CalendarUnit, endsLater, type Grain } from './grain.js'

const FORM = /^(?:FY *(\d{4}|\d{2})(?: *([QMW]) *(\d{1,2}))?|([QMW]) *(\d{1,2}) *FY *(\d{4}|\d{2}))$/i

const UNITS: Readonly<Record<string, CalendarUnit>> = { Q: 'quarter', M: 'month', W: 'week' }
const LETTERS = { year: '', quarter: 'Q', month: 'M', week: 'W' } as const

/** The first day of the period of this name, counted from 1970-01-01; `undefined` if it is no name of a period of the grain. */
export function dayNamed(name: string, grain: Grain): number | undefined {
  if (typeof grain === 'string' || grain.calendar.label === undefined) return undefined
  const [, yearFirst, letterAfter, placeAfter, letterBefore, placeBefore, yearLast] = FORM.exec(name.trim()) ?? []
  const year = yearFirst ?? yearLast
  const letter = (letterAfter ?? letterBefore ?? '').toUpperCase()
  if (year === undefined || (UNITS[letter] ?? 'year') !== grain.unit) return undefined
  const start = startOfYear(inFull(year), grain)
  const place = Number(placeAfter ?? placeBefore ?? 1)
  const day = periodAfter(start, grain, place - 1)
  return place >= 1 && startOfPeriod(day, { ...grain, unit: 'year' }) === start ? day : undefined
}

/** The name of the period that begins on a day; `undefined` if periods of the grain have no names. */
export function periodName(day: number, grain: Grain): string | undefined {
  if (typeof grain === 'string' || grain.calendar.label === undefined) return undefined
  const ofYear = startOfPeriod(day, { ...grain, unit: 'year' })
  const name = `FY${String(yearNamed(ofYear, grain)).padStart(4, '0')}`
  if (grain.unit === 'year') return name
  const place = placeIn(ofYear, day, grain)
  return `${name} ${LETTERS[grain.unit]}${grain.unit === 'quarter' ? place : String(place).padStart(2, '0')}`
}

/** What a text that is no period of the grain may mean, the likeliest first: names in the year that it has, else an example. */
export function namesLike(text: string, grain: CalendarGrain): readonly string[] {
  const [year] = /\d{4}|\d{2}/.exec(text) ?? []
  const start = startOfYear(inFull(year ?? EXAMPLE), grain)
  const end = periodAfter(start, { ...grain, unit: 'year' }, 1)
  const names: string[] = []
  for (let at = start; at < end; at = periodAfter(at, grain, 1)) names.push(periodName(at, grain) ?? '')
  const likely = nearest(text, names)
  return likely.length > 0 ? likely : names.slice(0, 1)
}

const EXAMPLE = '2025'

/** Years of two digits are those from 1970 to 2069. */
const inFull = (year: string): number => (year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900))

function startOfYear(named: number, grain: CalendarGrain): number {
  const { calendar } = grain
  const year = calendar.label === 'end' && endsLater(calendar) ? named - 1 : named
  // Every year has begun eight days after the first of its month, or on the day on which its months begin.
  return startOfPeriod(dayOf(year, calendar.month, calendar.kind === 'months' ? calendar.day : 9), { ...grain, unit: 'year' })
}

/** The year after which a year is called that begins on this day; those of whole weeks begin within a week of the first of their month. */
function yearNamed(start: number, { calendar }: CalendarGrain): number {
  const begins = new Date((start + (calendar.kind === 'weeks' ? 7 : 0)) * 86_400_000).getUTCFullYear()
  return calendar.label === 'end' && endsLater(calendar) ? begins + 1 : begins
}

function placeIn(year: number, day: number, grain: CalendarGrain): number {
  let place = 1
  for (let at = year; at < day; place++) at = periodAfter(year, grain, place)
  return place
}

function dayOf(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime() / 86_400_000
}
