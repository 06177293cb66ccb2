import { nullOf } from './expressions.js'
import { relationColumn } from './relation-column.js'
import type { Output, ResolvedDimension } from './resolved-query.js'

/** A dimension as a column of the answer. */
export function dimensionOutput({ name, label, type, format, sequence }: ResolvedDimension): Output {
  return {
    name: label,
    role: 'dimension',
    type,
    expression: relationColumn('', name, type),
    displayAs: undefined,
    format,
    sequence,
  }
}

/** The column of a dimension that a subtotal is not grouped by. */
export function absentOutput(dimension: ResolvedDimension): Output {
  const { type } = dimension
  return { ...dimensionOutput(dimension), expression: { kind: 'cast', operand: nullOf(type), type } }
}
