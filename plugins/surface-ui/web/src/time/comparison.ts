/** The comparison of a question: its measures beside those of the period before, of the same days a year before, or of so many units before. */
import { dimensionsOf, grainOf, measuresOf, nameOf, type Query } from '../query/query.js'
import { plusDays, type Range, rangeIn } from './time-range.js'

/** `compare` of a query, as far as the page sets it. */
export interface Compare {
  readonly time: string
  readonly unit: string
  readonly count?: number
  readonly [key: string]: unknown
}

export const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const
/** Counts as many days as the question leaves. */
const RANGE = 'range'

export const isCompare = (value: unknown): value is Compare =>
  typeof value === 'object' &&
  value !== null &&
  ['time', 'unit'].every((key) => typeof Reflect.get(value, key) === 'string') &&
  ['undefined', 'number'].includes(typeof Reflect.get(value, 'count'))

export function compareOf({ compare }: Query): Compare | undefined {
  return isCompare(compare) ? compare : undefined
}

export function withCompare(query: Query, compare: Compare | undefined): Query {
  const { compare: _, ...rest } = query
  return compare === undefined ? rest : { ...rest, compare }
}

export const KINDS = ['none', 'before', 'year', 'custom'] as const
type Kind = (typeof KINDS)[number]

export const SAYS: Readonly<Record<Kind, string>> = {
  none: 'Nothing',
  before: 'The period before',
  year: 'The same days a year before',
  custom: 'So many units before',
}

/** How the control shows a comparison. */
export function kindOf(compare: Compare | undefined): Kind {
  if (compare === undefined) return 'none'
  const { unit, count = 1 } = compare
  return unit === RANGE && count === 1 ? 'before' : unit === 'year' && count === 1 ? 'year' : 'custom'
}

/** The comparison of a kind; a custom one begins with a month. */
export function ofKind(kind: Kind, time: string): Compare | undefined {
  switch (kind) {
    case 'none':
      return undefined
    case 'before':
      return { time, unit: RANGE }
    case 'year':
      return { time, unit: 'year' }
    case 'custom':
      return { time, unit: 'month', count: 1 }
  }
}

/**
 * The query that is asked: a comparison needs a measure and a range. Rows of months have no number of days to be moved by, so that the period before a range of
 * whole months is as many months, and of whole weeks as many weeks.
 */
export function askedCompare(query: Query): Query {
  const compare = compareOf(query)
  if (compare === undefined) return query
  const range = rangeIn(query, { name: compare.time })
  if (measuresOf(query).length === 0 || range === undefined) return withCompare(query, undefined)
  const shown = dimensionsOf(query).find((pick) => nameOf(pick) === compare.time)
  const grain = shown === undefined ? undefined : grainOf(shown)
  if (kindOf(compare) !== 'before' || grain === undefined || grain === 'day') return query
  const [unit, count] = grain === 'week' ? ['week', weeksIn(range)] : ['month', monthsIn(range)]
  return count === undefined ? query : withCompare(query, { ...compare, unit, count })
}

/** The number of months of a range; `undefined` if a month is cut. */
export function monthsIn({ from, to }: Range): number | undefined {
  const after = plusDays(to, 1)
  if (!from.endsWith('-01') || !after.endsWith('-01')) return undefined
  return monthNumber(after) - monthNumber(from)
}

function monthNumber(day: string): number {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return year * 12 + month
}

const DAY_MS = 86_400_000

function weeksIn({ from, to }: Range): number | undefined {
  const days = Math.round((Date.parse(plusDays(to, 1)) - Date.parse(from)) / DAY_MS)
  return days % 7 === 0 ? days / 7 : undefined
}
