import { BOOLEAN, STRING } from '../model/data-type.js'
import { signedNumber } from '../model/expression/written-literal.js'
import { literal } from './expressions.js'
import type { RowExpr } from './relation-column.js'

/** A default of the model as a literal. */
export function defaultLiteral(value: string | number | boolean): RowExpr {
  if (typeof value === 'boolean') return literal(value, BOOLEAN)
  return typeof value === 'number' ? signedNumber(String(value)) : literal(value, STRING)
}
