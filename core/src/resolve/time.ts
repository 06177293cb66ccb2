/** Calendar arithmetic on local times, in microseconds since 1970-01-01, and their texts. */
import { periodAfter, startOfPeriod } from '../model/calendar-days.js'
import { type Grain, type TimeGrain, unitOfGrain, type WeekStart } from '../model/grain.js'
import type { Micros } from '../time-zones/ranges.js'

export type { Micros }

const MICROS_PER_MS = 1000n
export const MICROS_PER_DAY = 86_400_000_000n
const SUB_DAY: Partial<Record<TimeGrain, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n }

export const isSubDay = (grain: Grain): boolean => unitOfGrain(grain) in SUB_DAY

/** Start of the period that contains `at`. */
export function floor(at: Micros, grain: Grain, weekStart: WeekStart): Micros {
  if (typeof grain !== 'string') return onDays(floorTo(at, MICROS_PER_DAY), (day) => startOfPeriod(day, grain))
  const step = SUB_DAY[grain]
  if (step !== undefined) return floorTo(at, step)
  const day = floorTo(at, MICROS_PER_DAY)
  if (grain === 'day') return day
  const date = new Date(Number(day / MICROS_PER_MS))
  if (grain === 'week') {
    const back = (date.getUTCDay() - (weekStart === 'monday' ? 1 : 0) + 7) % 7
    return day - BigInt(back) * MICROS_PER_DAY
  }
  const month = grain === 'year' ? 0 : grain === 'quarter' ? Math.floor(date.getUTCMonth() / 3) * 3 : date.getUTCMonth()
  return fromUtc(date.getUTCFullYear(), month)
}

/** `start`, which must be the start of a period, shifted by `count` periods. */
export function shift(start: Micros, grain: Grain, count: number): Micros {
  if (typeof grain !== 'string') return onDays(start, (day) => periodAfter(day, grain, count))
  const step = SUB_DAY[grain] ?? (grain === 'day' ? MICROS_PER_DAY : grain === 'week' ? 7n * MICROS_PER_DAY : undefined)
  if (step !== undefined) return start + BigInt(count) * step
  const date = new Date(Number(start / MICROS_PER_MS))
  const months = grain === 'year' ? 12 : grain === 'quarter' ? 3 : 1
  return fromUtc(date.getUTCFullYear(), date.getUTCMonth() + months * count)
}

/** First period start at or after `at`. */
export function ceil(at: Micros, grain: Grain, weekStart: WeekStart): Micros {
  const start = floor(at, grain, weekStart)
  return start === at ? at : shift(start, grain, 1)
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

export interface ParsedTime {
  readonly micros: Micros
  /** The end of the time that the text names: a day, a month, a year; for a timestamp the next microsecond. */
  readonly until: Micros
  readonly dateOnly: boolean
  /** The text names a whole month or year. */
  readonly isPeriod: boolean
  /** The text has an offset or Z, so `micros` is an instant in UTC. */
  readonly instant: boolean
}

const PERIOD = /^(\d{4})(?:-(\d{2}))?$/

/** An ISO 8601 date or date-time, or a month or year; `undefined` for other texts and days that do not exist. */
export function parseTime(value: string): ParsedTime | undefined {
  const [, onlyYear, onlyMonth] = PERIOD.exec(value.trim()) ?? []
  if (onlyYear !== undefined) return wholePeriod(Number(onlyYear), onlyMonth)
  const m = ISO.exec(value.trim())
  if (!m) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = m
  const base = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const date = new Date(base)
  if (Number(year) < 100) date.setUTCFullYear(Number(year))
  const sane =
    date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(minute) < 60 && Number(second) < 60
  if (!sane) return undefined
  const micros = BigInt(date.getTime()) * MICROS_PER_MS + BigInt(fraction.padEnd(6, '0').slice(0, 6))
  const at = micros - offsetMicros(offset)
  const dateOnly = m[4] === undefined
  return { micros: at, until: at + (dateOnly ? MICROS_PER_DAY : 1n), dateOnly, isPeriod: false, instant: offset !== undefined }
}

function wholePeriod(year: number, month: string | undefined): ParsedTime | undefined {
  const first = month === undefined ? 0 : Number(month) - 1
  if (year === 0 || first < 0 || first > 11) return undefined
  const micros = fromUtc(year, first)
  const until = month === undefined ? fromUtc(year + 1, 0) : fromUtc(year, first + 1)
  return { micros, until, dateOnly: true, isPeriod: true, instant: false }
}

/** `YYYY-MM-DD` for a value at midnight. */
export function dateText(at: Micros): string {
  return new Date(Number(floorTo(at, MICROS_PER_DAY) / MICROS_PER_MS)).toISOString().slice(0, 10)
}

/** `YYYY-MM-DD HH:MM:SS[.ffffff]`. */
export function timestampText(at: Micros): string {
  const seconds = floorTo(at, 1_000_000n)
  const rest = at - seconds
  const iso = new Date(Number(seconds / MICROS_PER_MS)).toISOString().slice(0, 19).replace('T', ' ')
  return rest === 0n ? iso : `${iso}.${rest.toString().padStart(6, '0')}`
}

function offsetMicros(offset: string | undefined): bigint {
  if (offset === undefined || offset.toUpperCase() === 'Z') return 0n
  const sign = offset.startsWith('-') ? -1n : 1n
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  return sign * (BigInt(digits.slice(0, 2)) * 60n + BigInt(digits.slice(2, 4))) * 60_000_000n
}

/** A midnight shifted as the calendar of days defines. */
const onDays = (at: Micros, moved: (day: number) => number): Micros => BigInt(moved(Number(at / MICROS_PER_DAY))) * MICROS_PER_DAY

const floorTo = (at: bigint, step: bigint): bigint => at - (((at % step) + step) % step)
const fromUtc = (year: number, month: number): Micros => {
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month, 1)
  return BigInt(date.getTime()) * MICROS_PER_MS
}
