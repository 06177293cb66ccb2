/** Timeframes of a time → grains, and parts of a time. */
import type { Part } from '@grainline/importer-dbt/foreign'

/** Timeframes that are a grain; `raw` is the time itself. */
const GRAINS: Readonly<Record<string, string | undefined>> = {
  ...{ raw: undefined, time: 'second', second: 'second', minute: 'minute', hour: 'hour', date: 'day' },
  ...{ week: 'week', month: 'month', quarter: 'quarter', year: 'year' },
}

/** Those of a group that lists none. */
const USUAL = ['raw', 'time', 'date', 'week', 'month', 'quarter', 'year']

export const timeframesOf = (group: Part): readonly string[] => {
  const listed = group.texts('timeframes')
  return listed.length === 0 ? USUAL : [...new Set(listed)]
}

const INTERVALS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

/** The units of a duration; all of them for a group that lists none. */
export const intervalsOf = (group: Part): readonly string[] => {
  const listed = group.texts('intervals')
  return listed.length === 0 ? INTERVALS : [...new Set(listed)]
}

export const isInterval = (interval: string): boolean => INTERVALS.includes(interval)

export const isGrain = (timeframe: string): boolean => Object.hasOwn(GRAINS, timeframe)

/** The place of a timeframe in the order from the finest on. */
export const finenessOf = (timeframe: string): number => Object.keys(GRAINS).indexOf(timeframe)

export const grainOf = (timeframe: string): string | undefined => (isGrain(timeframe) ? GRAINS[timeframe] : undefined)

const choice = (value: string, words: readonly string[], from: number): string =>
  `CASE ${words.map((word, at) => `WHEN ${value} = ${at + from} THEN '${word}'`).join(' ')} END`

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** The day of the week from 0: this day is a Monday. */
const weekday = (time: string): string => `mod(mod(date_diff('day', DATE '1900-01-01', ${time}), 7) + 7, 7)`

/** The first day of a week. */
export type WeekStart = 'monday' | 'sunday'

const PARTS: Readonly<Record<string, (time: string, weekStart: WeekStart) => string>> = {
  month_num: (time) => `extract('month', ${time})`,
  month_name: (time) => choice(`extract('month', ${time})`, MONTHS, 1),
  day_of_month: (time) => `extract('day', ${time})`,
  day_of_year: (time) => `(date_diff('day', date_trunc('year', ${time}), ${time}) + 1)`,
  day_of_week: (time) => choice(weekday(time), DAYS, 0),
  day_of_week_index: (time, weekStart) => (weekStart === 'sunday' ? `mod(${weekday(time)} + 1, 7)` : weekday(time)),
  hour_of_day: (time) => `extract('hour', ${time})`,
  week_of_year: (time) => `extract('week', ${time})`,
  quarter_of_year: (time) => `concat('Q', extract('quarter', ${time}))`,
}

/** The part of a time, and undefined for a timeframe that is none here. */
export const partOfTime = (timeframe: string, time: string, weekStart: WeekStart): string | undefined =>
  Object.hasOwn(PARTS, timeframe) ? PARTS[timeframe]?.(time, weekStart) : undefined
