/** Writes the `DateStyle`s other than ISO, as PostgreSQL does (`datetime.c`). Zones are shown as offsets, never as abbreviations. */
import { civilFromDays } from '@grainline/core/format'
import { offsetText, splitDay } from './date-text.js'
import type { TextStyle } from './text-style.js'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] // 1970-01-01 was a Thursday

export function styledDate(days: number, style: TextStyle): string {
  const { year } = civilFromDays(days)
  return dayText(days, style) + (year > 0 ? '' : ' BC')
}

export function styledTimestamp(wall: bigint, offset: number | undefined, style: TextStyle): string {
  const { days, micros } = splitDay(wall)
  const { year, month, day } = civilFromDays(days)
  const zone = offset === undefined ? '' : ` ${offsetText(offset)}`
  const era = year > 0 ? '' : ' BC'
  if (style.dateStyle !== 'Postgres') return `${dayText(days, style)} ${clockText(micros)}${zone}${era}`
  const date = style.dateOrder === 'DMY' ? `${two(day)} ${MONTHS[month - 1]}` : `${MONTHS[month - 1]} ${two(day)}`
  return `${WEEKDAYS[((days % 7) + 7) % 7]} ${date} ${clockText(micros)} ${yearText(year)}${zone}${era}`
}

function dayText(days: number, { dateStyle, dateOrder }: TextStyle): string {
  const { year, month, day } = civilFromDays(days)
  if (dateStyle === 'German') return `${two(day)}.${two(month)}.${yearText(year)}`
  const separator = dateStyle === 'SQL' ? '/' : '-'
  if (dateStyle === 'Postgres' && dateOrder === 'YMD') return [yearText(year), two(month), two(day)].join(separator)
  const [first, second] = dateOrder === 'DMY' ? [day, month] : [month, day]
  return [two(first), two(second), yearText(year)].join(separator)
}

function clockText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000)
  const fraction = micros % 1_000_000
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return fraction === 0 ? clock : `${clock}.${String(fraction).padStart(6, '0').replace(/0+$/, '')}`
}

const yearText = (year: number): string => String(year > 0 ? year : 1 - year).padStart(4, '0')
const two = (value: number): string => String(value).padStart(2, '0')
