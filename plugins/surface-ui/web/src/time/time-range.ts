/** Ranges of days: presets that end with the last day of the data, the same number of days before, and their conditions in a query. */
import { type Condition, type Filter, isFilter, type Query, withFilters } from '../query/query.js'

/** First and last day, both included, as `2024-03-31`. */
export interface Range {
  readonly from: string
  readonly to: string
}

export const SPANS = ['last 7 days', 'last 30 days', 'last 3 months', 'last 12 months', 'year to date', 'last year'] as const
export type Span = (typeof SPANS)[number]

/** The range of a preset. `last` is the last day of the data. */
export function rangeOf(span: Span, last: string): Range {
  const [year = 0, month = 1, day = 1] = last.split('-').map(Number)
  switch (span) {
    case 'last 7 days':
      return { from: plusDays(last, -6), to: last }
    case 'last 30 days':
      return { from: plusDays(last, -29), to: last }
    case 'last 3 months':
      return { from: plusDays(monthsBefore({ year, month, day }, 3), 1), to: last }
    case 'last 12 months':
      return { from: plusDays(monthsBefore({ year, month, day }, 12), 1), to: last }
    case 'year to date':
      return { from: dayOf(year, 1, 1), to: last }
    case 'last year':
      return { from: dayOf(year - 1, 1, 1), to: dayOf(year - 1, 12, 31) }
  }
}

/** As many days, directly before. */
export function rangeBefore({ from, to }: Range): Range {
  const days = daysBetween(from, to) + 1
  return { from: plusDays(from, -days), to: plusDays(from, -1) }
}

/** The same days a year earlier; 29 February becomes 28 February. */
export const yearBefore = ({ from, to }: Range): Range => ({ from: yearsBefore(from), to: yearsBefore(to) })

export interface TimeField {
  readonly name: string
  readonly type: string
}

/** The query for a range of days of this time only. */
export function withRange(query: Query, field: TimeField, range: Range | undefined): Query {
  const kept = (query.where ?? []).filter((condition) => !isOf(condition, field.name))
  return withFilters(query, 'where', range === undefined ? kept : [...kept, ...conditionsOf(field, range)])
}

/** The range that the filters of a query leave of a time; absent if they are another kind of filter. */
export function rangeIn({ where = [] }: Query, { name }: Pick<TimeField, 'name'>): Range | undefined {
  const own = where.filter((condition): condition is Filter => isFilter(condition) && condition.field === name)
  const [only, second, ...more] = own
  if (only?.op === 'between' && second === undefined && Array.isArray(only.value)) {
    const [from, to] = only.value.map(String)
    return isDay(from) && isDay(to) ? { from, to } : undefined
  }
  if (more.length > 0 || only?.op !== 'gte' || second?.op !== 'lt') return undefined
  const [from, after] = [String(only.value), String(second.value)]
  return isDay(from) && isDay(after) ? { from, to: plusDays(after, -1) } : undefined
}

/** A time within the last day belongs to the range, so it ends before the next day. */
function conditionsOf({ name, type }: TimeField, { from, to }: Range): readonly Filter[] {
  if (type.startsWith('date')) return [{ field: name, op: 'between', value: [from, to] }]
  return [
    { field: name, op: 'gte', value: from },
    { field: name, op: 'lt', value: plusDays(to, 1) },
  ]
}

const isOf = (condition: Condition, name: string): boolean => isFilter(condition) && condition.field === name

export const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

export function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
const dayOf = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** In a shorter month the last day. */
function monthsBefore({ year, month, day }: Day, months: number): string {
  const index = year * 12 + (month - 1) - months
  const [of, at] = [Math.floor(index / 12), (index % 12) + 1]
  return dayOf(of, at, Math.min(day, new Date(Date.UTC(of, at, 0)).getUTCDate()))
}

function yearsBefore(text: string): string {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number)
  return monthsBefore({ year, month, day }, 12)
}
