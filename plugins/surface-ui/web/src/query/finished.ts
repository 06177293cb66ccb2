import { askedCompare } from '../time/comparison.js'
import { canonical, findOperator } from './operators.js'
import { type Condition, isFilter, type Query, withFilters } from './query.js'

/** The query without the filters that have no value yet: they are no part of it until they have one. Its comparison is that of its days. */
export function finished(query: Query): Query {
  const lists = ['where', 'having'] as const
  const left = lists.reduce((left, list) => {
    const all = left[list] ?? []
    const kept = all.filter(isFinished)
    return kept.length === all.length ? left : withFilters(left, list, kept)
  }, query)
  return askedCompare(left)
}

function isFinished(condition: Condition): boolean {
  if (!isFilter(condition) || !('value' in condition)) return true
  const { op, value } = condition
  switch (findOperator(op).takes) {
    case 'list':
      return !Array.isArray(value) || value.length > 0
    case 'two':
      return !Array.isArray(value) || value.every((end) => end !== '' && end !== null)
    case 'one':
      // An empty text is a value only where texts are compared as a whole.
      return value !== null && (value !== '' || ['eq', 'neq'].includes(canonical(op)))
    default:
      return true
  }
}
