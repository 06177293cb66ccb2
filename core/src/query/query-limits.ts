import { fail } from '../errors.js'
import { isRecord } from '../model/shape.js'

export interface QueryLimits {
  /** Fields, filters and order keys together. */
  readonly maxParts: number
  /** Values in the lists of its filters together. */
  readonly maxValues: number
}

export const NO_LIMITS: QueryLimits = { maxParts: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY }

/**
 * Throws `QUERY_TOO_LARGE` before any part of a query is read, compared or suggested. Counts without recursion, and stops at the first part
 * that exceeds a limit.
 */
export function checkSize(json: unknown, { maxParts, maxValues }: QueryLimits): void {
  const ahead: Counted[] = [{ value: json, isValue: false }]
  const count = { parts: 0, values: 0 }
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { value, isValue } = next
    const items = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
    if (isValue) count.values += items.length
    else count.parts += Array.isArray(value) ? 1 + items.filter((item) => !isNested(item)).length : isRecord(value) ? 1 : 0
    if (count.values > maxValues) tooLarge('values in its filters', maxValues, 'QUERY_MAX_VALUES')
    if (count.parts > maxParts || ahead.length > MOST_AHEAD)
      tooLarge('fields, filters and order keys', maxParts, 'QUERY_MAX_PARTS')
    for (const below of belowOf(value, isValue)) ahead.push(below)
  }
}

interface Counted {
  readonly value: unknown
  /** A part of the `value` of a filter. */
  readonly isValue: boolean
}

/** A query within its limits never has so many unvisited parts. */
const MOST_AHEAD = 1_000_000

function belowOf(value: unknown, isValue: boolean): readonly Counted[] {
  if (Array.isArray(value)) return value.filter(isNested).map((item) => ({ value: item, isValue }))
  if (!isRecord(value)) return []
  const below: Counted[] = []
  for (const key in value) if (isNested(value[key])) below.push({ value: value[key], isValue: isValue || key === 'value' })
  return below
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

function tooLarge(what: string, most: number, setting: string): never {
  return fail('QUERY_TOO_LARGE', `The query has more than ${most} ${what}`, {
    hint: `Ask in parts; the operator may raise ${setting}.`,
  })
}
