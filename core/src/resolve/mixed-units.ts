import { isHiddenName } from '../hidden-name.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { ResolvedDimension } from './resolved-query.js'

/** Notes that several units may meet in a value. */
export type Mixed = (what: MixedWhat, path: string) => void

export interface MixedWhat {
  /** The measure or metric. */
  readonly name: string
  /** The column that names the unit, if it is one. */
  readonly column: ColumnRef | undefined
  /** What its rows are grouped by. */
  readonly by: readonly ResolvedDimension[]
  readonly does: 'adds' | 'compares' | 'combines'
}

/** What happened, and what to do about it. */
export function mixedMessage({ name, column, by, does }: MixedWhat, model: SemanticModel): string {
  const groups = by.length === 0 ? 'the total' : `a group by ${by.map(({ label }) => `'${label}'`).join(', ')}`
  if (!column) return `'${name}' ${does} values of different units in ${groups}; ${ADVICE}`
  const shown = isHiddenName(column.column) ? 'a column that you do not see' : `'${column.object}.${column.column}'`
  const dimension = [...model.dimensions.values()].find(
    ({ name: own, expression, timeGrain, via }) =>
      !isHiddenName(own) &&
      timeGrain === undefined &&
      via === undefined &&
      expression.kind === 'column' &&
      expression.object === column.object &&
      expression.column === column.column,
  )
  const what = dimension ? `add the dimension '${dimension.name}' to the query` : `add a dimension of ${shown} to the query`
  return `'${name}' ${does} values whose unit ${shown} names, and ${groups} may hold several of its values; ${what}, a filter that leaves one of its values, or use a measure that converts`
}

const ADVICE = 'add a dimension that has the unit, a filter that leaves one unit, or use a measure that converts'
