/** What a comparison shows. */
import { type Dec, divide, subtract, toDouble, type Value } from './values.js'

export function compared(comparison: string, current: Value, before: Value): Value {
  if (current === null || before === null) return null
  if (comparison === 'difference') return subtract(current, before)
  if (comparison === 'ratio') return divide(current, before)
  return divide(subtract(current, before), Math.abs(toDouble(before as Dec | number)))
}
