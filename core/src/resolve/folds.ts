import { type DataType, FLOAT, INT } from '../model/data-type.js'
import { dimensionOutput } from './dimension-output.js'
import type { Fold, Output, ResolvedDimension, RowField } from './resolved-query.js'

/** What folding values of a type gives. */
export function foldType(aggregate: Fold['aggregate'], type: DataType): DataType {
  if (aggregate === 'count') return INT
  return aggregate === 'avg' ? FLOAT : type
}

/** Columns of a query within a query: its dimensions by their names, then the value. */
export function innerOutputs(
  dimensions: readonly ResolvedDimension[],
  { type, expression }: Pick<RowField, 'type' | 'expression'>,
  name: string,
): Output[] {
  const value: Output = { name, role: 'measure', type, expression, displayAs: undefined, format: undefined }
  return [...dimensions.map((d) => ({ ...dimensionOutput(d), name: d.name })), value]
}
