import { type DataType, FLOAT, INT } from '../model/data-type.js'
import { dimensionOutput } from './dimension-output.js'
import type { Modifier } from './modifiers.js'
import type { Fold, Output, ResolvedDimension, RowField } from './resolved-query.js'

/** The base of a fold changes nothing about its atoms; it keeps metrics over time from standing below another. */
export const PER_PERIOD: Modifier = {
  key: 'per period',
  label: 'per period',
  shift: undefined,
  window: undefined,
  conjunct: (c) => c,
}

/** What folding values of a type gives. */
export function foldType(aggregate: Fold['aggregate'], type: DataType): DataType {
  if (aggregate === 'count') return INT
  return aggregate === 'avg' ? FLOAT : type
}

/** Columns of the query below a fold: its dimensions by their names, then the value. */
export function perPeriodOutputs(
  dimensions: readonly ResolvedDimension[],
  { type, expression }: RowField,
  name: string,
): Output[] {
  const value: Output = { name, role: 'measure', type, expression, displayAs: undefined, format: undefined }
  return [...dimensions.map((d) => ({ ...dimensionOutput(d), name: d.name })), value]
}
