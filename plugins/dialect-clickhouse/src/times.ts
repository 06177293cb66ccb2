/** https://clickhouse.com/docs/sql-reference/functions/date-time-functions */
import type { DataType } from '@grainline/core'
import { isClock, type TimeGrain, timeUnit } from '@grainline/core/dialect'

const capital = (unit: string): string => unit.charAt(0).toUpperCase() + unit.slice(1)

/** A date at its first second; a timestamp with fractions, whatever the column has. */
const timestamp = (x: string, type: DataType): string => (type.kind === 'date' ? `toDateTime64(${x}, 6, 'UTC')` : x)

export function truncate(grain: TimeGrain, x: string, type: DataType, weekStart: 'monday' | 'sunday'): string {
  if (grain === 'second') return type.kind === 'date' ? timestamp(x, type) : `toStartOfSecond(toDateTime64(${x}, 6, 'UTC'))`
  if (isClock(grain)) return `toStartOf${capital(grain)}(${timestamp(x, type)})`
  if (grain === 'day') return type.kind === 'date' ? x : `toDate32(${x})`
  // For types other than Date32 they return a DATE, which ends in 2149.
  const date = type.kind === 'date' ? x : `toDate32(${x})`
  if (grain === 'week') return weekStart === 'monday' ? `toMonday(${date})` : `toStartOfWeek(${date}, 0)`
  return `toStartOf${capital(grain)}(${date})`
}

export function moved(unit: TimeGrain, count: string, x: string, type: DataType): string {
  return `add${capital(unit)}s(${isClock(unit) ? timestamp(x, type) : x}, ${count})`
}

/** Boundaries that lie between, of weeks that begin on Monday. */
export const dateDiff = (unit: string, start: string, end: string): string => `dateDiff(${unit}, ${start}, ${end})`

const FIELDS: Partial<Record<TimeGrain, string>> = { week: 'toISOWeek', day: 'toDayOfMonth' }

export function extract(unit: string, x: string, type: DataType): string {
  const grain = timeUnit(unit)
  return `toInt64(${FIELDS[grain] ?? `to${capital(grain)}`}(${isClock(grain) ? timestamp(x, type) : x}))`
}
