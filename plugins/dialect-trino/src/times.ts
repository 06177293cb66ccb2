/** https://trino.io/docs/current/functions/datetime.html */
import type { DataType } from '@grainline/core'
import { isClock, type SpellingOf, type TimeGrain, timeUnit } from '@grainline/core/dialect'

const day = (x: string, type: DataType | undefined): string => (type?.kind === 'date' ? x : `CAST(${x} AS DATE)`)
const timestamp = (x: string, type: DataType | undefined): string => (type?.kind === 'date' ? `CAST(${x} AS TIMESTAMP(6))` : x)

/** Weeks begin on Monday. */
export function truncate(grain: TimeGrain, x: string, type: DataType | undefined, weekStart: 'monday' | 'sunday'): string {
  if (isClock(grain)) return `DATE_TRUNC('${grain}', ${timestamp(x, type)})`
  if (grain === 'day') return day(x, type)
  if (grain !== 'week' || weekStart === 'monday') return `DATE_TRUNC('${grain}', ${day(x, type)})`
  return `DATE_ADD('day', -1, DATE_TRUNC('week', DATE_ADD('day', 1, ${day(x, type)})))`
}

export const moved = (unit: TimeGrain, count: string, x: string, type: DataType): string =>
  `DATE_ADD('${unit}', ${count}, ${isClock(unit) ? timestamp(x, type) : x})`

/** Whole units between two times, of which the starts of units have no others. */
export const dateDiff: SpellingOf<'date_diff'> = ([unit, start, end], [, from, to]) => {
  const grain = timeUnit(unit)
  return `DATE_DIFF(${unit}, ${truncate(grain, start, from, 'monday')}, ${truncate(grain, end, to, 'monday')})`
}

export const extract: SpellingOf<'extract'> = ([unit, x], [, type]) => {
  const grain = timeUnit(unit)
  return `EXTRACT(${grain.toUpperCase()} FROM ${isClock(grain) ? timestamp(x, type) : x})`
}

/** Without zeros at the end of its fraction. */
export function textOf(x: string, type: DataType | undefined): string {
  if (type?.kind === 'date') return `CAST(${x} AS VARCHAR)`
  const time =
    type?.kind === 'time'
      ? `CAST(${x} AS TIME(6))`
      : `CAST(${type?.kind === 'timestamp_tz' ? `${x} AT TIME ZONE 'UTC'` : x} AS TIMESTAMP(6))`
  const text = `REGEXP_REPLACE(CAST(${time} AS VARCHAR), '[.]?0+$')`
  return type?.kind === 'timestamp_tz' ? `${text} || '+00'` : text
}
