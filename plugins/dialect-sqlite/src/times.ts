/** Times are texts, so their parts are cut out of them: https://www.sqlite.org/lang_datefunc.html has the rest. */
import type { DataType } from '@grainline/core'
import type { TimeGrain } from '@grainline/core/dialect'

/** The day of a date or timestamp. */
const day = (x: string, type: DataType): string => (type.kind === 'date' ? x : `SUBSTR(${x}, 1, 10)`)

/** A timestamp unchanged, a date at its first second. */
export const started = (x: string, type: DataType): string => (type.kind === 'date' ? `((${x}) || ' 00:00:00')` : x)

/** The length of a timestamp's text up to the unit, and the text that completes it to a time. */
const CLOCK: Partial<Record<TimeGrain, readonly [length: number, rest: string]>> = {
  hour: [13, " || ':00:00'"],
  minute: [16, " || ':00'"],
  second: [19, ''],
}

export function truncate(grain: TimeGrain, x: string, type: DataType, weekStart: 'monday' | 'sunday'): string {
  const clock = CLOCK[grain]
  if (clock) return type.kind === 'date' ? started(x, type) : `(SUBSTR(${x}, 1, ${clock[0]})${clock[1]})`
  switch (grain) {
    case 'year':
      return `(SUBSTR(${x}, 1, 4) || '-01-01')`
    case 'quarter':
      return `(SUBSTR(${x}, 1, 5) || PRINTF('%02d', (SUBSTR(${x}, 6, 2) - 1) / 3 * 3 + 1) || '-01')`
    case 'month':
      return `(SUBSTR(${x}, 1, 7) || '-01')`
    case 'week':
      // The first day of a week that is not before the sixth day before this one.
      return `DATE(${day(x, type)}, '-6 days', 'weekday ${weekStart === 'monday' ? 1 : 0}')`
    default:
      return day(x, type)
  }
}

const MODIFIERS: Readonly<Record<TimeGrain, readonly [unit: string, factor: number]>> = {
  year: ['years', 1],
  quarter: ['months', 3],
  month: ['months', 1],
  week: ['days', 7],
  day: ['days', 1],
  hour: ['hours', 1],
  minute: ['minutes', 1],
  second: ['seconds', 1],
}

/** The functions know only milliseconds, so the text after the second, or after the day, is put aside. */
export function moved(unit: TimeGrain, count: string, x: string, type: DataType): string {
  const [name, factor] = MODIFIERS[unit]
  const by = `(${factor === 1 ? count : `${count} * ${factor}`}) || ' ${name}'`
  if (unit in CLOCK) {
    const moved = `DATETIME(SUBSTR(${x}, 1, 19), ${by})`
    return type.kind === 'date' ? moved : `(${moved} || SUBSTR(${x}, 20))`
  }
  const moved = `DATE(SUBSTR(${x}, 1, 10), ${by}, 'floor')`
  return type.kind === 'date' ? moved : `(${moved} || SUBSTR(${x}, 11))`
}

const YEARS = (x: string): string => `CAST(SUBSTR(${x}, 1, 4) AS INTEGER)`
const MONTHS = (x: string): string => `(SUBSTR(${x}, 1, 4) * 12 + SUBSTR(${x}, 6, 2))`
const SECONDS = { week: 604800, day: 86400, hour: 3600, minute: 60, second: 1 }

/** How many boundaries of the unit lie between two timestamps. */
export function dateDiff(unit: TimeGrain, start: string, end: string): string {
  const difference = (of: (x: string) => string): string => `${of(end)} - ${of(start)}`
  switch (unit) {
    case 'year':
      return `(${difference(YEARS)})`
    case 'quarter':
      return `(${difference((x) => `(${MONTHS(x)} - 1) / 3`)})`
    case 'month':
      return `(${difference(MONTHS)})`
    default: {
      const cut = (x: string) => `UNIXEPOCH(${truncate(unit, x, { kind: 'timestamp' }, 'monday')})`
      return `((${difference(cut)}) / ${SECONDS[unit]})`
    }
  }
}

/** An ISO text as a timestamp: with a space, whole seconds and no zero at the end of their fraction. NULL for any other text. */
export function parsedTimestamp(x: string): string {
  const [date, clock] = [`SUBSTR(${x}, 1, 10)`, `SUBSTR(${x}, 12)`]
  const form = `${clock} GLOB '[0-2][0-9]:[0-5][0-9]*' AND ${clock} NOT GLOB '*[^0-9:.]*' AND ${clock} < '24' AND TIME(${clock}) IS NOT NULL`
  const timed = `LENGTH(${x}) = 10 OR (SUBSTR(${x}, 11, 1) IN ('T', ' ') AND ${form})`
  const whole = `SUBSTR(${clock} || SUBSTR('00:00:00', LENGTH(SUBSTR(${clock}, 1, 8)) + 1), 1, 8)`
  const fraction = `RTRIM(RTRIM(SUBSTR(${x}, 20), '0'), '.')`
  return `CASE WHEN DATE(${date}) = ${date} AND (${timed}) THEN ${date} || ' ' || ${whole} || ${fraction} END`
}
