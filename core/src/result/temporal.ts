/**
 * Days and microseconds since 1970-01-01 as ISO 8601 text and back, in the proleptic Gregorian calendar. Years outside 0000–9999 are
 * written with a sign and six digits. Infinity, if an engine has it, is the largest value of the type and `-infinity` its negative.
 */
export const INFINITE_DAYS = 2147483647
/** The timestamp `infinity`; its negative is `-infinity`. */
export const INFINITE_MICROS = 9223372036854775807n

const MICROS_PER_DAY = 86_400_000_000n
const MICROS_PER_SECOND = 1_000_000

const cachedDates = new Map<number, string>()

/** `2024-02-29`; `infinity` and `-infinity` at the ends. */
export function formatDate(days: number): string {
  let text = cachedDates.get(days)
  if (text === undefined) {
    text = dateText(days)
    // Answers repeat their dates; a limit prevents hostile ones from filling the memory.
    if (cachedDates.size >= 8192) cachedDates.clear()
    cachedDates.set(days, text)
  }
  return text
}

/** `13:05:00[.ffffff]`, without trailing zeros in the fraction. */
export function formatTime(micros: number): string {
  const seconds = Math.floor(micros / MICROS_PER_SECOND)
  const fraction = micros - seconds * MICROS_PER_SECOND
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return fraction === 0 ? clock : `${clock}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`
}

/** `2024-02-29T13:05:00[.ffffff]` for a local time. */
export function formatTimestamp(micros: bigint): string {
  if (micros === INFINITE_MICROS) return 'infinity'
  if (micros === -INFINITE_MICROS) return '-infinity'
  const days = floorDivide(micros, MICROS_PER_DAY)
  return `${formatDate(Number(days))}T${formatTime(Number(micros - days * MICROS_PER_DAY))}`
}

/** An instant as the local time `offsetSeconds` ahead of UTC, with that offset: `…T13:05:00+02:00`, `…Z` for UTC itself. */
export function formatInstant(micros: bigint, offsetSeconds: number | undefined): string {
  if (micros === INFINITE_MICROS || micros === -INFINITE_MICROS) return formatTimestamp(micros)
  if (offsetSeconds === undefined) return `${formatTimestamp(micros)}Z`
  return formatTimestamp(micros + BigInt(offsetSeconds * MICROS_PER_SECOND)) + formatOffset(offsetSeconds)
}

const DATE = /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?$/
const OFFSET = /^(.*?)(Z|[+-]\d\d(?::?\d\d(?::\d\d)?)?)$/

/** Days since 1970-01-01; `undefined` for a text that is not a date. */
export function parseDate(text: string): number | undefined {
  if (text === 'infinity') return INFINITE_DAYS
  if (text === '-infinity') return -INFINITE_DAYS
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const days = daysFromCivil(year, month, day)
  return month >= 1 && month <= 12 && day >= 1 && formatDate(days) === text ? days : undefined
}

/** Microseconds since midnight; `undefined` for a text that is not a time of day. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text)
  if (match === null) return undefined
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  if (hour > 24 || minute > 59 || second > 59) return undefined
  return (hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND + Number((match[4] ?? '').padEnd(6, '0'))
}

/** Microseconds of a local time: a date, or a date and a time separated by `T` or a space. */
export function parseTimestamp(text: string): bigint | undefined {
  if (text === 'infinity') return INFINITE_MICROS
  if (text === '-infinity') return -INFINITE_MICROS
  const [date = '', time = '00:00:00', ...rest] = text.split(/[T ]/)
  const days = parseDate(date)
  const micros = parseTime(time)
  return days === undefined || micros === undefined || rest.length > 0
    ? undefined
    : BigInt(days) * MICROS_PER_DAY + BigInt(micros)
}

/** Microseconds of an instant in UTC: a timestamp with `Z` or an offset; without one it is read as UTC. */
export function parseInstant(text: string): bigint | undefined {
  const match = text.length > 10 ? OFFSET.exec(text) : null
  const micros = parseTimestamp(match?.[1] ?? text)
  if (micros === undefined || match === null || match[2] === 'Z') return micros
  const [hours, minutes = 0, seconds = 0] = match[2]!.slice(1).replaceAll(':', '').match(/\d\d/g)!.map(Number)
  const offset = (hours! * 3600 + minutes * 60 + seconds) * (match[2]!.startsWith('-') ? -1 : 1)
  return micros - BigInt(offset * MICROS_PER_SECOND)
}

/** The quotient, rounded towards minus infinity. */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor
  return value % divisor < 0n ? quotient - 1n : quotient
}

/** `+02:00`, `-03:30`, with seconds only if a historic zone has them. */
export function formatOffset(offsetSeconds: number): string {
  const seconds = Math.abs(offsetSeconds)
  const text = `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`
  return seconds % 60 === 0 ? text : `${text}:${two(seconds % 60)}`
}

function dateText(days: number): string {
  if (days === INFINITE_DAYS) return 'infinity'
  if (days === -INFINITE_DAYS) return '-infinity'
  const { year, month, day } = civilFromDays(days)
  return `${yearText(year)}-${two(month)}-${two(day)}`
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value))

// Both directions count in 400-year eras of 146,097 days that begin on 1 March, so that the leap day is the last of its year.
/** The date of a day since 1970-01-01. */
export function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}

function daysFromCivil(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}
