import { isCompare } from '../time/comparison.js'
import type { Query } from './query.js'

/** Checks only what the page relies on; the API validates the rest. */
export function isQuery(value: unknown): value is Query {
  if (!isObject(value) || !isObject(value['select'])) return false
  const { where = [], order_by = [], limit, compare } = value
  const { dimensions = [], measures, fields } = value['select']
  return (
    [measures, fields].every((list) => list === undefined || isTexts(list)) &&
    isListOf(dimensions, (pick) => typeof pick === 'string' || (isObject(pick) && typeof pick['as'] === 'string')) &&
    isListOf(order_by, (order) => isObject(order) && order['field'] !== undefined) &&
    isListOf(where, (each) => typeof each === 'string' || isObject(each)) &&
    (limit === undefined || typeof limit === 'number') &&
    (compare === undefined || isCompare(compare))
  )
}

const isListOf = (value: unknown, isOne: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(isOne)
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
