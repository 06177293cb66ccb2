/** Which operators accept which values; for the filters of models and of queries. */
import { isWhole } from '../invariant.js'
import type { DataType } from './data-type.js'
import { isNumeric } from './data-type.js'
import { isoDate } from './expression/written-literal.js'
import { type Operator, specOf } from './operators.js'
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
