/** Which operators accept which values; for the filters of models and of queries. */
import { isWhole } from '../invariant.js'
import type { DataType } from './data-type.js'
import { isNumeric } from './data-type.js'
import { isoDate } from './expression/written-literal.js'
import { isNegative, type Operator, specOf } from './operators.js'
import type { FilterValue } from './semantic-model.js'

/** The error in a value for a field of any type; undefined if there is none. */
export function valueFault(operator: Operator, value: unknown): string | undefined {
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value))
    return 'A value is a text, a number, true, false or null'
  if (typeof value === 'number' && !Number.isFinite(value)) return 'A number must be finite'
  const spec = specOf(operator)
  if (value === null && !spec.null) return `'${operator}' cannot compare with null; use is_null or is_not_null`
  if (spec.of === 'texts' && typeof value !== 'string') return `'${operator}' takes a text`
  if (spec.of === 'lengths' && !(isWhole(value) && value >= 0)) return `'${operator}' takes a whole number of characters`
  return undefined
}

/** A filter that keeps rows without a value cannot also leave them out. */
export const OR_MISSING_BESIDE_NULL =
  "'or_missing' keeps the rows without a value, and null among the values leaves them out; remove one of the two"

/** The error of a comparison that also keeps the rows without a value; undefined if there is none. */
export function orMissingFault(operator: Operator, values: readonly unknown[]): string | undefined {
  if (isNegative(operator) && specOf(operator).takes !== 'none') return values.includes(null) ? OR_MISSING_BESIDE_NULL : undefined
  return `'or_missing' belongs to operators that leave values out, such as neq and not_in, and to negated groups; ${insteadOf(operator)}`
}

/** What keeps the rows without a value beside those that an operator finds. */
function insteadOf(operator: Operator): string {
  if (operator === 'in' || operator === 'eq') return "write 'in' with null among its values"
  const { takes } = specOf(operator)
  if (takes === 'none' || takes === 'subquery') return `'${operator}' is true or false of every row, so remove 'or_missing'`
  return `write a group with logic 'or' of this filter and one with 'is_null'`
}

/** The error of a group that keeps the rows for which it is unknown, without being negated. */
export const OR_MISSING_OF_GROUP =
  "'or_missing' belongs to a negated group; in any other, add it to a member, or a member with 'is_null' to a group with logic 'or'"

/** The error of this operator on a field of this type; undefined if there is none. */
export function operatorFault(operator: Operator, type: DataType): string | undefined {
  const { of } = specOf(operator)
  if ((of === 'texts' || of === 'lengths') && type.kind !== 'string') return `'${operator}' works on texts, not on ${type.kind}`
  if (of === 'moments' && !['date', 'timestamp', 'timestamp_tz'].includes(type.kind))
    return `'${operator}' works on dates and timestamps, not on ${type.kind}`
  return undefined
}

const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/
const TIME = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/
const ZONED =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?\s?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i

/** Whether a value can be compared with a field of this type: numbers may be numeric text, dates and timestamps are ISO text. */
export function valueFits(value: FilterValue, type: DataType): boolean {
  if (value === null) return true
  if (isNumeric(type)) return typeof value === 'number' || (typeof value === 'string' && NUMBER.test(value))
  switch (type.kind) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
    case 'timestamp':
    case 'timestamp_tz': {
      const day = typeof value === 'string' ? ZONED.exec(value)?.[1] : undefined
      return day !== undefined && isoDate(day) !== undefined
    }
    case 'time':
      return typeof value === 'string' && TIME.test(value)
    default:
      return typeof value === 'string'
  }
}
