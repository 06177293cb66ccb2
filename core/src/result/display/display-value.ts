import type { DataType } from '../../model/data-type.js'
import { civilFromDays, floorDivide, INFINITE_DAYS, INFINITE_MICROS } from '../temporal.js'
import type { Value } from '../value-at.js'
import { type ZoneOffset, zoneOffset } from '../zone-offset.js'
import { type DateToken, parseDatePattern } from './date-pattern.js'
import { type NumberPattern, parseNumberPattern, type Section } from './number-pattern.js'

/** The locale and zone of display texts. */
export interface DisplayOptions {
  /** BCP 47. */
  readonly locale: string
  /** IANA zone of instants. */
  readonly timezone: string
}

/** A value of a column, as its vector stores it: days, microseconds, a double, an int, or the text of a decimal. */
export type DisplayValue = Exclude<Value, null>

/** Creates the display strings of a column; `undefined` if its type does not support its format. */
export function displayer(
  type: DataType,
  format: string,
  options: DisplayOptions,
): ((value: DisplayValue) => string) | undefined {
  switch (type.kind) {
    case 'int':
    case 'float':
    case 'decimal': {
      const pattern = parseNumberPattern(format)
      return pattern && numberDisplay(pattern, options.locale)
    }
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamp_tz': {
      const tokens = parseDatePattern(format)
      return tokens && dateDisplay(tokens, type, options)
    }
    default:
      return undefined
  }
}

function numberDisplay({ positive, negative, zero }: NumberPattern, locale: string): (value: DisplayValue) => string {
  const plain = sectionDisplay(positive, locale)
  const below = negative && sectionDisplay(negative, locale)
  const nothing = zero && sectionDisplay(zero, locale)
  return (value) => {
    const number = value as number | bigint | string
    const sign = Math.sign(Number(number))
    if (sign === 0 && nothing) return nothing(number)
    return sign < 0 && below ? below(withoutSign(number)) : plain(number)
  }
}

function withoutSign(value: number | bigint | string): number | bigint | string {
  return typeof value === 'string' ? value.replace('-', '') : value < 0 ? -value : value
}

function sectionDisplay(section: Section, locale: string): (value: number | bigint | string) => string {
  const { prefix, suffix, thousands } = section
  const format = new Intl.NumberFormat(locale, {
    style: section.percent ? 'percent' : 'decimal',
    useGrouping: section.grouping ? 'always' : false,
    minimumIntegerDigits: Math.min(21, Math.max(1, section.leastWhole)),
    minimumFractionDigits: Math.min(100, section.leastFraction),
    maximumFractionDigits: Math.min(100, section.mostFraction),
    // A value that rounds to zero is shown without a sign.
    signDisplay: 'negative',
  } as Intl.NumberFormatOptions)
  // A text is formatted digit by digit, so that a decimal remains exact.
  return (value) => `${prefix}${format.format(scaled(value, thousands) as number)}${suffix}`
}

function scaled(value: number | bigint | string, thousands: number): number | bigint | string {
  if (thousands === 0) return value
  return typeof value === 'number' ? value / 1000 ** thousands : `${value}E-${3 * thousands}`
}

const MICROS_PER_DAY = 86_400_000_000n

function dateDisplay(
  tokens: readonly DateToken[],
  type: DataType,
  { locale, timezone }: DisplayOptions,
): (value: DisplayValue) => string {
  const offset = type.kind === 'timestamp_tz' ? zoneOffset(timezone) : undefined
  const names = localNames(locale)
  return (value) => {
    const moment = momentOf(value as number | bigint, type, offset)
    return typeof moment === 'string' ? moment : tokens.map((token) => fieldText(token, moment, names)).join('')
  }
}

interface Moment {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  /** Since midnight. */
  readonly micros: number
}

function momentOf(value: number | bigint, type: DataType, offset: ZoneOffset | undefined): Moment | string {
  if (type.kind === 'date') {
    if (Math.abs(Number(value)) === INFINITE_DAYS) return value > 0 ? 'infinity' : '-infinity'
    return onDay(Number(value), 0)
  }
  const micros = BigInt(value)
  if (type.kind === 'time') return onDay(0, Number(micros))
  if (micros === INFINITE_MICROS || micros === -INFINITE_MICROS) return micros > 0n ? 'infinity' : '-infinity'
  const wall = micros + BigInt((offset?.(micros) ?? 0) * 1_000_000)
  const days = floorDivide(wall, MICROS_PER_DAY)
  return onDay(Number(days), Number(wall - days * MICROS_PER_DAY))
}

/** 1970-01-01 was a Thursday. */
const onDay = (days: number, micros: number): Moment => ({ ...civilFromDays(days), weekday: (((days + 4) % 7) + 7) % 7, micros })

interface LocalNames {
  readonly months: Readonly<Record<'long' | 'short', readonly string[]>>
  readonly weekdays: Readonly<Record<'long' | 'short', readonly string[]>>
}

function localNames(locale: string): LocalNames {
  const both = (count: number, field: 'month' | 'weekday', date: (index: number) => number) => {
    const named = (width: 'long' | 'short') => {
      const format = new Intl.DateTimeFormat(locale, { [field]: width, timeZone: 'UTC' })
      return Array.from({ length: count }, (_, index) => format.format(date(index)))
    }
    return { long: named('long'), short: named('short') }
  }
  return {
    months: both(12, 'month', (month) => Date.UTC(2024, month, 15)),
    // 2024-09-01 was a Sunday.
    weekdays: both(7, 'weekday', (day) => Date.UTC(2024, 8, 1 + day)),
  }
}

function fieldText(token: DateToken, moment: Moment, { months, weekdays }: LocalNames): string {
  if (token.kind === 'text') return token.text
  const { width } = token
  const number = (value: number): string => String(value).padStart(width, '0')
  const seconds = Math.floor(moment.micros / 1_000_000)
  const hour = Math.floor(seconds / 3600)
  switch (token.kind) {
    case 'year':
      return width === 2 ? String(moment.year % 100).padStart(2, '0') : number(moment.year)
    case 'quarter':
      return String(Math.ceil(moment.month / 3))
    case 'month':
      return width < 3 ? number(moment.month) : months[width === 3 ? 'short' : 'long'][moment.month - 1]!
    case 'day':
      return width < 3 ? number(moment.day) : weekdays[width === 3 ? 'short' : 'long'][moment.weekday]!
    case 'weekday':
      return weekdays[width < 4 ? 'short' : 'long'][moment.weekday]!
    case 'hour':
      return number(hour)
    case 'hour12':
      return number(hour % 12 || 12)
    case 'minute':
      return number(Math.floor(seconds / 60) % 60)
    case 'second':
      return number(seconds % 60)
    case 'fraction':
      return String(moment.micros % 1_000_000)
        .padStart(6, '0')
        .slice(0, width)
    case 'noon':
      return hour < 12 ? 'AM' : 'PM'
  }
}
