/**
 * Times of DataFusion: those without zone are TIMESTAMP(6), because a plain TIMESTAMP ends in 2262; instants are a type of Arrow that no
 * CAST can name.
 */
import type { Dialect, TimeGrain } from '@grainline/core/dialect'

export const big = (value: string): string => `CAST(${value} AS BIGINT)`
export const instant = (value: string): string => `ARROW_CAST(${value}, 'Timestamp(Microsecond, Some("UTC"))')`
const naive = (value: string): string => `CAST(${value} AS TIMESTAMP(6))`
const date = (value: string): string => `CAST(${value} AS DATE)`

const INTERVALS: Readonly<Record<TimeGrain, readonly [times: number, unit: string]>> = {
  second: [1, 'second'],
  minute: [1, 'minute'],
  hour: [1, 'hour'],
  day: [1, 'day'],
  week: [7, 'day'],
  month: [1, 'month'],
  quarter: [3, 'month'],
  year: [12, 'month'],
}
const interval = (unit: TimeGrain, count: string): string => {
  const [times, name] = INTERVALS[unit]
  const [, written] = /^\(?(-?\d+)\)?$/.exec(count) ?? []
  if (written !== undefined) return `INTERVAL '${Number(written) * times} ${name}'`
  return `CAST(CAST(${times === 1 ? count : `(${count}) * ${times}`} AS VARCHAR) || ' ${name}' AS INTERVAL)`
}

/**
 * Parts of a short value are extracted one by one, which is five times as fast. A long one is written once, because nested periods of a
 * calendar would double the text with each place that writes its argument twice.
 */
const isShort = (value: string): boolean => value.length <= 160

const monday = (value: string): string =>
  isShort(value) ? `(${date(value)} - (DATE_PART('isodow', ${value}) - 1))` : `TO_DATE(TO_CHAR(${value}, '%G-%V-1'), '%G-%V-%u')`

const FIRST_OF_QUARTER = [1, 2, 3, 4].map((q) => [`Q${q}`, `${String(q * 3 - 2).padStart(2, '0')}-01`] as const)

/** Without DATE_TRUNC if there is another way: it counts in nanoseconds, which end in 2262. */
export const truncate: Dialect['truncate'] = (grain, value, { kind }, weekStart) => {
  const part = (name: string): string => `DATE_PART('${name}', ${value})`
  const written = (format: string): string => `TO_CHAR(${value}, '${format}')`
  switch (grain) {
    case 'year':
      return isShort(value) ? `MAKE_DATE(${part('year')}, 1, 1)` : `CAST(${written('%Y-01-01')} AS DATE)`
    case 'quarter': {
      if (isShort(value)) return `MAKE_DATE(${part('year')}, ${part('quarter')} * 3 - 2, 1)`
      const month = FIRST_OF_QUARTER.reduce(
        (text, [quarter, first]) => `REPLACE(${text}, '${quarter}', '${first}')`,
        written('%Y-Q%q'),
      )
      return `CAST(${month} AS DATE)`
    }
    case 'month':
      return isShort(value) ? `MAKE_DATE(${part('year')}, ${part('month')}, 1)` : `CAST(${written('%Y-%m-01')} AS DATE)`
    case 'week':
      if (weekStart === 'sunday') return `(${monday(`(${date(value)} + 1)`)} - 1)`
      return monday(value)
    case 'day':
      return kind === 'date' ? value : `TO_DATE(${value})`
    default:
      return `DATE_TRUNC('${grain}', ${kind === 'date' ? naive(value) : value})`
  }
}

const months = (x: string): string => `(DATE_PART('year', ${x}) * 12 + DATE_PART('month', ${x}))`
const quarters = (x: string): string => `(DATE_PART('year', ${x}) * 4 + DATE_PART('quarter', ${x}))`
const epoch = (unit: string, x: string): string => `${big(`DATE_PART('epoch', DATE_TRUNC('${unit}', ${naive(x)}))`)}`

const secondsOf: Partial<Record<TimeGrain, number>> = { second: 1, minute: 60, hour: 3600 }

/** The number of boundaries of the unit between two times. */
export function dateDiff(unit: TimeGrain, from: string, to: string): string {
  const between = (count: (value: string) => string): string => `(${count(to)} - ${count(from)})`
  switch (unit) {
    case 'year':
      return big(between((value) => `DATE_PART('year', ${value})`))
    case 'quarter':
      return big(between(quarters))
    case 'month':
      return big(between(months))
    case 'week':
      return `(${between(monday)} / 7)`
    case 'day':
      return between(date)
    default:
      return `(${between((value) => epoch(unit, value))} / ${secondsOf[unit]})`
  }
}

/** INTERVAL accepts no computed number: it is parsed from a text. */
export const dateAdd: Dialect['dateAdd'] = (unit, count, value, { kind }) =>
  `(${kind === 'date' && unit in secondsOf ? naive(value) : value} + ${interval(unit, count)})`

/** The local time in a zone: AT TIME ZONE would change the name of the zone without converting the time. */
export const instantToZone = (value: string, zone: string): string =>
  `TO_LOCAL_TIME(ARROW_CAST(${value}, 'Timestamp(Microsecond, Some("${zone.slice(1, -1)}"))'))`

/**
 * Shifted by the offset of the zone at that time, twice, so that it is also correct near a clock change. A cast fails in an hour that is
 * skipped.
 */
export function zoneToInstant(value: string, zone: string): string {
  const guess = `(${value} - (${instantToZone(instant(value), zone)} - ${value}))`
  return instant(`(${value} - (${instantToZone(instant(guess), zone)} - ${guess}))`)
}
