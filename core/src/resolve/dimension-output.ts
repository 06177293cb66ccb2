import { BOOLEAN, TIMESTAMP } from '../model/data-type.js'
import { call, isNull, literal, text, typedNull } from './expressions.js'
import { type RowExpr, relationColumn } from './relation-column.js'
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

/** The same as the answer shows it: the group of all but the top values by its name, if it is a text, and a period as its first moment. */
export function shownDimension(dimension: ResolvedDimension): Output {
  const { type, top, shownAs } = dimension
  const output = dimensionOutput(dimension)
  if (shownAs) return { ...output, type: shownAs.type, expression: momentOf(output.expression, shownAs) }
  return type.kind === 'string' ? { ofNull: top?.others, ...output } : output
}

/** The local time in its zone, as an instant if the type is that of instants. */
function momentOf(local: RowExpr, { type, zone }: NonNullable<ResolvedDimension['shownAs']>): RowExpr {
  const time: RowExpr = { kind: 'cast', operand: local, type: TIMESTAMP }
  return type.kind === 'timestamp_tz' ? call('from_zone', time, text(zone)) : time
}

/** The column of a dimension that a subtotal is not grouped by. */
export function absentOutput(dimension: ResolvedDimension): Output {
  const type = dimension.shownAs?.type ?? dimension.type
  return { ...dimensionOutput(dimension), type, expression: typedNull(type) }
}

/** The name of the column that marks the group of all but the top values of a dimension. */
export const othersName = ({ label }: ResolvedDimension): string => `${label} is others`

/** The columns that mark the group of all but the top values of a dimension; `absent` are dimensions that a subtotal is not grouped by. */
export const othersOutputs = (
  dimensions: readonly ResolvedDimension[],
  absent: readonly ResolvedDimension[],
): readonly Output[] =>
  dimensions
    .filter(({ top }) => top?.others !== undefined)
    .map((d) => ({
      name: othersName(d),
      role: 'grouping',
      type: BOOLEAN,
      expression: absent.includes(d) ? literal(false, BOOLEAN) : isNull(relationColumn('', d.name, d.type)),
      displayAs: undefined,
      format: undefined,
    }))
