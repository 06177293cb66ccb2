import { findOperator } from './operators.js'
import { type Condition, isFilter } from './query.js'

/** A condition as a person says it. */
export function inWords(condition: Condition): string {
  if (typeof condition === 'string') return condition
  if (!isFilter(condition)) return typeof condition['segment'] === 'string' ? condition['segment'] : JSON.stringify(condition)
  const { says } = findOperator(condition.op)
  return `${condition.field} ${says} ${valueInWords(condition.value)}${condition.or_missing ? ' or is empty' : ''}`.trim()
}

function valueInWords(value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value))
    return value.length > 3 ? `${value.slice(0, 3).join(', ')} and ${value.length - 3} more` : value.join(', ') || '…'
  if (typeof value === 'object' && value !== null && 'unit' in value) {
    const { unit, count, direction } = value as { unit: string; count: number; direction?: string }
    return `${direction === 'future' ? 'next' : 'last'} ${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return value === '' || value === null ? '…' : String(value)
}
